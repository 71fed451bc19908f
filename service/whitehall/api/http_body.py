"""Request bodies, bounded in size and in how long they may take to arrive."""

from __future__ import annotations

import asyncio

from whitehall.api.http_message import Message, Receive
from whitehall.sessions.refusal import Reason, Refusal


class Bounded:
    """A request's `receive`: raises the refusal of a body of more than `size` bytes, or of one that is not there after
    so many seconds. `declared` is what the client says beforehand that it has, so that what is too much need not be
    sent at all; `told` the limit that it is told, where that is another. After the body it waits as long as need be for
    the client to leave.
    """

    __slots__ = ("_deadline", "_declared", "_left", "_receive", "_seconds", "_size", "_told", "is_whole")

    def __init__(
        self, receive: Receive, size: int, seconds: float, declared: int = 0, *, told: int | None = None
    ) -> None:
        self._receive = receive
        self._size = size
        self._left = size
        self._told = size if told is None else told
        self._declared = declared
        self._seconds = seconds
        self._deadline: float | None = None
        self.is_whole = False
        """Whether the whole body has been received."""

    async def __call__(self) -> Message:
        if self.is_whole:
            return await self._receive()
        if self._declared > self._size:
            raise self._too_large()
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(self._deadline):
                event = await self._receive()
        except TimeoutError:
            raise Refusal(Reason.DEADLINE_EXCEEDED) from None
        self._left -= len(event.get("body", b""))
        if self._left < 0:
            raise self._too_large()
        self.is_whole = not event.get("more_body", False)
        return event

    def _too_large(self) -> Refusal:
        return Refusal(Reason.REQUEST_TOO_LARGE, metadata={"limit": self._told})
