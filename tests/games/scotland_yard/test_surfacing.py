"""Surfacing: Mr X shows himself after certain moves, counted on his log and not in rounds."""

from tests.games.scotland_yard.scenario import DETECTIVES, MR_X, PUBLIC, play, scene, shuttle, shuttle_scene
from whitehall.games.scotland_yard.events import Event, HunterTravelled, MrXTravelled
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket

FAR = "red 104, blue 29, bobby1 13, bobby2 141"


def stations_shown(state: ScotlandYardState) -> dict[int, int]:
    """The fields of the log that lie open to the detectives, with the station under each."""
    fields = game.view(state, DETECTIVES).log
    return {field.number: field.station for field in fields if field.station is not None}


def as_detectives_see(events: list[Event]) -> list[Event]:
    seen = [game.event_view(event, DETECTIVES) for event in events]
    return [event for event in seen if event is not None]


def test_sy02_the_third_move_surfaces_and_not_the_third_round() -> None:
    state, _ = shuttle(shuttle_scene(), 2)
    assert (state.round, state.phase) == (3, Phase.MR_X)
    assert game.view(state, DETECTIVES).mr_x is None
    assert stations_shown(state) == {}

    state, events = play(state, "mr_x taxi 157")
    assert game.view(state, DETECTIVES).mr_x == 157
    assert game.view(state, PUBLIC).mr_x == 157
    assert as_detectives_see(events) == [MrXTravelled(3, Ticket.TAXI, Station(157), surfaced=True)]
    assert stations_shown(state) == {3: 157}


def test_his_pawn_stays_on_the_board_until_his_next_move() -> None:
    state, _ = shuttle(shuttle_scene(), 3)
    assert (state.round, state.phase) == (4, Phase.MR_X)
    assert game.view(state, DETECTIVES).mr_x == 159
    state, events = play(state, "mr_x taxi 170")
    assert game.view(state, DETECTIVES).mr_x is None
    assert as_detectives_see(events) == [MrXTravelled(4, Ticket.TAXI, None, surfaced=False)]
    assert stations_shown(state) == {3: 159}


def test_mr_x_always_sees_his_own_station_and_log() -> None:
    state, _ = shuttle(shuttle_scene(), 4)
    view = game.view(state, MR_X)
    assert view.mr_x == 170
    assert [field.station for field in view.log] == [159, 170, 159, 170]
    assert [field.surfaced for field in view.log] == [False, False, True, False]


def test_sy04_the_detectives_log_keeps_all_its_entries_in_order() -> None:
    state, _ = shuttle(shuttle_scene(), 12)
    log = game.view(state, DETECTIVES).log
    assert [field.number for field in log] == list(range(1, 13))
    assert [field.round for field in log] == list(range(1, 13))
    assert {field.ticket for field in log} == {Ticket.TAXI}
    assert stations_shown(state) == {3: 159, 8: 170}


def test_sy08_hunters_moves_fill_no_field_of_the_log() -> None:
    """Five detectives: Mr X's second move is field 2, after six moves in all."""
    state = scene(6, "mr_x", "mr_x 170, red 104, blue 29, green 13, yellow 141, purple 94")
    hunters_out = ("red taxi 116", "blue taxi 41", "green taxi 24", "yellow taxi 133", "purple taxi 95")
    hunters_back = ("red taxi 104", "blue taxi 29", "green taxi 13", "yellow taxi 141", "purple taxi 94")
    state, events = play(state, "mr_x taxi 159", *hunters_out, "mr_x black 170", *hunters_back, "mr_x black 159")
    numbers = [event.number for event in events if isinstance(event, MrXTravelled)]
    assert numbers == [1, 2, 3]
    assert [(field.number, field.round) for field in game.view(state, DETECTIVES).log] == [(1, 1), (2, 2), (3, 3)]
    assert stations_shown(state) == {3: 159}
    assert len([event for event in events if isinstance(event, HunterTravelled)]) == 10


def test_t07_surfacing_on_the_first_half_of_a_double_shows_that_station_alone() -> None:
    state = scene(3, "mr_x", "mr_x 23, red 104, blue 29, bobby1 94, bobby2 141", in_round=3)
    state, events = play(state, "mr_x double taxi 13 underground 67")
    assert as_detectives_see(events)[1:] == [
        MrXTravelled(3, Ticket.TAXI, Station(13), surfaced=True),
        MrXTravelled(4, Ticket.UNDERGROUND, None, surfaced=False),
    ]
    assert game.view(state, DETECTIVES).mr_x is None
    assert stations_shown(state) == {3: 13}


def test_t08_surfacing_on_the_second_half_of_a_double_hides_the_first() -> None:
    """Six moves are made, so the double is moves 7 and 8."""
    state, events = play(scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=7), "mr_x double taxi 159 taxi 172")
    assert as_detectives_see(events)[1:] == [
        MrXTravelled(7, Ticket.TAXI, None, surfaced=False),
        MrXTravelled(8, Ticket.TAXI, Station(172), surfaced=True),
    ]
    assert game.view(state, DETECTIVES).mr_x == 172
    assert stations_shown(state) == {8: 172}


def test_t09_surfacing_by_a_black_ticket_shows_the_station_and_never_the_transport() -> None:
    state, events = play(scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=3), "mr_x black 157")
    assert as_detectives_see(events) == [MrXTravelled(3, Ticket.BLACK, Station(157), surfaced=True)]
    (field,) = game.view(state, DETECTIVES).log
    assert (field.ticket, field.station, field.surfaced) == (Ticket.BLACK, 157, True)


def test_t29_after_a_double_in_round_1_he_surfaces_in_round_2() -> None:
    state, _ = play(shuttle_scene(), "mr_x double taxi 159 taxi 170")
    state, _ = play(state, "red taxi 116", "blue bus 1", "bobby1 taxi 10", "bobby2 taxi 15")
    assert (state.round, game.view(state, DETECTIVES).mr_x) == (2, None)
    state, _ = play(state, "mr_x taxi 157")
    assert (state.round, game.view(state, DETECTIVES).mr_x) == (2, 157)


def test_with_both_doubles_spent_the_24th_move_is_made_in_the_last_round_and_surfaces() -> None:
    state = scene(3, "mr_x", f"mr_x 170, {FAR}", in_round=22, fields=23, doubles=0)
    state, events = play(state, "mr_x taxi 157")
    assert as_detectives_see(events) == [MrXTravelled(24, Ticket.TAXI, Station(157), surfaced=True)]
    assert state.phase is Phase.HUNTERS


def test_all_is_uncovered_once_the_game_is_over() -> None:
    state, _ = shuttle(shuttle_scene(), 22)
    for viewer in (MR_X, DETECTIVES, PUBLIC):
        view = game.view(state, viewer)
        assert view.mr_x == 170
        assert [field.station for field in view.log] == [159, 170] * 11
