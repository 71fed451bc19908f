"""Whatever a host may ask for: options are refused by a rule of the game, or a game is dealt and comes to its end."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.chance import SeededChance
from tests.games.cluedo.worlds import choose
from whitehall.games.cluedo.card import suspect
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.core.fault import OptionsError

names = st.lists(st.sampled_from(list("ABCDEFGHIJ")), max_size=9).map(tuple)
overrides = st.builds(
    Overrides,
    board=st.sampled_from([None, None, "mansion", "moon"]),
    movement=st.none() | st.sampled_from(Movement),
    accusations=st.none() | st.sampled_from(AccusationMoment),
    dice=st.none() | st.sampled_from(DiceSource),
    leftovers=st.none() | st.sampled_from(Leftovers),
    neutral_cards=st.none() | st.integers(-1, 20),
    first_dealt=st.none() | st.integers(-1, 6),
    suspects=st.none() | names,
    weapons=st.none() | names,
    locations=st.none() | st.permutations("ABCDEFGHI").map(tuple) | names,
    room_slots=st.none() | st.permutations(range(1, 10)).map(tuple) | st.just((1, 2)),
)
seats = st.none() | st.lists(st.integers(0, 8).map(suspect), max_size=7)


def resolved(players: int, pawns: Any, changes: Overrides) -> CluedoOptions | None:
    """The options, or None where a rule of the game refuses them."""
    try:
        return resolve("james-bond", players, pawns, changes)
    except OptionsError as error:
        if error.rule not in game.rules:
            raise
        return None


@settings(max_examples=300, deadline=None)
@given(players=st.integers(0, 8), pawns=seats, changes=overrides, seed=st.integers(0, 2**32))
def test_options_are_refused_by_a_rule_or_make_a_game(players: int, pawns: Any, changes: Overrides, seed: int) -> None:
    options = resolved(players, pawns, changes)
    if options is not None:
        assert_dealt_and_played(options, seed)


@settings(max_examples=40, deadline=None)
@given(
    players=st.integers(2, 6),
    weapons=st.integers(1, 9),
    leftovers=st.sampled_from(Leftovers),
    slots=st.permutations(range(1, 10)),
    seed=st.integers(0, 2**32),
)
def test_every_deck_that_can_be_dealt_is_dealt_whole_and_its_game_ends(
    players: int, weapons: int, leftovers: Leftovers, slots: list[int], seed: int
) -> None:
    changes = Overrides(
        suspects=tuple(f"Somebody {number}" for number in range(6)),
        weapons=tuple(f"Something {number}" for number in range(weapons)),
        leftovers=leftovers,
        room_slots=tuple(slots),
    )
    assert_dealt_and_played(resolve("james-bond", players, None, changes), seed)


def assert_dealt_and_played(options: CluedoOptions, seed: int) -> None:
    chance, random = SeededChance(seed), Random(seed)
    state, _ = game.setup(options, chance)
    everywhere = [*state.envelope, *state.face_up, *(card for hand in state.hands for card in hand)]
    assert sorted(everywhere) == sorted(options.cards)
    assert tuple(map(len, state.hands)) == options.hand_sizes
    assert max(options.hand_sizes) - min(options.hand_sizes) <= (options.leftovers is Leftovers.DEALT)
    for _ in range(5000):
        if state.outcome is not None:
            return
        seat = game.to_move(state)[0]
        state, _ = game.apply(state, seat, choose(random, game.legal_moves(state, seat), 0.2), chance)
    raise AssertionError("the game does not end")
