"""Words of a line in notation: what stands between spaces, where a name in quotes may have spaces of its own."""

import re
from typing import NoReturn

from whitehall.games.core.notation import NotationError

QUOTE = '"'
_WORD = re.compile(r'(?:"[^"]*"|\S)+')


def words_of(text: str) -> list[str]:
    """The words, in order."""
    return _WORD.findall(text) if QUOTE in text else text.split()


def fail(reason: str, text: str, index: int | None = None, column: int = 1) -> NoReturn:
    """Raises `NotationError` at a column of the word with this index, from 0; without one something is missing, at the
    end.
    """
    starts = [found.start() for found in _WORD.finditer(text)]
    if index is None or index >= len(starts):
        raise NotationError(reason, len(text.rstrip()) + 1)
    raise NotationError(reason, starts[index] + column)
