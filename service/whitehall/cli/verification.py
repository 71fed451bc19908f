"""Verification: whether a record is what it says, from the commitment to the result."""

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import Message

from whitehall.games.scotland_yard import record as records
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.record import Record
from whitehall.games.scotland_yard.record_reading import parse
from whitehall.games.scotland_yard.replay import Fault, replay
from whitehall.games.scotland_yard.wire.records import read_record, record_text
from whitehall.games.scotland_yard.wire.views import write_events
from whitehall.gen.whitehall.scotlandyard.v1 import record_pb2, service_pb2
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment


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
            return _verify_json(text)
        record = parse(text)
    # Whatever JSON and protobuf say of a text that is none of theirs, they say by these.
    except (ValueError, RecursionError, json_format.ParseError) as error:
        return Verification(Verdict.UNREADABLE, faults=(Fault("", str(error)),))
    seal = [Fault("digest", "is not that of the rest")] if record.digest not in ("", records.digest(record)) else []
    if record.ruleset != game.ruleset:
        return _verification(record, [*seal, *_chance_faults(record)])
    return _verification(record, [*seal, *_chance_faults(record), *replay(record).faults])


def _verify_json(text: str) -> Verification:
    tree = json.loads(text)
    told = None
    if "record" in tree:
        answer = json_format.ParseDict(tree, service_pb2.GetRecordResponse())
        message, told = answer.record, answer.text
    else:
        message = json_format.ParseDict(tree, record_pb2.Record())
    record = read_record(message)
    faults = list(_chance_faults(record))
    if told and told != record_text(message):
        faults.append(Fault("text", "does not say what the record says"))
    if record.ruleset == game.ruleset:
        replayed = replay(record)
        faults += replayed.faults or _event_faults(message, replayed.happened)
    return _verification(record, faults)


def _verification(record: Record, faults: Sequence[Fault]) -> Verification:
    verdict = Verdict.GENUINE if record.ruleset == game.ruleset else Verdict.OTHER_RULESET
    return Verification(Verdict.FAULTY if faults else verdict, record.game_id, record.ruleset, tuple(faults))


def _chance_faults(record: Record) -> Iterator[Fault]:
    """What does not follow from the seeds."""
    seed = bytes.fromhex(record.server_seed)
    if commitment(seed) != record.commitment:
        yield Fault("commitment", "is not that of the seed")
    chance = CommittedChance(seed, [ClientSeed(given.seat, given.seed) for given in record.client_seeds])
    for number, draw in enumerate(record.draws, 1):
        if chance.draw(draw.label, draw.bound) != draw.value:
            yield Fault(f"draw {number}", f"{draw.label}: the seeds give another result")


def _event_faults(message: record_pb2.Record, happened: Sequence[Sequence[Event]]) -> Iterator[Fault]:
    """Where a message tells that something else happened than did."""
    deals_and_moves = iter(happened)
    for revision in message.revisions:
        told = [event for event in revision.events if event.WhichOneof("kind") != "session"]
        if not (told or revision.moves):
            continue
        expected: list[Message] = [*write_events(next(deals_and_moves, ()))]
        if told != expected:
            yield Fault(f"revision {revision.revision}", "the events are not those of the moves")
