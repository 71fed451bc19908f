"""Corridors: a board's squares by number, so that a set of squares is one number and a search needs no other sets.

Squares are numbered row by row with a gap after each row, so that those beside a whole set are the set shifted.
"""

from collections.abc import Iterator
from functools import lru_cache

from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.place import Square

SquareSet = int
"""A set of squares: bit `1 << number` for each."""


class Corridors:
    """The corridor squares of one board, prepared for walking."""

    def __init__(self, board: Board) -> None:
        self.stride = board.width + 1
        self.squares = {self.number(square): square for square in board.corridors}
        self.all: SquareSet = sum(1 << number for number in self.squares)
        self.beside = {
            number: tuple(self.number(there) for there in board.neighbours[square])
            for number, square in self.squares.items()
        }
        """The numbers of the squares next to each."""
        self.doors = {self.number(square): door.slot for square, door in board.door_at.items()}
        """The room behind each square in front of a door."""
        self.doors_of = {
            slot: tuple(self.number(door.square) for door in doors) for slot, doors in board.doors_of.items()
        }
        self.bulges = {
            (here, there): tuple(self._bulges(here, there)) for here in self.beside for there in self.beside[here]
        }
        """For each step, the pairs of squares to step aside over, with their set: from here to the one, to the other,
        and there.
        """

    def number(self, square: Square) -> int:
        """The number of a square, whether a corridor or not."""
        return square.row * self.stride + square.column

    def is_dark(self, number: int) -> bool:
        """The colour of a square, were the board a chessboard: every step changes it."""
        return sum(divmod(number, self.stride)) % 2 == 1

    def around(self, squares: SquareSet) -> SquareSet:
        """The corridor squares that one step leads to from any of these."""
        return (squares << 1 | squares >> 1 | squares << self.stride | squares >> self.stride) & self.all

    def _bulges(self, here: int, there: int) -> Iterator[tuple[int, int, SquareSet]]:
        for aside in self.beside[here]:
            beyond = aside + there - here
            if aside != there and beyond != here and beyond in self.beside[there]:
                yield aside, beyond, 1 << aside | 1 << beyond


@lru_cache(32)
def corridors(board: Board) -> Corridors:
    """The corridors of a board."""
    return Corridors(board)
