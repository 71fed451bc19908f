"""The service out of time: its clock, its entropy and what its store says are the same whenever a test runs.

So two worlds that are played through it one after the other can be compared byte by byte.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any

from tests.api.live import Live, Tampered, live, tampered
from tests.games.worlds import World
from whitehall.games.core.chance import Chance, ReplayedChance
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import Stored

START_MS = 1_800_000_000_000
HOUR_MS = 3_600_000


class Clock:
    """Stands still until it is moved on."""

    def __init__(self) -> None:
        self.now_ms = START_MS

    def __call__(self) -> int:
        return self.now_ms


class Entropy:
    """The same bytes each time it is made anew."""

    def __init__(self) -> None:
        self._numbers = count()

    def __call__(self, size: int) -> bytes:
        return hashlib.shake_128(b"%d" % next(self._numbers)).digest(size)


class TimelessStore(Tampered):
    """A store to which each game expires at the same time. To a real one that follows from when it was written."""

    def __init__(self, store: RedisStore) -> None:
        super().__init__(store, {"read": self._read})

    async def _read(self, game_id: str, *, timeout: float | None = None) -> Stored | None:
        stored: Stored | None = await self._whole.read(game_id, timeout=timeout)
        return None if stored is None else replace(stored, expires_ms=START_MS + HOUR_MS)


class Stacked(Tampered):
    """A game with its cards and dice put in order beforehand, as one world has them."""

    def __init__(self, game: Any, world: World) -> None:
        super().__init__(game, {"setup": self._setup, "apply": self._apply})
        self._chance = ReplayedChance(world.draws)

    def _setup(self, options: Any, chance: Chance) -> Any:
        return self._whole.setup(options, self._chance)

    def _apply(self, state: Any, seat: Any, move: Any, chance: Chance) -> Any:
        return self._whole.apply(state, seat, move, self._chance)


@asynccontextmanager
async def timeless(game: str, rules: Stacked, store: RedisStore, log: io.StringIO, clock: Clock) -> AsyncIterator[Live]:
    """The service with one game, as it is played by these rules. What it logs begins after its start."""
    async with live(
        TimelessStore(store),
        {"token_keys": "5eed" * 16},
        games=tampered(game, rules=rules),
        clock_ms=clock,
        entropy=Entropy(),
    ) as service:
        log.getvalue()  # has waited for the lines of the start
        log.seek(0)
        log.truncate()
        yield service


def what_was_logged(log: io.StringIO) -> list[str]:
    """The lines of our own, apart from times. Those of two libraries come earlier or later, as the network has it."""
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    ours = [line for line in lines if line.get("logger") not in ("grpc._cython.cygrpc", "push_response")]
    return sorted(json.dumps({key: line[key] for key in line if key not in ("time", "milliseconds")}) for line in ours)
