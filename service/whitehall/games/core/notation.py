"""Notation in every game: the error of what cannot be read, or cannot be, at its column."""

from collections.abc import Mapping

from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.text import Text


class NotationError(BadInput):
    """The text is no move, position or log. `column` is where reading stopped, or where it says what cannot be, counted
    from 1.
    """

    def __init__(self, text: Text, column: int) -> None:
        super().__init__(text, Text(f"column {column}", f"colonne {column}"))
        self.column = column


def at_column(fault: InvalidField, columns: Mapping[str, int]) -> NotationError:
    """What is wrong with the meaning of a line, where the line says it.

    `columns` tells where fields stand, by their paths. A field that stands nowhere by itself is told at what holds it,
    such as `hand` for `hand[2]`, and what nothing in the line says at its beginning.
    """
    field = fault.field
    while field and field not in columns:
        field = field[: max(field.rfind("."), field.rfind("["), 0)]
    return NotationError(fault.text, columns.get(field, 1))
