"""Notation of public logs: what a person at a cardboard game can write down of Mr X, as one line.

    london-2013 start:35/45/51 now:15/26 | 13/26 taxi | 14/26 bus black@86 | 14/25

First the board; if they are known, the stations where he may have started, and where the hunters stand now. Then his
rounds, each after a bar: where the hunters stood when he was about to move, in the same order each time; the tickets
that cover the fields of his log, one or the two of a double move, with `@` and the station where he showed himself;
and, if somebody counted them, what lay in the supply and his black tickets at that moment (`supply:35/29/15 black:4`).
The last round may be without tickets: then he is to move. What the app adds has no words here: nobody counts helicopter
tickets in them, so no ride spends one, and no answers are told.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, NoReturn

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import STANDS_TWICE, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.public_log import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

BAR = "|"

_NO_NOTATION = Text("have no notation in logs", "n'ont pas de notation dans les journaux")
_TICKETS = {ticket.word: ticket for ticket in Ticket if ticket != Ticket.HELICOPTER}
_STATIONS = re.compile("(?:[1-9][0-9]{0,3})(?:/[1-9][0-9]{0,3})*")
_NUMBER = "(0|[1-9][0-9]{0,2})"
_SUPPLY = re.compile(f"supply:{_NUMBER}/{_NUMBER}/{_NUMBER}")
_BLACK = re.compile(f"black:{_NUMBER}")
_RIDE = re.compile(f"({'|'.join(_TICKETS)})(?:@([1-9][0-9]{{0,3}}))?")
_WORD = re.compile(r"\S+")


class PublicLog(NamedTuple):
    """A public log, with the name of its board. Whether it makes sense is for `evidence_from_log` to say."""

    board: str
    rounds: tuple[PublicRound, ...]
    start: tuple[Station, ...] | None = None
    """None: any station."""
    hunters: tuple[Station, ...] | None = None
    """Where they stand now; None: as the last round began."""


def text(log: PublicLog) -> str:
    """The log in notation. Raises `InvalidField` for rounds of the app game that have no words here."""
    for fault in _unwritable(log.rounds):
        raise fault
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


def _unwritable(rounds: tuple[PublicRound, ...]) -> Iterator[InvalidField]:
    for number, this in enumerate(rounds):
        for half, ride in enumerate(this.rides):
            if ride.ticket == Ticket.HELICOPTER:
                yield InvalidField(
                    f"rounds[{number}].rides[{half}].ticket",
                    Text("a flight has no notation in logs", "un vol n'a pas de notation dans les journaux"),
                )
        if this.helicopter_tickets:
            yield InvalidField(f"rounds[{number}].helicopter_tickets", _NO_NOTATION)
        if this.answers:
            yield InvalidField(f"rounds[{number}].answers", _NO_NOTATION)


def _listed(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def parse(text: str) -> PublicLog:
    """The log that a text says. Raises `NotationError`."""
    head, *rounds = text.split(BAR)
    board, start, hunters = _head(head)
    before = len(head) + 1
    found: list[PublicRound] = []
    for words in rounds:
        try:
            found.append(_round(words))
        except NotationError as error:
            raise NotationError(error.text, before + error.column) from error
        before += len(words) + 1
    return PublicLog(board, tuple(found), start, hunters)


@lru_cache(1 << 10)
def _head(text: str) -> tuple[str, tuple[Station, ...] | None, tuple[Station, ...] | None]:
    board, *words = text.split() or [""]
    if not board:
        raise NotationError(expected(Text("the name of a board", "le nom d'un plateau")), 1)
    known: dict[str, tuple[Station, ...]] = {}
    for number, word in enumerate(words, 1):
        name, _, stations = word.partition(":")
        if name not in ("start", "now") or not _STATIONS.fullmatch(stations):
            what = Text(
                "start: or now: with stations, such as now:13/26", "start: ou now: avec des stations, comme now:13/26"
            )
            _fail(expected(what), text, number)
        if name in known:
            _fail(STANDS_TWICE, text, number)
        known[name] = _stations(stations)
    return board, known.get("start"), known.get("now")


@lru_cache(1 << 12)
def _round(text: str) -> PublicRound:
    """The round between two bars. Kept, as the logs of one game hold the same rounds again."""
    hunters: tuple[Station, ...] = ()
    rides: list[PublicRide] = []
    supply: Tickets | None = None
    black_tickets: int | None = None
    for number, word in enumerate(text.split()):
        said = _word(word)
        if isinstance(said, PublicRide):
            rides.append(said)
        elif isinstance(said, Tickets) and supply is None:
            supply = said
        elif isinstance(said, int) and black_tickets is None:
            black_tickets = said
        elif said is None and _STATIONS.fullmatch(word):
            if hunters or rides:
                why = Text(
                    "the hunters stand once, at the beginning of the round",
                    "les poursuivants figurent une fois, au début du tour",
                )
                _fail(why, text, number)
            hunters = _stations(word)
        else:
            what = Text(
                "stations of hunters, a ticket, or once supply: and black:",
                "stations de poursuivants, un ticket, ou une fois supply: et black:",
            )
            _fail(expected(what), text, number)
    return PublicRound(hunters, tuple(rides), supply, black_tickets)


@lru_cache(1 << 14)
def _word(word: str) -> PublicRide | Tickets | int | None:
    """A ride, the supply, or the number of black tickets; None for anything else."""
    if ride := _RIDE.fullmatch(word):
        return PublicRide(_TICKETS[ride[1]], Station(int(ride[2])) if ride[2] else None)
    if counted := _SUPPLY.fullmatch(word):
        return Tickets(int(counted[1]), int(counted[2]), int(counted[3]))
    if black := _BLACK.fullmatch(word):
        return int(black[1])
    return None


def _stations(listed: str) -> tuple[Station, ...]:
    return tuple([Station(int(number)) for number in listed.split("/")])


def _fail(why: Text, text: str, number: int) -> NoReturn:
    """The word of this number, from 0, is wrong."""
    places = [found.start() for found in _WORD.finditer(text)]
    raise NotationError(why, places[number] + 1)
