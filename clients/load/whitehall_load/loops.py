"""How turns follow one another.

In a closed loop each table goes on as soon as it was answered: the service sets the pace. In an open loop turns are
due at moments that nobody's slowness can move. A turn that finds every table busy waits, and its latency counts from
when it was due: what is slow is measured as its users feel it, and not left out because the load waited politely for
it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from whitehall_client import WhitehallError
from whitehall_load.measurements import TURN
from whitehall_load.plan import Plan
from whitehall_load.questions import Questioner
from whitehall_load.stopwatch import Stopwatch
from whitehall_load.tables import Table

IMPATIENCE = 0.2
"""Seconds after which a table that has met a failure tries again in a closed loop."""
LATEST = 10.0
"""How many seconds after the end turns that were due before it may still take."""


class Loop:
    """The load of one process."""

    def __init__(self, plan: Plan, tables: Sequence[Table], questioner: Questioner, stopwatch: Stopwatch) -> None:
        self._plan = plan
        self._random = Random(plan.seed)
        self._stopwatch = stopwatch
        self._tables = tables
        self._questioner = questioner
        self._over = asyncio.Event()

    def end(self) -> None:
        """Lets turns that have begun come to their end, and begins no more: somebody has seen enough."""
        self._over.set()

    async def sit_down(self) -> None:
        """Makes the first games. Raises `WhitehallError`."""
        await asyncio.gather(*(each.prepare() for each in self._tables))

    async def run(self) -> None:
        """From when everybody has sat down until the plan's time is over, and every game is taken down."""
        start = time.monotonic()
        await (self._closed(start) if self._plan.rate is None else self._open(start, self._plan.rate))
        await asyncio.gather(*(each.leave() for each in self._tables))

    async def _closed(self, start: float) -> None:
        end = start + self._plan.ramp + self._plan.duration

        async def go_on(number: int, each: Table) -> None:
            # One after another begins until all do.
            await self._until(start + self._plan.ramp * number / len(self._tables))
            while (now := time.monotonic()) < end and not self._over.is_set():
                if not await self._turn(each, now) or not await self._prepare(each):
                    await self._until(time.monotonic() + IMPATIENCE)
                elif self._plan.think:
                    await self._until(time.monotonic() + self._plan.think)

        await asyncio.gather(*(go_on(number, each) for number, each in enumerate(self._tables)))

    async def _open(self, start: float, rate: float) -> None:
        due = moments(rate, self._plan.ramp, self._plan.duration)
        unserved = turns(rate, self._plan.ramp, self._plan.duration)

        async def serve(each: Table) -> None:
            nonlocal unserved
            # Whoever is idle takes the turn that is due next, or the one that has waited the longest.
            for offset in due:
                await self._until(start + offset)
                if self._over.is_set():
                    return
                await self._turn(each, start + offset)
                unserved -= 1
                while not self._over.is_set() and not await self._prepare(each):
                    await self._until(time.monotonic() + IMPATIENCE)

        serving = [asyncio.create_task(serve(each)) for each in self._tables]
        _, late = await asyncio.wait(serving, timeout=self._plan.ramp + self._plan.duration + LATEST)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        if unserved and not self._over.is_set():
            self._stopwatch.fail(TURN, "LATE", unserved)

    async def _until(self, moment: float) -> None:
        """Waits until then, or until the load ends before its time."""
        if (rest := moment - time.monotonic()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), rest)

    async def _prepare(self, each: Table) -> bool:
        """Whether the table can go on, with a new game where the last one is over."""
        with suppress(WhitehallError):
            await each.prepare()
            return True
        return False

    async def _turn(self, each: Table, due: float) -> bool:
        """One turn that was due at this moment; whether it was answered."""
        try:
            if self._random.random() < self._plan.positions:
                await self._questioner.ask(due)
            else:
                await each.turn(due)
        except WhitehallError:
            return False
        self._stopwatch.note(TURN, time.monotonic() - due)
        return True


def turns(rate: float, ramp: float, duration: float) -> int:
    """How many turns are due in all."""
    return int(rate * ramp / 2) + round(rate * duration)


def moments(rate: float, ramp: float, duration: float) -> Iterator[float]:
    """When turns are due, in seconds from the start: at an even rate, to which the ramp grows evenly from nothing."""
    # While it grows, rate * t^2 / (2 * ramp) turns are due by the time t.
    for number in range(int(rate * ramp / 2)):
        yield (2 * ramp * number / rate) ** 0.5
    for number in range(round(rate * duration)):
        yield ramp + number / rate
