"""A store that tells the metrics how it fares. It adds nothing else."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from whitehall.sessions.store import (
    Caller,
    Conflict,
    CreateResult,
    DeleteResult,
    Duplicate,
    Exists,
    LogEntry,
    Missing,
    RequestKey,
    RequestReused,
    Revoked,
    SessionStore,
    Stored,
    StoreUnavailable,
    Subscription,
    Write,
    WriteResult,
)
from whitehall.telemetry.metrics import Metrics, StoreOutcome

T = TypeVar("T")

_OUTCOMES: dict[type, StoreOutcome] = {
    Conflict: "conflict",
    Duplicate: "duplicate",
    Exists: "duplicate",
    Missing: "missing",
    RequestReused: "refused",
    Revoked: "refused",
}
"""What is counted of a result; all others are `ok`."""

_OPERATIONS = ("create", "read", "read_log", "recall", "write", "delete", "secret", "check")


class MeteredStore:
    """The store behind it, timed operation by operation."""

    def __init__(self, store: SessionStore, metrics: Metrics) -> None:
        self._store = store
        self._conflicts = metrics.store_conflicts
        self._operations = {name: metrics.store_operation(name) for name in _OPERATIONS}

    async def _timed(self, operation: str, result: Awaitable[T]) -> T:
        began = time.monotonic()
        outcome: StoreOutcome = "ok"
        try:
            got = await result
            outcome = _OUTCOMES.get(type(got), "ok")
            if outcome == "conflict":
                self._conflicts.inc()
        except StoreUnavailable:
            outcome = "unavailable"
            raise
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        except Exception:
            outcome = "fault"
            raise
        finally:
            self._operations[operation].observe(outcome, time.monotonic() - began)
        return got

    async def create(
        self,
        game_id: str,
        write_id: bytes,
        snapshot: bytes,
        entries: Sequence[bytes],
        generations: tuple[int, ...],
        ttl: int,
        digest: bytes,
        *,
        timeout: float | None = None,
    ) -> CreateResult:
        creation = self._store.create(game_id, write_id, snapshot, entries, generations, ttl, digest, timeout=timeout)
        return await self._timed("create", creation)

    async def read(self, game_id: str, *, timeout: float | None = None) -> Stored | None:
        return await self._timed("read", self._store.read(game_id, timeout=timeout))

    async def read_log(
        self, game_id: str, first_revision: int, count: int, *, timeout: float | None = None
    ) -> list[LogEntry]:
        return await self._timed("read_log", self._store.read_log(game_id, first_revision, count, timeout=timeout))

    async def recall(
        self, game_id: str, holder: int, request: RequestKey, *, timeout: float | None = None
    ) -> Duplicate | RequestReused | None:
        return await self._timed("recall", self._store.recall(game_id, holder, request, timeout=timeout))

    async def write(self, write: Write, *, timeout: float | None = None) -> WriteResult:
        return await self._timed("write", self._store.write(write, timeout=timeout))

    async def delete(self, game_id: str, caller: Caller, *, timeout: float | None = None) -> DeleteResult:
        return await self._timed("delete", self._store.delete(game_id, caller, timeout=timeout))

    async def secret(self, name: str, make: Callable[[], bytes], *, timeout: float | None = None) -> bytes:
        return await self._timed("secret", self._store.secret(name, make, timeout=timeout))

    def subscribe(self, game_id: str) -> AbstractAsyncContextManager[Subscription]:
        return self._store.subscribe(game_id)

    async def check(self) -> None:
        await self._timed("check", self._store.check())

    async def close(self) -> None:
        await self._store.close()
