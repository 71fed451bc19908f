"""Whose turn it is: Mr X, then every hunter once in any order. Each seat moves its own pieces, and any the Bobbies."""

import pytest

from tests.games.chance import NoChance
from tests.games.scotland_yard.scenario import listed, play, refusal, refusals, scene, station_of
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Together, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    BATCH_HOLDS_A_MOVE,
    FREE_STATION,
    HUNTERS_ONLY_TOGETHER,
    LINE_OF_TICKET,
    MR_X_THEN_HUNTERS,
    ONE_MOVE_EACH,
    OWN_PIECES,
    PASS_IS_FORCED,
    PIECE_IN_GAME,
)
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station, Ticket

FAR = "red 104, blue 29, bobby1 13, bobby2 141"
FAR_STATIONS = (104, 29, 13, 141)


def test_mr_x_moves_first_and_the_hunters_wait() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}")
    assert game.to_move(state) == (0,)
    assert refusals(state, "red taxi 116") == {MR_X_THEN_HUNTERS}
    assert refusals(state, "bobby1 taxi 23") == {MR_X_THEN_HUNTERS}
    assert listed(state, 1) == listed(state, 2) == []


def test_then_the_hunters_move_and_mr_x_waits() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}")
    assert game.to_move(state) == (1, 2)
    assert refusals(state, "mr_x taxi 159") == {MR_X_THEN_HUNTERS}
    assert listed(state, 0) == []


def test_the_hunters_choose_their_order_afresh_each_round() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}")
    state, _ = play(state, "mr_x taxi 159", "bobby2 taxi 133", "blue taxi 41", "red taxi 116", "bobby1 taxi 23")
    state, _ = play(state, "mr_x taxi 170", "red taxi 104", "bobby1 taxi 13", "bobby2 taxi 141", "blue taxi 29")
    assert (state.phase, state.round) == (Phase.MR_X, 3)


def test_each_hunter_moves_once_in_a_round() -> None:
    state, _ = play(scene(3, "hunters", f"mr_x 170, {FAR}"), "red taxi 116", "bobby1 taxi 23")
    assert refusals(state, "red taxi 104") == {ONE_MOVE_EACH}
    assert refusals(state, "bobby1 taxi 13") == {ONE_MOVE_EACH}
    assert ONE_MOVE_EACH in refusals(state, "red pass")


def test_a_seat_whose_pieces_have_all_moved_waits_for_the_others() -> None:
    state, _ = play(scene(3, "hunters", f"mr_x 170, {FAR}"), "red taxi 116")
    assert game.to_move(state) == (1, 2)  # seat 1 may still move a Bobby
    state, _ = play(state, "bobby1 taxi 23", "bobby2 taxi 133")
    assert game.to_move(state) == (2,)


def test_a_seat_moves_its_own_detectives_only() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}")
    for text, seat in (("red taxi 116", 2), ("blue taxi 41", 1), ("red taxi 116", 0), ("bobby1 taxi 23", 0)):
        assert refusal(state, text, seat=seat) is OWN_PIECES, (text, seat)
    assert OWN_PIECES.permission


def test_any_detective_seat_may_move_the_bobbies() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}")
    for seat in (1, 2):
        assert refusal(state, "bobby1 taxi 23", seat=seat) is None
        assert "bobby2 taxi 133" in listed(state, seat)


def test_in_a_game_for_two_one_seat_plays_all_four_hunters() -> None:
    state = scene(2, "hunters", f"mr_x 170, {FAR}")
    assert game.to_move(state) == (1,)
    assert {text.split()[0] for text in listed(state, 1)} == {"red", "blue", "bobby1", "bobby2"}


def test_a_piece_that_is_not_in_the_game_cannot_move() -> None:
    state = scene(3, "hunters", f"mr_x 170, {FAR}")
    assert PIECE_IN_GAME in refusals(state, "purple taxi 5", seat=1)
    assert PIECE_IN_GAME in refusals(
        scene(4, "hunters", "mr_x 170, red 104, blue 29, green 13, bobby1 141"), "bobby2 taxi 5"
    )


def test_moves_are_listed_by_piece_ticket_and_station() -> None:
    state = scene(3, "hunters", "mr_x 170, red 86, blue 46, bobby1 116, bobby2 141")
    assert listed(state, 1) == [
        "red taxi 69",
        "red taxi 103",
        "red taxi 104",
        "red bus 52",
        "red bus 87",
        "red bus 102",
        "bobby1 taxi 104",
        "bobby1 taxi 117",
        "bobby1 taxi 118",
        "bobby1 taxi 127",
        "bobby1 bus 108",
        "bobby1 bus 127",
        "bobby1 bus 142",
        "bobby2 taxi 133",
        "bobby2 taxi 134",
        "bobby2 taxi 142",
        "bobby2 taxi 158",
    ]


def test_mr_xs_doubles_are_listed_after_his_singles_by_their_first_half() -> None:
    state = scene(3, "mr_x", "mr_x 2, red 104, blue 34, bobby1 13, bobby2 141", supply=(2, 0, 0), black=1)
    assert listed(state, 0) == [
        "mr_x taxi 10",
        "mr_x taxi 20",
        "mr_x black 10",
        "mr_x black 20",
        "mr_x double taxi 10 taxi 2",
        "mr_x double taxi 10 taxi 11",
        "mr_x double taxi 10 taxi 21",
        "mr_x double taxi 10 black 2",
        "mr_x double taxi 10 black 11",
        "mr_x double taxi 10 black 21",
        "mr_x double taxi 20 taxi 2",
        "mr_x double taxi 20 taxi 9",
        "mr_x double taxi 20 taxi 33",
        "mr_x double taxi 20 black 2",
        "mr_x double taxi 20 black 9",
        "mr_x double taxi 20 black 33",
        "mr_x double black 10 taxi 2",
        "mr_x double black 10 taxi 11",
        "mr_x double black 10 taxi 21",
        "mr_x double black 20 taxi 2",
        "mr_x double black 20 taxi 9",
        "mr_x double black 20 taxi 33",
    ]


def test_a_batch_is_made_in_its_order_so_that_one_piece_may_follow_another() -> None:
    state = scene(3, "hunters", "mr_x 170, red 104, blue 29, bobby1 116, bobby2 141")
    batch = "bobby1 taxi 118; red taxi 116; bobby2 taxi 133"
    after, events = play(state, batch)
    assert [station_of(after, piece) for piece in ("bobby1", "red", "bobby2")] == [118, 116, 133]
    assert len(events) == 3
    assert after == play(state, "bobby1 taxi 118", "red taxi 116", "bobby2 taxi 133")[0]
    assert refusal(state, "red taxi 116; bobby1 taxi 118") is FREE_STATION


def test_a_batch_that_completes_the_round_ends_the_hunters_phase() -> None:
    state, _ = play(
        scene(2, "hunters", f"mr_x 170, {FAR}"), "red taxi 116; blue taxi 41; bobby1 taxi 23; bobby2 taxi 133"
    )
    assert (state.phase, state.round) == (Phase.MR_X, 2)


def test_a_batch_is_refused_whole_and_changes_nothing() -> None:
    state = scene(2, "hunters", f"mr_x 170, {FAR}")
    for text, rule in (
        ("red taxi 116; blue taxi 7", LINE_OF_TICKET),
        ("red taxi 116; red taxi 117", ONE_MOVE_EACH),
        ("red taxi 116; blue pass", PASS_IS_FORCED),
    ):
        assert refusal(state, text) is rule, text
    assert refusal(scene(3, "hunters", f"mr_x 170, {FAR}"), "red taxi 116; blue taxi 41") is OWN_PIECES
    assert refusal(scene(2, "mr_x", f"mr_x 170, {FAR}"), "red taxi 116; blue taxi 41") is MR_X_THEN_HUNTERS


def test_a_batch_holds_at_least_one_move() -> None:
    state = scene(2, "hunters", f"mr_x 170, {FAR}")
    found = game.check(state, Seat(1), Together(()))
    assert found is not None
    assert found.rule is BATCH_HOLDS_A_MOVE


def test_mr_x_does_not_move_in_batches() -> None:
    move = Together((Travel(Piece.MR_X, Ticket.TAXI, Station(159)),))
    state = scene(3, "mr_x", f"mr_x 170, {FAR}")
    found = game.check(state, Seat(0), move)
    assert found is not None
    assert found.rule is HUNTERS_ONLY_TOGETHER


def test_moves_after_a_capture_in_the_same_batch_are_dropped() -> None:
    state = scene(2, "hunters", f"mr_x 116, {FAR}")
    after, events = play(state, "blue taxi 41; red taxi 116; bobby1 taxi 23; bobby2 taxi 133")
    assert [type(event).__name__ for event in events] == [
        "HunterTravelled",
        "HunterTravelled",
        "MrXCaught",
        "GameEnded",
    ]
    assert [station_of(after, piece) for piece in ("blue", "red", "bobby1", "bobby2")] == [41, 116, 13, 141]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("red taxi 116; blue taxi 7", LINE_OF_TICKET),
        ("blue taxi 7; red taxi 116", LINE_OF_TICKET),
        ("red taxi 116; bobby1 taxi 23; blue pass", PASS_IS_FORCED),
        ("red taxi 116; red taxi 104", ONE_MOVE_EACH),
    ],
)
def test_t44_a_capture_guess_with_an_illegal_move_in_one_batch_is_refused_whole_wherever_mr_x_stands(
    text: str, rule: object
) -> None:
    answers = set()
    for station in range(1, 200):
        if station in FAR_STATIONS:
            continue
        state = scene(2, "hunters", f"mr_x {station}, {FAR}")
        move = notation.parse(text)
        found = list(game.violations(state, Seat(1), move))
        assert found[0].rule is rule
        answers.add(tuple((violation.rule.id, tuple(sorted(violation.details.items()))) for violation in found))
        assert refusal(state, text) is rule
    assert len(answers) == 1


def test_t44_what_hunters_may_do_is_the_same_wherever_mr_x_stands() -> None:
    lists = set()
    for station in range(1, 200):
        if station not in FAR_STATIONS:
            state = scene(3, "hunters", f"mr_x {station}, {FAR}")
            lists.add((game.to_move(state), *(tuple(listed(state, seat)) for seat in (0, 1, 2))))
    assert len(lists) == 1


def test_a_legal_batch_is_legal_wherever_mr_x_stands_and_needs_no_chance() -> None:
    move = notation.parse("red taxi 116; blue taxi 41; bobby1 taxi 23; bobby2 taxi 133")
    for station in range(1, 200):
        if station not in FAR_STATIONS:
            state = scene(2, "hunters", f"mr_x {station}, {FAR}")
            assert game.check(state, Seat(1), move) is None
            after, _ = game.apply(state, Seat(1), move, NoChance())
            assert (after.phase is Phase.OVER) is (station in {116, 41, 23, 133})
