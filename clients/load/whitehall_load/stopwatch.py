"""Times calls, and notes what comes of them."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from typing import TypeVar

from whitehall_client import WhitehallError
from whitehall_load.measurements import Measurements

AnswerT = TypeVar("AnswerT")


class Stopwatch:
    """Where the calls of one process are timed. What was measured since the last look is taken away by it."""

    def __init__(self) -> None:
        self._now = Measurements()

    def take(self) -> Measurements:
        """What was measured since the last time."""
        taken, self._now = self._now, Measurements()
        return taken

    async def time(self, kind: str, call: Awaitable[AnswerT], since: float | None = None) -> AnswerT:
        """The answer of a call, timed from now or from when it should have been made. A failure is noted and raised."""
        start = time.monotonic() if since is None else since
        try:
            answer = await call
        except WhitehallError as failure:
            self._now.failed(kind, failure.reason or failure.code.name)
            raise
        self.note(kind, time.monotonic() - start)
        return answer

    def fail(self, kind: str, reason: str, times: int = 1) -> None:
        """Something has failed that was no call, or that often."""
        self._now.failed(kind, reason, times)

    def note(self, kind: str, seconds: float) -> None:
        """Something took so long."""
        self._now.answered(kind, seconds)

    def object(self, words: str) -> None:
        """An answer should not have been."""
        self._now.objected(words)
