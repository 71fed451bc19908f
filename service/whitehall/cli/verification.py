"""Verification: whether a record is what it says, from the commitment to the result."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import Message

from whitehall.games.cluedo import game as cluedo
from whitehall.games.cluedo import record as cluedo_record
from whitehall.games.cluedo import record_reading as cluedo_reading
from whitehall.games.cluedo import replay as cluedo_replay
from whitehall.games.cluedo.wire import records as cluedo_records
from whitehall.games.cluedo.wire import views as cluedo_views
from whitehall.games.scotland_yard import game as scotland_yard
from whitehall.games.scotland_yard import record as scotland_yard_record
from whitehall.games.scotland_yard import record_reading as scotland_yard_reading
from whitehall.games.scotland_yard import replay as scotland_yard_replay
from whitehall.games.scotland_yard.wire import records as scotland_yard_records
from whitehall.games.scotland_yard.wire import views as scotland_yard_views
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2 as scotland_yard_pb2
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment


class Recorded(NamedTuple):
    """How the records of one game are read, written and played. Each `Any` is of the game's own types."""

    name: str
    """As the tag `Game` has it."""
    ruleset: int
    parse: Callable[[str], Any]
    """A record from its text. Raises `ValueError`."""
    digest: Callable[[Any], str]
    answer: Callable[[], Any]
    """An empty answer of GetRecord."""
    read: Callable[[Any], Any]
    """A record from its message. Raises `ValueError`."""
    text: Callable[[Any], str]
    """A message's record as text."""
    replay: Callable[[Any], Any]
    write_events: Callable[[Any], Sequence[Message]]


GAMES = (
    Recorded(
        scotland_yard_record.GAME,
        scotland_yard.game.ruleset,
        scotland_yard_reading.parse,
        scotland_yard_record.digest,
        scotland_yard_pb2.GetRecordResponse,
        scotland_yard_records.read_record,
        scotland_yard_records.record_text,
        scotland_yard_replay.replay,
        scotland_yard_views.write_events,
    ),
    Recorded(
        cluedo_record.GAME,
        cluedo.game.ruleset,
        cluedo_reading.parse,
        cluedo_record.digest,
        cluedo_pb2.GetRecordResponse,
        cluedo_records.read_record,
        cluedo_records.record_text,
        cluedo_replay.replay,
        cluedo_views.write_events,
    ),
)
"""The games of which records can be verified. What names none is read as the first one's."""

_GAME_TAG = re.compile(r'^[ \t]*\[Game[ \t]+"([^"]*)"', re.MULTILINE)


class Fault(NamedTuple):
    """Something in a record that cannot be: its place in words, and why."""

    place: str
    reason: str


class Verdict(StrEnum):
    """What can be said of a record."""

    GENUINE = "genuine"
    """Everything in it follows from its seeds, its moves and the rules."""
    OTHER_RULESET = "other ruleset"
    """It was judged by rules that this release does not know. Its chance is as it says; its moves were not played."""
    FAULTY = "faulty"
    """Something in it cannot be."""
    UNREADABLE = "unreadable"
    """It is no record."""


class Verification(NamedTuple):
    """A verdict with its reasons."""

    verdict: Verdict
    game_id: str = ""
    ruleset: int = 0
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What is printed of it."""
        faults = [fault._asdict() for fault in self.faults]
        return {"verdict": self.verdict, "game_id": self.game_id, "ruleset": self.ruleset, "faults": faults}


def verify(text: str) -> Verification:
    """Judges a record: as text, or as the JSON of a `Record` or of the whole answer of GetRecord."""
    try:
        if text.lstrip().startswith("{"):
            return _verify_json(json.loads(text))
        game = _game_of(text)
        record = game.parse(text)
    # Whatever JSON and protobuf say of a text that is none of theirs, they say by these.
    except (ValueError, RecursionError, json_format.ParseError) as error:
        return Verification(Verdict.UNREADABLE, faults=(Fault("", str(error)),))
    faults = [Fault("digest", "is not that of the rest")] if record.digest not in ("", game.digest(record)) else []
    faults += _chance_faults(record)
    if record.ruleset == game.ruleset:
        faults += game.replay(record).faults
    return _verification(game, record, faults)


def _game_of(text: str) -> Recorded:
    """The game that a text names."""
    named = _GAME_TAG.search(text)
    return next((game for game in GAMES if named and game.name == named[1]), GAMES[0])


def _verify_json(tree: Any) -> Verification:
    game, answer = _read_json(tree)
    message = answer.record
    record = game.read(message)
    faults = list(_chance_faults(record))
    if answer.text and answer.text != game.text(message):
        faults.append(Fault("text", "does not say what the record says"))
    if record.ruleset == game.ruleset:
        replayed = game.replay(record)
        faults += replayed.faults or _event_faults(game, message, replayed.happened)
    return _verification(game, record, faults)


def _read_json(tree: Any) -> tuple[Recorded, Any]:
    """The game whose message it is, and the message. A record names no game, but no two games' records are alike."""
    wrapped = tree if "record" in tree else {"record": tree}
    refused: list[json_format.ParseError] = []
    for game in GAMES:
        try:
            return game, json_format.ParseDict(wrapped, game.answer())
        except json_format.ParseError as error:
            refused.append(error)
    raise refused[0]


def _verification(game: Recorded, record: Any, faults: Sequence[tuple[str, str]]) -> Verification:
    verdict = Verdict.GENUINE if record.ruleset == game.ruleset else Verdict.OTHER_RULESET
    found = tuple(Fault(*fault) for fault in faults)
    return Verification(Verdict.FAULTY if found else verdict, record.game_id, record.ruleset, found)


def _chance_faults(record: Any) -> Iterator[Fault]:
    """What does not follow from the seeds."""
    seed = bytes.fromhex(record.server_seed)
    if commitment(seed) != record.commitment:
        yield Fault("commitment", "is not that of the seed")
    chance = CommittedChance(seed, [ClientSeed(given.seat, given.seed) for given in record.client_seeds])
    for number, draw in enumerate(record.draws, 1):
        if chance.draw(draw.label, draw.bound) != draw.value:
            yield Fault(f"draw {number}", f"{draw.label}: the seeds give another result")


def _event_faults(game: Recorded, message: Any, happened: Sequence[Sequence[Any]]) -> Iterator[Fault]:
    """Where a message tells that something else happened than did."""
    deals_and_moves = iter(happened)
    for revision in message.revisions:
        told = [event for event in revision.events if event.WhichOneof("kind") != "session"]
        if not (told or revision.moves):
            continue
        if told != list(game.write_events(next(deals_and_moves, ()))):
            yield Fault(f"revision {revision.revision}", "the events are not those of the moves")
