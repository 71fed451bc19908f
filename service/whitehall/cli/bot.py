"""The bot: plays a seat by chance. It knows no rule; it takes what the service lists."""

from random import Random

from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2

DOUBLE_SHARE = 0.1
"""How often Mr X doubles where he may. Of hundreds of double moves and a dozen rides, an even choice takes a double."""


class Bot:
    """Chooses the same moves for the same seed and the same lists."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, legal: move_pb2.LegalMoves) -> str:
        """One of the moves, in notation."""
        moves = self._random.choice(legal.pieces)
        if moves.doubles and (not moves.rides or self._random.random() < DOUBLE_SHARE):
            double = self._random.choice(moves.doubles)
            return f"{double.first.text} {self._random.choice(double.seconds).text}"
        if moves.starts:
            return f"{moves.start_text} {self._random.choice(moves.starts)}"
        if moves.rides:
            return self._random.choice(moves.rides).text
        return f"{move_pb2.Piece.Name(moves.piece).removeprefix('PIECE_').lower()} pass"
