"""Calls end in time, and calls that were given up never spoil the answers of others."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tests.lag import lag
from tests.sessions.proxy import Proxy
from tests.sessions.samples import FIRST_SEAT, TTL, a_game, a_write
from tests.sessions.servers import Server
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import (
    Accepted,
    Caller,
    Conflict,
    Created,
    LogEntry,
    StoreUnavailable,
    Version,
    new_write_id,
)

CALLS = 1000
PATIENCE = 30.0
"""Seconds after which a call is taken never to get its turn."""
GAMES = 50


async def test_a_call_to_a_server_that_hangs_ends_at_its_deadline(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    server.pause()
    calls: list[tuple[float, Coroutine[Any, Any, object]]] = [
        (0.3, store.write(a_write(game_id, version), timeout=0.3)),
        (0.7, store.read(game_id, timeout=0.7)),
        (0.05, store.read_log(game_id, 1, 1, timeout=0.05)),
        (0.25, store.check()),
        (0.0, store.delete(game_id, Caller(0, 0), timeout=0.0)),
    ]

    async def ends_in_time(limit: float, call: Coroutine[Any, Any, object]) -> None:
        started = time.monotonic()
        with pytest.raises(StoreUnavailable, match=r"did not answer in time|too many calls"):
            await call
        assert time.monotonic() - started < limit + 0.2 + late.seconds

    async with lag() as late:
        await asyncio.gather(*(ends_in_time(*call) for call in calls))
    server.resume()
    await store.check()
    await store.close()


async def test_a_call_to_a_dead_server_ends_at_its_deadline_and_works_once_it_is_back(server: Server) -> None:
    store = await RedisStore.connect(server.url)
    game_id, version = await a_game(store)
    server.kill()
    with pytest.raises(StoreUnavailable, match="the store can't be reached"):
        await store.read(game_id, timeout=0.1)
    with pytest.raises(StoreUnavailable, match="the store can't be reached"):
        await store.check()
    server.start()
    found = await store.read(game_id)
    assert found is not None
    assert found.version == version
    await store.close()


async def test_more_calls_than_connections_wait_for_their_turn(store: RedisStore) -> None:
    """Nobody is overtaken until his time is up."""
    game_id, version = await a_game(store)

    async def reads() -> None:
        for _ in range(8):
            found = await store.read(game_id, timeout=PATIENCE)
            assert found is not None
            assert found.version == version

    await asyncio.gather(*(reads() for _ in range(200)))


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_no_answer_ever_belongs_to_another_game(
    shared_server: Server, tmp_path: Path, run: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    """A thousand calls on a slow line, many of them given up or cancelled while their answer is on its way."""
    run(_mixed_calls(shared_server, tmp_path))


async def _mixed_calls(server: Server, folder: Path) -> None:
    chance = random.Random(1863)
    answered = given_up = 0
    async with Proxy(server.socket, folder / "p") as proxy:
        store = await RedisStore.connect(proxy.url)
        games: dict[str, Version] = {}
        for number in range(GAMES):
            game_id = f"{new_write_id().hex()}-{number:02}"
            name = game_id.encode()
            created = await store.create(game_id, new_write_id(), name, [name], (0,) * 8, TTL, b"creation")
            assert isinstance(created, Created)
            games[game_id] = created.version
        proxy.delay = lambda: chance.uniform(0, 0.015)

        async def ask(game_id: str, kind: str, timeout: float) -> None:
            name = game_id.encode()
            match kind:
                case "read":
                    found = await store.read(game_id, timeout=timeout)
                    assert found is not None
                    assert found.snapshot == name
                case "read_log":
                    log = await store.read_log(game_id, 1, 1, timeout=timeout)
                    assert [(type(entry), entry.entry) for entry in log] == [(LogEntry, name)]
                case "write":
                    write = a_write(game_id, games[game_id], snapshot=name, entry=name, caller=Caller(FIRST_SEAT, 0))
                    result = await store.write(write, timeout=timeout)
                    assert isinstance(result, Accepted | Conflict)
                    if isinstance(result, Conflict):
                        assert result.stored.snapshot == name
                        result_version = result.stored.version
                    else:
                        result_version = result.version
                    games[game_id] = result_version

        async def call() -> None:
            nonlocal answered, given_up
            game_id, kind = chance.choice(list(games)), chance.choice(["read", "read_log", "write"])
            limit = chance.uniform(0.001, 0.020)
            try:
                match chance.choice(["patient", "deadline", "cancelled"]):
                    case "patient":
                        await ask(game_id, kind, 5.0)
                    case "deadline":
                        await ask(game_id, kind, limit)
                    case "cancelled":
                        async with asyncio.timeout(limit):
                            await ask(game_id, kind, 5.0)
            except (StoreUnavailable, TimeoutError):
                given_up += 1
            else:
                answered += 1

        async def caller() -> None:
            while answered + given_up < CALLS:
                await call()

        await asyncio.gather(*(caller() for _ in range(40)))
        proxy.delay = lambda: 0
        for game_id in games:
            await ask(game_id, "read", 5.0)
        assert answered > CALLS / 4
        assert given_up > CALLS / 4
        assert store.traffic.under_way == store.traffic.waiting == 0
        await store.close()
