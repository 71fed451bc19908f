"""A store that is not there yet: games are neither read nor written until it has come and shown that it suits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.api.live import until
from tests.sessions.clusters import SLOTS, Node, wait_until
from tests.sessions.gate import Gate
from tests.sessions.samples import a_game, a_write, accepted
from tests.sessions.servers import Server, free_port
from whitehall.sessions.embedded import server_binary
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import StoreUnavailable
from whitehall.telemetry.log import configure

KINDS = ["redis://{place}", "redis+sentinel://{place}/games", "redis+cluster://{place}"]


@asynccontextmanager
async def store_at(url: str, connections: int = 4) -> AsyncIterator[RedisStore]:
    """The store at a URL, of which nothing is known."""
    store = RedisStore.at(url, connections=connections)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def hanging_up() -> AsyncIterator[int]:
    """The port of a server that ends each connection at once."""
    port = free_port()
    async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port):
        yield port


@asynccontextmanager
async def silent() -> AsyncIterator[int]:
    """The port of a server that takes connections and never says a word."""
    async with Gate() as gate:
        yield gate.port


@asynccontextmanager
async def refusing() -> AsyncIterator[int]:
    """A port where nobody listens."""
    yield free_port()


async def is_well(store: RedisStore) -> bool:
    """Whether the store may be used."""
    with suppress(StoreUnavailable):
        await store.check()
        return True
    return False


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [silent, refusing, hanging_up])
async def test_a_store_that_does_not_answer_is_unavailable_whatever_its_kind(
    kind: str, fault: Callable[[], AbstractAsyncContextManager[int]]
) -> None:
    async with fault() as port, store_at(kind.format(place=f"127.0.0.1:{port}")) as store:
        with pytest.raises(StoreUnavailable):
            await store.prove(0.05)
        with pytest.raises(StoreUnavailable):
            await store.check()
        with pytest.raises(StoreUnavailable):
            await a_game(store)
        with pytest.raises(StoreUnavailable):
            await store.read("any")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_host_that_nobody_knows_is_unavailable_whatever_the_kind(kind: str) -> None:
    async with store_at(kind.format(place="nowhere.invalid:6379")) as store:
        with pytest.raises(StoreUnavailable):
            await store.prove(0.05)


async def test_nothing_is_asked_of_a_store_before_it_has_shown_that_it_suits(shared_server: Server) -> None:
    async with store_at(shared_server.url) as store:
        with pytest.raises(StoreUnavailable, match="has not answered yet"):
            await a_game(store)
        await store.prove(10)
        await a_game(store)


async def test_a_store_that_was_silent_is_used_once_it_answers(shared_server: Server) -> None:
    """Though it was tried in vain more often than it may have connections."""
    async with Gate(str(shared_server.socket)) as gate, store_at(f"redis://127.0.0.1:{gate.port}", 1) as store:
        await until(lambda: _after_a_check(store, gate, 3))
        gate.open()
        await until(lambda: is_well(store))
        game_id, version = await a_game(store)
        await accepted(store, a_write(game_id, version))


async def _after_a_check(store: RedisStore, gate: Gate, connections: int) -> bool:
    assert not await is_well(store)
    return gate.taken >= connections


async def test_a_cluster_that_was_silent_is_used_once_it_answers(tmp_path: Path) -> None:
    node = Node(server_binary(), tmp_path / "node")
    try:
        node.ask("CLUSTER ADDSLOTSRANGE", 0, SLOTS - 1)
        await asyncio.to_thread(wait_until, lambda: node.ask("CLUSTER INFO")["cluster_state"] == "ok")
        async with Gate(node.port) as gate, store_at(f"redis+cluster://127.0.0.1:{gate.port}") as store:
            await until(lambda: _after_a_check(store, gate, 1))
            gate.open()
            await until(lambda: is_well(store))
            game_id, version = await a_game(store)
            await accepted(store, a_write(game_id, version))
    finally:
        node.server.kill()


async def test_a_store_that_turns_out_not_to_suit_is_told_of_once_and_used_when_that_is_mended(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    configure("json", "info")
    with server.client() as client:
        client.config_set("maxmemory", "100mb")
        client.config_set("maxmemory-policy", "allkeys-lru")
    async with store_at(server.url) as store:
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="does not suit"):
                await asyncio.wait_for(_refuted(store), 10)
        with pytest.raises(StoreUnavailable, match="does not suit"):
            await a_game(store)
        log = ""

        def told() -> int:
            nonlocal log
            log += capsys.readouterr().err
            return log.count("maxmemory-policy is allkeys-lru")

        await until(told)
        with server.client() as client:
            client.config_set("maxmemory-policy", "noeviction")
        await until(lambda: is_well(store))
        await a_game(store)
        assert told() == 1


async def _refuted(store: RedisStore) -> None:
    """Check until the store has said what it is."""
    while True:
        try:
            await store.check()
        except StoreUnavailable as unavailable:
            if "not answered" not in unavailable.reason:
                raise


async def test_a_proof_is_given_up_when_the_store_is_closed() -> None:
    async with Gate() as gate:
        store = RedisStore.at(f"redis://127.0.0.1:{gate.port}")
        await until(lambda: _after_a_check(store, gate, 1))
        await asyncio.wait_for(store.close(), 10)
