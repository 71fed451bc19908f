"""Positions as messages: what is written is what is read again, and no more than has to be said."""

from random import Random

import pytest

from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import write_position
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2

UNKNOWN = b"\x72\x02\x08\x01" + b"\x98\x06\x96\x01" + b"\x9b\x06\x08\x07\x9c\x06"
"""A message in field 14, a number and a group in fields 99, as a client with a newer contract may send them."""
MISPLACED = b"\x12\x02\x08\x01"
"""A message in field 2, which holds a number in positions, hunters and tickets."""


class _SeededChance:
    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def draw(self, label: str, bound: int) -> int:
        return self._random.randrange(bound)


def started(preset: str, players: int, changes: Overrides | None = None) -> ScotlandYardState:
    """A game in which Mr X is about to move for the first time."""
    options = resolve(preset, players) if changes is None else resolve(preset, players, changes=changes)
    state, _ = game.setup(options, _SeededChance(f"{preset} {players}"))
    assert state.phase is Phase.MR_X
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_position_of_a_game_by_its_preset_names_no_options_whoever_owns_the_pieces(players: int) -> None:
    state = started("new", players)
    message = write_position(state)
    assert not message.HasField("overrides")
    assert read_position(message).hunters == state.hunters


def test_options_that_differ_from_the_preset_are_written_and_read_again() -> None:
    message = write_position(started("new", 6, Overrides(rounds=10)))
    assert message.overrides.rounds == 10
    assert read_position(message).options.rounds == 10


def test_fields_that_the_contract_does_not_know_change_nothing() -> None:
    message = write_position(started("new", 6))
    expected = read_position(message)
    newer = position_pb2.Position.FromString(message.SerializeToString() + UNKNOWN + MISPLACED)
    newer.hunters[0].MergeFromString(UNKNOWN + MISPLACED)
    newer.supply.MergeFromString(UNKNOWN + MISPLACED)
    assert read_position(newer) == expected
