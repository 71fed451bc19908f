"""The positions that are asked about, from the middle of seeded random games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.bench import games
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2

ROUND = 8
"""A third of a game: tickets are spent, hunters are near."""

MIXED = 300
"""How many positions the mixed set has."""

FRESH = 1 << 13
"""How many new positions are made for a turn of the bulk lane, which has about so many answered."""


def position_sets() -> dict[str, list[bytes]]:
    """By name, sets of encoded batches of one position each.

    `MrX` is one with both double tickets left, `Hunters` one in which nobody has moved, `Mixed` any from whole games:
    one in six is Mr X's.
    """
    random = Random("positions")
    anywhere = [state for _ in range(40) for state, _, _, _ in games.play(games.start(random), random)]
    return {
        "MrX": [batch([_first(random, Phase.MR_X)])],
        "Hunters": [batch([_first(random, Phase.HUNTERS)])],
        "Mixed": [batch([state]) for state in random.sample(anywhere, MIXED)],
    }


def fresh_batches(random: Random, size: int) -> list[bytes]:
    """Batches of so many positions that nobody has asked about yet, of the same mixture as `Mixed`."""
    anywhere: list[ScotlandYardState] = []
    while len(anywhere) < FRESH:
        anywhere += [state for state, _, _, _ in games.play(games.start(random), random)]
    random.shuffle(anywhere)
    return [batch(anywhere[first : first + size]) for first in range(0, FRESH, size)]


def batch(states: Sequence[ScotlandYardState]) -> bytes:
    """An encoded request about these positions; that of the stream looks the same."""
    positions = [write_position(state) for state in states]
    return position_pb2.ListPositionLegalMovesRequest(positions=positions).SerializeToString()


def _first(random: Random, phase: Phase) -> ScotlandYardState:
    """The first position of that phase in round `ROUND` of a game that lasts so long."""
    while True:
        for state, seat, _, _ in games.play(games.start(random), random, keeps_doubles=True):
            if state.round == ROUND and (seat == MR_X_SEAT) == (phase is Phase.MR_X):
                return state
