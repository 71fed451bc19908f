"""Bare positions: what is left out is full, what no game can come to is refused, what is due happens at once."""

from collections.abc import Sequence
from typing import Any

import pytest

from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.findings import Finding, Scanned
from whitehall.games.scotland_yard.master import MasterOverrides, SpecialAction
from whitehall.games.scotland_yard.options import PLENTY, MrXSupply
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, Phase, RoundStart, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets

THREE = resolve("new", 3)
SIX = resolve("new", 6)
NONE, FULL = Tickets(0, 0, 0), Tickets(11, 8, 4)


def of_three(**fields: Any) -> ScotlandYardState:
    """Mr X on 157, red on 13, blue on 26, the Bobbies on 29 and 34, unless said otherwise."""
    usual: dict[str, Any] = {"mr_x": 157, "hunters": [13, 26, 29, 34]}
    return position(THREE, **usual | fields)


def test_what_is_left_out_is_as_at_the_start() -> None:
    state = of_three()
    assert (state.round, state.phase, state.moved, state.moves_made) == (1, Phase.MR_X, 0, 0)
    assert state.hands == (FULL, FULL)
    assert (state.supply, state.black_tickets, state.double_tickets) == ((35, 29, 15), 5, 2)
    assert state.outcome is None


def test_a_bare_position_has_no_history_but_knows_how_its_own_round_began() -> None:
    state = of_three(round=7)
    assert (state.log, state.start) == ((), None)
    assert state.round_starts == (RoundStart(state.hunters, state.supply),)
    assert of_three(round=7, phase=Phase.HUNTERS).round_starts == ()


def test_moves_made_follow_the_round_unless_doubles_were_spent() -> None:
    assert of_three(round=7).moves_made == 6
    assert of_three(round=7, phase=Phase.HUNTERS).moves_made == 7
    assert of_three(round=7, double_tickets=0, moves_made=8).moves_made == 8


def test_the_pieces_that_have_moved_do_not_move_again() -> None:
    state = of_three(phase=Phase.HUNTERS, moved=[Piece.RED, Piece.BOBBY2])
    assert state.moved == 0b1001


def test_mr_x_boxed_in_on_his_turn_has_lost_already() -> None:
    state = of_three(mr_x=2, hunters=[10, 20, 29, 34])
    assert state.outcome is not None
    assert state.outcome.rule == rulebook.MR_X_CORNERED


def test_detectives_without_tickets_have_lost_already() -> None:
    state = of_three(mr_x=2, hunters=[10, 20, 29, 34], hands=[NONE, NONE])
    assert state.outcome is not None
    assert state.outcome.rule == rulebook.DETECTIVES_IMMOBILE  # it comes before Mr X's turn


def test_a_round_in_which_all_have_moved_is_over() -> None:
    state = of_three(round=7, phase=Phase.HUNTERS, moved=THREE.hunters)
    assert (state.round, state.phase, state.moved) == (8, Phase.MR_X, 0)


def test_the_last_round_in_which_all_have_moved_is_the_end() -> None:
    state = of_three(round=22, phase=Phase.HUNTERS, moved=THREE.hunters)
    assert state.outcome is not None
    assert state.outcome.rule == rulebook.LAST_ROUND


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"round": 0}, "round"),
        ({"round": 23}, "round"),
        ({"phase": Phase.OVER}, "phase"),
        ({"mr_x": 200}, "mr_x"),
        ({"mr_x": 13}, "mr_x"),
        ({"hunters": [13, 26, 29]}, "hunters"),
        ({"hunters": [13, 26, 29, 0]}, "hunters"),
        ({"hunters": [13, 26, 29, 13]}, "hunters"),
        ({"hands": [FULL]}, "hands"),
        ({"hands": [FULL, Tickets(12, 8, 4)]}, "hands"),
        ({"hands": [FULL, Tickets(-1, 8, 4)]}, "hands"),
        ({"supply": Tickets(-1, 0, 0)}, "supply"),
        ({"supply": Tickets(36, 29, 15)}, "supply"),
        ({"black_tickets": 6}, "black_tickets"),
        ({"black_tickets": -1}, "black_tickets"),
        ({"double_tickets": 3}, "double_tickets"),
        ({"double_tickets": -1}, "double_tickets"),
        ({"round": 7, "moves_made": 5}, "moves_made"),
        ({"round": 7, "moves_made": 7}, "moves_made"),
        ({"round": 7, "moves_made": 8, "double_tickets": 1}, "moves_made"),
        ({"round": 2, "moves_made": 3, "double_tickets": 0}, "moves_made"),
        ({"moved": [Piece.RED]}, "moved"),
        ({"phase": Phase.HUNTERS, "moved": [Piece.GREEN]}, "moved"),
    ],
)
def test_what_no_game_can_come_to_is_refused_by_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as refused:
        of_three(**fields)
    assert refused.value.field == field


APP = resolve("master", 3)


def with_app(
    points: Sequence[tuple[int, int, int]] = (), findings: Sequence[tuple[int, int]] = ()
) -> ScotlandYardState:
    """Round 9 of an app game, after eight moves: meeting points (where, when shown, when reached), and Scans (in which
    round, at which field).
    """
    master = MasterState(
        helicopter_tickets=1,
        meeting_points=tuple(MeetingPoint(Station(station), shown, reached) for station, shown, reached in points),
        offered=tuple(SpecialAction),
        findings=tuple(Finding(round_, field, Scanned(4)) for round_, field in findings),
    )
    return position(APP, mr_x=157, hunters=[13, 26, 29, 34], round=9, master=master)


def test_no_answers_are_kept_where_there_are_no_special_actions() -> None:
    options = resolve("master", 3, changes=Overrides(master=MasterOverrides(actions_per_round=0)))
    assert options.master is not None
    master = MasterState.at_start(options.master)._replace(findings=(Finding(1, 1, Scanned(4)),))
    with pytest.raises(PositionError) as refused:
        position(options, mr_x=157, hunters=[13, 26, 29, 34], round=2, master=master)
    assert (refused.value.field, refused.value.reason) == (
        "master.findings",
        "must be left out: there are no special actions",
    )


def test_what_the_app_keeps_may_be_whatever_a_game_can_come_to() -> None:
    """Several answers in one round, a point reached one move after it was shown, another one open."""
    state = with_app([(100, 3, 4), (180, 8, 0)], [(1, 1), (1, 1), (4, 4), (8, 8)])
    assert state.outcome is None
    assert state.master is not None
    assert (state.master.meetings, len(state.master.findings)) == (1, 4)


@pytest.mark.parametrize(
    ("points", "findings", "field"),
    [
        # Reached as it was shown, or before.
        ([(100, 3, 3)], [], "master.meeting_points[0].reached"),
        ([(180, 3, 0), (100, 8, 5)], [], "master.meeting_points[1].reached"),
        # The one that was shown later first.
        ([(180, 8, 0), (100, 3, 0)], [], "master.meeting_points[1].shown"),
        # Two would have won the game.
        ([(100, 3, 4), (180, 3, 6)], [], "master.meeting_points"),
        ([(100, 3, 4), (180, 3, 6), (50, 8, 0)], [], "master.meeting_points"),
        # The later answer first.
        ([], [(4, 4), (3, 3)], "master.findings[1].round"),
        ([], [(4, 6), (4, 5)], "master.findings[1].field"),
        ([], [(1, 1), (4, 6), (5, 5)], "master.findings[2].field"),
        # Before he had moved in that round, or after now.
        ([], [(4, 3)], "master.findings[0].field"),
        ([], [(4, 9)], "master.findings[0].field"),
        ([], [(10, 8)], "master.findings[0].round"),
        # Of this round he has not moved in, and so nobody can have asked.
        ([], [(9, 8)], "master.findings[0].round"),
        ([], [(0, 1)], "master.findings[0].round"),
    ],
)
def test_what_the_app_of_no_game_keeps_is_refused_by_field(
    points: list[tuple[int, int, int]], findings: list[tuple[int, int]], field: str
) -> None:
    with pytest.raises(PositionError) as refused:
        with_app(points, findings)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("round_number", "phase", "findings", "field", "reason"),
    [
        (1, Phase.MR_X, [(1, 1)], "master.findings", "must be left out: Mr X has not moved yet"),
        (1, Phase.HUNTERS, [(2, 1)], "master.findings[0].round", "must be 1: the latest come last"),
        (3, Phase.MR_X, [(3, 3)], "master.findings[0].round", "must be 1 to 2: the latest come last"),
        (3, Phase.MR_X, [(2, 2), (1, 1)], "master.findings[1].round", "must be 2: the latest come last"),
        (3, Phase.HUNTERS, [(3, 2)], "master.findings[0].field", "must be 3: the latest come last"),
    ],
)
def test_a_finding_is_of_a_round_in_which_mr_x_has_moved(
    round_number: int, phase: Phase, findings: list[tuple[int, int]], field: str, reason: str
) -> None:
    """So there always is a round and a field that it may be of, and the fault names the one that is wrong."""
    master = MasterState(1, (), tuple(SpecialAction), tuple(Finding(*moment, Scanned(4)) for moment in findings))
    with pytest.raises(PositionError) as refused:
        position(APP, mr_x=157, hunters=[13, 26, 29, 34], round=round_number, phase=phase, master=master)
    assert (refused.value.field, refused.value.reason) == (field, reason)


def test_where_no_number_of_meeting_points_wins_all_may_be_reached() -> None:
    options = resolve("master", 3, changes=Overrides(master=MasterOverrides(meetings_to_win=0)))
    points = tuple(MeetingPoint(Station(station), 3, 5) for station in (100, 180, 50))
    master = MasterState(1, points, tuple(SpecialAction), ())
    places: dict[str, Any] = {"mr_x": 157, "hunters": [13, 26, 29, 34], "round": 9}
    assert position(options, **places, master=master).outcome is None


def test_spent_tickets_may_lie_in_the_supply_but_no_more_than_there_are() -> None:
    spent = [Tickets(1, 8, 4), FULL]
    assert of_three(hands=spent, supply=Tickets(45, 29, 15)).supply.taxi == 45
    with pytest.raises(PositionError, match="0 to 45/29/15"):
        of_three(hands=spent, supply=Tickets(46, 29, 15))


def test_a_shared_hand_is_one_hand() -> None:
    state = position(resolve("new", 2), mr_x=157, hunters=[13, 26, 29, 34])
    assert state.hands == (Tickets(22, 16, 8),)


def test_the_state_says_nothing_hidden_about_itself() -> None:
    state = position(SIX, mr_x=157, hunters=[13, 26, 29, 34, 50])
    assert repr(state) == "<ScotlandYardState round 1, MR_X>"


def test_black_tickets_of_hands_are_no_more_than_the_house_deals() -> None:
    options = resolve("new", 3, changes=Overrides(detective_black_tickets=2))
    places: dict[str, Any] = {"mr_x": 157, "hunters": [13, 26, 29, 34]}
    assert position(options, **places).black_hands == (2, 2)
    assert position(options, **places, black_hands=[0, 1]).black_hands == (0, 1)
    for hands, index in (([3, 0], 0), ([0, -1], 1)):
        with pytest.raises(PositionError) as refused:
            position(options, **places, black_hands=hands)
        assert (refused.value.field, refused.value.index) == ("black_hands", index)
    with pytest.raises(PositionError, match="black_hands: must be 2"):
        position(options, **places, black_hands=[0])
    with pytest.raises(PositionError, match="black tickets must be 0"):
        of_three(black_hands=[1, 0])


def test_a_supply_without_end_is_always_the_same() -> None:
    options = resolve("new", 3, changes=Overrides(mr_x_supply=MrXSupply.UNLIMITED))
    assert position(options, mr_x=157, hunters=[13, 26, 29, 34]).supply == PLENTY
    with pytest.raises(PositionError, match="supply: has no end in this game"):
        position(options, mr_x=157, hunters=[13, 26, 29, 34], supply=Tickets(1, 1, 1))


def test_before_his_turn_a_field_of_the_log_is_free() -> None:
    options = resolve("classic", 4)
    places: dict[str, Any] = {"mr_x": 157, "hunters": [13, 26, 29], "round": 23, "double_tickets": 0}
    assert position(options, **places, moves_made=23).outcome is None
    with pytest.raises(PositionError, match="must be 22 to 23"):
        position(options, **places, moves_made=24)


def test_a_position_in_which_the_last_black_ticket_has_won_is_over() -> None:
    options = resolve("new", 3, changes=Overrides(last_black_wins=True))
    state = position(options, mr_x=157, hunters=[13, 26, 29, 34], round=7, black_tickets=0)
    assert state.outcome is not None
    assert state.outcome.rule == rulebook.LAST_BLACK_SPENT
