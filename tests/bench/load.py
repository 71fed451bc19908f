"""Load: so many workers that each ask again as soon as they are answered, and what came of it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

Worker = Callable[[], Awaitable[int]]
"""Asks once, and returns for how many things it got an answer."""


@dataclass(frozen=True, slots=True)
class Slice:
    """What one side did in its turn. Times in seconds."""

    done: int
    """Calls, positions or moves that were answered."""
    seconds: float
    cpu_seconds: float
    """Processor time of all the side's serving processes."""
    latencies: tuple[float, ...]

    def __add__(self, other: Slice) -> Slice:
        """Both turns as one."""
        return Slice(
            self.done + other.done,
            self.seconds + other.seconds,
            self.cpu_seconds + other.cpu_seconds,
            self.latencies + other.latencies,
        )

    @property
    def rate(self) -> float:
        """Things done per second."""
        return self.done / self.seconds

    @property
    def cpu_each(self) -> float:
        """Processor time per thing done, in seconds."""
        return self.cpu_seconds / self.done

    @property
    def capacity(self) -> float:
        """Things that one core can do in a second, if it does nothing else."""
        return self.done / self.cpu_seconds


class Side(Protocol):
    """One of two that are compared."""

    async def prepare(self) -> None:
        """Whatever has to be there before a turn begins, such as games to play."""

    async def turn(self, seconds: float) -> Slice:
        """Answers questions for so long."""


async def closed_loop(workers: Sequence[Worker], seconds: float) -> tuple[int, float, tuple[float, ...]]:
    """Lets the workers ask for so long: what they got done, how long it took to the last answer, and each answer."""
    clock = time.perf_counter
    latencies: list[float] = []
    began = clock()
    ends = began + seconds

    async def keep_asking(ask: Worker) -> int:
        done = 0
        asked = clock()
        while asked < ends:
            done += await ask()
            answered = clock()
            latencies.append(answered - asked)
            asked = answered
        return done

    done = sum(await asyncio.gather(*map(keep_asking, workers)))
    return done, clock() - began, tuple(latencies)


def percentile(latencies: Sequence[float], share: float) -> float:
    """The latency that the given share (0 to 1) of answers did not exceed."""
    ordered = sorted(latencies)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
