"""Deduction in the app game on tiny boards, against every route that there is."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from operator import mul
from random import Random

import pytest

from tests.games.scotland_yard.tiny import Route, TinyGame, tampered_app_game, tiny_app_game
from tests.games.scotland_yard.tiny_app import TinyApp
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.locations import Contradiction
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.prospects import expected

ACTIONS = [UseAction(action) for action in SpecialAction]

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


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_answers_that_no_route_fits_are_refused_with_the_first_field_that_contradicts(games: int) -> None:
    fields = Counter[int | None]()
    for seed in range(games):
        random = Random(seed)
        game = tampered_app_game(random, tiny_app_game(random))
        by_field = game.routes_by_field()
        expected_field = next((field for field, routes in enumerate(by_field) if not routes), None)
        fields[expected_field] += 1
        if expected_field is None:
            assert possible_locations(game.evidence()).strong == tuple(sorted({route[-1] for route in by_field[-1]}))
            continue
        for ask in (possible_locations, possible_trail):
            with pytest.raises(Contradiction) as refused:
                ask(game.evidence())
            assert refused.value.field == expected_field, seed
    assert fields.keys() >= {None, 1, 2, 3, 4}


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_what_an_action_promises_is_the_mean_over_all_routes_of_the_stations_that_its_answer_leaves(games: int) -> None:
    for seed, game, routes in tiny_games(games):
        assert game.app is not None
        app, weights = game.app, {route: game.draws(route) for route in routes}
        moves = ACTIONS + [Hear(name) for name in app.landmarks]
        found = {prospect.move: prospect.stations for prospect in expected(game.evidence(), moves)}

        assert found[UseAction(SpecialAction.ANALYSIS)] == len({route[-1] for route in routes}), seed
        located = [(app.colours(route[-1]), route, weights[route]) for route in routes]
        assert found[UseAction(SpecialAction.LOCATE)] == mean_left(located), seed
        scanned = [(moves, route, weights[route]) for route in routes for moves in app.scans(route[-1])]
        assert found[UseAction(SpecialAction.SCAN)] == mean_left(scanned), seed
        for name in app.landmarks:
            assert found[Hear(name)] == mean_left(statements(app, name, weights)), (seed, name)

        total = sum(weights.values())
        best = Fraction(0)
        for marks in {app.marks(route) for route in routes}:
            marked = {route: number for route, number in weights.items() if app.marks(route) == marks}
            means = [mean_left(statements(app, name, marked)) for name in marks]
            nobody_speaks = Fraction(len({route[-1] for route in marked}))
            best += min(means, default=nobody_speaks) * Fraction(sum(marked.values()), total)
        assert found[UseAction(SpecialAction.INTERROGATION)] == best, seed


def statements(app: TinyApp, landmark: str, weights: dict[Route, int]) -> list[tuple[Hashable, Route, int]]:
    """What the witnesses at a landmark would say of each route; None where they have not seen him."""
    return [
        (app.moves_ago(landmark, route) if landmark in app.marks(route) else None, route, number)
        for route, number in weights.items()
    ]


def mean_left(answers: Sequence[tuple[Hashable, Route, int]]) -> Fraction:
    """The number of stations that an answer leaves, on average over these answers with their weights."""
    left = [len({other[-1] for given, other, _ in answers if given == answer}) for answer, _, _ in answers]
    numbers = [number for _, _, number in answers]
    return Fraction(sum(map(mul, left, numbers)), sum(numbers))
