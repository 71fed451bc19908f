"""Calls that end while the store is still answering them: nobody else may get their answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from operator import eq
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from tests.api.live import Live, live, store_at, until
from tests.api.logbook import faults
from tests.api.quiet import play_on
from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.table import Table, Yard, a_request_id, as_move, bearing, move_texts
from tests.lag import lag
from tests.sessions.proxy import Proxy
from tests.sessions.servers import Server
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions.redis_store import RedisStore

ENDS_OF_SHORT_CALLS = {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}
"""A call whose time is up ends so; the latter where the service could still say that the store was too slow."""


@pytest.fixture
async def proxy(store_server: Server, tmp_path: Path) -> AsyncIterator[Proxy]:
    """Stands before the store's server."""
    async with Proxy(store_server.socket, tmp_path / "proxy") as proxy:
        yield proxy


def questions(table: Table) -> list[Callable[[float], Awaitable[Message]]]:
    """Calls that change nothing and whose answers tell the game: each takes its timeout in seconds."""
    calls, game_id = table.calls, table.game_id
    hunter, public = bearing(table.seats[1]), bearing(table.host)
    illegal = service_pb2.ValidateMoveRequest(game_id=game_id, moves=[as_move("red taxi 1")])
    return [
        partial(_ask, calls.GetGame, service_pb2.GetGameRequest(game_id=game_id), bearing(table.mr_x)),
        partial(_ask, calls.GetGame, service_pb2.GetGameRequest(game_id=game_id), public),
        partial(_ask, calls.ListLegalMoves, service_pb2.ListLegalMovesRequest(game_id=game_id), hunter),
        partial(_ask, calls.ListLegalMoves, service_pb2.ListLegalMovesRequest(game_id=game_id), bearing(table.mr_x)),
        partial(_ask, calls.ListEvents, service_pb2.ListEventsRequest(game_id=game_id), bearing(table.mr_x)),
        partial(_ask, calls.ValidateMove, illegal, hunter),
    ]


async def _ask(method: Any, request: Message, metadata: Any, timeout: float) -> Message:
    answer: Message = await method(request, metadata=metadata, timeout=timeout)
    if isinstance(answer, service_pb2.GetGameResponse):
        answer.game.info.ClearField("expire_time")
    return answer


async def test_op01_no_call_gets_the_answer_of_another_that_was_given_up(
    start_service: Callable[..., Service], proxy: Proxy
) -> None:
    """A thousand calls of 1 to 20 ms on fifty games, among others that have time, on a store that takes up to 10 ms."""
    chance = Random(1)
    service = await asyncio.to_thread(start_service, "--redis-url", proxy.url, "--drain-seconds", "0")
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        tables = [await Yard(channel).table(2 + number % 5) for number in range(50)]
        for number, table in enumerate(tables):
            await play_on(table, number % 3, seed=number)
        asked = [question for table in tables for question in questions(table)]
        answers = [await question(10) for question in asked]
        movers = [await Yard(channel).table(3) for _ in range(20)]
        first_moves = [(table, move_texts((await table.legal(0)).moves)[0], a_request_id()) for table in movers]
        cut_short = 0
        lines = asyncio.Semaphore(24)

        async def short(call: Callable[[float], Awaitable[Message]], right: Callable[[Any], bool]) -> None:
            nonlocal cut_short
            async with lines:
                try:
                    answer = await call(chance.uniform(0.001, 0.02))
                except grpc.aio.AioRpcError as error:
                    if error.code() not in ENDS_OF_SHORT_CALLS:
                        raise
                    cut_short += 1
                else:
                    assert right(answer)

        async def unhurried(at: int) -> None:
            async with lines:
                assert await asked[at](10) == answers[at]

        proxy.delay = lambda: chance.uniform(0, 0.01)
        picked = [chance.randrange(len(asked)) for _ in range(1280)]
        calls = [short(asked[at], partial(eq, answers[at])) for at in picked[:980]] + [
            unhurried(at) for at in picked[980:]
        ]
        for table, text, request_id in first_moves:
            calls.append(short(partial(_play, table, text, request_id), partial(_is_of, table)))
        chance.shuffle(calls)
        await asyncio.gather(*calls)
        assert cut_short > 100, "too few calls were cut short to try it"

        proxy.delay = lambda: 0
        assert [await question(10) for question in asked] == answers
        for table, text, request_id in first_moves:
            assert _is_of(table, await _play(table, text, request_id, 10))
    for code in ("INTERNAL", "UNKNOWN", "DATA_LOSS"):
        assert service.metric("grpc_server_handled_total", grpc_code=code) == 0
    await asyncio.to_thread(service.stop)
    assert faults(service.log) == []


async def _play(table: Table, text: str, request_id: str, timeout: float) -> Message:
    request = service_pb2.PlayMoveRequest(game_id=table.game_id, moves=[as_move(text)], request_id=request_id)
    return await _ask(table.calls.PlayMove, request, bearing(table.mr_x), timeout)


def _is_of(table: Table, played: Any) -> bool:
    """Whether it answers the first move of that game."""
    info = played.update.game.info
    return (info.game_id, info.revision, played.update.revision.revision) == (table.game_id, 2, 2)


@pytest.mark.parametrize("seconds", [0, 0.001, 0.02, 0.2])
async def test_a_call_ends_when_its_time_is_up_and_not_as_a_fault_of_ours(proxy: Proxy, seconds: float) -> None:
    async with store_at(proxy.url) as store, live(store) as service:
        table = await service.yard.table(3)
        proxy.delay = lambda: 0.4
        for question in questions(table):
            asked = time.monotonic()
            async with lag() as late:
                with pytest.raises(grpc.aio.AioRpcError) as ended:
                    await question(seconds)
            assert ended.value.code() in ENDS_OF_SHORT_CALLS
            assert time.monotonic() - asked < seconds + 0.5 + late.seconds
        proxy.delay = lambda: 0
        for code in ("INTERNAL", "UNKNOWN"):
            assert f'grpc_code="{code}"' not in _counted(await service.admin_page("/metrics"))


def _counted(exposition: str) -> str:
    """The series of ended calls that are not 0."""
    lines = exposition.splitlines()
    return "\n".join(line for line in lines if "handled_total{" in line and not line.endswith(" 0.0"))


async def test_a_call_without_a_deadline_gets_the_services_own(proxy: Proxy) -> None:
    async with store_at(proxy.url) as store, live(store, {"default_deadline_seconds": 0.3}) as service:
        table = await service.yard.table(3)
        proxy.delay = lambda: 0.4
        asked = time.monotonic()
        async with lag() as late:
            with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE):
                await table.get()
        assert time.monotonic() - asked < 0.8 + late.seconds
        proxy.delay = lambda: 0


async def test_a_stream_ends_with_its_callers_deadline(store: RedisStore) -> None:
    async with live(store) as service:
        table = await service.yard.table(3)
        request = service_pb2.WatchGameRequest(game_id=table.game_id)
        stream: Any = table.calls.WatchGame(request, metadata=bearing(table.mr_x), timeout=0.3)
        assert (await stream.read()).update.revision.revision == 1
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await stream.read()
        assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await until(lambda: _nobody_watches(service))


async def _nobody_watches(service: Live) -> bool:
    return await service.metric('whitehall_watchers{game="scotland-yard"}') == 0
