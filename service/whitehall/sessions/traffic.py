"""What goes on between the process and its store, counted for whoever watches over it."""

from __future__ import annotations

import asyncio
from typing import Self


class Traffic:
    """The gate to the store: lets so many calls in at a time, in the order in which they came, and counts."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """Calls that may be under way at once, each on a connection of its own."""
        self.under_way = 0
        """Calls that are under way now."""
        self.waiting = 0
        """Calls that wait for others to end."""
        self.repeats = 0
        """Attempts so far that had to be repeated, since the store did not answer, or was not able to."""
        self.connections = 0
        """Connections made so far, that for notices included."""
        self._gate = asyncio.Semaphore(limit)

    def connected(self) -> None:
        """A connection was made."""
        self.connections += 1

    async def __aenter__(self) -> Self:
        self.waiting += 1
        try:
            await self._gate.acquire()
        finally:
            self.waiting -= 1
        self.under_way += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self.under_way -= 1
        self._gate.release()
