"""Random games of Scotland Yard, the same ones for the same seed. Uses the Game contract alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, UseAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.state import ScotlandYardState

PRESET = "new"
PLAYERS = 6
"""Mr X and five detectives, each with a seat of its own: the largest game there is."""

OPTIONS = edition.resolve(PRESET, PLAYERS)


class SeededChance:
    """Draws from a seeded generator."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def draw(self, label: str, bound: int) -> int:
        return self._random.randrange(bound)


Moment = tuple[ScotlandYardState, Seat, Move, ScotlandYardState]
"""A position, who moves in it, what, and the position after. A plain tuple, so that it takes no time to speak of."""


def start(random: Random, options: ScotlandYardOptions = OPTIONS) -> ScotlandYardState:
    """A game whose start cards are dealt."""
    state, _ = game.setup(options, SeededChance(random))
    return state


def play(
    state: ScotlandYardState, random: Random, *, keeps_doubles: bool = False, asks_app: bool = False
) -> Iterator[Moment]:
    """Random moves until the game is over; each seat is asked in turn.

    With `keeps_doubles` Mr X never rides twice; with `asks_app` the detectives use each special action that they may.
    """
    seats, chance = len(state.options.seats), SeededChance(random)
    seat = Seat(0)
    while game.outcome(state) is None:
        moves: Sequence[Move] = game.legal_moves(state, seat)
        if keeps_doubles:
            moves = [move for move in moves if not isinstance(move, DoubleMove)]
        if asks_app:
            moves = [move for move in moves if isinstance(move, UseAction | Hear)] or moves
        if moves:
            move = moves[int(random.random() * len(moves))]
            after, _ = game.apply(state, seat, move, chance)
            yield state, seat, move, after
            state = after
        seat = Seat((seat + 1) % seats)
