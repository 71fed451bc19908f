"""Words: how the members of an enumeration are called in text."""

from enum import IntEnum
from typing import Self


class Worded(IntEnum):
    """An enumeration whose members people name too. Their numbers are those of the wire and of stored games."""

    @property
    def word(self) -> str:
        """Its name in notation, records, data files, the catalog and error texts, such as `mr_x`."""
        return self.name.lower()

    @classmethod
    def by_word(cls) -> dict[str, Self]:
        """The members, each by its word."""
        return {member.word: member for member in cls}
