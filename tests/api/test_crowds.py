"""More callers than there are places for: who is refused, and who still gets an answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.api.live import Live, Tampered, live, until
from tests.api.positions import a_position
from tests.api.raw import outcome
from tests.api.refusals import Refused, refused
from tests.api.table import Table, Yard, bearing
from tests.api.watcher import Watcher
from whitehall.api import anonymous, arrivals, positions
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

GAMES = "/whitehall.scotlandyard.v1.ScotlandYardService"
QUESTIONS = "/whitehall.scotlandyard.v1.ScotlandYardPositionService"
UNARY_REQUEST = (
    f"{GAMES}/GetGame",
    f"{GAMES}/PlayMove",
    f"{GAMES}/WatchGame",
    f"{QUESTIONS}/ListPositionLegalMoves",
    "/whitehall.catalog.v1.CatalogService/ListRules",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
)
"""Methods of every service that take one request."""

Call = Any


@asynccontextmanager
async def lines(address: str, number: int) -> AsyncIterator[list[grpc.aio.Channel]]:
    """So many connections."""
    channels = [
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(number)
    ]
    yield channels
    for channel in channels:
        await channel.close()


def silent(channel: grpc.aio.Channel, path: str) -> Call:
    """A call that has begun and whose request is never sent."""
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
    return method()


async def how_it_ended(call: Call) -> Refused | None:
    """The refusal that a call gets by itself, or None where it ends well."""
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
    except grpc.RpcError as error:
        return Refused(error)
    return None


async def is_well(service: Live) -> bool:
    """Whether it answers health checks, on a line of their own."""
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=5)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


# --- calls whose request does not come --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", UNARY_REQUEST)
async def test_a_call_whose_request_never_comes_is_ended_by_us(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(arrivals, "REQUEST_SECONDS", 0.1)
    async with live(store) as service:
        ended = await asyncio.wait_for(how_it_ended(silent(service.yard.channel, path)), 3)
        assert ended is not None
        assert (ended.code, ended.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("path", UNARY_REQUEST)
async def test_those_who_never_send_their_request_keep_nobody_out(store: RedisStore, path: str) -> None:
    """Three times as many as calls are allowed: the longest waiting ones are turned away, and others are answered."""
    async with live(store, {"max_concurrent_calls": 20}) as service, lines(service.grpc, 4) as channels:
        table = await service.yard.table(3)
        calls = [silent(channels[number % 4], path) for number in range(60)]
        endings = [asyncio.ensure_future(how_it_ended(call)) for call in calls]
        await until(lambda: sum(ending.done() for ending in endings) == 40)
        for _ in range(20):
            assert (await table.get()).info.game_id == table.game_id
        assert await is_well(service)
        for ending in endings:
            if ending.done():
                refusal = ending.result()
                assert refusal is not None
                assert (refusal.code, refusal.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
                assert refusal.detail(error_details_pb2.RetryInfo)
            ending.cancel()


async def test_a_call_that_ends_without_a_request_is_malformed(store: RedisStore) -> None:
    async with live(store) as service:
        call = silent(service.yard.channel, f"{GAMES}/GetGame")
        await call.done_writing()
        ended = await how_it_ended(call)
        assert ended is not None
        assert ended.reason == "MALFORMED_REQUEST"


# --- calls ------------------------------------------------------------------------------------------------------------


async def test_a_burst_is_answered_or_refused_by_name_and_never_cut(store: RedisStore) -> None:
    settings: dict[str, object] = {"max_concurrent_calls": 300, "default_deadline_seconds": 20, "grace_seconds": 30}
    async with live(store, settings) as service, lines(service.grpc, 8) as channels:
        table = await service.yard.table(3)
        request = service_pb2.GetGameRequest(game_id=table.game_id)

        async def ask(number: int) -> str:
            try:
                await Yard(channels[number % 8]).games.GetGame(request, metadata=bearing(table.host))
            except grpc.RpcError as error:
                return Refused(error).reason or str(error)
            return "answered"

        endings = Counter(await asyncio.gather(*map(ask, range(2500))))
        assert endings.keys() <= {"answered", "TOO_MANY_CALLS"}
        assert endings["answered"] >= 300


async def test_calls_beyond_the_limit_are_refused_until_one_of_the_others_has_ended(store: RedisStore) -> None:
    gate = asyncio.Event()
    waiting = 0

    async def read(*arguments: Any, **options: Any) -> Any:
        nonlocal waiting
        waiting += 1
        await gate.wait()
        return await store.read(*arguments, **options)

    slow: Any = Tampered(store, {"read": read})
    async with live(slow, {"max_concurrent_calls": 3}) as service:
        table = await service.yard.table(3)
        held = [asyncio.ensure_future(table.get()) for _ in range(3)]
        await until(lambda: waiting == 3)
        with refused("TOO_MANY_CALLS", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
            await table.get()
        assert refusal.metadata == {"limit": "3"}
        assert refusal.detail(error_details_pb2.RetryInfo)
        assert await is_well(service), "health is asked apart from them"
        gate.set()
        await asyncio.gather(*held)
        assert (await table.get()).info.game_id == table.game_id


# --- streams ----------------------------------------------------------------------------------------------------------


async def test_streams_about_positions_have_a_limit_that_takes_nothing_from_games(store: RedisStore) -> None:
    async with live(store, {"max_position_streams": 2}) as service, lines(service.grpc, 2) as channels:
        table = await service.yard.table(3)
        path = f"{QUESTIONS}/StreamListPositionLegalMoves"
        question = position_pb2.StreamListPositionLegalMovesRequest(positions=[a_position()]).SerializeToString()
        idle = [silent(channels[0], path) for _ in range(2)]
        for call in idle:
            await call.write(question)
            assert await call.read()
        full = await outcome(channels[1], path, question)
        assert full is not None
        assert (full.reason, full.metadata) == ("TOO_MANY_STREAMS", {"limit": "2"})
        await Watcher(table, table.seats[1]).update()
        await table.get()
        idle[0].cancel()
        await until(lambda: _is_answered(channels[1], path, question))


async def _is_answered(channel: grpc.aio.Channel, path: str, request: bytes) -> bool:
    return await outcome(channel, path, request) is None


async def test_a_stream_about_positions_that_asks_nothing_for_long_loses_its_place(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "IDLE_SECONDS", 0.2)
    async with live(store, {"max_position_streams": 1}) as service:
        for _ in range(2):
            call = silent(service.yard.channel, f"{QUESTIONS}/StreamListPositionLegalMoves")
            ended = await asyncio.wait_for(how_it_ended(call), 10)
            assert ended is not None
            assert ended.reason == "DEADLINE_EXCEEDED"


async def test_streams_about_positions_do_not_hold_up_the_end(store: RedisStore) -> None:
    async with live(store) as service:
        channel = grpc.aio.insecure_channel(service.grpc)
        idle = silent(channel, f"{QUESTIONS}/StreamListPositionLegalMoves")
        question = position_pb2.StreamListPositionLegalMovesRequest(positions=[a_position()])
        await idle.write(question.SerializeToString())
        assert await idle.read()
        ending = asyncio.ensure_future(how_it_ended(idle))
        began = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - began < 10
    refusal = await ending
    assert refusal is not None
    assert refusal.reason == "DRAINING"
    await channel.close()


async def test_health_watches_and_reflection_have_limits_of_their_own(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anonymous, "HEALTH_WATCHES", 3)
    monkeypatch.setattr(anonymous, "REFLECTION_STREAMS", 3)
    monkeypatch.setattr(anonymous, "REFLECTION_IDLE_SECONDS", 0.5)
    async with live(store) as service, lines(service.grpc, 1) as (channel,):
        table = await service.yard.table(3)
        health: Any = health_pb2_grpc.HealthStub(channel)
        watches = [health.Watch(health_pb2.HealthCheckRequest()) for _ in range(3)]
        for watch in watches:
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        with refused("TOO_MANY_STREAMS", grpc.StatusCode.RESOURCE_EXHAUSTED):
            await health.Watch(health_pb2.HealthCheckRequest()).read()

        stub: Any = reflection_pb2_grpc.ServerReflectionStub
        tools = stub(channel)
        question = reflection_pb2.ServerReflectionRequest(list_services="")
        looks = [tools.ServerReflectionInfo() for _ in range(3)]
        for look in looks:
            await look.write(question)
            assert (await look.read()).list_services_response.service
        with refused("TOO_MANY_STREAMS", grpc.StatusCode.RESOURCE_EXHAUSTED):
            await tools.ServerReflectionInfo().read()
        for look in looks:
            ended = await how_it_ended(look)
            assert ended is not None
            assert ended.reason == "DEADLINE_EXCEEDED"

        assert await is_well(service)
        assert (await table.get()).info.game_id == table.game_id


async def test_spectators_take_half_of_a_games_streams_and_a_seat_its_share_so_that_every_seat_finds_one(
    store: RedisStore,
) -> None:
    async with live(store, {"max_streams_per_game": 32}) as service:
        table = await service.yard.table(6, allow_spectators=True)
        watchers = await _watchers(table, table.spectator, 16)
        for token in table.seats:
            watchers += await _watchers(table, token, 2)
        for watcher in watchers:
            watcher.leave()


async def _watchers(table: Table, token: str, most: int) -> list[Watcher]:
    """As many watchers as the bearer of a token may have."""
    watchers = [Watcher(table, token) for _ in range(most)]
    for watcher in watchers:
        await watcher.update()
    with refused("TOO_MANY_STREAMS", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
        await Watcher(table, token).read()
    assert refusal.metadata == {"limit": str(most)}
    return watchers
