"""Lists in encoded form, kept for the next time."""

from collections.abc import Callable, Sequence
from typing import Any


class Kept:
    """Lists, encoded when first asked for and then known by their identity: whoever prepares a game's moves gives out
    the same list again and again, and to compare the moves in it would take as long as to encode them.
    """

    def __init__(self, encode: Callable[[Sequence[Any]], bytes], limit: int) -> None:
        self._encode = encode
        self._limit = limit
        self._known: dict[int, tuple[Sequence[Any], bytes]] = {}

    def __call__(self, moves: Sequence[Any]) -> bytes:
        known = self._known.get(id(moves))
        if known is not None:
            return known[1]
        encoded = self._encode(moves)
        if len(self._known) >= self._limit:
            self._known.clear()
        # As long as the list is kept here, no other one can have its identity.
        self._known[id(moves)] = moves, encoded
        return encoded
