"""A disk that is full: what the embedded store has accepted is there afterwards, whatever happens to its server.

The disk is a limit to the size of files, which a server meets as it meets a full disk: a write that ends short, and
then none at all. It is the process's own, so that the next server finds room.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from tests.sessions.samples import a_game, a_write, stored
from whitehall.sessions.embedded import EmbeddedValkey
from whitehall.sessions.redis_store import Durability, RedisStore
from whitehall.sessions.store import StoreUnavailable

ROOM = 50_000
"""Bytes that still go onto the disk."""
CLIENTS = 64
"""Many at once, so that the server carries out several writes before it finds that it can't append them."""


@asynccontextmanager
async def opened(valkey: EmbeddedValkey, durability: Durability) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(valkey.url, durability)
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def nearly_full(valkey: EmbeddedValkey, data_dir: Path) -> Iterator[None]:
    """Little room for the server that runs now, until the context is left."""
    pid = valkey.pid
    assert pid is not None
    used = max(path.stat().st_size for path in data_dir.glob("appendonlydir/*.aof"))
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (used + ROOM, unlimited[1]))
    try:
        yield
    finally:
        if valkey.pid == pid:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)


async def fill(store: RedisStore, valkey: EmbeddedValkey) -> list[str]:
    """Make games until there is no room, or the server has ended because there was none; those that were accepted."""
    made: list[str] = []
    first = valkey.pid

    async def make() -> None:
        while valkey.pid == first:
            try:
                made.append((await a_game(store))[0])
            except StoreUnavailable:
                return

    await asyncio.gather(*(make() for _ in range(CLIENTS)))
    assert made
    return made


@pytest.mark.parametrize("durability", [Durability.PROCESS, Durability.AOF])
async def test_everything_accepted_until_the_disk_was_full_survives_a_kill(
    tmp_path: Path, durability: Durability
) -> None:
    async with (
        EmbeddedValkey(tmp_path, fsync_always=durability is Durability.AOF) as valkey,
        opened(valkey, durability) as store,
    ):
        with nearly_full(valkey, tmp_path):
            made = await fill(store, valkey)
            if valkey.pid is not None:
                os.kill(valkey.pid, signal.SIGKILL)
            lost = [game_id for game_id in made if await store.read(game_id, timeout=10) is None]
        assert not lost
        await a_game(store)


async def test_on_a_full_disk_nothing_is_accepted_and_games_can_be_read(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as valkey, opened(valkey, Durability.PROCESS) as store:
        with nearly_full(valkey, tmp_path):
            made = await fill(store, valkey)
            with pytest.raises(StoreUnavailable, match="the store is unable to write to its disk"):
                await store.check()
            with pytest.raises(StoreUnavailable, match="the store is unable to write to its disk"):
                await a_game(store)
            for game_id in made:
                await stored(store, game_id)


async def test_a_write_that_was_repeated_until_there_was_room_is_accepted_once(tmp_path: Path) -> None:
    async with EmbeddedValkey(tmp_path) as valkey, opened(valkey, Durability.PROCESS) as store:
        game_id, version = await a_game(store)
        with nearly_full(valkey, tmp_path):
            await fill(store, valkey)
            write = a_write(game_id, version)
            with pytest.raises(StoreUnavailable):
                await store.write(write, timeout=0.2)
        result = await store.write(write, timeout=10)
        assert result == await store.write(write)
        assert (await stored(store, game_id)).version.revision == 2
        assert len(await store.read_log(game_id, 1, 10)) == 2
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGKILL)
        found = await store.read(game_id, timeout=10)
        assert found is not None
        assert found.version.revision == 2
