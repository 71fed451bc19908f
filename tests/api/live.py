"""The service inside the test's own process: on a store of the test's choice, with its games, its clock and entropy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import grpc

from tests.api.table import Yard
from whitehall.api.hosted import Hosted, hosted_games
from whitehall.main import serving
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.store import SessionStore
from whitehall.settings import Settings

QUICK = {
    "grpc_address": "127.0.0.1:0",
    "http_address": "127.0.0.1:0",
    "admin_address": "127.0.0.1:0",
    "default_deadline_seconds": 5,
    "drain_seconds": 0,
    "grace_seconds": 6,
}
"""Settings that let a test start and end at once."""


@dataclass(frozen=True)
class Live:
    """A running service and a channel to it."""

    grpc: str
    http: str
    admin: str
    yard: Yard

    async def admin_page(self, path: str) -> str:
        """What the admin port answers."""
        return await asyncio.to_thread(_read, f"http://{self.admin}{path}")

    async def metric(self, name: str) -> float:
        """The value of one series, by its name with labels as the exposition writes it; 0 where there is none."""
        for line in (await self.admin_page("/metrics")).splitlines():
            if line.startswith(f"{name} "):
                return float(line.removeprefix(f"{name} "))
        return 0.0


@asynccontextmanager
async def live(store: SessionStore, settings: dict[str, object] | None = None, **parts: Any) -> AsyncIterator[Live]:
    """The service on this store; `parts` are those of `serving` that the test brings with it."""
    loaded = Settings.load(QUICK | (settings or {}), {}, None)
    async with (
        serving(loaded, store, **parts) as addresses,
        grpc.aio.insecure_channel(addresses.grpc) as channel,
    ):
        yield Live(addresses.grpc, addresses.http, addresses.admin, Yard(channel))


@asynccontextmanager
async def store_at(url: str) -> AsyncIterator[RedisStore]:
    """A store on the server at this URL."""
    store = await RedisStore.connect(url)
    try:
        yield store
    finally:
        await store.close()


async def until(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    """Waits until a condition, that may be asked asynchronously, holds."""
    deadline = time.monotonic() + seconds
    while True:
        holds = condition()
        if await holds if asyncio.iscoroutine(holds) else holds:
            return
        assert time.monotonic() < deadline, "it did not come to be"
        await asyncio.sleep(0.01)


def tampered(game: str = "scotland-yard", **replaced: Any) -> Mapping[str, Hosted]:
    """A game as it is hosted, with some parts of its wire replaced."""
    hosted = hosted_games()[game]
    return {game: Hosted(Tampered(hosted.wire, replaced), hosted.catalog)}


class Tampered:
    """Something that is like something else, but for the parts that have been replaced."""

    def __init__(self, whole: Any, replaced: Mapping[str, Any]) -> None:
        self._whole = whole
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced[name] if name in self._replaced else getattr(self._whole, name)


def _read(url: str) -> str:
    with urlopen(url, timeout=5) as answer:
        return str(answer.read().decode())
