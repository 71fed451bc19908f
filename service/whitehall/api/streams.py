"""Streams: how many may be open, and that they end when the process drains."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from whitehall.sessions.refusal import Reason, Refusal

T = TypeVar("T")


class Streams:
    """The open streams of this process."""

    def __init__(self, per_game: int, in_all: int) -> None:
        self._per_game = per_game
        self._in_all = in_all
        self._open: Counter[str] = Counter()
        self._drained = asyncio.Event()

    @contextmanager
    def place(self, game_id: str) -> Iterator[None]:
        """A place among the open streams, or the refusal where there is none left."""
        if self.draining:
            raise Refusal(Reason.DRAINING, retry_after=0.1)
        for taken, limit in ((self._open[game_id], self._per_game), (self._open.total(), self._in_all)):
            if taken >= limit:
                raise Refusal(Reason.TOO_MANY_STREAMS, metadata={"limit": limit}, retry_after=1.0)
        self._open[game_id] += 1
        try:
            yield
        finally:
            self._open[game_id] -= 1
            if not self._open[game_id]:
                del self._open[game_id]

    @property
    def draining(self) -> bool:
        """Whether the process is on its way out."""
        return self._drained.is_set()

    def drain(self) -> None:
        """Ends every open stream at its next moment of rest, and refuses new ones."""
        self._drained.set()

    async def until_drained(self, items: AsyncGenerator[T]) -> AsyncGenerator[T]:
        """The items, until they end or the process drains. Closes them when it ends or is closed itself."""
        drained = asyncio.ensure_future(self._drained.wait())
        coming = asyncio.ensure_future(_next(items))
        try:
            while True:
                await asyncio.wait({coming, drained}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    return
                item = coming.result()
                if item is _END:
                    return
                yield cast(T, item)
                coming = asyncio.ensure_future(_next(items))
        finally:
            # The generator can't be closed while a task is inside it.
            for task in (coming, drained):
                task.cancel()
            await asyncio.wait({coming, drained})
            await items.aclose()


_END = object()


async def _next(items: AsyncIterator[T]) -> T | object:
    """The next item, or `_END`: a task can't end with StopAsyncIteration."""
    return await anext(items, _END)
