"""Lag: what the machine keeps this process waiting, which nothing under test could help."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

SAMPLE_SECONDS = 0.01


@dataclass(slots=True)
class Lag:
    """How long, in all, the event loop was behind its clock since it is watched."""

    seconds: float = 0.0

    async def watch(self) -> None:
        """Adds to it until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + SAMPLE_SECONDS
            await asyncio.sleep(SAMPLE_SECONDS)
            self.seconds += loop.time() - due


@asynccontextmanager
async def lag() -> AsyncIterator[Lag]:
    """Watches the loop while the block lasts: what should end within a limit may take as much longer."""
    watched = Lag()
    watching = asyncio.create_task(watched.watch())
    try:
        yield watched
    finally:
        watching.cancel()
