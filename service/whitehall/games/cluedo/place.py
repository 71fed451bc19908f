"""Places: where a pawn stands. A room is one place, however many squares are drawn in it."""

from dataclasses import dataclass

from whitehall.games.cluedo.card import Card


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A corridor square: row from the top and column from the left, both from 0.

    It is no tuple, for the square 3,7 would else equal the card L7, whose category is the third.
    """

    row: int
    column: int

    @property
    def word(self) -> str:
        """Its name in notation and error texts, such as `7,4`."""
        return f"{self.row},{self.column}"


Place = Square | Card
"""A corridor square, or a room by its location card."""
