"""How late the event loop is: what asks to be woken and sees when that happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, Self

SAMPLE_SECONDS: Final = 0.25
"""How long the sampler sleeps. Whatever holds the loop up for longer is seen with its full length."""
STEP_SECONDS: Final = 0.05
"""How long a watch over a moment sleeps."""


class Histogram(Protocol):
    """Where the samples go."""

    def observe(self, amount: float) -> None:
        """Take one sample, in seconds."""


async def sample_loop_lag(
    histogram: Histogram,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Sample until cancelled."""
    while True:
        due = clock() + SAMPLE_SECONDS
        await sleep(SAMPLE_SECONDS)
        histogram.observe(max(0.0, clock() - due))


class Lateness:
    """How long, in all, the loop was late while a block lasted: time in which this process could hear nobody."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._sleep()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        # The last sleep may be over without our having been woken.
        self.seconds += max(0.0, self._loop.time() - self._due)

    def _sleep(self) -> None:
        self._due = self._loop.time() + STEP_SECONDS
        self._timer = self._loop.call_at(self._due, self._wake)

    def _wake(self) -> None:
        self.seconds += max(0.0, self._loop.time() - self._due)
        self._sleep()
