"""Deduction on tiny boards, against every route that there is."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.games.scotland_yard.tiny import Route, TinyGame, tampered, tiny_game
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.locations import Contradiction

EFFORT = [pytest.param(400, id="gate"), pytest.param(5000, id="thorough", marks=pytest.mark.slow)]


def contradicted_field(game: TinyGame) -> int | None:
    """The first field up to which no route fits."""
    return next((field for field, routes in enumerate(game.routes_by_field()) if not routes), None)


def all_routes(game: TinyGame) -> list[Route]:
    return game.routes_by_field()[-1]


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_sets_and_numbers_of_routes_equal_those_of_a_walk_over_every_route(games: int) -> None:
    for seed in range(games):
        game = tiny_game(Random(seed))
        routes = all_routes(game)
        found = possible_locations(game.evidence())
        assert found.strong == tuple(sorted({route[-1] for route in routes})), seed
        assert found.analysis == tuple(sorted(game.analysis())), seed
        since_seen = {route[game.last_seen() :] for route in routes}
        assert found.routes == Counter(route[-1] for route in since_seen), seed
        assert found.total_routes == len(since_seen), seed


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_a_stations_share_is_that_of_all_routes_since_the_start(games: int) -> None:
    """To count from where he was last seen changes no share: every way there goes with every way on."""
    for seed in range(games // 4):
        game = tiny_game(Random(seed))
        routes = all_routes(game)
        found = possible_locations(game.evidence())
        ends = Counter(route[-1] for route in routes)
        shares = {station: Fraction(number, len(routes)) for station, number in ends.items()}
        assert shares == {there: Fraction(number, found.total_routes) for there, number in found.routes.items()}, seed


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_in_hindsight_each_field_holds_the_stations_of_the_routes_that_fit_to_the_end(games: int) -> None:
    narrowed = 0
    for seed in range(games):
        game = tiny_game(Random(seed))
        routes = all_routes(game)
        by_field = [tuple(sorted(set(stations))) for stations in zip(*routes, strict=True)]
        assert possible_trail(game.evidence()) == dict(enumerate(by_field)), seed
        at_the_time = [{route[-1] for route in fitting} for fitting in game.routes_by_field()]
        narrowed += [set(stations) for stations in by_field] != at_the_time
    assert narrowed > games / 10


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_evidence_that_no_route_fits_is_refused_with_the_first_field_that_contradicts(games: int) -> None:
    fields = Counter[int | None]()
    for seed in range(games):
        random = Random(seed)
        game = tampered(random, tiny_game(random))
        expected = contradicted_field(game)
        fields[expected] += 1
        if expected is None:
            assert possible_locations(game.evidence()).strong == tuple(
                sorted({route[-1] for route in all_routes(game)})
            )
            continue
        for ask in (possible_locations, possible_trail):
            with pytest.raises(Contradiction) as refused:
                ask(game.evidence())
            assert refused.value.field == expected, seed
    assert fields.keys() >= {None, 0, 1, 2, 3}
