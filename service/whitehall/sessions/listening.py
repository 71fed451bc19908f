"""Waiting for an answer, by the time in which it could have been heard."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final, Self

STEP_SECONDS: Final = 0.025
"""The time is counted in steps. One that this process sleeps through is no longer than any other.

They are of the same length for all, so that however late the loop is, of two that wait for each other the one that is
ready to wait longer does.
"""


class Listening:
    """Like `asyncio.timeout`, except that time in which the event loop was late does not count.

    On a machine with too much to do a process may sleep longer than it is ready to wait, and finds on waking both the
    answer and the end of its patience. It is no fault of the other side, and would be the same at the next attempt. So
    the time goes by in steps, and between two of them whatever has come is heard.
    """

    __slots__ = ("_left", "_loop", "_step", "_timeout", "_timer")

    def __init__(self, seconds: float) -> None:
        self._left = max(1, round(seconds / STEP_SECONDS))
        self._step = seconds / self._left
        self._timeout = asyncio.timeout(None)

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(self._step, self._count)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _count(self) -> None:
        self._left -= 1
        if self._left:
            self._timer = self._loop.call_later(self._step, self._count)
        else:
            self._timeout.reschedule(self._loop.time())
