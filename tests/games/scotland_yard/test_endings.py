"""How a game ends: capture, a cornered Mr X, immobile detectives, or the last round; in the order of time."""

from tests.games.scotland_yard.scenario import (
    ended_by,
    listed,
    play,
    refusal,
    scene,
    shuttle,
    shuttle_scene,
    station_of,
    winner,
)
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.events import (
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MrXCaught,
    MrXTravelled,
    PassReason,
)
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    CAPTURE,
    DETECTIVES_IMMOBILE,
    GAME_IS_OVER,
    LAST_ROUND,
    MR_X_CORNERED,
)
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket

NOTHING = (0, 0, 0)
FAR = "red 104, blue 29, bobby1 13, bobby2 141"


def assert_over(state: ScotlandYardState) -> None:
    assert state.phase is Phase.OVER
    assert game.to_move(state) == ()
    assert all(not listed(state, seat) for seat in range(len(state.options.seats)))
    assert refusal(state, "mr_x taxi 1", seat=0) is GAME_IS_OVER
    assert refusal(state, "red taxi 1", seat=1) is GAME_IS_OVER


def test_t01_sy14_mr_x_surrounded_on_his_turn_has_lost() -> None:
    state = scene(3, "mr_x", "mr_x 2, red 10, blue 20, bobby1 13, bobby2 141")
    assert (winner(state), ended_by(state)) == ("detectives", MR_X_CORNERED)
    assert_over(state)


def test_t02_bobbies_surround_as_well_as_detectives() -> None:
    state = scene(3, "mr_x", "mr_x 104, red 86, blue 29, bobby1 116, bobby2 141")
    assert (winner(state), ended_by(state)) == ("detectives", MR_X_CORNERED)


def test_mr_x_is_cornered_only_once_his_own_turn_has_come() -> None:
    """The ring closes with the second hunter's move; the others still move, and one of them may open it again."""
    closing = scene(3, "hunters", "mr_x 2, red 10, blue 9, bobby1 13, bobby2 141", moved="red")
    state, _ = play(closing, "blue taxi 20")
    assert (winner(state), state.phase) == (None, Phase.HUNTERS)
    state, events = play(state, "bobby1 taxi 23", "bobby2 taxi 133")
    assert events[-1] == GameEnded(Outcome((Seat(1), Seat(2)), MR_X_CORNERED))
    assert winner(state) == "detectives"


def test_t04_out_of_usable_tickets_mr_x_has_lost_unless_a_detective_puts_one_in_the_supply() -> None:
    """Mr X stands on 104 between free stations, has no black ticket, and the supply holds no taxi ticket."""
    hunters = "red 46, blue 29, bobby1 13, bobby2 141"
    state = scene(3, "mr_x", f"mr_x 104, {hunters}", supply=(0, 5, 5), black=0)
    assert (winner(state), ended_by(state)) == ("detectives", MR_X_CORNERED)

    state = scene(3, "hunters", f"mr_x 104, {hunters}", supply=(0, 5, 5), black=0, moved="red bobby1 bobby2")
    by_bus, _ = play(state, "blue bus 42")
    assert (winner(by_bus), ended_by(by_bus)) == ("detectives", MR_X_CORNERED)
    by_taxi, _ = play(state, "blue taxi 41")
    assert winner(by_taxi) is None
    assert [text for text in listed(by_taxi, 0) if "double" not in text] == ["mr_x taxi 86", "mr_x taxi 116"]


def test_t13_after_a_double_in_round_22_the_hunters_move_once_and_the_game_ends() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=22)
    state, _ = play(state, "mr_x double taxi 159 taxi 170", "red taxi 116", "blue taxi 41", "bobby1 taxi 24")
    assert winner(state) is None
    state, _ = play(state, "bobby2 taxi 133")
    assert (winner(state), ended_by(state)) == ("mr_x", LAST_ROUND)
    assert_over(state)


def test_t15_sy14_uncaught_after_the_hunters_22nd_moves_mr_x_has_won_and_surfaced_four_times() -> None:
    state, before = shuttle(shuttle_scene(), 21)
    assert (winner(state), state.round) == (None, 22)
    state, last = play(state, "mr_x taxi 170", "red taxi 104", "blue underground 46", "bobby1 taxi 2")
    assert winner(state) is None
    state, end = play(state, "bobby2 taxi 5")
    assert end[-1] == GameEnded(Outcome((Seat(0),), LAST_ROUND))
    assert_over(state)
    surfacings = [event.number for event in before + last if isinstance(event, MrXTravelled) and event.surfaced]
    assert surfacings == [3, 8, 13, 18]
    assert state.moves_made == 22


def test_t16_the_last_hunter_may_still_catch_mr_x_in_round_22() -> None:
    state = scene(3, "hunters", f"mr_x 142, {FAR}", in_round=22, moved="red blue bobby1")
    state, events = play(state, "bobby2 taxi 142")
    assert events[-1] == GameEnded(Outcome((Seat(1), Seat(2)), CAPTURE))
    assert (winner(state), ended_by(state)) == ("detectives", CAPTURE)


def test_t17_a_capture_by_the_first_of_four_hunters_ends_the_game_at_once() -> None:
    state = scene(3, "hunters", f"mr_x 116, {FAR}")
    state, events = play(state, "red taxi 116")
    assert events == [
        HunterTravelled(Piece.RED, Ticket.TAXI, Station(116)),
        MrXCaught(Piece.RED, Station(116)),
        GameEnded(Outcome((Seat(1), Seat(2)), CAPTURE)),
    ]
    assert (winner(state), ended_by(state)) == ("detectives", CAPTURE)
    assert_over(state)
    assert [station_of(state, piece) for piece in ("blue", "bobby1", "bobby2")] == [29, 13, 141]


def test_a_bobby_catches_mr_x_as_well_as_a_detective() -> None:
    state, events = play(scene(3, "hunters", f"mr_x 24, {FAR}"), "bobby1 taxi 24")
    assert MrXCaught(Piece.BOBBY1, Station(24)) in events
    assert (winner(state), ended_by(state)) == ("detectives", CAPTURE)


def test_a_capture_shows_mr_xs_station_to_everybody() -> None:
    state, events = play(scene(3, "hunters", f"mr_x 116, {FAR}"), "red taxi 116")
    for viewer in (Seat(0), Seat(1), Seat(2), None):
        assert game.view(state, viewer).mr_x == 116
        assert [game.event_view(event, viewer) for event in events] == events


def test_t21_immobile_detectives_lose_at_the_end_of_the_hunters_phase_although_the_bobbies_can_move() -> None:
    """Blue spends the side's last ticket; red stands on a taxi stop with bus and underground tickets only."""
    state = scene(
        3, "hunters", "mr_x 170, red 104, blue 2, bobby1 13, bobby2 141", hands={"red": (0, 8, 4), "blue": (1, 0, 0)}
    )
    state, _ = play(state, "blue taxi 20", "red pass", "bobby1 taxi 23")
    assert (winner(state), state.phase) == (None, Phase.HUNTERS)
    state, events = play(state, "bobby2 taxi 133")
    assert events[-1] == GameEnded(Outcome((Seat(0),), DETECTIVES_IMMOBILE))
    assert (winner(state), ended_by(state)) == ("mr_x", DETECTIVES_IMMOBILE)
    assert_over(state)


def test_one_mobile_detective_keeps_the_game_going() -> None:
    state = scene(
        3, "hunters", "mr_x 170, red 104, blue 2, bobby1 13, bobby2 141", hands={"red": NOTHING, "blue": (2, 0, 0)}
    )
    state, _ = play(state, "blue taxi 20", "red pass", "bobby1 taxi 23", "bobby2 taxi 133")
    assert (winner(state), state.phase, state.round) == (None, Phase.MR_X, 2)


def test_a_detective_is_mobile_only_if_a_line_of_its_station_takes_a_ticket_that_it_has() -> None:
    """Blue's last move by taxi ends on 9, which has no bus stop: its bus tickets are of no use there."""
    state = scene(
        3,
        "hunters",
        "mr_x 170, red 104, blue 1, bobby1 13, bobby2 141",
        hands={"red": NOTHING, "blue": (1, 8, 4)},
        moved="red bobby1 bobby2",
    )
    stranded, _ = play(state, "blue taxi 9")
    assert (winner(stranded), ended_by(stranded)) == ("mr_x", DETECTIVES_IMMOBILE)
    riding_on, _ = play(state, "blue bus 46")
    assert winner(riding_on) is None


def test_t22_a_capture_by_a_bobby_comes_before_the_immobility_of_the_detectives() -> None:
    state = scene(
        3, "hunters", "mr_x 142, red 104, blue 2, bobby1 13, bobby2 141", hands={"red": NOTHING, "blue": (1, 0, 0)}
    )
    state, _ = play(state, "blue taxi 20", "red pass", "bobby1 taxi 23", "bobby2 taxi 142")
    assert (winner(state), ended_by(state)) == ("detectives", CAPTURE)


def test_t23_detectives_who_hold_tickets_but_box_each_other_in_are_not_immobile() -> None:
    """With bus tickets only, red leaves 93 for 94 alone; blue on 94 has 93, 74 and 77, where the Bobbies end up."""
    state = scene(
        3,
        "hunters",
        "mr_x 170, red 93, blue 94, bobby1 74, bobby2 76",
        hands={"red": (0, 4, 0), "blue": (0, 4, 0)},
        moved="bobby1",
    )
    state, events = play(state, "bobby2 taxi 77")
    assert events[-2:] == [
        HunterPassed(Piece.RED, PassReason.BLOCKED),
        HunterPassed(Piece.BLUE, PassReason.BLOCKED),
    ]
    assert (winner(state), state.phase, state.round) == (None, Phase.MR_X, 2)


def test_t38_with_all_detectives_immobile_and_mr_x_boxed_in_mr_x_wins() -> None:
    """Immobility is looked at when the hunters have moved, which is before Mr X's next turn begins."""
    state = scene(
        3,
        "hunters",
        "mr_x 2, red 10, blue 9, bobby1 13, bobby2 141",
        hands={"red": NOTHING, "blue": (1, 0, 0)},
        moved="red bobby1 bobby2",
    )
    state, _ = play(state, "blue taxi 20")
    assert (winner(state), ended_by(state)) == ("mr_x", DETECTIVES_IMMOBILE)


def test_sy14_when_no_detective_has_a_usable_ticket_the_passes_are_filled_in_and_mr_x_wins() -> None:
    """Four detectives and no Bobbies; only red has a ticket left."""
    state = scene(
        5,
        "hunters",
        "mr_x 170, red 104, blue 29, green 13, yellow 141",
        hands={"red": (1, 0, 0), "blue": NOTHING, "green": NOTHING, "yellow": NOTHING},
    )
    state, events = play(state, "red taxi 116")
    assert events == [
        HunterTravelled(Piece.RED, Ticket.TAXI, Station(116)),
        HunterPassed(Piece.BLUE, PassReason.NO_TICKET),
        HunterPassed(Piece.GREEN, PassReason.NO_TICKET),
        HunterPassed(Piece.YELLOW, PassReason.NO_TICKET),
        GameEnded(Outcome((Seat(0),), DETECTIVES_IMMOBILE)),
    ]
    assert_over(state)


def test_immobility_is_looked_for_at_the_set_up_too() -> None:
    state = scene(
        3, "mr_x", "mr_x 170, red 104, blue 29, bobby1 13, bobby2 141", hands={"red": NOTHING, "blue": NOTHING}
    )
    assert (winner(state), ended_by(state)) == ("mr_x", DETECTIVES_IMMOBILE)


def test_the_last_round_ends_in_mr_xs_favour_even_when_he_is_boxed_in_by_then() -> None:
    state = scene(3, "hunters", "mr_x 2, red 10, blue 9, bobby1 13, bobby2 141", in_round=22, moved="red bobby1 bobby2")
    state, _ = play(state, "blue taxi 20")
    assert (winner(state), ended_by(state)) == ("mr_x", LAST_ROUND)
