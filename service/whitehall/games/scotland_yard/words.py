"""Words of a line in notation: what stands between spaces, where a name in quotes may have spaces of its own."""

import re
from typing import NoReturn

from whitehall.games.core.notation import NotationError
from whitehall.games.core.text import Text

QUOTE = '"'
_WORD = re.compile(r'(?:"[^"]*"|\S)+')


def words_of(text: str) -> list[str]:
    """The words, in order."""
    return _WORD.findall(text) if QUOTE in text else text.split()


def places_of(text: str) -> list[tuple[int, str]]:
    """The words, each after the number of characters that stand before it."""
    return [(found.start(), found[0]) for found in _WORD.finditer(text)]


def fail(why: Text, text: str, index: int | None = None, column: int = 1) -> NoReturn:
    """Raises `NotationError` at a column of the word with this index, from 0; without one something is missing, at the
    end.
    """
    places = places_of(text)
    if index is None or index >= len(places):
        raise NotationError(why, len(text.rstrip()) + 1)
    raise NotationError(why, places[index][0] + column)
