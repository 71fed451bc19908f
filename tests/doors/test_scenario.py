"""A game from its making to its record, through each door: every answer is the one that gRPC gives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from tests.api.live import Live, live
from tests.api.positions import a_position
from tests.api.refusals import Refused
from tests.api.table import WAITING, Yard, bearing
from tests.api.timeless import Clock, Entropy, TimelessStore
from tests.api.watcher import Watcher
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

KEY: Mapping[str, object] = {"token_keys": "5eed" * 16}


async def scenario(yard: Yard) -> list[Any]:
    """Everything that its people are told, in order."""
    heard: list[Any] = []
    table = await yard.table(3, start_mode=WAITING, allow_spectators=True, client_seed="sown")
    heard.append(table.created)
    for seat in range(3):
        heard.append(await table.claim(seat, client_seed=f"seed of {seat}"))
    heard.append(await table.start())
    watcher = Watcher(table, table.seats[1])
    heard.append(await watcher.update())
    for _ in range(4):
        seat = (await table.get()).info.to_move[0]
        legal = await table.legal(seat)
        heard.append(legal)
        move = (await table.harmless(seat))[0]
        heard.append(await table.validate(seat, move))
        heard.append(await table.play(seat, move))
        heard.append(await watcher.update())
    watcher.leave()
    heard.append(await refusal(table.play(0, "taxi 199")))
    heard.append(await refusal(table.get("wh_host_1_" + "0" * 32)))
    heard.append(await table.get(table.spectator))
    heard.append(await table.events(table.mr_x, page_size=2))
    deductions = service_pb2.GetDeductionsRequest(game_id=table.game_id)
    heard.append(await yard.games.GetDeductions(deductions, metadata=bearing(table.seats[1])))
    heard.append(await refusal(table.record()))
    heard.append(await table.abandon())
    heard.append(await table.record())
    over = Watcher(table, table.seats[2])
    heard.append(await over.to_the_end())
    question = position_pb2.ListPositionLegalMovesRequest(positions=[a_position()])
    heard.append(await yard.positions.ListPositionLegalMoves(question))
    heard.append(await yard.catalog.ListPresets(catalog_pb2.ListPresetsRequest()))
    await table.delete()
    heard.append(await refusal(table.get()))
    return heard


async def refusal(call: Any) -> Any:
    """What a call that is refused is told."""
    with pytest.raises(grpc.RpcError) as caught:
        await call
    return Refused(caught.value).said


@asynccontextmanager
async def out_of_time(store: RedisStore) -> AsyncIterator[Live]:
    """The same world each time."""
    async with live(TimelessStore(store), dict(KEY), clock_ms=Clock(), entropy=Entropy()) as service:
        yield service


OVER_GRPC: list[Any] = []
"""What the scenario's people hear over gRPC: worked out once, for all doors."""


@pytest.mark.parametrize("name", DOORS)
async def test_a_whole_game_is_told_through_each_door_as_through_grpc(name: str, store: RedisStore) -> None:
    if not OVER_GRPC:
        async with out_of_time(store) as service:
            OVER_GRPC.extend(await scenario(service.yard))
    async with out_of_time(store) as service:
        channel: Any = DoorChannel(DOORS[name](service.http))
        through_door = await scenario(Yard(channel))
    assert len(OVER_GRPC) > 30
    for expected, found in zip(OVER_GRPC, through_door, strict=True):
        assert found == expected


async def test_a_table_can_be_moved_from_door_to_door_in_the_middle_of_a_game(yard: Yard, door_yard: Yard) -> None:
    table = await door_yard.table(3)
    by_door = await table.get(table.mr_x)
    table.move_to(yard)
    over_grpc = await table.get(table.mr_x)
    assert (over_grpc.view, over_grpc.info.cursor) == (by_door.view, by_door.info.cursor)
    await table.play(0, (await table.harmless(0))[0])
    table.move_to(door_yard)
    assert (await table.get()).info.revision == 2
