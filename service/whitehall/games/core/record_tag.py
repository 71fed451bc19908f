"""Tags of records: their values, and the places of errors."""

import re
from typing import NamedTuple, NoReturn

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import expected, number_from
from whitehall.games.core.text import Text

_NUMBER = re.compile("0|-?[1-9][0-9]{0,9}")
_SEED = re.compile("[0-9a-f]{64}")

NO_SEED = expected(Text("64 hexadecimal digits in small letters", "64 chiffres hexadécimaux, en minuscules"))
"""What is told of anything else where a seed, a commitment or a digest has to stand."""


def is_seed(text: str) -> bool:
    """Whether a text can be a seed, a commitment or a digest."""
    return _SEED.fullmatch(text) is not None


class Place(NamedTuple):
    """A line and a column of a text, counted from 1."""

    line: int
    column: int


class RecordError(BadInput):
    """The text is no record. `line` and `column`, counted from 1, are where reading stopped."""

    def __init__(self, text: Text, line: int, column: int) -> None:
        super().__init__(text, Text(f"line {line}, column {column}", f"ligne {line}, colonne {column}"))
        self.line = line
        self.column = column


class Value(NamedTuple):
    """One value of a tag, and its place. Whatever reads it raises `RecordError` with that place."""

    text: str
    line: int
    column: int

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.line, self.column)

    def fail(self, why: Text) -> NoReturn:
        """The value is none that could stand here."""
        raise RecordError(why, self.line, self.column)

    def number(self, least: int, most: int) -> int:
        """The value as a number of this range."""
        if not _NUMBER.fullmatch(self.text) or not least <= int(self.text) <= most:
            self.fail(number_from(least, most))
        return int(self.text)

    def seed(self) -> str:
        """The value as a seed, a commitment or a digest."""
        if not is_seed(self.text):
            self.fail(NO_SEED)
        return self.text


class Tag(NamedTuple):
    """A tag's values, and its line."""

    values: tuple[Value, ...]
    line: int

    def fail(self, why: Text) -> NoReturn:
        """The tag is none of a record."""
        raise RecordError(why, self.line, 1)

    def several(self, number: int) -> tuple[Value, ...]:
        """The values, which must be so many. Raises `RecordError`."""
        if len(self.values) != number:
            self.fail(Text(f"the tag takes {number} values", f"la balise prend {number} valeurs"))
        return self.values

    def one(self) -> Value:
        """The only value. Raises `RecordError`."""
        if len(self.values) != 1:
            self.fail(Text("the tag takes one value", "la balise prend une valeur"))
        return self.values[0]
