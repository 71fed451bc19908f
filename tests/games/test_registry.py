"""The register finds the games that are there, each under its own name."""

from whitehall.games.core.game import Game
from whitehall.games.registry import games
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import PossibleLocations
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.view import ScotlandYardView

SCOTLAND_YARD: Game[ScotlandYardOptions, ScotlandYardState, Move, Event, ScotlandYardView, PossibleLocations] = game
"""For the type checker: Scotland Yard fulfils the contract."""


def test_a_game_is_found_by_its_name() -> None:
    assert games()["scotland-yard"] is SCOTLAND_YARD


def test_each_game_stands_under_its_own_name_and_cites_rules_by_unique_ids() -> None:
    for name, found in games().items():
        assert found.name == name
        assert len({rule.id for rule in found.rules}) == len(found.rules)
