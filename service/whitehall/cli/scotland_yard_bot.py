"""The bot for Scotland Yard: plays a seat by chance. It knows no rule; it takes what the service lists."""

from random import Random

from whitehall.cli.client import Seat
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2

DOUBLE_SHARE = 0.1
"""How often Mr X doubles where he may. Of hundreds of double moves and a dozen rides, an even choice takes a double."""

FLIGHT_SHARE = 0.05
"""How often Mr X flies where he may: he has one flight, and some two hundred places to land."""
ACTION_SHARE = 0.8
"""How often the detectives ask the app where they may, rather than move on without."""


class Bot:
    """Chooses the same moves for the same seed and the same lists."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, seat: Seat) -> str:
        """One of the seat's moves, in notation."""
        legal: move_pb2.LegalMoves = seat.legal_moves()
        if legal.actions and (not legal.pieces or self._random.random() < ACTION_SHARE):
            return self._random.choice(legal.actions).text
        moves = self._random.choice(legal.pieces)
        if moves.flights and (not moves.rides or self._random.random() < FLIGHT_SHARE):
            return f"helicopter {self._random.choice(moves.flights)}"
        if moves.doubles and (not moves.rides or self._random.random() < DOUBLE_SHARE):
            double = self._random.choice(moves.doubles)
            seconds = [ride.text for ride in double.seconds]
            seconds += [f"helicopter {station}" for station in double.flights[: len(seconds) or 1]]
            return f"{double.first.text} {self._random.choice(seconds)}"
        if moves.starts:
            return f"{moves.start_text} {self._random.choice(moves.starts)}"
        if moves.rides:
            return self._random.choice(moves.rides).text
        return f"{move_pb2.Piece.Name(moves.piece).removeprefix('PIECE_').lower()} pass"
