"""Tickets: whose they are, what they pay for, where they go."""

from tests.games.scotland_yard.scenario import (
    listed,
    play,
    refusal,
    refusals,
    scene,
    shuttle,
    shuttle_scene,
    winner,
)
from whitehall.games.scotland_yard.events import HunterPassed, PassReason
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    BLACK_FOR_MR_X,
    BLACK_LEFT,
    FERRY_FOR_BLACK,
    TICKET_IN_HAND,
    TICKET_IN_SUPPLY,
)
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Tickets

FAR = "red 104, blue 29, bobby1 13, bobby2 141"


def singles(moves: list[str]) -> list[str]:
    return [text for text in moves if "double" not in text]


def test_t03_surrounded_on_194_mr_x_must_take_the_ferry_with_a_black_ticket() -> None:
    around = "red 192, blue 193, bobby1 195, bobby2 13"
    state = scene(3, "mr_x", f"mr_x 194, {around}")
    assert singles(listed(state, 0)) == ["mr_x black 157"]
    assert all(text.startswith("mr_x double black 157 ") for text in listed(state, 0)[1:])
    assert winner(scene(3, "mr_x", f"mr_x 194, {around}", black=0)) == "detectives"


def test_the_ferry_takes_black_tickets_only() -> None:
    state = scene(3, "mr_x", f"mr_x 194, {FAR}")
    assert refusal(state, "mr_x taxi 157") is FERRY_FOR_BLACK
    assert refusal(state, "mr_x black 157") is None
    assert refusal(state, "mr_x double black 157 bus 185") is None
    assert refusal(state, "mr_x double taxi 192 taxi 194") is None
    assert refusal(state, "mr_x double black 157 taxi 115") is FERRY_FOR_BLACK


def test_sy10_a_black_ticket_pays_for_every_line_and_each_station_is_listed_once() -> None:
    """From 1: taxi to 8 and 9, bus to 46 and 58, underground to 46 again. From 115 the ferry as well."""
    by_land = scene(3, "mr_x", f"mr_x 1, {FAR}")
    assert [text for text in singles(listed(by_land, 0)) if "black" in text] == [
        "mr_x black 8",
        "mr_x black 9",
        "mr_x black 46",
        "mr_x black 58",
    ]
    by_river = scene(3, "mr_x", f"mr_x 115, {FAR}")
    black = [int(text.split()[-1]) for text in singles(listed(by_river, 0)) if "black" in text]
    assert black == [102, 108, 114, 126, 127, 157]


def test_a_black_ticket_is_mr_xs_own_and_leaves_the_supply_alone() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}")
    after, _ = play(state, "mr_x black 1")
    assert after.black_tickets == state.black_tickets - 1
    assert after.supply == state.supply


def test_without_black_tickets_none_can_be_spent() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}", black=0)
    assert refusals(state, "mr_x black 1") == {BLACK_LEFT}
    assert not [text for text in listed(state, 0) if "black" in text]


def test_sy06_hunters_have_no_black_tickets() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}")
    assert refusal(state, "red black 116") is BLACK_FOR_MR_X
    assert refusal(state, "bobby1 black 23") is BLACK_FOR_MR_X
    assert (
        refusal(scene(3, "hunters", "mr_x 170, red 157, blue 29, bobby1 13, bobby2 141"), "red black 115")
        is BLACK_FOR_MR_X
    )


def test_mr_x_takes_normal_tickets_from_the_common_supply_and_they_stay_on_his_log() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}", supply=(24, 21, 11))
    for text, left in (
        ("mr_x taxi 47", Tickets(23, 21, 11)),
        ("mr_x bus 1", Tickets(24, 20, 11)),
        ("mr_x underground 1", Tickets(24, 21, 10)),
        ("mr_x double bus 1 bus 46", Tickets(24, 19, 11)),
    ):
        after, _ = play(state, text)
        assert after.supply == left, text


def test_detectives_tickets_go_to_the_supply_and_bobbies_spend_none() -> None:
    state = scene(3, "hunters", "mr_x 170, red 86, blue 46, bobby1 13, bobby2 141", supply=(1, 1, 1))
    after, _ = play(state, "red bus 116", "bobby1 underground 89", "blue underground 79", "bobby2 taxi 133")
    assert after.hands == (Tickets(11, 7, 4), Tickets(11, 8, 3))
    assert after.supply == Tickets(1, 2, 2)


def test_an_empty_supply_cannot_be_drawn_from() -> None:
    state = scene(3, "mr_x", f"mr_x 46, {FAR}", supply=(0, 5, 0))
    assert refusals(state, "mr_x taxi 47") == {TICKET_IN_SUPPLY}
    assert refusals(state, "mr_x underground 1") == {TICKET_IN_SUPPLY}
    assert refusal(state, "mr_x double bus 1 taxi 8") in {TICKET_IN_SUPPLY}
    assert refusal(state, "mr_x bus 1") is None


def test_t28_with_five_detectives_a_double_by_taxi_empties_the_supply_until_one_of_them_rides_a_taxi() -> None:
    state = scene(6, "mr_x", "mr_x 35, red 13, blue 29, green 34, yellow 94, purple 123")
    assert state.supply == Tickets(2, 5, 3)
    state, _ = play(state, "mr_x double taxi 36 taxi 37")
    assert state.supply == Tickets(0, 5, 3)

    by_bus, _ = play(state, "red bus 52", "blue bus 42", "green bus 63", "yellow bus 74", "purple bus 144")
    assert (by_bus.phase, by_bus.supply) == (Phase.MR_X, Tickets(0, 10, 3))
    assert refusals(by_bus, "mr_x taxi 50") == {TICKET_IN_SUPPLY}

    by_taxi, _ = play(state, "red bus 52", "blue taxi 41", "green bus 63", "yellow bus 74", "purple bus 144")
    assert by_taxi.supply == Tickets(1, 9, 3)
    assert refusal(by_taxi, "mr_x taxi 50") is None


def test_a_detective_without_a_ticket_of_that_kind_cannot_ride() -> None:
    state = scene(3, "hunters", "mr_x 170, red 86, blue 29, bobby1 13, bobby2 141", hands={"red": (3, 0, 4)})
    assert refusals(state, "red bus 116") == {TICKET_IN_HAND}
    assert refusal(state, "red taxi 104") is None


def test_t26_detectives_do_not_share_tickets() -> None:
    """Blue has taxi tickets to spare; red, who has none, cannot ride on them, and blue's ride costs blue alone."""
    state = scene(3, "hunters", "mr_x 170, red 86, blue 29, bobby1 13, bobby2 141", hands={"red": (0, 2, 2)})
    assert refusals(state, "red taxi 104") == {TICKET_IN_HAND}
    after, _ = play(state, "blue taxi 41")
    assert after.hands == (Tickets(0, 2, 2), Tickets(10, 8, 4))


def test_t24_two_players_have_one_pool_from_which_one_piece_may_ride_fifteen_taxis() -> None:
    state, _ = shuttle(shuttle_scene(), 15)
    assert state.hands == (Tickets(22 - 15, 16 - 15, 8),)
    state, _ = play(state, "mr_x taxi 170")
    assert refusal(state, "red taxi 104") is None
    assert refusal(state, "blue bus 46") is None


def test_t24_two_players_are_immobile_only_when_the_pool_is_of_no_use_to_either_piece() -> None:
    """Red stands on 104, where only taxis stop; blue on 46 with the underground, whose tickets are in the pool."""
    bobbies = "bobby1 13, bobby2 141"
    two = scene(
        2, "hunters", f"mr_x 170, red 104, blue 46, {bobbies}", hands={"pool": (0, 0, 2)}, moved="bobby1 bobby2"
    )
    after, _ = play(two, "blue underground 74")
    assert (winner(after), after.phase) == (None, Phase.MR_X)
    one = scene(
        2, "hunters", f"mr_x 170, red 104, blue 46, {bobbies}", hands={"pool": (0, 0, 1)}, moved="bobby1 bobby2"
    )
    after, _ = play(one, "blue underground 74")
    assert winner(after) == "mr_x"


def test_t41_when_one_piece_spends_the_pools_last_taxi_ticket_the_other_must_pass() -> None:
    """Blue's only lines are taxi lines. Red ends on a bus stop, so the detectives are not immobile."""
    state = scene(
        2,
        "hunters",
        "mr_x 170, red 104, blue 2, bobby1 13, bobby2 141",
        hands={"pool": (1, 1, 0)},
        moved="bobby1 bobby2",
    )
    assert refusal(state, "blue taxi 10") is None
    after, events = play(state, "red taxi 86")
    assert events[-1] == HunterPassed(Piece.BLUE, PassReason.NO_TICKET)
    assert (winner(after), after.phase, after.round) == (None, Phase.MR_X, 2)
    assert after.hands == (Tickets(0, 1, 0),)


def test_t41_with_bobbies_still_to_move_the_other_piece_may_pass_at_once() -> None:
    state = scene(2, "hunters", "mr_x 170, red 104, blue 2, bobby1 13, bobby2 141", hands={"pool": (1, 1, 0)})
    state, _ = play(state, "red taxi 86")
    assert refusals(state, "blue taxi 10") == {TICKET_IN_HAND}
    assert refusal(state, "blue pass") is None
