"""Watchers of a game: each revision once and in order, and how long they wait for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, suppress
from typing import Any

from whitehall_client import WhitehallError
from whitehall_load.checks import Order
from whitehall_load.measurements import DELAY
from whitehall_load.stopwatch import Stopwatch


class Departures:
    """When the moves of a game were sent, by the revisions that they made, until every watcher has heard of them.

    Watchers may hear of a revision before its mover does, and long after later moves were sent: who is slow counts for
    each of them, and who is deaf is noticed.
    """

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._sent: dict[int, float] = {}
        self._ears: list[Ear] = []
        self._news = asyncio.Event()

    def ear(self) -> Ear:
        """One more watcher's."""
        ear = Ear(self)
        self._ears.append(ear)
        return ear

    def sent(self, revision: int, at: float) -> None:
        """A move that was sent at this time has made this revision."""
        self._sent[revision] = at
        for ear in self._ears:
            if (heard := ear.early.pop(revision, None)) is not None:
                self._stopwatch.note(DELAY, heard - at)
        self._forget()

    def told(self, ear: Ear, revision: int) -> None:
        """A watcher has just been told of this revision."""
        now = time.monotonic()
        if revision in self._sent:
            self._stopwatch.note(DELAY, now - self._sent[revision])
        else:
            ear.early[revision] = now
        self._forget()
        self._news.set()

    @property
    def unheard(self) -> int:
        """How many revisions watchers have not been told of yet: one that two of them miss counts twice."""
        return sum(revision > ear.latest for ear in self._listening for revision in self._sent)

    async def settle(self, seconds: float) -> None:
        """Waits until everybody has been told of everything, or so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.unheard:
                    self._news.clear()
                    await self._news.wait()

    @property
    def _listening(self) -> list[Ear]:
        return [ear for ear in self._ears if not ear.has_failed]

    def _forget(self) -> None:
        known = min((ear.latest for ear in self._listening), default=max(self._sent, default=0))
        self._sent = {revision: at for revision, at in self._sent.items() if revision > known}


class Ear:
    """What one watcher has been told."""

    def __init__(self, departures: Departures) -> None:
        self._departures = departures
        self.latest = 0
        """The latest revision. A stream begins with the present one, so that earlier ones are not to be expected."""
        self.early: dict[int, float] = {}
        """When it was told of revisions whose movers were not."""
        self.has_failed = False
        """Whether its stream has, which is told by itself."""

    def hear(self, revision: int) -> None:
        """It has just been told of this revision."""
        self.latest = max(self.latest, revision)
        self._departures.told(self, revision)


Leaks = Callable[[Any, int | None], Iterable[str]]


async def watch(
    stream: AsyncGenerator[Any, None], seat: int | None, leaks: Leaks, ear: Ear, stopwatch: Stopwatch
) -> None:
    """Follows a game to its end, as one seat or as a spectator."""
    order = Order()
    try:
        async with aclosing(stream) as news:
            async for message in news:
                revision = message.update.revision.revision
                if message.reset:
                    stopwatch.object("a watcher was reset")
                elif not order.follows(revision):
                    stopwatch.object("a watcher was told a revision twice, late or never")
                if message.update.HasField("game"):
                    for leak in leaks(message.update.game.view, seat):
                        stopwatch.object(f"a watcher saw {leak}")
                ear.hear(revision)
    except WhitehallError as failure:
        ear.has_failed = True
        stopwatch.fail("watch", failure.reason or failure.code.name)
    except asyncio.CancelledError:
        pass
