"""Notation of public logs: what a person at a cardboard game can write down of Mr X, as one line.

    london-2013 start:35/45/51 now:15/26 | 13/26 taxi | 14/26 bus black@86 | 14/25

First the board; if they are known, the stations where he may have started, and where the hunters stand now. Then his
rounds, each after a bar: where the hunters stood when he was about to move, in the same order each time; the tickets
that cover the fields of his log, one or the two of a double move, with `@` and the station where he showed himself;
and, if somebody counted them, what lay in the supply and his black tickets at that moment (`supply:35/29/15 black:4`).
The last round may be without tickets: then he is to move.
"""

import re
from typing import NamedTuple, NoReturn

from whitehall.games.scotland_yard.notation import NotationError
from whitehall.games.scotland_yard.public_log import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

BAR = "|"

_TICKETS = {ticket.word: ticket for ticket in Ticket}
_STATIONS = re.compile("(?:[1-9][0-9]{0,3})(?:/[1-9][0-9]{0,3})*")
_NUMBER = "(0|[1-9][0-9]{0,2})"
_SUPPLY = re.compile(f"supply:{_NUMBER}/{_NUMBER}/{_NUMBER}")
_BLACK = re.compile(f"black:{_NUMBER}")
_RIDE = re.compile(f"({'|'.join(_TICKETS)})(?:@([1-9][0-9]{{0,3}}))?")
_WORD = re.compile(r"[^\s|]+|\|")


class PublicLog(NamedTuple):
    """A public log, with the name of its board. Whether it makes sense is for `evidence_from_log` to say."""

    board: str
    rounds: tuple[PublicRound, ...]
    start: tuple[Station, ...] | None = None
    """None: any station."""
    hunters: tuple[Station, ...] | None = None
    """Where they stand now; None: as the last round began."""


class _Word(NamedTuple):
    text: str
    column: int


def text(log: PublicLog) -> str:
    """The log in notation."""
    words = [log.board]
    words += [f"start:{_listed(log.start)}"] if log.start else []
    words += [f"now:{_listed(log.hunters)}"] if log.hunters else []
    for this in log.rounds:
        words.append(BAR)
        words += [_listed(this.hunters)] if this.hunters else []
        words += [ride.ticket.word + (f"@{ride.station}" if ride.station else "") for ride in this.rides]
        words += [f"supply:{_listed(this.supply)}"] if this.supply else []
        words += [f"black:{this.black_tickets}"] if this.black_tickets is not None else []
    return " ".join(words)


def _listed(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def parse(text: str) -> PublicLog:
    """The log that a text says. Raises `NotationError`."""
    parts: list[list[_Word]] = [[]]
    for found in _WORD.finditer(text):
        if found[0] == BAR:
            parts.append([])
        else:
            parts[-1].append(_Word(found[0], found.start() + 1))
    head, *rounds = parts
    if not head:
        _fail("expected the name of a board", _Word("", 1))
    known: dict[str, tuple[Station, ...]] = {}
    for word in head[1:]:
        name, _, stations = word.text.partition(":")
        if name not in ("start", "now") or not _STATIONS.fullmatch(stations):
            _fail("expected start: or now: with stations, such as now:13/26", word)
        if name in known:
            _fail("stands here twice", word)
        known[name] = _stations(stations)
    return PublicLog(head[0].text, tuple(map(_round, rounds)), known.get("start"), known.get("now"))


def _round(words: list[_Word]) -> PublicRound:
    hunters: tuple[Station, ...] = ()
    rides: list[PublicRide] = []
    supply: Tickets | None = None
    black_tickets: int | None = None
    for word in words:
        if ride := _RIDE.fullmatch(word.text):
            rides.append(PublicRide(_TICKETS[ride[1]], Station(int(ride[2])) if ride[2] else None))
        elif _STATIONS.fullmatch(word.text):
            if hunters or rides:
                _fail("the hunters stand once, at the beginning of the round", word)
            hunters = _stations(word.text)
        elif (counted := _SUPPLY.fullmatch(word.text)) and supply is None:
            supply = Tickets(int(counted[1]), int(counted[2]), int(counted[3]))
        elif (black := _BLACK.fullmatch(word.text)) and black_tickets is None:
            black_tickets = int(black[1])
        else:
            _fail("expected stations of hunters, a ticket, or once supply: and black:", word)
    return PublicRound(hunters, tuple(rides), supply, black_tickets)


def _stations(listed: str) -> tuple[Station, ...]:
    return tuple([Station(int(number)) for number in listed.split("/")])


def _fail(reason: str, word: _Word) -> NoReturn:
    raise NotationError(reason, word.column)
