"""Watchers of a game: each revision once and in order, and how long they wait for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from typing import Any

from whitehall_client import WhitehallError
from whitehall_load.checks import Order
from whitehall_load.measurements import DELAY
from whitehall_load.stopwatch import Stopwatch


class Departures:
    """When moves were sent, by the revisions that they made; watchers may hear of a revision before its mover does."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._sent: dict[int, float] = {}
        self._heard: dict[int, list[float]] = {}

    def sent(self, revision: int, at: float) -> None:
        """A move that was sent at this time has made this revision."""
        self._sent = {revision: at}
        for heard in self._heard.pop(revision, ()):
            self._stopwatch.note(DELAY, heard - at)
        self._heard = {number: times for number, times in self._heard.items() if number > revision}

    def heard(self, revision: int) -> None:
        """A watcher has been told of this revision."""
        now = time.monotonic()
        if revision in self._sent:
            self._stopwatch.note(DELAY, now - self._sent[revision])
        else:
            self._heard.setdefault(revision, []).append(now)


Leaks = Callable[[Any, int | None], Iterable[str]]


async def watch(
    stream: AsyncGenerator[Any, None], seat: int | None, leaks: Leaks, departures: Departures, stopwatch: Stopwatch
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
                departures.heard(revision)
    except WhitehallError as failure:
        stopwatch.fail("watch", failure.reason or failure.code.name)
    except asyncio.CancelledError:
        pass
