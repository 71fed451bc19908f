"""The classic edition: its tables, Mr X's own hand, one deck of start cards, and the log that ends the game."""

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.scenario import ended_by, listed, play, refusal, scene, winner
from whitehall.games.scotland_yard.boards import board
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.options import EndBy, MrXSupply
from whitehall.games.scotland_yard.piece import DETECTIVES
from whitehall.games.scotland_yard.rulebook import (
    DOUBLE_NEEDS_TWO_FIELDS,
    LOG_IS_FULL,
    MR_X_CORNERED,
    TICKET_OF_MR_X,
)
from whitehall.games.scotland_yard.ticket import Station, Tickets, Transport

CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}

# players: detectives, and how many of them each seat of the detective side plays
SEATS = {2: (4, [4]), 3: (4, [2, 2]), 4: (3, [1, 1, 1]), 5: (4, [1, 1, 1, 1]), 6: (5, [1, 1, 1, 1, 1])}

FAR = "red 46, blue 29, green 13"
"""Three detectives, far from the south-west of the board."""


@pytest.mark.parametrize("players", SEATS)
def test_sy06_the_classic_edition_deals_what_its_tables_say(players: int) -> None:
    detectives, seats = SEATS[players]
    options = resolve("classic", players)
    assert options.detectives == DETECTIVES[:detectives]
    assert options.bobbies == ()
    assert [len(seat) for seat in options.seats[1:]] == seats
    assert sorted(sum(options.seats[1:], ())) == list(options.detectives)
    assert not options.pooled
    assert options.hand == Tickets(taxi=10, bus=8, underground=4)
    assert options.black_hand == 0
    assert (options.mr_x_supply, options.supply) == (MrXSupply.FROM_DETECTIVES, (4, 3, 3))
    assert (options.black_tickets, options.double_tickets) == (detectives, 2)
    assert (options.end_by, options.log_fields, options.surfacing) == (EndBy.LOG_FULL, 24, (3, 8, 13, 18, 24))
    assert set(options.start_cards_mr_x) == set(options.start_cards_hunters) == CARDS
    assert options.board.name == "london-classic"


def test_the_hands_of_five_detectives_and_mr_xs_make_up_the_box() -> None:
    options = resolve("classic", 6)
    box = [5 * held + own for held, own in zip(options.hand, options.supply, strict=True)]
    assert box == [54, 43, 23]


def test_the_older_print_has_one_taxi_line_more_than_that_of_2013() -> None:
    older, newer = board("london-classic"), board("london-2013")
    assert set(older.edges[Transport.TAXI]) - set(newer.edges[Transport.TAXI]) == {(13, 14)}
    assert len(older.edges[Transport.TAXI]) == 346
    for transport in (Transport.BUS, Transport.UNDERGROUND, Transport.FERRY):
        assert older.edges[transport] == newer.edges[transport]
    assert older.coordinates == newer.coordinates
    assert older != newer


def test_the_line_of_the_older_print_can_be_ridden_there_and_only_there() -> None:
    older = scene(4, "hunters", "mr_x 170, red 13, blue 29, green 46", preset="classic")
    assert refusal(older, "red taxi 14") is None
    newer = scene(4, "hunters", "mr_x 170, red 13, blue 29, green 46", preset="classic", board="london-2013")
    assert refusal(newer, "red taxi 14") is not None


@pytest.mark.parametrize("seed", range(40))
def test_mr_x_draws_from_the_same_deck_what_the_hunters_have_left(seed: int) -> None:
    state, _ = game.setup(resolve("classic", 6), SeededChance(seed))
    assert {state.mr_x, *state.hunters} <= CARDS
    assert len({state.mr_x, *state.hunters}) == 6


def test_every_card_of_the_deck_can_be_mr_xs() -> None:
    starts = {game.setup(resolve("classic", 4), SeededChance(seed))[0].mr_x for seed in range(400)}
    assert starts == CARDS


def test_what_a_detective_spends_is_mr_xs_from_then_on() -> None:
    state = scene(4, "hunters", f"mr_x 170, {FAR}", preset="classic", supply=(0, 0, 1))
    state, _ = play(state, "red bus 1", "blue taxi 41")
    assert state.supply == Tickets(taxi=1, bus=1, underground=1)
    assert state.hands == (Tickets(10, 7, 4), Tickets(9, 8, 4), Tickets(10, 8, 4))


def test_mr_x_rides_for_a_ticket_of_his_own_only() -> None:
    state = scene(4, "mr_x", f"mr_x 104, {FAR}", preset="classic", supply=(0, 3, 3))
    assert refusal(state, "mr_x taxi 86") is TICKET_OF_MR_X
    assert refusal(state, "mr_x black 86") is None
    state = scene(4, "mr_x", f"mr_x 104, {FAR}", preset="classic", supply=(1, 0, 0))
    state, _ = play(state, "mr_x taxi 86")
    assert state.supply == (0, 0, 0)


def test_t04_without_a_usable_ticket_mr_x_has_lost_unless_a_detective_has_just_given_him_one() -> None:
    places = f"mr_x 104, {FAR}"
    state = scene(4, "mr_x", places, preset="classic", supply=(0, 3, 3), black=0)
    assert (winner(state), ended_by(state)) == ("detectives", MR_X_CORNERED)
    state = scene(4, "hunters", places, preset="classic", supply=(0, 3, 3), black=0, moved="red green")
    state, _ = play(state, "blue taxi 41")
    assert winner(state) is None
    assert [text for text in listed(state, 0) if "double" not in text] == ["mr_x taxi 86", "mr_x taxi 116"]


def test_t14_with_one_field_left_a_double_is_illegal_and_the_last_move_is_answered_before_mr_x_wins() -> None:
    places = f"mr_x 170, {FAR}"
    state = scene(4, "mr_x", places, preset="classic", in_round=23, fields=23, doubles=1)
    assert not [text for text in listed(state, 0) if "double" in text]
    assert refusal(state, "mr_x double taxi 159 taxi 170") is DOUBLE_NEEDS_TWO_FIELDS
    state, _ = play(state, "mr_x taxi 159")
    assert state.moves_made == 24
    assert game.view(state, None).mr_x == 159, "he surfaces in field 24"
    state, _ = play(state, "red taxi 45", "blue taxi 41")
    assert winner(state) is None
    state, _ = play(state, "green taxi 23")
    assert (winner(state), ended_by(state)) == ("mr_x", LOG_IS_FULL)


def test_the_last_reply_may_still_catch_him() -> None:
    state = scene(4, "hunters", "mr_x 2, red 10, blue 29, green 13", preset="classic", in_round=24, fields=24)
    state, _ = play(state, "red taxi 2")
    assert winner(state) == "detectives"


def test_without_doubles_the_game_lasts_24_rounds() -> None:
    state = scene(4, "hunters", f"mr_x 170, {FAR}", preset="classic", in_round=23, moved="red blue")
    state, _ = play(state, "green taxi 23")
    assert (winner(state), state.round, state.moves_made) == (None, 24, 23)
    state, _ = play(state, "mr_x taxi 159", "red taxi 45", "blue taxi 41", "green taxi 22")
    assert ended_by(state) is LOG_IS_FULL


def test_a_double_that_fills_the_log_ends_the_game_two_rounds_early() -> None:
    state = scene(4, "mr_x", f"mr_x 170, {FAR}", preset="classic", in_round=22, fields=22, doubles=1)
    state, _ = play(state, "mr_x double taxi 159 taxi 170", "red taxi 45", "blue taxi 41", "green taxi 23")
    assert (winner(state), ended_by(state), state.round) == ("mr_x", LOG_IS_FULL, 22)


def test_one_person_at_a_table_for_two_moves_all_four_detectives_each_by_its_own_tickets() -> None:
    state = scene(2, "hunters", f"mr_x 170, {FAR}, yellow 141", preset="classic", hands={"red": (0, 0, 0)})
    assert refusal(state, "red taxi 45", seat=1) is not None
    assert refusal(state, "yellow taxi 142", seat=1) is None
    assert game.to_move(state) == (1,)


def test_start_cards_are_stations_of_the_board() -> None:
    assert {Station(card) for card in CARDS} <= set(board("london-classic").stations)
