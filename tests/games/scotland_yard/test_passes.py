"""Passes: forced, never chosen.

A hunter without a usable ticket may pass at once; one that only stands in the others' way waits for them.
"""

from tests.games.scotland_yard.scenario import listed, play, refusal, refusals, scene, station_of, winner
from whitehall.games.scotland_yard.events import HunterPassed, HunterTravelled, PassReason
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    BLOCKED_WAITS,
    FREE_STATION,
    MR_X_NEVER_PASSES,
    PASS_IS_FORCED,
    TICKET_IN_HAND,
)
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


def test_t18_a_detective_without_a_usable_ticket_must_pass_stays_and_blocks_while_the_others_play_on() -> None:
    """Red stands on 2, where only taxis stop, with bus and underground tickets left."""
    state = scene(3, "hunters", "mr_x 170, red 2, blue 10, bobby1 13, bobby2 141", hands={"red": (0, 8, 4)})
    assert [text for text in listed(state, 1) if text.startswith("red")] == ["red pass"]
    assert refusal(state, "red taxi 20") is TICKET_IN_HAND
    assert refusal(state, "blue taxi 2") is FREE_STATION

    after, events = play(state, "red pass")
    assert events == [HunterPassed(Piece.RED, PassReason.NO_TICKET)]
    assert after.phase is Phase.HUNTERS
    after, _ = play(after, "blue taxi 21", "bobby1 taxi 23", "bobby2 taxi 133")
    assert (after.phase, after.round, station_of(after, "red")) == (Phase.MR_X, 2, 2)
    assert after.hands == (Tickets(0, 8, 4), Tickets(10, 8, 4))


def test_a_pass_that_nobody_sent_is_filled_in_when_nothing_else_is_left() -> None:
    state = scene(3, "hunters", "mr_x 170, red 2, blue 10, bobby1 13, bobby2 141", hands={"red": (0, 8, 4)})
    state, events = play(state, "bobby1 taxi 23", "bobby2 taxi 133", "blue taxi 21")
    assert events[-2:] == [
        HunterTravelled(Piece.BLUE, Ticket.TAXI, Station(21)),
        HunterPassed(Piece.RED, PassReason.NO_TICKET),
    ]
    assert (state.phase, state.round) == (Phase.MR_X, 2)


def test_t19_a_detective_boxed_in_by_colleagues_who_have_yet_to_move_may_not_pass() -> None:
    state = scene(6, "hunters", "mr_x 170, red 2, blue 10, green 20, yellow 34, purple 9")
    assert refusals(state, "red pass") == {BLOCKED_WAITS}
    assert not [text for text in listed(state, 1) if text.startswith("red")]


def test_t19_t43_once_a_colleague_has_left_the_detective_must_move() -> None:
    state = scene(6, "hunters", "mr_x 170, red 2, blue 10, green 20, yellow 34, purple 9")
    state, _ = play(state, "blue taxi 11")
    assert refusals(state, "red pass") == {PASS_IS_FORCED}
    assert listed(state, 1) == ["red taxi 10"]


def test_t19_a_detective_whose_neighbours_stay_taken_passes_and_keeps_its_tickets_for_later_rounds() -> None:
    """Blue and green leave, yellow and purple take their places: to block a colleague so is legal."""
    state = scene(6, "hunters", "mr_x 170, red 2, blue 10, green 20, yellow 34, purple 9")
    state, events = play(state, "blue taxi 11", "yellow taxi 10", "green taxi 33", "purple taxi 20")
    assert events[-1] == HunterPassed(Piece.RED, PassReason.BLOCKED)
    assert (winner(state), state.phase, state.round) == (None, Phase.MR_X, 2)
    assert state.hands[0] == Tickets(11, 8, 4)

    state, _ = play(state, "mr_x taxi 159", "yellow taxi 21", "red taxi 10")
    assert station_of(state, "red") == 10
    assert state.hands[0] == Tickets(10, 8, 4)


def test_t20_a_detective_may_not_stay_to_guard_a_station() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 29, bobby1 13, bobby2 141")
    assert refusals(state, "red pass") == {PASS_IS_FORCED}
    assert refusals(state, "bobby1 pass") == {PASS_IS_FORCED}


def test_t43_a_pass_is_refused_while_a_colleague_could_still_move_out_of_the_way() -> None:
    """A Bobby and a detective box red in; the Bobby has moved already, blue has not."""
    state = scene(3, "hunters", "mr_x 170, red 104, blue 86, bobby1 116, bobby2 141", moved="bobby1 bobby2")
    assert refusals(state, "red pass") == {BLOCKED_WAITS}
    state, _ = play(state, "blue bus 52")
    assert refusals(state, "red pass") == {PASS_IS_FORCED}
    assert listed(state, 1) == ["red taxi 86"]


def test_a_bobby_boxed_in_on_all_sides_waits_and_then_passes() -> None:
    state = scene(3, "hunters", "mr_x 170, red 85, blue 116, bobby1 104, bobby2 86", moved="red blue bobby2")
    assert (state.phase, state.round) == (Phase.MR_X, 2)  # its pass was due at once

    state = scene(3, "hunters", "mr_x 170, red 85, blue 116, bobby1 104, bobby2 86", moved="blue bobby2")
    assert refusals(state, "bobby1 pass") == {BLOCKED_WAITS}
    state, events = play(state, "red taxi 103")
    assert events[-1] == HunterPassed(Piece.BOBBY1, PassReason.BLOCKED)


def test_a_detective_that_is_out_of_tickets_passes_for_that_reason_even_when_it_is_boxed_in_too() -> None:
    state = scene(
        3,
        "hunters",
        "mr_x 170, red 104, blue 86, bobby1 116, bobby2 141",
        hands={"red": (0, 8, 4)},
        moved="bobby1 bobby2",
    )
    assert refusal(state, "red pass") is None
    _, events = play(state, "red pass")
    assert events == [HunterPassed(Piece.RED, PassReason.NO_TICKET)]


def test_mr_x_never_passes() -> None:
    state = scene(3, "mr_x", "mr_x 170, red 104, blue 29, bobby1 13, bobby2 141")
    assert refusal(state, "mr_x pass", seat=0) is MR_X_NEVER_PASSES
