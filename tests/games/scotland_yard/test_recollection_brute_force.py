"""Deduction in the app game on tiny boards, against every route that there is."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from tests.games.scotland_yard.tiny import Route, TinyGame, tiny_app_game
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail

EFFORT = [pytest.param(400, id="gate"), pytest.param(8000, id="thorough", marks=pytest.mark.slow)]


def tiny_games(number: int) -> Iterator[tuple[int, TinyGame, list[Route]]]:
    for seed in range(number):
        game = tiny_app_game(Random(seed))
        yield seed, game, game.routes_by_field()[-1]


def shares(game: TinyGame, routes: list[Route]) -> dict[int, Fraction]:
    """How likely each station is if every route from the start is as likely as any other, and every mast of a scan."""
    ways = Counter[int]()
    for route in routes:
        ways[route[-1]] += game.draws(route)
    return {station: Fraction(number, ways.total()) for station, number in ways.items()}


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_sets_and_probabilities_equal_those_of_a_walk_over_every_route(games: int) -> None:
    asked = 0
    for seed, game, routes in tiny_games(games):
        found = possible_locations(game.evidence())
        assert found.strong == tuple(sorted({route[-1] for route in routes})), seed
        assert found.analysis == tuple(sorted(game.analysis())), seed
        ways = {there: Fraction(number, found.total_routes) for there, number in found.routes.items()}
        assert ways == shares(game, routes), seed
        asked += any(this.answers for this in game.rounds)
    assert asked > games / 2


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_in_hindsight_each_field_holds_the_stations_of_the_routes_that_fit_to_the_end(games: int) -> None:
    for seed, game, routes in tiny_games(games):
        by_field = [tuple(sorted(set(stations))) for stations in zip(*routes, strict=True)]
        assert possible_trail(game.evidence()) == dict(enumerate(by_field)), seed
