"""Records in JSON: whatever is changed in one is found, field by field, but for what nobody can derive."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.api.cluedo import Mansion, case_text
from tests.api.cluedo import Table as CluedoTable
from tests.api.live import live
from tests.api.table import WAITING, Table, Yard, bearing
from whitehall.cli.verification import Verdict, verify
from whitehall.games.core.text import Text
from whitehall.gen.whitehall.cluedo.v1 import record_pb2 as cluedo_pb2
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_service
from whitehall.gen.whitehall.common.v1 import game_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import options_pb2, service_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import record_pb2 as yard_pb2
from whitehall.sessions.redis_store import RedisStore

NOT_TOLD_TWICE = {
    "info.cursor",
    "info.create_time",
    "info.last_move_time",
    "info.expire_time",
    "info.allows_spectators",
    "revisions.time",
}
"""What nobody can derive, and the text beside the record does not tell: the same as in docs/notation.md."""

NOT_DERIVED = NOT_TOLD_TWICE | {"info.game_id", "info.seats.name"}
"""What nobody can derive from the record alone. Options are given too: one that made no difference may be another."""

GAMES = ("new", "master", "cluedo")


async def recorded(store: RedisStore, kind: str) -> Any:
    """The answer of GetRecord on a short game in which everybody has moved and somebody has won."""
    # Unforeseeable bytes that are always the same: so the envelope of one game tells that of the next one.
    async with live(store, entropy=bytes) as service:
        if kind == "cluedo":
            mansion = Mansion(service.yard.channel)
            first = await mansion.table(3, client_seed="é/;", request_id=str(uuid4()))
            await first.calls.AbandonGame(
                cluedo_service.AbandonGameRequest(game_id=first.game_id), metadata=bearing(first.host)
            )
            dealt = (await first.record()).record.revisions[0].events
            envelope = next(event.enclosed.envelope for event in dealt if event.HasField("enclosed"))
            table = await mansion.table(3, client_seed="é/;", request_id=str(uuid4()), allow_spectators=True)
            await accuse_rightly(table, case_text(envelope))
            return await table.record()
        request = service_pb2.CreateGameRequest(
            preset=kind,
            players=3,
            overrides=options_pb2.Options(rounds=4, log_fields=8, surfacing=options_pb2.Surfacing(fields=[3])),
            client_seed="é/;",
            allow_spectators=True,
            start_mode=WAITING,
            request_id=str(uuid4()),
        )
        yard_table = Table(service.yard, await service.yard.games.CreateGame(request))
        await yard_table.claim(1, client_seed="late")
        await yard_table.claim(2)
        yard_table.seats[2] = (await yard_table.rotate(yard_table.host, seat=2)).token
        await yard_table.rotate(yard_table.host, spectators=True)
        await yard_table.start()
        await yard_table.play_at_random(Random(7))
        asked = service_pb2.GetRecordRequest(game_id=yard_table.game_id)
        return await yard_table.calls.GetRecord(asked, metadata=bearing(yard_table.host))


async def accuse_rightly(table: CluedoTable, case: str) -> None:
    """Somebody suggests, somebody shows, and then the first who may accuse rightly."""
    shown = False
    while (game := await table.get()).info.to_move:
        seat = game.info.to_move[0]
        legal = await table.legal(seat)
        shown = shown or bool(legal.shows)
        await table.play(
            seat, f"accuse {case}" if legal.may_accuse and shown else await table.any_move(seat, Random(1))
        )


@pytest.fixture(params=GAMES)
async def answer(request: pytest.FixtureRequest, store: RedisStore) -> Any:
    return await recorded(store, request.param)


Path = tuple[FieldDescriptor, ...]


def paths(kind: Descriptor, above: Path = ()) -> Iterator[Path]:
    """Every field of a message and of the messages in it. A time is one field."""
    for field in kind.fields:
        yield (*above, field)
        inner = field.message_type
        if inner is not None and inner.full_name != "google.protobuf.Timestamp" and field not in above:
            yield from paths(inner, (*above, field))


def dotted(path: Path) -> str:
    return ".".join(field.name for field in path)


def holders(message: Message, path: Path) -> Iterator[Message]:
    """The messages of a record that have the last field of a path, whether it is set there or not."""
    if len(path) == 1:
        yield message
        return
    value = getattr(message, path[0].name)
    if path[0].is_repeated:
        for each in value:
            yield from holders(each, path[1:])
    elif message.HasField(path[0].name):
        yield from holders(value, path[1:])


def planted(message: Message, path: Path) -> Message:
    """The message that has the last field of a path, made where there is none yet."""
    for field in path[:-1]:
        value = getattr(message, field.name)
        message = (value[0] if len(value) else value.add()) if field.is_repeated else value
        message.SetInParent()
    return message


def place(record: Message, path: Path) -> Message:
    """A message of a record in which to change the last field of a path: one that has it, where there is one."""
    field = path[-1]
    there = [holder for holder in holders(record, path) if any(each is field for each, _ in holder.ListFields())]
    return there[len(there) // 2] if there else planted(record, path)


def changes(field: FieldDescriptor) -> Iterator[Callable[[Message], None]]:
    """Ways to change one field."""
    name = field.name

    def clear(message: Message) -> None:
        message.ClearField(name)

    yield clear
    if field.is_repeated:

        def double(message: Message) -> None:
            values = getattr(message, name)
            values.append(values[0] if len(values) else other(field, None))

        yield double
        if field.message_type is None:

            def swap(message: Message) -> None:
                values = getattr(message, name)
                values[:] = [other(field, values[0]), *values[1:]] if len(values) else []

            yield swap
    elif field.message_type is None:
        yield lambda message: setattr(message, name, other(field, getattr(message, name)))
    elif field.message_type.full_name == "google.protobuf.Timestamp":

        def later(message: Message) -> None:
            getattr(message, name).seconds += 1

        yield later
    else:
        yield lambda message: getattr(message, name).SetInParent()


def other(field: FieldDescriptor, value: Any) -> Any:
    """Another value of a field's kind."""
    if field.message_type is not None:
        return GetMessageClass(field.message_type)()
    if field.enum_type is not None:
        numbers = [entry.number for entry in field.enum_type.values]
        return numbers[(numbers.index(value) + 1) % len(numbers)] if value in numbers else numbers[-1]
    if value is None:
        value = "" if field.cpp_type == FieldDescriptor.CPPTYPE_STRING else 0
    match value:
        case bool(given):
            return not given
        case int(given) | float(given):
            return given + 1
        case str(given):
            return f"{given}1"
    raise AssertionError(field.full_name)


async def test_each_field_that_is_changed_is_found_or_is_one_that_nobody_can_derive(answer: Any) -> None:
    """With its text and without it. A field that is new is found as well, or has to be listed above."""
    record = answer.record
    assert record.outcome.winners
    assert verify(MessageToJson(answer)).verdict is verify(MessageToJson(record)).verdict is Verdict.GENUINE
    alone: set[str] = set()
    beside_the_text: set[str] = set()
    for path in paths(record.DESCRIPTOR):
        for change in changes(path[-1]):
            wrong = type(answer)()
            wrong.CopyFrom(answer)
            change(place(wrong.record, path))
            if wrong == answer or verify(MessageToJson(wrong.record)).verdict is not Verdict.GENUINE:
                continue
            alone.add(dotted(path))
            if verify(MessageToJson(wrong)).verdict is Verdict.GENUINE:
                beside_the_text.add(dotted(path))
    # Which of several seats made a move that is open to all of them has a test of its own.
    assert {path for path in alone if not path.startswith("options.")} - {"revisions.seat"} == NOT_DERIVED
    assert beside_the_text - {"revisions.seat"} == NOT_TOLD_TWICE


@pytest.mark.parametrize("kind", [yard_pb2.Record, cluedo_pb2.Record])
def test_what_nobody_can_derive_are_fields_of_every_record(kind: Any) -> None:
    assert {dotted(path) for path in paths(kind.DESCRIPTOR)} >= NOT_DERIVED


Tamper = Callable[[Any], object]


def all_numbers_the_same(record: Any) -> None:
    for revision in record.revisions:
        revision.revision = 7


def seats_removed(record: Any) -> None:
    for revision in record.revisions:
        revision.ClearField("seat")


def first_event_doubled(record: Any) -> None:
    record.revisions[0].events.insert(0, record.revisions[0].events[0])


def both_commitments(record: Any) -> None:
    record.fairness.commitment = record.info.commitment = "00" * 32


def abandoned_after_all(record: Any) -> None:
    end = record.revisions.add(revision=len(record.revisions) + 1)
    end.events.add().session.game_abandoned.SetInParent()
    record.info.revision += 1


def claimed_again_by_nobody(record: Any) -> None:
    late = record.revisions[-1]
    record.revisions.insert(1, type(late)(revision=2))
    for number, revision in enumerate(record.revisions, 1):
        revision.revision = number
    record.info.revision += 1


@pytest.mark.parametrize(
    ("tamper", "place"),
    [
        (lambda record: setattr(record.info, "commitment", "00" * 32), "info.commitment"),
        (both_commitments, "commitment"),
        (lambda record: record.outcome.winners.append(3), "outcome.winners"),
        (lambda record: setattr(record.info, "status", game_pb2.GAME_STATUS_ABANDONED), "info.status"),
        (lambda record: record.info.to_move.append(0), "info.to_move"),
        (all_numbers_the_same, "revisions[0].revision"),
        (seats_removed, "revisions["),
        (lambda record: setattr(record.options, "board", "nowhere"), "overrides.board"),
        (first_event_doubled, "revisions[0].events"),
        (abandoned_after_all, "revisions["),
        (claimed_again_by_nobody, "revisions[1].events"),
    ],
)
@pytest.mark.parametrize("kind", ["new", "cluedo"])
async def test_what_was_changed_is_told_by_its_place(store: RedisStore, kind: str, tamper: Tamper, place: str) -> None:
    record = (await recorded(store, kind)).record
    tamper(record)
    found = verify(MessageToJson(record))
    assert found.verdict is Verdict.FAULTY
    assert found.faults[0].place.startswith(place), found.faults[:3]


@pytest.mark.parametrize("kind", GAMES)
async def test_a_move_of_another_seat_is_refused_unless_it_is_open_to_several(store: RedisStore, kind: str) -> None:
    """Bobbies and special actions are open to every detective seat."""
    record = (await recorded(store, kind)).record
    for number, revision in enumerate(record.revisions):
        if not revision.moves:
            continue
        wrong = type(record)()
        wrong.CopyFrom(record)
        wrong.revisions[number].seat = revision.seat % 2 + 1
        if revision.seat and all(move.startswith(("bobby", "detectives ", "hear ")) for move in revision.moves):
            assert verify(MessageToJson(wrong)).verdict is Verdict.GENUINE
        else:
            faults = verify(MessageToJson(wrong)).faults
            assert faults[0].place == f"revisions[{number}]"
            assert re.search(r"\((SY|CL)-", faults[0].text.en)


async def test_a_game_that_was_abandoned_at_any_time_is_genuine_and_no_other_end_is(yard: Yard) -> None:
    for moves in (0, 1, 5):
        table = await yard.table(3)
        await table.play_on(moves)  # at random one game in forty is over by then
        await table.abandon()
        record = await table.record()
        assert verify(MessageToJson(record)).verdict is Verdict.GENUINE
        record.info.status = game_pb2.GAME_STATUS_ENDED
        (fault,) = verify(MessageToJson(record)).faults
        assert (fault.place, fault.text) == (
            "info.status",
            Text("should be GAME_STATUS_ABANDONED", "devrait être GAME_STATUS_ABANDONED"),
        )
        record.revisions.pop()
        assert [fault.text.en for fault in verify(MessageToJson(record)).faults] == ["the game is not over"]


@pytest.mark.parametrize("kind", ["new", "cluedo"])
async def test_what_is_wrong_with_the_json_is_told_by_the_game_that_it_is_of(store: RedisStore, kind: str) -> None:
    """Wherever it is: beside the record, behind it, or among what only this game has."""
    genuine = json.loads(MessageToJson(await recorded(store, kind)))
    assert verify(json.dumps(genuine)).verdict is Verdict.GENUINE
    own = "pieces" if kind == "new" else "pawn"
    spoils: list[tuple[Callable[[Any], object], str]] = [
        (lambda answer: answer.update(text=5), "text: must be"),
        (lambda answer: answer.update(foo=1), "foo: is no field of GetRecordResponse"),
        (lambda answer: answer["record"].update(foo=1), "record.foo: is no field of Record"),
        (lambda answer: answer["record"]["seats"][0].update(foo=1), "record.seats[0].foo: is no field of"),
        (lambda answer: answer["record"]["seats"][0].update({own: 1}), f"record.seats[0].{own}"),
        (lambda answer: answer["record"].update(revisions=5), "record.revisions: must be"),
    ]
    for spoil, place in spoils:
        for last in (True, False):
            wrong = json.loads(json.dumps(genuine))
            spoil(wrong)
            members = list(wrong.items()) if last else list(wrong.items())[::-1]
            found = verify(json.dumps(dict(members)))
            assert found.verdict is Verdict.UNREADABLE
            assert found.faults[0].text.en.startswith(place)


@pytest.mark.parametrize("field", ["commitment", "serverSeed"])
async def test_json_in_which_a_seed_is_none_is_unreadable_as_text_would_be(store: RedisStore, field: str) -> None:
    wrong = json.loads(MessageToJson(await recorded(store, "new")))
    for value in ("", "xyz", "00"):
        wrong["record"]["fairness"][field] = value
        assert verify(json.dumps(wrong)).verdict is Verdict.UNREADABLE
