"""Places: so many callers may have something at the same time, and the next one is told to come again."""

from collections.abc import Iterator
from contextlib import contextmanager

from whitehall.sessions.refusal import Reason, Refusal


class Places:
    """A number of places. Whoever finds none is refused for `reason`, to come again after `retry_after` seconds."""

    def __init__(self, limit: int, reason: Reason, retry_after: float) -> None:
        self._limit = limit
        self._reason = reason
        self._retry_after = retry_after
        self._taken = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """A place for as long as the block lasts."""
        if self._taken >= self._limit:
            raise too_many(self._reason, self._limit, self._retry_after)
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


def too_many(reason: Reason, limit: int, retry_after: float) -> Refusal:
    """The refusal of whoever comes after so many others."""
    return Refusal(reason, metadata={"limit": limit}, retry_after=retry_after)
