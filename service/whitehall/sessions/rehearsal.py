"""One short life of a game that nobody plays: shows that a store permits all that a game will need of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from whitehall.sessions.store import (
    Caller,
    RequestKey,
    SessionStore,
    Version,
    Write,
    new_write_id,
)

_TTL_SECONDS: Final = 60
_HOLDER: Final = Caller(0, 0)
_DIGEST: Final = b"rehearse"


def rehearsal_ids() -> Iterator[str]:
    """Names for games of rehearsals, none of them used before."""
    while True:
        yield f"rehearsal-{new_write_id().hex()}"


async def rehearse(store: SessionStore, timeout: float, game_id: str | None = None) -> None:
    """Run every operation, and every command that its script may come to, on a new game that is deleted at the end.

    Each may take `timeout` seconds. Whatever an operation raises is passed on. `game_id` is one of `rehearsal_ids()`.
    """
    await store.check()
    game_id = game_id or next(rehearsal_ids())
    try:
        await _live(store, game_id, timeout)
    except BaseException:
        with suppress(Exception):
            await store.delete(game_id, _HOLDER, timeout=timeout)
        raise
    await store.delete(game_id, _HOLDER, timeout=timeout)


async def _live(store: SessionStore, game_id: str, timeout: float) -> None:
    birth, stranger = new_write_id(), new_write_id()
    for write_id in (birth, birth, stranger):  # new, repeated, and refused as there is one of this name
        await store.create(game_id, write_id, b"", [b""], (0,), _TTL_SECONDS, _DIGEST, timeout=timeout)
    version = Version(1, birth)
    request = RequestKey(_DIGEST, _DIGEST)
    async with store.subscribe(game_id):
        move = Write(game_id, version, new_write_id(), b"", b"", _HOLDER, _TTL_SECONDS, request)
        late = Write(game_id, version, new_write_id(), b"", b"", _HOLDER, _TTL_SECONDS)
        for write in (move, move, late):  # accepted, repeated, and refused as the game has moved on
            await store.write(write, timeout=timeout)
    await store.read(game_id, timeout=timeout)
    await store.read_log(game_id, 1, 2, timeout=timeout)
    await store.recall(game_id, _HOLDER.holder, request, timeout=timeout)
