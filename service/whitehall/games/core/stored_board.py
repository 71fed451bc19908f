"""The board of a stored game: found again by its name, and told from another one that bears the name by now."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol, TypeVar

from whitehall.games.core.fault import BadBoard, BoardUnavailable

DIGEST_BYTES = 8
"""Boards are changed by their owners, not forged: enough that no change goes unnoticed."""


class Digested(Protocol):
    """A board that can be told from another one of its name."""

    @property
    def digest(self) -> bytes:
        """The digest of all that the rules ask the board for."""
        ...


BoardT = TypeVar("BoardT", bound=Digested)


def digest_of(drawn: Any) -> bytes:
    """The digest of lists, numbers and texts in a fixed order."""
    return sha256(json.dumps(drawn, separators=(",", ":")).encode()).digest()[:DIGEST_BYTES]


def stored_board(find: Callable[[str], BoardT], name: str, digest: bytes) -> BoardT:
    """The board that a game was begun on. `find` knows boards by name and raises `BadBoard` for others.

    An empty digest is that of a game from before digests were kept: any board of the name will do. Raises
    `BoardUnavailable`.
    """
    try:
        board = find(name)
    except BadBoard as error:
        raise BoardUnavailable(name, "there is none of this name") from error
    if digest and digest != board.digest:
        raise BoardUnavailable(name, "is not the one that the game was begun on")
    return board
