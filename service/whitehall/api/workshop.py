"""The workshop: where answers are worked out that take so long that other calls should not wait for them.

It has a few threads of its own, so that nothing else that needs a thread waits behind it, the store least of all. A
thread can't be stopped from outside. So whatever runs here asks now and then whether it is still wanted, and leaves its
thread soon after it is not; only then its place is free again, whatever has become of its caller.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from whitehall.api.places import too_many
from whitehall.games.core.wanted import IsWanted, NoLongerWanted, ask
from whitehall.sessions.refusal import Reason, Refusal

T = TypeVar("T")

RETRY_AFTER: Final = 1.0
"""Seconds after which a caller who found no place may try again."""


class Workshop:
    """The threads of this process for long work, and the places in them and before them."""

    def __init__(self, threads: int, waiting: int) -> None:
        """So many answers are worked out at a time, and so many may wait for a thread. All share one processor, also
        with the calls that are answered at once: a second thread lets short answers overtake a long one.
        """
        self._threads = ThreadPoolExecutor(threads, "workshop")
        self._limit = threads + waiting
        # Added to on the loop, taken from wherever the work ends.
        self._taken: set[Future[Any]] = set()
        self._is_closed = False
        self.refused = 0
        """How many have found no place since the start."""

    @property
    def places(self) -> int:
        """How many places there are."""
        return self._limit

    @property
    def taken(self) -> int:
        """How many places are taken: by work that is done or waits for a thread, whether anybody wants it or not."""
        return len(self._taken)

    @contextmanager
    def errand(self) -> Iterator["Errand"]:
        """Work for one caller, who wants it for as long as the block lasts."""
        errand = Errand(self)
        try:
            yield errand
        finally:
            errand.give_up()

    async def work_out(self, work: Callable[[IsWanted], T]) -> T:
        """What the work comes to, which is told how to find out whether it is still wanted."""
        with self.errand() as errand:
            return await errand.run(partial(work, errand.is_wanted))

    def close(self) -> None:
        """Wants nothing any more, and takes no more work."""
        self._is_closed = True
        self._threads.shutdown(wait=False)

    @property
    def is_closed(self) -> bool:
        """Whether nothing is wanted any more."""
        return self._is_closed

    async def run(self, step: Callable[[], T]) -> T:
        """What a step comes to, in a thread. Refused where there is no place for it."""
        if self._is_closed:
            raise _ending()
        if len(self._taken) >= self._limit:
            self.refused += 1
            raise too_many(Reason.TOO_MANY_CALLS, self._limit, RETRY_AFTER)
        future = self._threads.submit(step)
        self._taken.add(future)
        future.add_done_callback(self._taken.discard)
        return await asyncio.wrap_future(future)


class Errand:
    """Work that one caller waits for, step by step."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._is_given_up = False

    def is_wanted(self) -> bool:
        """Whether the caller still waits for it. May be asked in any thread."""
        return not (self._is_given_up or self._workshop.is_closed)

    def give_up(self) -> None:
        """Nobody waits for it any more."""
        self._is_given_up = True

    async def run(self, step: Callable[[], T]) -> T:
        """What the next step comes to. Refused where there is no place for it, or the process ends."""

        def wanted_step() -> T:
            # It may have waited for its thread for longer than its caller has waited for it.
            ask(self.is_wanted)
            return step()

        try:
            return await self._workshop.run(wanted_step)
        except NoLongerWanted:
            raise _ending() from None


def _ending() -> Refusal:
    return Refusal(Reason.DRAINING, retry_after=RETRY_AFTER)
