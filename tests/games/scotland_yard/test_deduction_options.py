"""Deduction under other editions and house rules: whatever is played, the truth is never ruled out."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.chance import NoChance, SeededChance
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Tickets

GAMES = {
    "classic": ("classic", NONE),
    "invisible": ("new", Overrides(house_rules=("invisible",))),
    "fast, with detectives' black tickets": ("new", Overrides(house_rules=("fast",), detective_black_tickets=3)),
    "a supply without an end": ("new", Overrides(mr_x_supply=MrXSupply.UNLIMITED)),
    "hardly a ticket for Mr X": (
        "new",
        Overrides(mr_x_supply=MrXSupply.FROM_DETECTIVES, mr_x_hand=Tickets(2, 1, 0), black_tickets=1),
    ),
    "the last black ticket wins": ("new", Overrides(last_black_wins=True)),
    "pieces placed by their players": ("new", Overrides(start_by=StartBy.CHOICE)),
    "hunters distributed over one deck with Mr X": ("classic", Overrides(start_by=StartBy.DISTRIBUTION)),
    "another board, and a full log ends it": ("new", Overrides(board="london-classic", end_by=EndBy.LOG_FULL)),
}


@pytest.mark.parametrize(("preset", "changes"), GAMES.values(), ids=GAMES)
def test_sy18_under_other_options_too_the_true_station_is_never_ruled_out(preset: str, changes: Overrides) -> None:
    for players in (2, 4, 6):
        chance = Random(players)
        state, _ = game.setup(resolve(preset, players, changes=changes), SeededChance(players))
        while state.outcome is None:
            assert_possible(state)
            seat = chance.choice(game.to_move(state))
            legal = game.legal_moves(state, seat)
            singles = [move for move in legal if not isinstance(move, DoubleMove)]
            move = chance.choice(legal if chance.random() < 0.15 else singles or list(legal))
            state, _ = game.apply(state, seat, move, NoChance())
        assert_possible(state)


def assert_possible(state: ScotlandYardState) -> None:
    view = game.view(state, None)
    found, trail = possible_locations(view), possible_trail(view)
    assert not state.mr_x or state.mr_x in found.strong
    assert set(found.strong) <= set(found.analysis)
    assert state.start is None or state.start in trail[0]
    assert all(entry.station in trail[number] for number, entry in enumerate(state.log, 1))
