"""Waiting that does not blame the other side for the time in which nobody here could hear it."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

from tests.lag import lag
from whitehall.sessions.listening import Listening
from whitehall.sessions.redis_store import ATTEMPT_SECONDS, CHECK_SECONDS, RedisStore

SECONDS = 0.1

Runner = Callable[[Coroutine[Any, Any, None]], None]
RUNNERS = pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])


def hold_up(seconds: float) -> None:
    """Keeps the event loop from hearing anybody, as a machine with too much to do does."""
    time.sleep(seconds)


@RUNNERS
def test_silence_ends_the_waiting_in_time(run: Runner) -> None:
    async def wait() -> None:
        started = time.monotonic()
        async with lag() as late:
            with pytest.raises(TimeoutError):
                async with Listening(SECONDS):
                    await asyncio.Event().wait()
        assert 0.9 * SECONDS <= time.monotonic() - started < 3 * SECONDS + late.seconds

    run(wait())


@RUNNERS
def test_an_answer_that_came_while_the_loop_was_held_up_is_heard(run: Runner) -> None:
    async def wait() -> None:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            async with Listening(SECONDS):
                loop.call_soon(theirs.send, b"an answer")
                loop.call_soon(hold_up, 2 * SECONDS)
                assert await loop.sock_recv(ours, 9) == b"an answer"

    run(wait())


@RUNNERS
def test_silence_is_found_out_by_a_loop_that_is_always_late(run: Runner) -> None:
    async def wait() -> None:
        loop = asyncio.get_running_loop()

        def be_late() -> None:
            hold_up(SECONDS / 5)
            if not over:
                loop.call_soon(be_late)

        over: list[bool] = []
        loop.call_soon(be_late)
        with pytest.raises(TimeoutError):
            async with Listening(SECONDS):
                await asyncio.Event().wait()
        over.append(True)

    run(wait())


async def test_nothing_is_left_of_it_when_the_answer_has_come() -> None:
    async with Listening(0.01):
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)


async def test_the_store_is_not_asked_twice_where_its_answer_was_there(store: RedisStore) -> None:
    asking: list[Callable[[], Coroutine[Any, Any, object]]] = [store.check, lambda: store.read("a" * 26)]
    for ask in asking:
        await ask()
        before = store.traffic.repeats
        call = asyncio.ensure_future(ask())
        for _ in range(5):
            await asyncio.sleep(0)  # so that the question is out
        hold_up(1.5 * max(ATTEMPT_SECONDS, CHECK_SECONDS))
        await call
        assert store.traffic.repeats == before
