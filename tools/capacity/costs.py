"""What single things cost, as measured: by `make bench`, and by asking an embedded store for its processor time."""

from __future__ import annotations

import asyncio
import re
import secrets
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis.asyncio

from whitehall.sessions.embedded import EmbeddedValkey
from whitehall.sessions.redis_store import Durability, RedisStore
from whitehall.sessions.store import Accepted, Caller, Created, Version, Write, new_write_id

BENCHMARKS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"

_FOLLOWERS = 6
SNAPSHOT_BYTES, ENTRY_BYTES = 700, 60
"""About what a game of five detectives has."""
OPERATIONS = 20_000
IN_FLIGHT = 16


@dataclass(frozen=True)
class Costs:
    """Microseconds of a processor, and bytes."""

    play: float
    """The service, the store included, for one PlayMove."""
    legal_moves: float
    """For one ListLegalMoves."""
    follow: float
    """For telling one watcher of one move."""
    store_write: float
    """Of the above, the store's share of one write."""
    store_read: float
    """And of one read."""
    game_bytes: float
    """One game in the store, once it is over."""
    process_bytes: float
    """One process of the service."""


def measured(benchmarks: str, store_write: float, store_read: float) -> Costs:
    """From the page of benchmarks, and what the store was measured to need."""

    def processor(contest: str) -> float:
        row = re.search(rf"^\| {re.escape(contest)} \|[^|]*\|[^|]*\| ([\d.,]+)", benchmarks, re.MULTILINE)
        assert row is not None, f"docs/benchmarks.md has no contest {contest!r}"
        return float(row[1].replace(",", ""))

    def number(words: str) -> float:
        found = re.search(words, benchmarks)
        assert found is not None, f"docs/benchmarks.md does not say {words!r}"
        return float(found[1].replace(",", ""))

    alone, followed = processor("boardgame.io, 16 in flight"), processor("boardgame.io, 16 in flight, six follow")
    return Costs(
        play=processor("PlayMove, 16 in flight"),
        legal_moves=processor("ListLegalMoves, 16 in flight"),
        follow=(followed - alone) / _FOLLOWERS,
        store_write=store_write,
        store_read=store_read,
        game_bytes=number(r"took ([\d.]+) KiB each") * 1024,
        process_bytes=number(r"After 10,000 calls ([\d.]+) MiB") * 1024 * 1024,
    )


async def measure_store() -> tuple[float, float]:
    """Microseconds of the store's processor for one write and for one read, on an embedded store of our own."""
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedValkey(Path(folder)) as server:
            store = await RedisStore.connect(server.url, Durability.PROCESS)
            async with redis.asyncio.Redis.from_url(server.url) as client:
                games = [await _Game.made(store) for _ in range(IN_FLIGHT)]
                write = await _processor(client, games, lambda game: game.write())
                read = await _processor(client, games, lambda game: game.read())
            await store.close()
    return write, read


class _Game:
    """A game that is written and read again and again."""

    def __init__(self, store: RedisStore, game_id: str, version: Version) -> None:
        self._store = store
        self._id = game_id
        self._version = version

    @classmethod
    async def made(cls, store: RedisStore) -> _Game:
        game_id = secrets.token_hex(8)
        made = await store.create(
            game_id, new_write_id(), bytes(SNAPSHOT_BYTES), [bytes(ENTRY_BYTES)], (1, 1, 1), 3600, bytes(8)
        )
        assert isinstance(made, Created)
        return cls(store, game_id, made.version)

    async def write(self) -> None:
        done = await self._store.write(
            Write(
                game_id=self._id,
                expected=self._version,
                write_id=new_write_id(),
                snapshot=secrets.token_bytes(SNAPSHOT_BYTES),
                entry=bytes(ENTRY_BYTES),
                ttl=3600,
                caller=Caller(2, 1),
            )
        )
        assert isinstance(done, Accepted)
        self._version = done.version

    async def read(self) -> None:
        assert await self._store.read(self._id) is not None


async def _processor(client: Any, games: list[_Game], do: Callable[[_Game], Awaitable[None]]) -> float:
    async def again_and_again(game: _Game) -> None:
        for _ in range(OPERATIONS // len(games)):
            await do(game)

    async def used() -> float:
        cpu = await client.info("cpu")
        return float(cpu["used_cpu_user"] + cpu["used_cpu_sys"])

    before = await used()
    await asyncio.gather(*map(again_and_again, games))
    return (await used() - before) / OPERATIONS * 1e6
