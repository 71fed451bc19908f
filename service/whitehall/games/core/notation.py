"""Notation in every game: the error of what cannot be read."""

from whitehall.games.core.fault import BadInput
from whitehall.games.core.text import Text


class NotationError(BadInput):
    """The text is no move, position or log. `column` is where reading stopped, counted from 1."""

    def __init__(self, text: Text, column: int) -> None:
        super().__init__(text, Text(f"column {column}", f"colonne {column}"))
        self.column = column
