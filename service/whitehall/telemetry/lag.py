"""How late the event loop is: a sampler that asks to be woken and sees when that happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

SAMPLE_SECONDS: Final = 0.25
"""How long the sampler sleeps. Whatever holds the loop up for longer is seen with its full length."""


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
