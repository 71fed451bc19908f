"""A tally of what happens, by which a scenario times its blows and says at the end what it went through."""

from __future__ import annotations

import asyncio
from collections import Counter
from enum import StrEnum


class Count(StrEnum):
    """What is counted."""

    FINISHED = "games finished"
    ACKNOWLEDGED = "changes acknowledged"
    REFUSED = "changes refused"
    LOST = "answers and streams lost"
    RECOGNISED = "retries recognised"
    """Requests that had been carried out although their answer was lost."""
    RESUMED = "streams resumed"
    KILLED = "processes killed"


class Tally:
    """Counts, and wakes those who wait for a number."""

    def __init__(self) -> None:
        self._numbers: Counter[Count] = Counter()
        self._counted = asyncio.Event()

    def count(self, what: Count) -> None:
        """One more."""
        self._numbers[what] += 1
        self._counted.set()

    def __getitem__(self, what: Count) -> int:
        return self._numbers[what]

    async def more(self, what: Count, number: int) -> None:
        """Wait until there are so many more than now."""
        wanted = self._numbers[what] + number
        while self._numbers[what] < wanted:
            self._counted.clear()
            await self._counted.wait()

    def __str__(self) -> str:
        return ", ".join(f"{self._numbers[what]} {what}" for what in Count)
