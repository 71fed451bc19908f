"""Deduction in whole app games: against a slow detective, against the truth, and across the seats of a side."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.games.scotland_yard.changes import possible_changes
from tests.games.scotland_yard.recaller import app_game
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.scotland_yard.deduction import Knowledge, advance, knowledge_of, possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.recollection import Recollection
from whitehall.games.scotland_yard.state import Phase

DETECTIVES = Seat(1)

EFFORT = [pytest.param(6, id="gate"), pytest.param(200, id="thorough", marks=pytest.mark.slow)]
"""Games for each number of players: 30 in the gate, 1,000 in all."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_in_whole_app_games_the_true_station_is_never_ruled_out_and_all_ways_to_the_answer_agree(
    players: int, games: int
) -> None:
    """After every move: from scratch, step by step, and by a detective who keeps the ends of all routes."""
    used = Counter[str]()
    for seed in range(games):
        used += followed(resolve("master", players), seed, DETECTIVES)
    assert set(used) == {"Analysed", "Located", "Scanned", "Interrogated", "StatementHeard", "HELICOPTER"}


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_so_it_is_under_any_options_of_the_app(games: int) -> None:
    for seed in range(games):
        players = 2 + seed % 5
        options = resolve("master", players, changes=possible_changes(Random(seed), "master", players))
        followed(options, seed, DETECTIVES)


@pytest.mark.parametrize("viewer", [MR_X_SEAT, None], ids=["mr_x", "public"])
def test_so_it_is_for_those_who_are_not_told_the_answers(viewer: Viewer) -> None:
    for seed in range(4):
        followed(resolve("master", 4), seed, viewer)


@pytest.mark.parametrize("players", [3, 6])
def test_all_seats_of_the_detective_side_know_the_same_whoever_used_the_action(players: int) -> None:
    options = resolve("master", players)
    for state, _ in app_game(options, seed=players, viewer=DETECTIVES):
        views = [game.view(state, seat)._replace(viewer=DETECTIVES) for seat in options.hunter_seats]
        assert views.count(views[0]) == len(options.hunter_seats) > 1


@pytest.mark.parametrize("seed", range(4))
def test_who_is_not_told_the_answers_can_rule_out_no_more_than_who_is(seed: int) -> None:
    fewer = 0
    for state, _ in app_game(resolve("master", 5), seed, DETECTIVES):
        told, public = (possible_locations(game.view(state, viewer)) for viewer in (DETECTIVES, None))
        assert set(told.strong) <= set(public.strong)
        assert possible_locations(game.view(state, MR_X_SEAT)) == public
        fewer += len(told.strong) < len(public.strong)
    assert fewer


def test_knowledge_can_be_advanced_over_any_number_of_moves_at_once_and_not_back() -> None:
    states = [state for state, _ in app_game(resolve("master", 4), 4, DETECTIVES)]
    views = [game.view(state, DETECTIVES) for state in states if state.phase != Phase.OVER]
    known = [knowledge_of(view) for view in views]
    assert len(views) > 60
    for step in (0, 1, 2, 3, 7, 30):
        for earlier, view, expected in zip(known, views[step:], known[step:], strict=False):
            assert advance(earlier, view) == expected
    for moves in (6, 40):
        with pytest.raises(ValueError, match="of the log, and not of"):
            advance(known[-1], views[-1 - moves])


@pytest.mark.parametrize("seed", range(4))
def test_in_hindsight_his_true_route_is_never_ruled_out(seed: int) -> None:
    for state, _ in app_game(resolve("master", 4), seed, DETECTIVES):
        view = game.view(state, DETECTIVES)
        trail = possible_trail(view)
        if state.phase == Phase.PLACING:
            continue
        assert state.start is not None
        route = [state.start, *(entry.station for entry in state.log)]
        assert all(station in trail[field] for field, station in enumerate(route))
        assert trail[view.moves_made] == possible_locations(view).strong


def followed(options: ScotlandYardOptions, seed: int, viewer: Viewer) -> Counter[str]:
    """Compares all ways to the answer through one random game; how often each answer came, and the helicopter."""
    known: Knowledge | Recollection | None = None
    for state, recaller in app_game(options, seed, viewer):
        view = game.view(state, viewer)
        found = possible_locations(view)
        known = knowledge_of(view) if known is None else advance(known, view)
        assert known.locations == found, seed
        assert not state.mr_x or state.mr_x in found.strong, seed
        if state.phase == Phase.OVER:
            assert found.strong == (state.mr_x,)
            continue
        assert set(found.analysis) == recaller.analysis, seed
        shares = {station: Fraction(number, found.total_routes) for station, number in found.routes.items()}
        assert (list(shares), shares) == (list(found.strong), recaller.shares()), seed
    assert state.master is not None
    answers = [type(finding.answer).__name__ for finding in state.master.findings]
    return Counter([*answers, *(entry.ticket.name for entry in state.log if entry.ticket.name == "HELICOPTER")])
