"""The store's own word for what is wrong with it is told in time, however slow the store or this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import AskError, RedisError, ResponseError

from whitehall.sessions.durability import Durability
from whitehall.sessions.listening import STEP_SECONDS
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.servers import Command
from whitehall.sessions.store import StoreUnavailable
from whitehall.sessions.traffic import Traffic
from whitehall.telemetry.health import CheckFailed, CheckResult, Health

UNCONFIRMED = "no replica has confirmed the write"


class Alone:
    """A primary without a replica, which answers as often as it is told, and then never again.

    Before each answer it waits for a replica for as long as a server does that is asked to: `seconds`.
    """

    def __init__(self, answers: int, seconds: float = 0.0, error: RedisError | None = None) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.barred: Collection[Redis] = ()
        self.asked = 0
        self._answers = answers
        self._seconds = seconds
        self._error = error

    async def run(self, key: bytes, command: Command, *, before: Command = (), after: Command = ()) -> tuple[Any, Any]:
        self.asked += 1
        if self.asked > self._answers:
            await asyncio.Event().wait()
        await asyncio.sleep(self._seconds)
        if self._error is not None:
            raise self._error
        return b"OK", 0

    def at(self, key: bytes) -> Redis | None:
        return None

    async def primaries(self) -> Sequence[Redis]:
        return []

    def one_for_each(self, names: Iterator[str], key: Callable[[str], bytes]) -> list[str]:
        return [next(names)]

    def moved(self, error: AskError, teller: Redis) -> None:
        raise error

    async def survey(self) -> None:
        pass

    async def doubt(self) -> None:
        pass

    async def close(self) -> None:
        pass


@asynccontextmanager
async def store_on(servers: Alone) -> AsyncIterator[RedisStore]:
    store = RedisStore(servers, Durability.REPLICA, Traffic(4))
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def a_loop_that_is_late(seconds: float) -> AsyncIterator[None]:
    """Each turn of the event loop takes so long."""

    def be_late() -> None:
        time.sleep(seconds)  # this is the fault: the loop hears nobody
        if busy:
            loop.call_soon(be_late)

    loop = asyncio.get_running_loop()
    busy = [True]
    loop.call_soon(be_late)
    try:
        yield
    finally:
        busy.clear()


async def readiness(store: RedisStore) -> tuple[CheckResult, ...]:
    async def check() -> None:
        try:
            await store.check()
        except StoreUnavailable as error:
            raise CheckFailed(error.reason) from error

    health = Health({"store": check})
    await health.check()
    return health.results


@pytest.mark.parametrize("late", [0.0, 0.5 * STEP_SECONDS, 3 * STEP_SECONDS])
@pytest.mark.parametrize("answers", [1, 1000])
async def test_that_no_replica_confirms_is_told_though_the_next_attempt_is_not_over(answers: int, late: float) -> None:
    """A server waits 100 ms for a replica, so that a second attempt is under way when the time is up."""
    async with store_on(Alone(answers, 0.1)) as store, a_loop_that_is_late(late):
        assert await readiness(store) == (CheckResult("store", UNCONFIRMED),)


async def test_a_refusal_is_told_though_the_store_has_become_silent_since() -> None:
    async with store_on(Alone(1, error=ResponseError("LOADING Valkey is loading"))) as store:
        assert await readiness(store) == (CheckResult("store", "the store is still loading its data"),)


async def test_of_a_store_that_is_silent_from_the_start_that_is_told() -> None:
    async with store_on(Alone(0)) as store:
        assert await readiness(store) == (CheckResult("store", "the store did not answer in time"),)


async def test_a_check_that_is_over_leaves_no_attempt_behind() -> None:
    servers = Alone(1)
    async with store_on(servers) as store:
        with pytest.raises(StoreUnavailable, match=UNCONFIRMED):
            await store.check()
        assert store.traffic.under_way == 0
        assert servers.asked == 2
