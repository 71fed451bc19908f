"""Stores with replicas: a demoted primary, and writes that a replica has to confirm."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sessions.samples import (
    FIRST_SEAT,
    GENERATIONS,
    HOST,
    a_game,
    a_rotation,
    a_write,
    accepted,
    any_request,
    entries,
    stored,
)
from tests.sessions.servers import Server, free_port
from whitehall.sessions import notices
from whitehall.sessions.layout import log_key
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Accepted, Caller, Deleted, Duplicate, StoreUnavailable, Version


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def pair(program: Path, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """A primary and its replica, in step."""
    port = str(free_port())
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    primary = Server(program, tmp_path / "a", "--port", port, "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0")
    replica = Server(program, tmp_path / "b")
    primary.start()
    replica.start()
    with primary.client() as client, replica.client() as follower:
        follower.execute_command("REPLICAOF", "127.0.0.1", port)
        wait_until(lambda: client.execute_command("WAIT", 1, 100) == 1)
    yield primary, replica
    replica.kill()
    primary.kill()


async def test_a_demoted_primary_is_unavailable_and_never_answers_with_old_data(pair: tuple[Server, Server]) -> None:
    """The store keeps its connections to a server that has become a replica."""
    _, replica = pair
    store = await RedisStore.connect(replica.url)
    with pytest.raises(StoreUnavailable, match="the store is read-only"):
        await store.read("any", timeout=0.1)
    with pytest.raises(StoreUnavailable, match="the store is read-only"):
        await store.read_log("any", 1, 1, timeout=0.1)
    with pytest.raises(StoreUnavailable, match="the store is read-only"):
        await store.write(a_write("any", Version(1, bytes(8))), timeout=0.1)
    with pytest.raises(StoreUnavailable, match="the store is read-only"):
        await store.delete("any", Caller(HOST, 0), timeout=0.1)
    with pytest.raises(StoreUnavailable, match="the store is read-only"):
        await store.check()
    await store.close()


async def test_a_write_waits_for_a_replica_to_be_promoted(pair: tuple[Server, Server]) -> None:
    primary, replica = pair
    first = await RedisStore.connect(primary.url)
    game_id, version = await a_game(first)
    await first.close()
    with replica.client() as client:
        wait_until(lambda: bool(client.exists(log_key(game_id))))
    store = await RedisStore.connect(replica.url)
    write = a_write(game_id, version)
    writing = asyncio.create_task(store.write(write, timeout=10))
    done, _ = await asyncio.wait([writing], timeout=0.1)
    assert not done
    with replica.client() as client:
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert await writing == Accepted(Version(2, write.write_id))
    assert await entries(store, game_id) == [b"created", b"entry 2"]
    await store.close()


async def test_after_a_failover_that_leaves_the_old_primary_alive_everything_goes_to_the_new_one(
    pair: tuple[Server, Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address means another server from one moment to the next, and all connections lead to the old one."""
    monkeypatch.setattr(notices, "SUSPECT_SECONDS", 0.0)
    old, new = pair
    address = tmp_path / "address"
    address.symlink_to(old.socket)
    store = await RedisStore.connect(f"unix://{address}")
    game_id, version = await a_game(store)
    await asyncio.gather(*(store.read(game_id) for _ in range(10)))
    async with store.subscribe(game_id) as subscription:
        assert await subscription.wait(5)
        with old.client() as client, new.client() as promoted:
            wait_until(lambda: bool(promoted.exists(log_key(game_id))))
            promoted.execute_command("REPLICAOF", "NO", "ONE")
            client.execute_command("REPLICAOF", "127.0.0.1", free_port())
        address.unlink()
        address.symlink_to(new.socket)
        version = await accepted(store, a_write(game_id, version))
        for _ in range(3):
            assert await subscription.wait(5)
            assert (await stored(store, game_id)).version == version
            version = await accepted(store, a_write(game_id, version))
    with new.client() as client:
        assert client.llen(log_key(game_id)) == 5
    await store.close()


async def test_with_durability_replica_a_write_is_accepted_once_a_replica_has_it(pair: tuple[Server, Server]) -> None:
    primary, replica = pair
    store = await RedisStore.connect(primary.url, "replica")
    game_id, version = await a_game(store)
    version = await accepted(store, a_rotation(game_id, version, GENERATIONS, FIRST_SEAT))
    await store.secret("key", lambda: b"secret")
    await store.check()
    with replica.client() as client:
        assert client.execute_command("LLEN", log_key(game_id)) == 2
        assert client.execute_command("GET", "wh:secret:key") == b"secret"
    assert await store.delete(game_id, Caller(HOST, 0)) == Deleted()
    with replica.client() as client:
        assert client.execute_command("EXISTS", log_key(game_id)) == 0
    await store.close()


async def test_a_write_that_no_replica_confirms_is_unavailable_until_one_does(pair: tuple[Server, Server]) -> None:
    """The retry is not fooled by finding the write on the primary: it waits for the replica too."""
    primary, replica = pair
    store = await RedisStore.connect(primary.url, "replica")
    game_id, version = await a_game(store)
    write = a_write(game_id, version, request=any_request())
    replica.pause()
    for unconfirmed in (write, write, a_write(game_id, version, request=write.request)):
        with pytest.raises(StoreUnavailable, match="no replica has confirmed the write"):
            await store.write(unconfirmed, timeout=0.3)
        with primary.client() as client:  # so that the next one goes by a connection that has written nothing yet
            client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    with pytest.raises(StoreUnavailable, match="no replica has confirmed the write"):
        await store.check()
    replica.resume()
    assert await store.write(write) == Accepted(Version(2, write.write_id))
    assert await store.write(a_write(game_id, version, request=write.request)) == Duplicate(2)
    assert (await stored(store, game_id)).version == Version(2, write.write_id)
    await store.close()
