"""Lists in the notation of options: what stands between their parts, and how a fault is told.

In a record the value of an option stands in quotes, and spaces part a list; in a line commas do, as spaces part words.
"""

import re
from typing import NamedTuple

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text

_NUMBER = re.compile("[0-9]{1,4}")
_NAME = re.compile("[a-z_]+")


class Listing(NamedTuple):
    """One way to part a list."""

    separator: str
    called: Text
    """The separators, in words."""

    def text(self, parts: tuple[object, ...]) -> str:
        """The list."""
        return self.separator.join(map(str, parts))

    def numbers(self, text: str) -> tuple[int, ...]:
        """The numbers of a list. Raises `BadInput`."""
        return tuple(map(int, self._parts(text, _NUMBER, Text("numbers", "des nombres"), "3 8 13")))

    def names(self, text: str) -> tuple[str, ...]:
        """The names of a list. Raises `BadInput`."""
        return tuple(self._parts(text, _NAME, Text("names", "des noms"), "fast invisible"))

    def _parts(self, text: str, part: re.Pattern[str], what: Text, example: str) -> list[str]:
        parts = text.split(self.separator) if text else []
        if not all(map(part.fullmatch, parts)):
            such = example.replace(" ", self.separator)
            en = f"{what.en} with {self.called.en} between them, such as {such}"
            fr = f"{what.fr} séparés par des {self.called.fr}, comme {such}"
            raise BadInput(expected(Text(en, fr)))
        return parts


SPACES = Listing(" ", Text("spaces", "espaces"))
COMMAS = Listing(",", Text("commas", "virgules"))
