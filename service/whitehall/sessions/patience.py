"""Patience: how long a use case may wait for the store, all its readings and writings together."""

import time


class Patience:
    """So many seconds from now on, however many operations share them."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self._end - time.monotonic())
