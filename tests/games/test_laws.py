"""Laws that hold for every game, each tried on many random games."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.games.adapters import ADAPTERS, Adapter
from tests.games.chance import SeededChance
from whitehall.games.core.chance import RecordedChance, ReplayedChance
from whitehall.games.core.game import Game
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.registry import games

AnyGame = Game[Any, Any, Any, Any, Any, Any]

pytestmark = [pytest.mark.parametrize("name", sorted(games())), pytest.mark.timeout(900)]

tried = pytest.mark.parametrize(
    "effort", [pytest.param(60, id="gate"), pytest.param(1000, id="thorough", marks=pytest.mark.slow)]
)
"""On how many examples a law is tried."""


@dataclass(frozen=True)
class Step:
    """One accepted move: the state it was made in, who made it, what came of it."""

    before: Any
    seat: Seat
    move: Any
    after: Any
    events: tuple[Any, ...]


@dataclass(frozen=True)
class Journey:
    """A random game, or its beginning."""

    game: AnyGame
    options: Any
    start: Any
    dealt: tuple[Any, ...]
    steps: tuple[Step, ...]
    draws: tuple[Any, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        return (self.start, *(step.after for step in self.steps))

    @property
    def end(self) -> Any:
        return self.states[-1]


def travel(game: AnyGame, adapter: Adapter, seed: int, moves: int) -> Journey:
    """Plays random listed moves until the game is over or `moves` are made."""
    random, chance = Random(seed), RecordedChance(SeededChance(seed))
    options = adapter.options(random)
    state, dealt = game.setup(options, chance)
    start = state
    steps: list[Step] = []
    while game.to_move(state) and len(steps) < moves:
        seat = random.choice(game.to_move(state))
        move = adapter.choose(random, game.legal_moves(state, seat))
        after, events = game.apply(state, seat, move, chance)
        steps.append(Step(state, seat, move, after, events))
        state = after
    return Journey(game, options, start, dealt, tuple(steps), chance.draws)


def for_many(effort: int, **strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], None]:
    """Tries a law on `effort` examples; a failing one is made as small as it can be."""

    def run(law: Callable[..., None]) -> None:
        quiet = settings(max_examples=effort, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        quiet(given(**strategies)(law))()

    return run


def journeys(name: str, *, whole: bool = False) -> st.SearchStrategy[Journey]:
    """Random games of one game; `whole` ones go on to their end, the others stop somewhere."""
    game, adapter = games()[name], ADAPTERS[name]
    moves = st.just(adapter.most_moves) if whole else st.integers(0, adapter.most_moves)
    return st.builds(lambda seed, moves: travel(game, adapter, seed, moves), st.integers(0, 2**32), moves)


def seats_of(state: Any) -> Iterator[Seat]:
    yield from (Seat(number) for number in range(len(state.options.seats)))


def viewers_of(state: Any) -> Iterator[Viewer]:
    yield from seats_of(state)
    yield None


def test_every_game_has_an_adapter_for_these_laws(name: str) -> None:
    assert name in ADAPTERS


def test_every_rule_has_an_id_of_its_own_and_a_sentence_in_both_languages(name: str) -> None:
    rules = games()[name].rules
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(rule.en and rule.fr and rule.source for rule in rules)


@tried
def test_every_listed_move_passes_the_check(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        game = journey.game
        for state in journey.states:
            for seat in game.to_move(state):
                moves = game.legal_moves(state, seat)
                assert len(set(moves)) == len(moves)
                assert all(game.check(state, seat, move) is None for move in moves)


@tried
def test_a_move_is_listed_or_refused_and_a_refusal_names_a_rule_and_changes_nothing(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name), seed=st.integers(0, 2**32))
    def law(journey: Journey, seed: int) -> None:
        game, state, random = journey.game, journey.end, Random(seed)
        for _ in range(50):
            seat, move = ADAPTERS[name].stray(random, state)
            found = list(game.violations(state, seat, move))
            assert game.check(state, seat, move) == (found[0] if found else None)
            assert (not found) is (move in game.legal_moves(state, seat))
            assert {violation.rule for violation in found} <= set(game.rules)
            if found:
                before = pickle.dumps(state)
                with pytest.raises(IllegalMove) as refused:
                    game.apply(state, seat, move, SeededChance(0))
                assert refused.value.violation == found[0]
                assert pickle.dumps(state) == before


@tried
def test_a_move_leaves_the_state_it_was_made_in_as_it_was(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        for step in journey.steps[-5:]:
            copy = pickle.loads(pickle.dumps(step.before))
            journey.game.apply(step.before, step.seat, step.move, SeededChance(0))
            assert step.before == copy


@tried
def test_exactly_the_seats_that_are_to_move_have_moves(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        for state in journey.states:
            with_moves = tuple(seat for seat in seats_of(state) if journey.game.legal_moves(state, seat))
            assert journey.game.to_move(state) == with_moves


@tried
def test_the_same_draws_and_moves_give_the_same_game(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        game, chance = journey.game, ReplayedChance(journey.draws)
        state, dealt = game.setup(journey.options, chance)
        assert (state, dealt) == (journey.start, journey.dealt)
        for step in journey.steps:
            state, events = game.apply(state, step.seat, step.move, chance)
            assert (state, events) == (step.after, step.events)


@tried
def test_every_game_ends_and_has_one_outcome_then_and_none_before(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name, whole=True))
    def law(journey: Journey) -> None:
        game, adapter = journey.game, ADAPTERS[name]
        *earlier, end = journey.states
        assert all(game.outcome(state) is None and game.to_move(state) for state in earlier)
        outcome = game.outcome(end)
        assert outcome is not None
        assert game.to_move(end) == ()
        assert set(outcome.winners) < set(seats_of(end))
        assert outcome.rule in game.rules
        happened = [*journey.dealt, *(event for step in journey.steps for event in step.events)]
        assert [event for event in happened if adapter.is_ending(event)] == [happened[-1]]


@tried
def test_every_accepted_move_makes_something_happen(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        assert journey.dealt
        assert all(step.events and step.after != step.before for step in journey.steps)


@tried
def test_equal_states_have_equal_views(name: str, effort: int) -> None:
    @for_many(effort, journey=journeys(name))
    def law(journey: Journey) -> None:
        for state in journey.states[-10:]:
            copy = pickle.loads(pickle.dumps(state))
            assert copy == state
            assert hash(copy) == hash(state)
            for viewer in viewers_of(state):
                view = journey.game.view(state, viewer)
                assert view == journey.game.view(copy, viewer)
                assert view.viewer == viewer


@tried
def test_worlds_that_a_viewer_cannot_tell_apart_show_him_the_same(name: str, effort: int) -> None:
    """Views, events, moves and refusals are made of what a viewer may know, and of nothing else."""
    game, adapter = games()[name], ADAPTERS[name]

    @for_many(effort, seed=st.integers(0, 2**32))
    def law(seed: int) -> None:
        random = Random(seed)
        for pair in adapter.pairs(seed):
            assert (pair.one.draws, pair.one.moves) != (pair.other.draws, pair.other.moves)
            for (one, events), (other, other_events) in zip(pair.one.play(game), pair.other.play(game), strict=True):
                assert game.to_move(one) == game.to_move(other)
                for viewer in pair.blind:
                    assert game.view(one, viewer) == game.view(other, viewer)
                    # Of an event that he may know nothing of he is not even told that there was one.
                    shown, other_shown = (
                        [seen for event in happened if (seen := game.event_view(event, viewer)) is not None]
                        for happened in (events, other_events)
                    )
                    assert shown == other_shown
                    if viewer is not None:
                        assert game.legal_moves(one, viewer) == game.legal_moves(other, viewer)
                for _ in range(10):
                    seat, move = adapter.stray(random, one)
                    if seat in pair.blind:
                        assert list(game.violations(one, seat, move)) == list(game.violations(other, seat, move))
