"""Readiness: it follows its checks both ways for as long as the process lives, and ends with the drain."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.lag import lag
from whitehall.telemetry.health import BAD_ROUNDS, CHECK_SECONDS, INTERVAL_SECONDS, CheckFailed, CheckResult, Health


class Dependency:
    """A check that goes as it is told."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.hangs = False
        self.asked = 0

    async def check(self) -> None:
        self.asked += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error


class Heard:
    """A listener that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[bool] = []

    async def listen(self, ready: bool) -> None:
        self.told.append(ready)


@pytest.fixture
def store() -> Dependency:
    return Dependency()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def health(store: Dependency, heard: Heard) -> Health:
    made = Health({"store": store.check})
    made.on_change(heard.listen)
    return made


async def test_before_the_first_round_the_process_is_not_ready(health: Health) -> None:
    assert not health.ready
    assert health.results == (CheckResult("store", "not checked yet"),)


async def test_one_good_round_makes_it_ready(health: Health, heard: Heard) -> None:
    await health.check()
    assert health.ready
    assert heard.told == [True]
    assert health.results == (CheckResult("store", None),)


async def test_one_bad_round_is_forgiven_and_two_in_a_row_are_not(
    health: Health, store: Dependency, heard: Heard
) -> None:
    assert BAD_ROUNDS == 2
    await health.check()
    store.error = CheckFailed("the store is read-only")
    await health.check()
    assert health.ready
    assert health.results == (CheckResult("store", "the store is read-only"),)
    store.error = None
    await health.check()
    store.error = CheckFailed("the store is read-only")
    await health.check()
    assert health.ready
    await health.check()
    assert not health.ready
    assert heard.told == [True, False]


async def test_it_comes_back_after_one_good_round_as_often_as_need_be(
    health: Health, store: Dependency, heard: Heard
) -> None:
    for _ in range(3):
        store.error = None
        await health.check()
        assert health.ready
        store.error = CheckFailed("away")
        await health.check()
        await health.check()
        assert not health.ready
    assert heard.told == [True, False] * 3


async def test_a_round_is_good_only_if_every_check_is(store: Dependency) -> None:
    other = Dependency()
    health = Health({"store": store.check, "notices": other.check})
    other.error = CheckFailed("away")
    await health.check()
    assert not health.ready
    assert health.results == (CheckResult("store", None), CheckResult("notices", "away"))
    other.error = None
    await health.check()
    assert health.ready


async def test_a_process_without_checks_is_ready_at_once() -> None:
    health = Health({})
    await health.check()
    assert health.ready


async def test_an_unexpected_error_is_a_bad_check_of_which_only_the_type_is_told(
    health: Health, store: Dependency
) -> None:
    store.error = ConnectionError("redis://:s3cret@store")
    await health.check()
    assert health.results == (CheckResult("store", "ConnectionError"),)


async def test_a_check_that_hangs_is_bad_after_its_bound_and_holds_no_other_up(store: Dependency) -> None:
    hanging = [Dependency() for _ in range(4)]
    for dependency in hanging:
        dependency.hangs = True
    health = Health({"store": store.check} | {f"slow {n}": slow.check for n, slow in enumerate(hanging)})
    started = time.monotonic()
    async with lag() as late:
        await health.check()
    took = time.monotonic() - started
    assert CHECK_SECONDS <= took < len(hanging) * CHECK_SECONDS + late.seconds
    assert [result.problem for result in health.results] == [None] + ["no answer within 250 ms"] * 4


async def test_a_process_that_gets_no_time_itself_does_not_blame_the_store_for_it() -> None:
    """The answer has long been there when the process wakes. All replicas on a busy machine would call it no answer."""

    async def check() -> None:
        # This is the fault: the loop is held up beyond the check's time, in which the answer comes.
        asyncio.get_running_loop().call_soon(time.sleep, 2 * CHECK_SECONDS)
        await asyncio.sleep(CHECK_SECONDS / 10)

    health = Health({"store": check})
    await health.check()
    assert health.results == (CheckResult("store", None),)


class Rounds:
    """A sleep that ends when the test says so."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._done = asyncio.Event()
        self._next = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._done.set()
        await self._next.wait()
        self._next.clear()

    async def end_of_round(self) -> None:
        await asyncio.wait_for(self._done.wait(), 5)
        self._done.clear()

    async def another(self) -> None:
        self._next.set()
        await self.end_of_round()


async def test_the_loop_goes_on_after_success_failure_and_broken_listeners(store: Dependency, heard: Heard) -> None:
    rounds = Rounds()
    health = Health({"store": store.check}, sleep=rounds.sleep)

    async def break_down(ready: bool) -> None:
        raise RuntimeError

    health.on_change(break_down)
    health.on_change(heard.listen)
    running = asyncio.create_task(health.run())
    try:
        await rounds.end_of_round()
        for _ in range(3):
            assert health.ready
            store.error = OSError()
            await rounds.another()
            assert health.ready
            await rounds.another()
            assert not health.ready
            store.error = None
            await rounds.another()
        assert health.ready
        assert store.asked == 10
        assert set(rounds.slept) == {INTERVAL_SECONDS}
        assert heard.told == [True, False] * 3 + [True]
        assert not running.done()
    finally:
        running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_drain_is_told_at_once_and_for_good(health: Health, heard: Heard) -> None:
    await health.check()
    await health.drain()
    assert (health.ready, health.draining) == (False, True)
    await health.check()
    await health.drain()
    assert not health.ready
    assert heard.told == [True, False]


async def test_a_drain_before_anything_was_ready_tells_nothing(health: Health, heard: Heard) -> None:
    await health.drain()
    await health.check()
    assert heard.told == []


async def test_a_drain_in_the_middle_of_a_round_is_not_undone_by_its_result(heard: Heard) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        began.set()
        await go_on.wait()

    health = Health({"store": slow})
    health.on_change(heard.listen)
    round_of_checks = asyncio.create_task(health.check())
    await began.wait()
    await health.drain()
    go_on.set()
    await round_of_checks
    assert not health.ready
    assert heard.told == []


async def test_a_slow_listener_hears_every_change_in_order_and_the_drain_waits_for_it() -> None:
    told: list[bool] = []
    busy, go_on = asyncio.Event(), asyncio.Event()

    async def slow(ready: bool) -> None:
        busy.set()
        await go_on.wait()
        told.append(ready)

    health = Health({})
    health.on_change(slow)
    becoming_ready = asyncio.create_task(health.check())
    await busy.wait()
    draining = asyncio.create_task(health.drain())
    # One turn of the loop, in which the drain gets as far as it can.
    await asyncio.sleep(0)
    assert health.draining
    assert told == []
    go_on.set()
    await draining
    assert told == [True, False]
    await becoming_ready
