"""Meeting points of the app game: who sees them, when they count, how they decide the game (rulings, section 3.2)."""

from random import Random
from typing import Any

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.master import (
    FAR_APART,
    HUNTERS_RIDE,
    app_scene,
    kept,
    numbers,
    open_point,
    reached_point,
    with_app,
)
from tests.games.scotland_yard.scenario import DETECTIVES, MR_X, PUBLIC, ended_by, play, scene, winner
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import GameEnded, MeetingPointReached, MeetingPointShown, MrXTravelled
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.investigation import taxi_distances
from whitehall.games.scotland_yard.master import HelicopterGrant
from whitehall.games.scotland_yard.state import MeetingPoint, ScotlandYardState

NO_TAXI = {"pool": (0, 16, 8)}
STUCK = "red 2, blue 20"
"""Stations that only taxis leave."""


def last_round(**changes: Any) -> ScotlandYardState:
    return app_scene("hunters", 170, in_round=22, fields=22, **changes)


# ---- how they decide the game


def test_t30_the_last_round_is_over_and_he_has_reached_none() -> None:
    state, _ = play(last_round(), *HUNTERS_RIDE)
    assert (winner(state), ended_by(state)) == ("detectives", rulebook.MEETING_POINT_MISSED)


def test_with_one_he_has_escaped() -> None:
    state, _ = play(with_app(last_round(), meeting_points=(reached_point(13),)), *HUNTERS_RIDE)
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.LAST_ROUND)


def test_one_that_is_still_open_is_none() -> None:
    state, _ = play(with_app(last_round(), meeting_points=(open_point(13),)), *HUNTERS_RIDE)
    assert ended_by(state) is rulebook.MEETING_POINT_MISSED


def test_where_none_is_needed_he_escapes_without() -> None:
    state, _ = play(last_round(meetings_to_survive=0), *HUNTERS_RIDE)
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.LAST_ROUND)


def test_t31_the_second_one_on_the_first_half_of_a_double_wins_at_once() -> None:
    state = with_app(app_scene("mr_x", 170), meeting_points=(reached_point(13), open_point(159)))
    state, events = play(state, "mr_x double taxi 159 taxi 170")
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.MEETING_POINTS_REACHED)
    assert [type(event) for event in events[1:]] == [MrXTravelled, MeetingPointReached, GameEnded]
    assert state.mr_x == 159
    assert state.moves_made == 1


def test_the_second_one_on_the_second_half_wins_too() -> None:
    state = with_app(app_scene("mr_x", 170), meeting_points=(reached_point(13), open_point(172)))
    state, _ = play(state, "mr_x double taxi 159 taxi 172")
    assert ended_by(state) is rulebook.MEETING_POINTS_REACHED


def test_both_halves_of_a_double_may_reach_one_each() -> None:
    state = with_app(app_scene("mr_x", 170), meeting_points=(open_point(159), open_point(172)))
    state, events = play(state, "mr_x double taxi 159 taxi 172")
    assert [event.number for event in events if isinstance(event, MeetingPointReached)] == [1, 2]
    assert ended_by(state) is rulebook.MEETING_POINTS_REACHED


def test_where_no_number_wins_he_plays_on() -> None:
    state = app_scene("mr_x", 170, meetings_to_win=0)
    state, _ = play(with_app(state, meeting_points=(reached_point(13), open_point(159))), "mr_x taxi 159")
    assert winner(state) is None
    assert kept(state).meetings == 2


def test_t32_with_one_reached_he_is_caught_all_the_same() -> None:
    state = app_scene("hunters", 116, in_round=20, fields=20)
    state, _ = play(with_app(state, meeting_points=(reached_point(13),)), "red taxi 116")
    assert (winner(state), ended_by(state)) == ("detectives", rulebook.CAPTURE)


# ---- when they count


def test_each_counts_once() -> None:
    state = with_app(app_scene("mr_x", 170, meetings_to_win=0), meeting_points=(open_point(159),))
    state, _ = play(state, "mr_x double taxi 159 taxi 170")
    back = ("red taxi 116", "blue bus 1", "bobby1 taxi 10", "bobby2 taxi 15")
    state, events = play(state, *back, "mr_x taxi 159", draws=[0])
    assert not any(isinstance(event, MeetingPointReached) for event in events)
    assert kept(state).meetings == 1
    assert kept(state).meeting_points[0] == MeetingPoint(state.mr_x, 3, 1)


@pytest.mark.parametrize(("reaches", "meetings"), [(False, 0), (True, 1)])
def test_a_flight_reaches_one_only_where_the_game_lets_it(reaches: bool, meetings: int) -> None:
    state = app_scene("mr_x", 170, helicopter_reaches=reaches)
    state, _ = play(with_app(state, meeting_points=(open_point(13),)), "mr_x helicopter 13")
    assert kept(state).meetings == meetings


def test_a_helicopter_may_come_with_each_meeting_point_while_there_are_any() -> None:
    state = app_scene("mr_x", 170, helicopter_grant=HelicopterGrant.MEETING_POINT, meetings_to_win=0)
    assert kept(state).helicopter_tickets == 0
    state = with_app(state, meeting_points=(open_point(159), open_point(172)))
    state, _ = play(state, "mr_x double taxi 159 taxi 172")
    assert kept(state).helicopter_tickets == 1


# ---- when and where they appear


def test_one_appears_right_after_the_moves_that_surface() -> None:
    assert numbers(app_scene("mr_x", 170)).meeting_fields == (3, 8, 13, 18)
    state, events = play(app_scene("mr_x", 170, in_round=3, fields=2), "mr_x taxi 159", draws=[0])
    (point,) = kept(state).meeting_points
    assert events[-1] == MeetingPointShown(point.station)
    assert (point.shown, point.reached) == (3, 0)


def test_one_that_is_due_after_the_first_half_is_drawn_after_the_second() -> None:
    state, events = play(app_scene("mr_x", 170, in_round=3, fields=2), "mr_x double taxi 159 taxi 172", draws=[0])
    assert isinstance(events[-1], MeetingPointShown)
    (point,) = kept(state).meeting_points
    assert taxi_distances(state.options.board, state.mr_x)[point.station] >= 6


def test_it_is_free_and_six_taxi_moves_from_him_and_from_open_points() -> None:
    """Every draw there is, with one open point and one that he has reached near his own station."""
    start = app_scene("mr_x", 170, in_round=8, fields=7)
    start = with_app(start, meeting_points=(open_point(13), reached_point(171)))
    board = start.options.board
    drawn = set[int]()
    for draw in range(199):
        try:
            state, _ = play(start, "mr_x taxi 159", draws=[draw])
        except AssertionError:
            break
        drawn.add(kept(state).meeting_points[-1].station)
    from_him, from_open = taxi_distances(board, board.stations[158]), taxi_distances(board, board.stations[12])
    assert drawn == {
        station
        for station in board.stations
        if from_him[station] >= 6 and from_open[station] >= 6 and station not in start.hunters
    }


def test_where_nothing_is_so_far_off_the_farthest_will_do() -> None:
    """No station is 20 taxi moves from 170."""
    start = app_scene("mr_x", 170, in_round=3, fields=2, meeting_distance=20)
    state, _ = play(start, "mr_x taxi 159", draws=[0])
    distances = taxi_distances(state.options.board, state.mr_x)
    assert distances[kept(state).meeting_points[0].station] == max(distances.values()) < 20


# ---- immobile detectives


def stuck(**changes: Any) -> ScotlandYardState:
    """Both detectives have no taxi ticket and only taxi lines; the Bobbies ride on."""
    places = f"{STUCK}, bobby1 5, bobby2 46"
    return app_scene("hunters", 170, hunters=places, hands=NO_TAXI, in_round=4, fields=4, **changes)


def test_immobile_detectives_and_no_meeting_point_play_goes_on() -> None:
    state, events = play(stuck(), "bobby1 taxi 15", "bobby2 bus 1")
    assert winner(state) is None
    assert [type(event).__name__ for event in events[-2:]] == ["HunterPassed"] * 2
    assert state.round == 5
    state, _ = play(state, "mr_x taxi 159", "detectives locate")
    assert kept(state).findings


def test_immobile_detectives_and_one_meeting_point_win_for_him_when_the_hunters_have_moved() -> None:
    state, _ = play(with_app(stuck(), meeting_points=(reached_point(13),)), "bobby1 taxi 15", "bobby2 bus 1")
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.DETECTIVES_IMMOBILE)


def test_where_no_meeting_point_is_asked_of_him_immobile_detectives_win_for_him() -> None:
    state, _ = play(stuck(stuck_win_needs_meeting=False), "bobby1 taxi 15", "bobby2 bus 1")
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.DETECTIVES_IMMOBILE)


# ---- who sees them


def test_he_alone_sees_them_until_the_game_is_over() -> None:
    state = with_app(app_scene("mr_x", 170), meeting_points=(reached_point(13), open_point(159)))
    seen = {viewer: game.view(state, viewer).master for viewer in (MR_X, DETECTIVES, PUBLIC)}
    for viewer, master in seen.items():
        assert master is not None
        assert master.meeting_points == (kept(state).meeting_points if viewer == MR_X else None)
        assert master.meetings == (1 if viewer == MR_X else None)
    over, _ = play(state, "mr_x taxi 159")
    for viewer in (MR_X, DETECTIVES, PUBLIC):
        master = game.view(over, viewer).master
        assert master is not None
        assert master.meeting_points == kept(over).meeting_points


@pytest.mark.parametrize("announced", [False, True])
def test_a_visit_is_told_to_others_only_where_visits_are_announced_and_never_where(announced: bool) -> None:
    state = app_scene("mr_x", 170, announce_visit=announced)
    state, events = play(with_app(state, meeting_points=(open_point(159),)), "mr_x taxi 159")
    reached = events[-1]
    assert reached == MeetingPointReached(state.mr_x, 1, announced)
    assert game.event_view(reached, MR_X) == reached
    for viewer in (DETECTIVES, PUBLIC):
        assert game.event_view(reached, viewer) == (MeetingPointReached(None, 1, True) if announced else None)
        master = game.view(state, viewer).master
        assert master is not None
        assert master.meetings == (1 if announced else None)
    assert game.event_view(MeetingPointShown(state.mr_x), DETECTIVES) is None


def test_whole_games_end_by_the_rules_of_the_app_game() -> None:
    ends = set()
    for seed in range(60):
        random, chance = Random(seed), SeededChance(seed)
        state, _ = game.setup(resolve("master", 2 + seed % 5), chance)
        while state.outcome is None:
            seat = random.choice(game.to_move(state))
            state, _ = game.apply(state, seat, random.choice(game.legal_moves(state, seat)), chance)
            points = kept(state).meeting_points
            assert len({point.station for point in points}) == len(points) <= 4
            assert winner(state) is not None or kept(state).meetings < 2
        ends.add(ended_by(state))
    assert {rulebook.CAPTURE, rulebook.MEETING_POINT_MISSED} <= ends


def test_scenes_without_the_app_need_none() -> None:
    state = scene(2, "hunters", f"mr_x 170, {FAR_APART}", in_round=22, fields=22)
    state, _ = play(state, *HUNTERS_RIDE)
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.LAST_ROUND)
