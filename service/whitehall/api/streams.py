"""Streams: how many may be open, and that they end when the process drains or their client has gone silent."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from whitehall.api.places import Places, too_many
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import SPECTATORS

T = TypeVar("T")
K = TypeVar("K")

SPECTATORS_SHARE: Final = 1 / 2
"""Of a game's streams: how many its spectators may have together."""
SEAT_SHARE: Final = 1 / 16
"""Of a game's streams: how many each seat may have. All seats of a game find theirs beside any number of spectators."""
RETRY_AFTER: Final = 1.0
"""Seconds after which a stream that was one too many may try again."""


class Streams:
    """The open streams of this process."""

    def __init__(self, per_game: int, watching: int, conversing: int) -> None:
        """`per_game` and `watching` limit the streams that follow games, of one and of all; `conversing` the others."""
        self._per_game = per_game
        self._of_spectators = max(1, int(per_game * SPECTATORS_SHARE))
        self._of_seat = max(1, int(per_game * SEAT_SHARE))
        self._in_games: Counter[str] = Counter()
        self._of_holders: Counter[tuple[str, int]] = Counter()
        self._watching = Places(watching, Reason.TOO_MANY_STREAMS, RETRY_AFTER)
        self._conversing = Places(conversing, Reason.TOO_MANY_STREAMS, RETRY_AFTER)
        self._drained = asyncio.Event()

    @contextmanager
    def watch(self, game_id: str, holder: int) -> Iterator[None]:
        """A place among the streams that follow games, or the refusal where there is none left for that holder."""
        self.refuse_if_draining()
        key = (game_id, holder)
        of_holder = self._of_spectators if holder == SPECTATORS else self._of_seat
        for taken, limit in ((self._of_holders[key], of_holder), (self._in_games[game_id], self._per_game)):
            if taken >= limit:
                raise too_many(Reason.TOO_MANY_STREAMS, limit, RETRY_AFTER)
        with self._watching.one(), _counted(self._of_holders, key), _counted(self._in_games, game_id):
            yield

    @contextmanager
    def conversation(self) -> Iterator[None]:
        """A place among the streams that are asked and answer, or the refusal where there is none left."""
        self.refuse_if_draining()
        with self._conversing.one():
            yield

    def refuse_if_draining(self) -> None:
        """Sends callers elsewhere while the process is on its way out."""
        if self.draining:
            raise Refusal(Reason.DRAINING, retry_after=0.1)

    @property
    def draining(self) -> bool:
        """Whether the process is on its way out."""
        return self._drained.is_set()

    def drain(self) -> None:
        """Ends every open stream at its next moment of rest, and refuses new ones."""
        self._drained.set()

    async def until_drained(self, items: AsyncGenerator[T], patience: float | None = None) -> AsyncGenerator[T]:
        """The items, until they end or the process drains. Closes them when it ends or is closed itself.

        Refused when the next item takes longer than `patience` seconds.
        """
        drained = asyncio.ensure_future(self._drained.wait())
        coming = asyncio.ensure_future(upcoming(items))
        try:
            while True:
                await asyncio.wait({coming, drained}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    if self.draining:
                        return
                    raise Refusal(Reason.DEADLINE_EXCEEDED)
                item = coming.result()
                if item is END:
                    return
                yield cast(T, item)
                coming = asyncio.ensure_future(upcoming(items))
        finally:
            # The generator can't be closed while a task is inside it.
            for task in (coming, drained):
                task.cancel()
            await asyncio.wait({coming, drained})
            await items.aclose()


@contextmanager
def _counted(counter: Counter[K], key: K) -> Iterator[None]:
    """Counts one more for as long as the block lasts, and forgets what comes to nothing."""
    counter[key] += 1
    try:
        yield
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


END: Final = object()
"""Stands for an item where there are no more."""


async def upcoming(items: AsyncIterator[T]) -> T | object:
    """The next item, or `END`: a task can't end with StopAsyncIteration."""
    return await anext(items, END)
