"""Options and house rules by name: what each one changes, and which ones cannot be together."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.chance import SeededChance
from tests.games.scotland_yard.changes import LONGEST, any_changes
from tests.games.scotland_yard.scenario import ended_by, listed, play, refusal, scene, winner
from whitehall.cli.scotland_yard import ScotlandYardFrontend
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.options import PLENTY, EndBy, MrXSupply, ScotlandYardOptions, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import RANGES, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Ticket, Tickets
from whitehall.games.scotland_yard.wire.views import write_view
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2

slow = pytest.mark.slow
thorough = pytest.param(10_000, id="thorough", marks=[slow, pytest.mark.timeout(900)])
FAR = "red 46, blue 29, bobby1 13, bobby2 141"
NOTHING = (0, 0, 0)
CHOICE = {"start_by": StartBy.CHOICE}
DISTRIBUTION = {"start_by": StartBy.DISTRIBUTION}


def changed(preset: str = "new", players: int = 3, /, **changes: Any) -> ScotlandYardOptions:
    return resolve(preset, players, changes=Overrides(**changes))


@pytest.mark.parametrize("preset", PRESETS)
def test_without_changes_a_preset_is_itself(preset: str) -> None:
    assert changed(preset) == resolve(preset, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rounds", 5),
        ("log_fields", 40),
        ("surfacing", (1, 2, 24)),
        ("surfacing", (3, 8, 13, 18)),
        ("surfacing", ()),
        ("black_tickets", 0),
        ("black_tickets", 9),
        ("double_tickets", 0),
        ("double_tickets", 1),
        ("start_cards_mr_x", (1, 2)),
        ("start_cards_hunters", (13, 26, 29, 34)),
        ("stuck_scope", StuckScope.ALL_HUNTERS),
        ("last_black_wins", True),
    ],
)
def test_an_option_takes_the_place_of_the_presets_number_and_changes_nothing_else(name: str, value: object) -> None:
    options, usual = changed(**{name: value}), resolve("new", 3)
    assert getattr(options, name) == value
    for other in ("rounds", "log_fields", "surfacing", "hand", "supply", "black_tickets", "double_tickets", "bobbies"):
        if other != name:
            assert getattr(options, other) == getattr(usual, other)


# ---- tickets


def test_detective_tickets_come_out_of_the_box() -> None:
    options = changed(detective_tickets=Tickets(10, 8, 4))
    assert options.hand == (10, 8, 4)
    assert options.supply == Tickets(57 - 20, 45 - 16, 23 - 8)


def test_box_tickets_make_a_greater_supply() -> None:
    assert changed(box_tickets=Tickets(62, 49, 25)).supply == Tickets(40, 33, 17)


def test_two_player_pool_is_the_shared_hand_itself() -> None:
    options = changed("new", 2, two_player_pool=Tickets(20, 16, 8))
    assert (options.hand, options.supply) == ((20, 16, 8), (37, 29, 15))


def test_detective_tickets_fill_a_shared_hand_twice_over() -> None:
    assert changed("new", 2, detective_tickets=Tickets(9, 7, 3)).hand == (18, 14, 6)


def test_an_unlimited_supply_never_changes() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", mr_x_supply=MrXSupply.UNLIMITED)
    assert state.supply == PLENTY
    state, _ = play(state, "mr_x double taxi 159 taxi 170", "red taxi 45", "blue bus 42")
    assert state.supply == PLENTY
    assert state.hands == (Tickets(10, 8, 4), Tickets(11, 7, 4))


EVERY_TICKET = Overrides(
    detective_tickets=Tickets(0, 0, 0), detective_black_tickets=5, box_tickets=Tickets(999, 999, 999)
)
"""All that a supply can hold: as many tickets as stand for one without an end."""


@pytest.mark.parametrize(
    ("changes", "told"), [(EVERY_TICKET, [999] * 3), (Overrides(mr_x_supply=MrXSupply.UNLIMITED), None)]
)
def test_a_supply_is_told_where_it_has_an_end_however_much_it_holds(changes: Overrides, told: list[int] | None) -> None:
    state, _ = game.setup(resolve("new", 3, changes=changes), SeededChance(1))
    view = write_view(game.view(state, Seat(1)))
    supplies = [view.supply if view.HasField("supply") else None]
    supplies += [start.supply if start.HasField("supply") else None for start in view.round_starts]
    assert [supply and [supply.taxi, supply.bus, supply.underground] for supply in supplies] == [told] * 2
    table = "\n".join(ScotlandYardFrontend.table(game_pb2.Game(view=view)))
    assert ("taxi 999  bus 999  underground 999" if told else "has no end") in table
    assert ("taxi 0  bus 0  underground 0  black 5" if told else "taxi 11  bus 8  underground 4") in table


def test_an_unlimited_supply_pays_for_a_double_in_the_first_round_of_a_game_for_six() -> None:
    """The finite one of that game holds two taxi tickets, and after two doubles none."""
    places = "mr_x 170, red 46, blue 29, green 13, yellow 141, purple 94"
    state = scene(6, "mr_x", places, mr_x_supply=MrXSupply.UNLIMITED)
    assert refusal(state, "mr_x double taxi 159 taxi 170") is None


def test_mr_x_supply_from_detectives_gives_him_a_hand_in_any_edition() -> None:
    options = changed(mr_x_supply=MrXSupply.FROM_DETECTIVES, mr_x_hand=Tickets(4, 3, 3))
    assert options.supply == (4, 3, 3)


def test_a_finite_supply_in_the_classic_edition_is_what_its_box_leaves() -> None:
    assert changed("classic", 4, mr_x_supply=MrXSupply.FINITE).supply == Tickets(24, 19, 11)


# ---- pieces


@pytest.mark.parametrize(("preset", "bobbies"), [("new", 0), ("new", 1), ("new", 2), ("classic", 2)])
def test_bobbies_are_as_many_as_asked_for(preset: str, bobbies: int) -> None:
    options = changed(preset, 4, bobbies=bobbies)
    assert len(options.bobbies) == bobbies
    assert len(game.setup(options, SeededChance(1))[0].hunters) == len(options.detectives) + bobbies


def test_t21_only_bobbies_can_ride_and_the_options_say_whether_that_ends_the_game() -> None:
    hands = {"red": NOTHING, "blue": NOTHING}
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", hands=hands)
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.DETECTIVES_IMMOBILE)
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", hands=hands, stuck_scope=StuckScope.ALL_HUNTERS)
    assert winner(state) is None
    state, _ = play(state, "mr_x taxi 159", "bobby1 taxi 23", "bobby2 taxi 142")
    assert (winner(state), state.round) == (None, 2)


def test_without_bobbies_all_hunters_are_the_detectives() -> None:
    hands = {"red": NOTHING, "blue": NOTHING, "green": NOTHING}
    places = "mr_x 170, red 46, blue 29, green 13"
    state = scene(4, "mr_x", places, hands=hands, preset="classic", stuck_scope=StuckScope.ALL_HUNTERS)
    assert ended_by(state) is rulebook.DETECTIVES_IMMOBILE


def test_one_detective_who_can_ride_keeps_the_game_going() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", hands={"red": NOTHING})
    assert winner(state) is None


# ---- detectives' black tickets


def test_detective_black_tickets_are_so_many_for_each_piece() -> None:
    assert changed(detective_black_tickets=2).black_hand == 2
    assert changed("new", 2, detective_black_tickets=2).black_hand == 4
    assert resolve("new", 3).black_hand == 0


def test_a_detectives_black_ticket_rides_every_land_line_and_leaves_the_game() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}", detective_black_tickets=1)
    for there in (45, 58, 79):
        assert refusal(state, f"red black {there}") is None
    after, _ = play(state, "red black 79")
    assert after.black_hands == (0, 1)
    assert after.hands == state.hands
    assert (after.supply, after.black_tickets) == (state.supply, state.black_tickets)
    assert game.view(after, None).hunters[0].black_tickets == 0
    after = scene(3, "hunters", f"mr_x 170, {FAR}", detective_black_tickets=1, blacks={"red": 0})
    assert refusal(after, "red black 79") is rulebook.TICKET_IN_HAND


def test_a_detectives_black_ticket_pays_for_no_ferry_and_a_bobby_has_none() -> None:
    state = scene(3, "hunters", "mr_x 2, red 157, blue 29, bobby1 194, bobby2 141", detective_black_tickets=1)
    assert refusal(state, "red black 115") is rulebook.FERRY_FOR_BLACK
    assert not [text for text in listed(state, 1) if text in ("red black 115", "red black 194")]
    assert refusal(state, "red black 133") is None
    assert refusal(state, "bobby1 black 192") is rulebook.BLACK_FOR_MR_X


def test_sy06_a_detective_without_the_house_rule_has_no_black_ticket() -> None:
    for preset, places in (("new", f"mr_x 170, {FAR}"), ("classic", "mr_x 170, red 46, blue 29, green 13")):
        state = scene(3 if preset == "new" else 4, "hunters", places, preset=preset)
        assert refusal(state, "red black 79") is rulebook.BLACK_FOR_MR_X
        assert {hunter.black_tickets for hunter in game.view(state, None).hunters} == {0}


def test_a_black_ticket_keeps_a_detective_mobile() -> None:
    hands = {"red": NOTHING, "blue": NOTHING}
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", hands=hands, detective_black_tickets=1)
    assert winner(state) is None
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", hands=hands, detective_black_tickets=1, blacks={"red": 0, "blue": 0})
    assert ended_by(state) is rulebook.DETECTIVES_IMMOBILE


# ---- how it ends


def test_last_black_wins_after_the_hunters_reply() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", black=1, last_black_wins=True)
    state, _ = play(state, "mr_x black 159", "red taxi 45", "blue taxi 41", "bobby1 taxi 23")
    assert winner(state) is None
    state, _ = play(state, "bobby2 taxi 142")
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.LAST_BLACK_SPENT)


def test_a_capture_in_reply_to_the_last_black_ticket_wins_for_the_detectives() -> None:
    state = scene(3, "mr_x", "mr_x 2, red 9, blue 29, bobby1 13, bobby2 141", black=1, last_black_wins=True)
    state, _ = play(state, "mr_x black 20", "red taxi 20")
    assert winner(state) == "detectives"


def test_by_the_book_the_last_black_ticket_wins_nothing() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", black=1)
    state, _ = play(state, "mr_x black 159", "red taxi 45", "blue taxi 41", "bobby1 taxi 23", "bobby2 taxi 142")
    assert winner(state) is None


def test_end_by_log_full_in_the_new_edition_takes_two_rounds_more() -> None:
    options = changed(end_by=EndBy.LOG_FULL)
    assert (options.rounds, options.log_fields) == (24, 24)


def test_end_by_rounds_in_the_classic_edition_ends_after_them() -> None:
    options = changed("classic", end_by=EndBy.ROUNDS, rounds=22)
    assert (options.end_by, options.rounds, options.log_fields) == (EndBy.ROUNDS, 22, 24)


def test_rounds_end_the_game_when_they_are_over() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}", in_round=5, moved="red blue bobby1", rounds=5)
    state, _ = play(state, "bobby2 taxi 142")
    assert ended_by(state) is rulebook.LAST_ROUND


# ---- house rules with a name


@pytest.mark.parametrize("preset", PRESETS)
def test_fast_is_a_game_of_13_rounds_and_15_fields_that_surfaces_at_3_8_and_13(preset: str) -> None:
    options = changed(preset, house_rules=("fast",))
    assert (options.end_by, options.rounds, options.log_fields) == (EndBy.ROUNDS, 13, 15)
    assert options.surfacing == (3, 8, 13)


@pytest.mark.parametrize("preset", PRESETS)
def test_invisible_mr_x_never_surfaces(preset: str) -> None:
    options = changed(preset, house_rules=("invisible",))
    assert options.surfacing == ()
    usual = resolve(preset, 3)
    assert (options.rounds, options.log_fields) == (usual.rounds, usual.log_fields)


def test_invisible_mr_x_is_seen_by_nobody_until_the_end() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=3, house_rules=("invisible",))
    state, _ = play(state, "mr_x taxi 159")
    assert state.moves_made == 3
    assert game.view(state, None).mr_x is None


def test_house_rules_add_up_and_what_is_set_beside_them_counts_for_more() -> None:
    options = changed(house_rules=("fast", "invisible"))
    assert (options.rounds, options.surfacing) == (13, ())
    options = changed(house_rules=("fast",), rounds=10, surfacing=(5,))
    assert (options.rounds, options.log_fields, options.surfacing) == (10, 15, (5,))


# ---- refusals

OF_TICKETS = ("detective_tickets", "two_player_pool", "box_tickets", "mr_x_hand")


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("end", [0, 1], ids=["below", "above"])
def test_a_number_out_of_its_range_is_refused(name: str, end: int) -> None:
    value = RANGES[name][end] + (1 if end else -1)
    with pytest.raises(OptionsError) as refused:
        changed(**{name: Tickets(0, value, 0) if name in OF_TICKETS else value})
    field = f"overrides.{name}.bus" if name in OF_TICKETS else f"overrides.{name}"
    assert (refused.value.field, refused.value.rule) == (field, rulebook.WITHIN_RANGE)


@pytest.mark.parametrize(
    ("preset", "players", "changes", "field", "rule"),
    [
        ("new", 3, {"house_rules": ("slow",)}, "house_rules[0]", rulebook.KNOWN_HOUSE_RULE),
        ("new", 3, {"house_rules": ("fast", "fast")}, "house_rules[1]", rulebook.KNOWN_HOUSE_RULE),
        ("new", 3, {"board": "paris"}, "board", rulebook.KNOWN_BOARD),
        ("new", 3, {"board": ""}, "board", rulebook.KNOWN_BOARD),
        ("new", 3, {"rounds": 23}, "log_fields", rulebook.LOG_HOLDS_GAME),
        ("new", 3, {"log_fields": 23}, "log_fields", rulebook.LOG_HOLDS_GAME),
        ("new", 3, {"double_tickets": 3}, "log_fields", rulebook.LOG_HOLDS_GAME),
        ("classic", 4, {"end_by": EndBy.ROUNDS}, "log_fields", rulebook.LOG_HOLDS_GAME),
        ("classic", 4, {"rounds": 20}, "rounds", rulebook.OPTION_HAS_EFFECT),
        ("new", 3, {"end_by": EndBy.LOG_FULL, "rounds": 24}, "rounds", rulebook.OPTION_HAS_EFFECT),
        ("new", 3, {"surfacing": (3, 25)}, "surfacing.fields[1]", rulebook.SURFACING_ON_LOG),
        ("new", 3, {"surfacing": (0,)}, "surfacing.fields[0]", rulebook.SURFACING_ON_LOG),
        ("new", 3, {"surfacing": (8, 3)}, "surfacing.fields[1]", rulebook.SURFACING_ON_LOG),
        ("new", 3, {"surfacing": (3, 3)}, "surfacing.fields[1]", rulebook.SURFACING_ON_LOG),
        ("new", 3, {"rounds": 13, "log_fields": 15}, "surfacing.fields[3]", rulebook.SURFACING_ON_LOG),
        ("new", 6, {"detective_tickets": Tickets(12, 8, 4)}, "box_tickets", rulebook.BOX_HOLDS_HANDS),
        ("new", 2, {"two_player_pool": Tickets(58, 0, 0)}, "box_tickets", rulebook.BOX_HOLDS_HANDS),
        ("new", 3, {"two_player_pool": Tickets(20, 16, 8)}, "two_player_pool", rulebook.OPTION_HAS_EFFECT),
        (
            "new",
            2,
            {"two_player_pool": Tickets(20, 16, 8), "detective_tickets": Tickets(10, 8, 4)},
            "detective_tickets",
            rulebook.OPTION_HAS_EFFECT,
        ),
        ("new", 3, {"mr_x_hand": Tickets(4, 3, 3)}, "mr_x_hand", rulebook.OPTION_HAS_EFFECT),
        ("new", 3, {"mr_x_supply": MrXSupply.FROM_DETECTIVES}, "mr_x_hand", rulebook.MR_X_HAND_GIVEN),
        ("classic", 4, {"box_tickets": Tickets(99, 99, 99)}, "box_tickets", rulebook.OPTION_HAS_EFFECT),
        (
            "new",
            3,
            {"mr_x_supply": MrXSupply.UNLIMITED, "box_tickets": Tickets(99, 99, 99)},
            "box_tickets",
            rulebook.OPTION_HAS_EFFECT,
        ),
        ("new", 3, {"black_tickets": 0, "last_black_wins": True}, "last_black_wins", rulebook.BLACK_TO_SPEND),
        ("new", 3, {"start_cards_mr_x": (200,)}, "start_cards_mr_x.stations[0]", rulebook.CARDS_ON_BOARD),
        ("new", 3, {"start_cards_hunters": (1, 2, 3, 3)}, "start_cards_hunters.stations[3]", rulebook.CARDS_ON_BOARD),
        ("new", 3, {"start_cards_hunters": (1, 2, 3)}, "start_cards_hunters", rulebook.CARDS_FOR_ALL),
        ("new", 3, {"start_cards_mr_x": ()}, "start_cards_mr_x", rulebook.CARDS_FOR_ALL),
        ("new", 3, CHOICE | {"start_cards_mr_x": (35,)}, "start_cards_mr_x", rulebook.OPTION_HAS_EFFECT),
        ("new", 3, CHOICE | {"start_cards_hunters": (1, 2, 3, 4)}, "start_cards_hunters", rulebook.OPTION_HAS_EFFECT),
        ("new", 3, DISTRIBUTION | {"start_cards_hunters": (1, 2, 3)}, "start_cards_hunters", rulebook.CARDS_FOR_ALL),
        ("new", 3, {"start_cards_mr_x": (13, 26, 29, 34)}, "start_cards_mr_x", rulebook.CARDS_FOR_ALL),
    ],
)
def test_what_cannot_be_together_is_refused_with_field_and_rule(
    preset: str, players: int, changes: dict[str, Any], field: str, rule: Rule
) -> None:
    with pytest.raises(OptionsError) as refused:
        changed(preset, players, **changes)
    assert (refused.value.field, refused.value.rule) == (f"overrides.{field}", rule)
    assert refused.value.reason


def test_seats_are_checked_against_the_detectives_of_the_preset() -> None:
    with pytest.raises(OptionsError):
        resolve("classic", 4, [(Piece.MR_X,), (Piece.RED, Piece.BLUE)])
    options = resolve("classic", 4, [(Piece.MR_X,), (Piece.RED, Piece.BLUE, Piece.GREEN)])
    assert len(options.seats) == 2


# ---- any options at all


@pytest.mark.parametrize("effort", [pytest.param(400, id="gate"), thorough])
def test_random_options_are_refused_by_a_rule_or_every_game_with_them_ends_within_its_bounds(effort: int) -> None:
    outcomes = set()

    @settings(max_examples=effort, deadline=None, database=None)
    @given(st.randoms(use_true_random=False), st.sampled_from(list(PRESETS)), st.integers(2, 6), st.integers(1, 8))
    def law(random: Random, preset: str, players: int, number: int) -> None:
        changes = any_changes(random, number)
        try:
            options = resolve(preset, players, changes=changes)
        except OptionsError as refusal:
            outcomes.add(refusal.rule)
            return
        assert options.rounds <= LONGEST
        outcomes.add(played_to_the_end(options, random))

    law()
    assert outcomes <= set(rulebook.RULES)
    assert {rulebook.CAPTURE, rulebook.LOG_HOLDS_GAME, rulebook.OPTION_HAS_EFFECT} <= outcomes


def played_to_the_end(options: ScotlandYardOptions, random: Random) -> Rule:
    """Plays random moves and looks, before each, whether every count is one that the options allow."""
    chance = SeededChance(random.randrange(2**32))
    state, _ = game.setup(options, chance)
    actions = 0 if options.master is None else 2 * options.master.actions_per_round
    for _ in range((1 + options.rounds) * (1 + len(options.hunters) + actions) + 1):
        assert_counts(state)
        if state.outcome is not None:
            return state.outcome.rule
        seat = random.choice(game.to_move(state))
        state, _ = game.apply(state, seat, random.choice(game.legal_moves(state, seat)), chance)
    raise AssertionError("the game does not end")


def assert_counts(state: ScotlandYardState) -> None:
    options = state.options
    assert state.round <= options.rounds
    assert state.moves_made <= options.log_fields
    assert min(state.supply) >= 0
    assert 0 <= state.black_tickets <= options.black_tickets
    assert 0 <= state.double_tickets <= options.double_tickets
    assert all(0 <= black <= options.black_hand for black in state.black_hands)
    assert all(0 <= left <= dealt for hand in state.hands for left, dealt in zip(hand, options.hand, strict=True))
    spent = [sum(entry.ticket == ticket for entry in state.log) for ticket in list(Ticket)[:3]]
    held = [sum(counts) for counts in zip(*state.hands, strict=True)]
    if options.supply_changes:
        dealt = [there + options.hands * each for there, each in zip(options.supply, options.hand, strict=True)]
        assert [sum(counts) for counts in zip(spent, held, state.supply, strict=True)] == dealt
    else:
        assert state.supply == PLENTY
