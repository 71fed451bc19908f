"""The bot for Cluedo: walks by chance, asks about what may be in the envelope, and accuses when it is certain.

It knows no rule and works nothing out: it takes what the service lists and deduces.
"""

from random import Random

from whitehall.cli.client import Seat
from whitehall.gen.whitehall.cluedo.v1 import move_pb2

ROOMS_SHARE = 0.9
"""How often it walks into a room where it can."""
PASSAGE_SHARE = 0.5
"""How often it takes a passage in place of a roll."""


class Bot:
    """Chooses the same moves for the same seed and the same answers."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, seat: Seat) -> str:
        """One of the seat's moves, in notation."""
        legal: move_pb2.LegalMoves = seat.legal_moves()
        if legal.shows:
            return self._random.choice(legal.shows).text
        if legal.may_accuse or legal.suggest_in:
            solutions = [solution.envelope for solution in seat.deductions().solutions]
            if legal.may_accuse and len(solutions) == 1:
                case = solutions[0]
                return f"accuse {case.suspect} {case.weapon} {case.location}"
            if legal.suggest_in:
                case = self._random.choice(solutions)
                return f"suggest {case.suspect} {case.weapon} {legal.suggest_in}"
        if legal.destinations:
            rooms = [there for there in legal.destinations if there.place.HasField("room")]
            choice = rooms if rooms and self._random.random() < ROOMS_SHARE else list(legal.destinations)
            return self._random.choice(choice).text
        if legal.passages and (not legal.HasField("roll") or self._random.random() < PASSAGE_SHARE):
            return self._random.choice(legal.passages).text
        return legal.roll.text if legal.HasField("roll") else legal.end.text
