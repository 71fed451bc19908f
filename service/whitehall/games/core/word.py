"""Words: how the members of an enumeration are called in text."""

from enum import IntEnum


class Worded(IntEnum):
    """An enumeration whose members people name too. Their numbers are those of the wire and of stored games."""

    @property
    def word(self) -> str:
        """Its name in notation, records, data files, the catalog and error texts, such as `mr_x`."""
        return self.name.lower()
