"""Whatever a caller sends, it is answered or refused: no fault of ours, no hang, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.absurd import TEXTS, messages
from tests.api.contract import contract, path_of
from tests.api.positions import a_question
from tests.api.provoked import NOWHERE, SERVICE
from tests.api.raw import outcome
from tests.api.refusals import Refused, leads_somewhere, refused
from tests.api.service import Service
from tests.api.table import Yard, bearing
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, service_pb2

CONTRACT = contract()

NO_SIDE_EFFECTS = MethodOptions.NO_SIDE_EFFECTS

FUZZ = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

BAD_INPUT = {
    "INVALID_ARGUMENT",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "NOT_FOUND",
    "FAILED_PRECONDITION",
    "ABORTED",
}
"""What may come of bad input. No INTERNAL, no UNKNOWN, and no deadline that had to pass."""

THE_GAME = "the game of the scene"

KNOWN: Mapping[str, st.SearchStrategy[Any]] = {
    "game_id": st.sampled_from([THE_GAME, THE_GAME, THE_GAME, NOWHERE]) | TEXTS,
    "request_id": st.uuids().map(str) | TEXTS,
}


def sensible(method: MethodDescriptor) -> Message:
    """A request that nothing is wrong with, apart perhaps from its moment."""
    request = GetMessageClass(method.input_type)()
    move = move_pb2.Move(text="mr_x taxi 46")
    match request:
        case service_pb2.CreateGameRequest():
            request.preset, request.players = "new", 3
        case service_pb2.PlayMoveRequest() | service_pb2.ValidateMoveRequest():
            request.moves.append(move)
        case cluedo_pb2.CreateGameRequest():
            request.preset, request.players = "james-bond", 3
        case cluedo_pb2.PlayMoveRequest() | cluedo_pb2.ValidateMoveRequest():
            request.move.text = "S1 roll"
        case _ if method.containing_service.name.endswith("PositionService"):
            return a_question(method.name)
    if "game_id" in method.input_type.fields_by_name:
        setattr(request, "game_id", THE_GAME)  # noqa: B010 - the type has it, which the checker can't know
    return request


@st.composite
def requests(draw: st.DrawFn, method: MethodDescriptor) -> Message:
    """Absurd from top to bottom, or a sensible request with something absurd merged into it."""
    request = messages(method.input_type, KNOWN)
    if draw(st.booleans()):
        return draw(request)
    merged = sensible(method)
    merged.MergeFrom(draw(request))
    return merged


class Scene:
    """A game that is asked about. A call that changes it makes way for a new one."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard

    async def renew(self) -> None:
        self.table = await self.yard.table(3, allow_spectators=True)
        self._state = await self._now()

    async def call(self, method: MethodDescriptor, data: bytes, bearer: int) -> Refused | None:
        """Calls with one of the scene's tokens. After a refusal that is allowed the game must be as it was."""
        tokens = [self.table.host, *self.table.seats, self.table.spectator, "nonsense", None]
        refusal = await outcome(self.yard.channel, path_of(method), data, bearing(tokens[bearer]))
        if refusal is None:
            if method.GetOptions().idempotency_level != NO_SIDE_EFFECTS:
                await self.renew()
            return None
        assert refusal.code.name in BAD_INPUT, f"{refusal.code} {refusal.reason} {refusal.message}"
        assert refusal.reason
        assert await self._now() == self._state
        return refusal

    async def _now(self) -> game_pb2.Game:
        game = await self.table.get()
        game.info.ClearField("expire_time")
        return game


BEARERS = st.integers(0, 6)


@pytest.fixture
async def scene(yard: Yard) -> Scene:
    scene = Scene(yard)
    await scene.renew()
    return scene


@pytest.mark.parametrize("name", CONTRACT)
@FUZZ
@given(data=st.data(), bearer=BEARERS)
async def test_absurd_messages_are_answered_or_refused_and_a_refusal_changes_nothing(
    scene: Scene, name: str, data: st.DataObject, bearer: int
) -> None:
    request = data.draw(requests(CONTRACT[name]))
    if getattr(request, "game_id", None) == THE_GAME:
        setattr(request, "game_id", scene.table.game_id)  # noqa: B010
    refusal = await scene.call(CONTRACT[name], request.SerializeToString(), bearer)
    for field in () if refusal is None else refusal.fields:
        assert leads_somewhere(request, field), field


@pytest.mark.parametrize("name", CONTRACT)
@FUZZ
@given(data=st.data(), bearer=BEARERS)
async def test_bytes_that_are_no_message_are_malformed_and_all_others_are_read(
    scene: Scene, name: str, data: st.DataObject, bearer: int
) -> None:
    method = CONTRACT[name]
    sent = data.draw(st.binary(max_size=64) | damaged(sensible(method).SerializeToString()))
    try:
        GetMessageClass(method.input_type).FromString(sent)
        malformed = False
    except DecodeError:
        malformed = True
    refusal = await scene.call(method, sent, bearer)
    assert malformed == (refusal is not None and refusal.reason == "MALFORMED_REQUEST")
    if malformed and refusal is not None:
        assert refusal.metadata == {"type": method.input_type.name}


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes of which some have been changed, or the end is missing."""
    changed = bytearray(data)
    for place in draw(st.lists(st.integers(0, max(0, len(data) - 1)), max_size=3)) if data else ():
        changed[place] = draw(st.integers(0, 255))
    return bytes(changed[: draw(st.integers(0, len(data)))])


async def test_a_message_of_5_mib_is_refused_and_harms_nobody(yard: Yard, service: Service) -> None:
    table = await yard.table()
    before, pid = await table.get(), service.pid
    request = service_pb2.PlayMoveRequest(game_id=table.game_id, moves=[move_pb2.Move(text="x" * (5 << 20))])
    for name in ("PlayMove", "WatchGame"):
        path = f"{SERVICE}/{name}"
        refusal = await outcome(yard.channel, path, request.SerializeToString(), bearing(table.mr_x))
        assert refusal is not None
        assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await table.get()).info.revision == before.info.revision
    assert service.pid == pid
    assert service.runs


@pytest.mark.parametrize(
    ("path", "element"),
    [
        ("/whitehall.scotlandyard.v1.ScotlandYardPositionService/ListPositionLegalMoves", b"\x0a\x00"),
        ("/whitehall.scotlandyard.v1.ScotlandYardPositionService/StreamApplyPositionMoves", b"\x0a\x00"),
        (f"{SERVICE}/CreateGame", b"\x22\x00"),
        (f"{SERVICE}/PlayMove", b"\x1a\x00"),
    ],
)
async def test_a_message_of_a_hundred_thousand_empty_ones_keeps_nobody_waiting(
    yard: Yard, path: str, element: bytes
) -> None:
    """Each is wrong, most of them in several fields, and nobody has shown a token yet."""
    refusal = await outcome(yard.channel, path, element * 130_000, seconds=10)
    assert refusal is not None
    assert refusal.reason == "INVALID_FIELD"


async def test_messages_within_messages_end_somewhere(yard: Yard) -> None:
    """Unknown groups may nest, and must not exhaust the stack."""
    refusal = await outcome(yard.channel, f"{SERVICE}/GetGame", b"\x0b" * 100_000)
    assert refusal is not None
    assert refusal.reason == "MALFORMED_REQUEST"


async def test_a_message_just_below_the_limit_is_read(yard: Yard) -> None:
    """The limit is 256 KiB by default; what is wrong with a long text is then said by its field."""
    table = await yard.table()
    request = service_pb2.PlayMoveRequest(game_id=table.game_id, moves=[move_pb2.Move(text="x" * 262_000)])
    with refused("INVALID_FIELD") as refusal:
        await yard.games.PlayMove(request, metadata=bearing(table.mr_x))
    assert refusal.fields == ["moves[0].text"]
