"""Places: where a pawn stands. A room is one place, however many squares are drawn in it."""

from typing import NamedTuple

from whitehall.games.cluedo.card import Card


class Square(NamedTuple):
    """A corridor square: row from the top and column from the left, both from 0."""

    row: int
    column: int

    @property
    def word(self) -> str:
        """Its name in notation and error texts, such as `7,4`."""
        return f"{self.row},{self.column}"


Place = Square | Card
"""A corridor square, or a room by its location card."""
