"""Games and writes to try a store with."""

from __future__ import annotations

import secrets
from typing import Any

from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Accepted, Caller, Created, RequestKey, Stored, Version, Write, new_write_id

HOST, SPECTATORS, FIRST_SEAT = 0, 1, 2
TTL = 3600
GENERATIONS = (0,) * 8
"""A host, spectators and six seats, none of them claimed."""


def any_game_id() -> str:
    return secrets.token_hex(12)


def any_request() -> RequestKey:
    return RequestKey(secrets.token_bytes(8), secrets.token_bytes(8))


async def a_game(store: RedisStore) -> tuple[str, Version]:
    """A new game of one revision."""
    game_id = any_game_id()
    created = await store.create(game_id, new_write_id(), b"start", [b"created"], GENERATIONS, TTL, b"creation")
    assert isinstance(created, Created)
    return game_id, created.version


def a_write(game_id: str, expected: Version, **changes: Any) -> Write:
    """A move of the first seat."""
    parts: dict[str, Any] = {
        "write_id": new_write_id(),
        "snapshot": b"snapshot %d" % (expected.revision + 1),
        "entry": b"entry %d" % (expected.revision + 1),
        "caller": Caller(FIRST_SEAT, 0),
        "ttl": TTL,
    }
    return Write(game_id, expected, **(parts | changes))


def a_rotation(game_id: str, expected: Version, generations: tuple[int, ...], holder: int, **changes: Any) -> Write:
    """A seat rotates its own token."""
    rotated = tuple(generation + (at == holder) for at, generation in enumerate(generations))
    caller = Caller(holder, generations[holder])
    return a_write(game_id, expected, caller=caller, generations=rotated, replays_revoked=True, **changes)


async def accepted(store: RedisStore, write: Write) -> Version:
    result = await store.write(write)
    assert isinstance(result, Accepted)
    return result.version


async def stored(store: RedisStore, game_id: str) -> Stored:
    found = await store.read(game_id)
    assert found is not None
    return found


async def entries(store: RedisStore, game_id: str) -> list[bytes]:
    return [entry.entry for entry in await store.read_log(game_id, 1, 10_000)]
