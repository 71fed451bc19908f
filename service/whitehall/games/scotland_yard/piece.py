"""The pieces on the board: Mr X, the detectives by their colour, the Bobbies."""

from whitehall.games.core.word import Worded


class Piece(Worded):
    """One pawn. The numbers are those of the wire and of stored games: never reuse one."""

    MR_X = 1
    RED = 2
    BLUE = 3
    GREEN = 4
    YELLOW = 5
    PURPLE = 6
    BOBBY1 = 7
    BOBBY2 = 8

    @property
    def is_bobby(self) -> bool:
        """A Bobby rides without tickets, and the whole detective side moves it."""
        return self >= Piece.BOBBY1


DETECTIVES = (Piece.RED, Piece.BLUE, Piece.GREEN, Piece.YELLOW, Piece.PURPLE)
"""The detectives' pawns in the order in which a game uses them."""

BOBBIES = (Piece.BOBBY1, Piece.BOBBY2)
"""The Bobbies' pawns in the order in which a game uses them."""
