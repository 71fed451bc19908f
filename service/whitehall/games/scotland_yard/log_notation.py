"""Notation of public logs: what a person at a cardboard game can write down of Mr X, as one line.

    london-2013 start:35/45/51 now:15/26 | 13/26 taxi | 14/26 bus black@86 | 14/25

First the board; if they are known, the stations where he may have started, and where the hunters stand now. Then his
rounds, each after a bar: where the hunters stood when he was about to move, in the same order each time; the tickets
that cover the fields of his log, one or the two of a double move, with `@` and the station where he showed himself;
and, if somebody counted them, what lay in the supply and his black tickets at that moment (`supply:35/29/15 black:4`).
The last round may be without tickets: then he is to move.

Where the app is played with, `master` follows the board, and after it whatever of the app's options is not as usual
(`option:master.recent_window=4`). His rounds then may hold flights (`helicopter`), how many tickets he had left for
them (`helicopter:1`), and after his tickets what the app answered (`answer_notation`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import STANDS_TWICE, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import answer_notation, edition, option_words
from whitehall.games.scotland_yard.findings import Answer
from whitehall.games.scotland_yard.master import PREFIX, MasterOverrides
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.station_notation import STATION, STATIONS, read_stations
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.ticket_notation import NUMBER, refuse_number, refuse_tickets
from whitehall.games.scotland_yard.words import QUOTE, fail, words_of

BAR = "|"

APP = edition.MASTER.name
"""Says that the app is played with: the name of the edition that has it."""

_TICKETS = Ticket.by_word()
_STATIONS = re.compile(STATIONS)
_SUPPLY = re.compile(f"supply:{NUMBER}/{NUMBER}/{NUMBER}")
_COUNT = re.compile(f"(black|helicopter):{NUMBER}")
_RIDE = re.compile(f"({'|'.join(_TICKETS)})(?:@({STATION}))?")
_QUOTED = re.compile('"[^"]*"')
_HEAD = Text("start: or now: with stations, such as now:13/26", "start: ou now: avec des stations, comme now:13/26")
_APP_OPTION = Text(
    f"an option of the app game, such as {option_words.START}{PREFIX}recent_window=4",
    f"une option du jeu avec l'application, comme {option_words.START}{PREFIX}recent_window=4",
)
_OF_ROUND = Text(
    "stations of hunters, a ticket, an answer, or once supply:, black: and helicopter:",
    "stations de poursuivants, un ticket, une réponse, ou une fois supply:, black: et helicopter:",
)
_HUNTERS_ONCE = Text(
    "the hunters stand once, at the beginning of the round", "les poursuivants figurent une fois, au début du tour"
)


class PublicLog(NamedTuple):
    """A public log, with the name of its board. Whether it makes sense is for `evidence_from_log` to say."""

    board: str
    rounds: tuple[PublicRound, ...]
    start: tuple[Station, ...] | None = None
    """None: any station."""
    hunters: tuple[Station, ...] | None = None
    """Where they stand now; None: as the last round began."""
    master: MasterOverrides | None = None
    """What differs of the app's options; None: without the app."""


class Count(NamedTuple):
    """How many `black` or `helicopter` tickets he had left."""

    name: str
    number: int


def text(log: PublicLog) -> str:
    """The log in notation. Raises `InvalidField` for answers that were withheld and for landmarks."""
    words = [log.board, *_app_words(log.master)]
    words += [f"start:{_listed(log.start)}"] if log.start else []
    words += [f"now:{_listed(log.hunters)}"] if log.hunters else []
    for number, this in enumerate(log.rounds):
        words.append(BAR)
        words += [_listed(this.hunters)] if this.hunters else []
        words += [ride.ticket.word + (f"@{ride.station}" if ride.station else "") for ride in this.rides]
        words += [f"supply:{_listed(this.supply)}"] if this.supply else []
        words += [f"black:{this.black_tickets}"] if this.black_tickets is not None else []
        words += [f"helicopter:{this.helicopter_tickets}"] if this.helicopter_tickets is not None else []
        words += [_answer(answer, f"rounds[{number}].answers[{index}]") for index, answer in enumerate(this.answers)]
    return " ".join(words)


def _app_words(changes: MasterOverrides | None) -> list[str]:
    if changes is None:
        return []
    if changes.landmarks is not None:
        raise InvalidField("master.landmarks", option_words.NO_TABLE)
    return [APP, *option_words.words(Overrides(master=changes))]


def _answer(answer: Answer, field: str) -> str:
    try:
        return answer_notation.text(answer)
    except BadInput as error:
        raise InvalidField(field, error.text) from error


def _listed(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def parse(text: str) -> PublicLog:
    """The log that a text says. Raises `NotationError`."""
    known, bar, last = text.rpartition(BAR)
    if bar and QUOTE not in text and (before := _read.get(known.rstrip())) is not None:
        try:
            log = before._replace(rounds=(*before.rounds, _round(last)))
        except NotationError as error:
            raise NotationError(error.text, len(known) + 1 + error.column) from error
    else:
        log = _parse(text)
    if len(_read) >= _MOST_READ:
        _read.clear()
    _read[text.rstrip()] = log
    return log


_MOST_READ = 64
_read: dict[str, PublicLog] = {}
"""The latest logs. Of a game that grows line by line only the round is read that the line before did not have."""


def _parse(text: str) -> PublicLog:
    head, *rounds = parts(text)
    board, start, hunters, master = _head(head)
    before = len(head) + 1
    found: list[PublicRound] = []
    for words in rounds:
        try:
            found.append(_round(words))
        except NotationError as error:
            raise NotationError(error.text, before + error.column) from error
        before += len(words) + 1
    return PublicLog(board, tuple(found), start, hunters, master)


def parts(text: str) -> list[str]:
    """What stands before, between and after the bars."""
    if QUOTE not in text:
        return text.split(BAR)
    # A bar in a name in quotes is a part of the name.
    bars = [found.start() for found in re.finditer(re.escape(BAR), _QUOTED.sub(lambda name: "_" * len(name[0]), text))]
    return [text[start + 1 : end] for start, end in zip([-1, *bars], [*bars, len(text)], strict=True)]


@lru_cache(1 << 10)
def _head(text: str) -> tuple[str, tuple[Station, ...] | None, tuple[Station, ...] | None, MasterOverrides | None]:
    board, *words = words_of(text) or [""]
    if not board:
        raise NotationError(expected(Text("the name of a board", "le nom d'un plateau")), 1)
    has_app = words[:1] == [APP]
    known: dict[str, tuple[Station, ...]] = {}
    options: list[str] = []
    for number, word in enumerate(words[has_app:], 1 + has_app):
        name, _, stations = word.partition(":")
        if has_app and not known and word.startswith(option_words.START):
            options.append(word)
        elif name not in ("start", "now") or not _STATIONS.fullmatch(stations):
            fail(expected(_HEAD), text, number)
        elif name in known:
            fail(STANDS_TWICE, text, number)
        else:
            known[name] = read_stations(stations)
    return board, known.get("start"), known.get("now"), _app(options, text) if has_app else None


def _app(words: list[str], text: str) -> MasterOverrides:
    """The changes to the app's options, which are the only ones of a log."""
    for number, word in enumerate(words, 2):
        if not word.startswith(f"{option_words.START}{PREFIX}"):
            fail(expected(_APP_OPTION), text, number)
    try:
        return option_words.read(words).master or MasterOverrides()
    except option_words.WrongWord as error:
        fail(error.text, text, 2 + error.number, error.column)


@lru_cache(1 << 12)
def _round(text: str) -> PublicRound:
    """The round between two bars. Kept, as the logs of one game hold the same rounds again."""
    hunters: tuple[Station, ...] = ()
    rides: list[PublicRide] = []
    supply: Tickets | None = None
    counts: dict[str, int] = {}
    answers: list[Answer] = []
    for number, word in enumerate(words_of(text)):
        try:
            said = parse_word(word)
        except NotationError as error:
            fail(error.text, text, number, error.column)
        if isinstance(said, PublicRide):
            rides.append(said)
        elif isinstance(said, Tickets) and supply is None:
            supply = said
        elif isinstance(said, Count) and said.name not in counts:
            counts[said.name] = said.number
        elif isinstance(said, Answer):
            answers.append(said)
        elif said is None and _STATIONS.fullmatch(word):
            if hunters or rides:
                fail(_HUNTERS_ONCE, text, number)
            hunters = read_stations(word)
        else:
            fail(expected(_OF_ROUND), text, number)
    return PublicRound(hunters, tuple(rides), supply, counts.get("black"), counts.get("helicopter"), tuple(answers))


@lru_cache(1 << 14)
def parse_word(word: str) -> PublicRide | Tickets | Count | Answer | None:
    """A ride, the supply, a number of tickets or an answer, as a word of a round says it; None for anything else.

    Raises `NotationError` with a column of the word.
    """
    if ride := _RIDE.fullmatch(word):
        return PublicRide(_TICKETS[ride[1]], Station(int(ride[2])) if ride[2] else None)
    if counted := _SUPPLY.fullmatch(word):
        return Tickets(int(counted[1]), int(counted[2]), int(counted[3]))
    if count := _COUNT.fullmatch(word):
        return Count(count[1], int(count[2]))
    name, colon, said = word.partition(":")
    if colon and name == "supply":
        refuse_tickets(said, len(name) + 2)
    if colon and name in ("black", "helicopter"):
        refuse_number(len(name) + 2)
    return answer_notation.parse(word)
