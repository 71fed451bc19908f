"""A part of a game of Scotland Yard Master, one of Cluedo, and every question about positions, through each door: every
answer is the one that gRPC gives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass

from tests.api.cluedo import Mansion
from tests.api.table import Yard, bearing
from tests.api.watcher import Watcher
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.test_scenario import out_of_time, refusal
from tools.describe import examples, services
from whitehall.api.rest.routes import bindings
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions.redis_store import RedisStore

PATIENCE_SECONDS = 20.0


async def master(channel: Any) -> list[Any]:
    """Both sides of the app game, special actions among their moves, until the detectives have asked one."""
    table = await Yard(channel).table(3, preset="master", client_seed="sown")
    heard: list[Any] = [table.created]
    watcher = Watcher(table, table.seats[1])
    heard.append(await watcher.update())
    asked: list[str] = []
    for _ in range(20):
        seat = (await table.get()).info.to_move[0]
        legal = await table.legal(seat)
        actions = [action.text for action in legal.moves.actions]
        asked += actions[:1]
        move = (actions or await table.harmless(seat))[0]
        heard += [legal, await table.validate(seat, move), await table.play(seat, move), await watcher.update()]
        if asked and not actions:
            break
    assert asked, "the detectives have a special action when Mr X has shown himself"
    watcher.leave()
    heard.append(await refusal(table.play(0, "taxi 199")))
    heard.append(await refusal(table.play(1, "blue taxi 1000")))
    deductions = service_pb2.GetDeductionsRequest(game_id=table.game_id)
    heard.append(await table.calls.GetDeductions(deductions, metadata=bearing(table.seats[1])))
    heard.append(await table.events(table.seats[2], page_size=5))
    heard.append(await refusal(table.record()))
    heard.append(await table.abandon())
    heard.append(await table.record())
    await table.delete()
    heard.append(await refusal(table.get()))
    return heard


async def cluedo(channel: Any) -> list[Any]:
    """Some turns of Cluedo: walks, suggestions and their answers, as everybody hears of them."""
    table = await Mansion(channel).table(3, client_seed="sown", allow_spectators=True)
    heard: list[Any] = [table.created]
    watching = cluedo_pb2.WatchGameRequest(game_id=table.game_id)
    stream = table.calls.WatchGame(watching, metadata=bearing(table.seats[1]))
    chance = Random(1)
    for _ in range(12):
        async with asyncio.timeout(PATIENCE_SECONDS):
            heard.append(await stream.read())
        seat = (await table.get()).info.to_move[0]
        move = await table.any_move(seat, chance)
        heard += [await table.legal(seat), await table.play(seat, move)]
    stream.cancel()
    heard += [await table.get(token) for token in (*table.seats, table.spectator)]
    heard.append(await table.history(table.seats[2]))
    heard.append(await table.deduce(table.seats[0]))
    mover = (await table.get()).info.to_move[0]
    heard.append(await refusal(table.play((mover + 1) % 3, "roll")))
    heard.append(await refusal(table.play(mover, "accuse nobody nothing nowhere")))
    heard.append(await refusal(table.get("wh_host_1_" + "0" * 32)))
    heard.append(await refusal(table.record()))
    ending = cluedo_pb2.AbandonGameRequest(game_id=table.game_id)
    heard.append(await table.calls.AbandonGame(ending, metadata=bearing(table.host)))
    heard.append(await table.record())
    deleting = cluedo_pb2.DeleteGameRequest(game_id=table.game_id)
    heard.append(await table.calls.DeleteGame(deleting, metadata=bearing(table.host)))
    heard.append(await refusal(table.get()))
    return heard


async def positions(channel: Any) -> list[Any]:
    """Every question about positions, as the documentation asks it, and one that is wrong of each kind."""
    yard, mansion = Yard(channel), Mansion(channel)
    stubs = {"ScotlandYardPositionService": yard.positions, "CluedoPositionService": mansion.positions}
    known, heard = examples(), []
    for service in services():
        for method in service.methods if service.name in stubs else ():
            for verb, template, _ in bindings(method):
                for example in known[f"{verb} {template.text}"]:
                    call = getattr(stubs[service.name], method.name)
                    request = GetMessageClass(method.input_type)
                    asked = json_format.ParseDict(example.body, request())
                    if method.server_streaming:
                        heard.append([answer async for answer in call(asked)])
                    else:
                        heard.append(await call(asked))
                        heard.append(await refusal(call(request())))
    return heard


PARTS: Mapping[str, Callable[[Any], Awaitable[list[Any]]]] = {
    "cluedo": cluedo,
    "master": master,
    "positions": positions,
}
OVER_GRPC: dict[str, list[Any]] = {}
"""What is heard over gRPC: worked out once for all doors."""


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("part", PARTS)
async def test_every_game_is_told_through_each_door_as_through_grpc(part: str, name: str, store: RedisStore) -> None:
    if part not in OVER_GRPC:
        async with out_of_time(store) as service:
            OVER_GRPC[part] = await PARTS[part](service.yard.channel)
    async with out_of_time(store) as service:
        through_door = await PARTS[part](DoorChannel(DOORS[name](service.http)))
    assert len(OVER_GRPC[part]) > 20
    for expected, found in zip(OVER_GRPC[part], through_door, strict=True):
        assert found == expected
