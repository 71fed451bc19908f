"""Deduction in whole games: against a slow detective, against the truth, and against worlds that look the same."""

from random import Random

import pytest

from tests.games.scotland_yard.changes import possible_changes
from tests.games.scotland_yard.detective import Detective, watched_game
from tests.games.scotland_yard.worlds import pairs
from whitehall.games.scotland_yard.deduction import Knowledge, advance, knowledge_of, possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.evidence import evidence_of
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.locations import PossibleLocations
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.recollection import Recollection
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import NOWHERE, Station

PRINTED = ("new", "classic")
"""The presets without the app; `test_recollection_games.py` plays the other one."""

EFFORT = [pytest.param(40, id="gate"), pytest.param(200, id="thorough", marks=pytest.mark.slow)]
"""Games for each number of players: 200 in the gate, 1,000 in all."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_sy18_in_whole_games_the_true_station_is_never_ruled_out_and_all_ways_to_the_answer_agree(
    players: int, games: int
) -> None:
    """After every move: from scratch, step by step, and by a detective who keeps sets of stations."""
    ends = {followed(resolve("new", players), seed) for seed in range(games)}
    assert {"SY-END-01", "SY-END-04"} <= ends


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_sy18_so_it_is_in_the_classic_edition_whose_hunters_draw_from_mr_xs_deck(players: int, games: int) -> None:
    ends = {followed(resolve("classic", players), seed) for seed in range(games // 2)}
    assert "SY-END-01" in ends
    assert ends & {"SY-END-03", "SY-END-05"}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("start_by", [StartBy.CHOICE, StartBy.DISTRIBUTION])
@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_choose_so_it_is_where_pieces_are_placed_by_their_players(players: int, start_by: StartBy, games: int) -> None:
    """Also while they are placed: who has not chosen yet may choose every station that is free."""
    for preset in PRINTED:
        options = resolve(preset, players, changes=Overrides(start_by=start_by))
        ends = {followed(options, seed) for seed in range(games // 4)}
        assert "SY-END-01" in ends


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(900)
def test_sy18_so_it_is_under_any_options(games: int) -> None:
    """Every kind of supply, decks that share cards, logs that never surface, detectives with black tickets."""
    ends = set()
    for seed in range(3 * games):
        random = Random(seed)
        preset, players = random.choice(PRINTED), random.randint(2, 6)
        changes = possible_changes(random, preset, players)
        ends.add(followed(resolve(preset, players, changes=changes), seed))
    assert {"SY-END-01", "SY-END-04", "SY-END-05"} <= ends


def followed(options: ScotlandYardOptions, seed: int) -> str:
    """Compares all ways to the answer through one random game; the rule that ended it."""
    known: Knowledge | Recollection | None = None
    for state, detective in watched_game(options.players, seed, options):
        view = game.view(state, None)
        from_scratch = knowledge_of(view)
        known = from_scratch if known is None else advance(known, view)
        assert known == from_scratch
        assert not state.mr_x or state.mr_x in known.locations.strong
        if state.phase != Phase.OVER:
            assert known.locations == worked_out(detective)
            if state.phase == Phase.MR_X:
                assert_history_agrees(state, detective, known)
    assert_all_is_plain(state)
    assert state.outcome is not None
    return state.outcome.rule.id


def worked_out(detective: Detective) -> PossibleLocations:
    """The detective's answer in the form of ours."""
    analysis = tuple(Station(station) for station in sorted(detective.analysis))
    strong = tuple(Station(station) for station in detective.strong)
    assert set(strong) <= set(analysis)
    return PossibleLocations(analysis, strong, {Station(there): number for there, number in detective.routes.items()})


def assert_history_agrees(state: ScotlandYardState, detective: Detective, known: Knowledge | Recollection) -> None:
    """What is asked once a round: places of the past, the log as people write it down, and Mr X's own view."""
    trail = possible_trail(game.view(state, None))
    assert trail == detective.trail()
    assert trail == possible_trail(game.view(state, MR_X_SEAT))
    assert all(station in trail[number] for number, station in enumerate(route_of(state)))
    cards = tuple(Station(card) for card in sorted(detective.cards))
    log = evidence_from_log(state.options.board, detective.rounds, start=cards)
    assert knowledge_of(log) == known
    assert possible_trail(log) == trail
    assert knowledge_of(game.view(state, MR_X_SEAT)) == known


def assert_all_is_plain(state: ScotlandYardState) -> None:
    """Once the game is over, every place of his is known, and one route is left."""
    here = state.mr_x
    assert possible_locations(game.view(state, None)) == PossibleLocations((here,), (here,), {here: 1})
    trail = possible_trail(game.view(state, None))
    assert trail == {number: (station,) for number, station in enumerate(route_of(state))}


def route_of(state: ScotlandYardState) -> list[Station]:
    assert state.start is not None
    return [state.start, *(entry.station for entry in state.log)]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_log_on_paper_gives_the_same_answers_while_the_hunters_are_moving(players: int) -> None:
    for seed in range(4):
        for state, detective in watched_game(players, 1000 + seed):
            if state.phase == Phase.HUNTERS:
                board, cards = state.options.board, tuple(Station(card) for card in sorted(detective.cards))
                log = evidence_from_log(board, detective.rounds, start=cards, hunters=detective.hunters)
                assert knowledge_of(log) == knowledge_of(game.view(state, None))


@pytest.mark.parametrize("seed", [*range(16), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(16, 200))])
def test_worlds_that_hunters_cannot_tell_apart_have_the_same_possible_locations(seed: int) -> None:
    """For Mr X too, whose view of his own stations differs between them: he asks what the others can know."""
    for pair in pairs(seed):
        for (one, _), (other, _) in zip(pair.one.play(game), pair.other.play(game), strict=True):
            expected = possible_locations(game.view(one, None))
            assert {one.mr_x, other.mr_x} - {NOWHERE} <= set(expected.strong)
            evidence = evidence_of(game.view(one, None))
            for state in (one, other):
                for viewer in (MR_X_SEAT, *pair.blind):
                    assert evidence_of(game.view(state, viewer)) == evidence
                    assert possible_locations(game.view(state, viewer)) == expected
