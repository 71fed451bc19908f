"""The helicopter of the app game: where it flies, what it costs, and what it saves him from (rulings, section 3.3)."""

import pytest

from tests.games.scotland_yard.master import app_scene, kept, with_app
from tests.games.scotland_yard.scenario import (
    DETECTIVES,
    MR_X,
    PUBLIC,
    ended_by,
    listed,
    play,
    refusal,
    refusals,
    scene,
    winner,
)
from whitehall.games.scotland_yard import rulebook
from whitehall.games.scotland_yard.events import MrXTravelled
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove
from whitehall.games.scotland_yard.ticket import Ticket


def test_it_flies_to_any_free_station_but_his_own() -> None:
    state = app_scene("mr_x", 170)
    flights = {int(text.split()[-1]) for text in listed(state, 0) if text.startswith("mr_x helicopter")}
    assert flights == set(state.options.board.stations) - {170, *state.hunters}
    assert refusal(state, "mr_x helicopter 170") is rulebook.HELICOPTER_FOR_MR_X
    assert refusal(state, "mr_x helicopter 104") is rulebook.FREE_STATION
    assert refusal(state, "mr_x helicopter 200") is rulebook.STATION_ON_BOARD


def test_t37_the_ticket_leaves_the_game_and_the_log_shows_it_openly() -> None:
    state, (travelled,) = play(app_scene("mr_x", 170), "mr_x helicopter 13")
    assert travelled == MrXTravelled(1, Ticket.HELICOPTER, state.mr_x, surfaced=False)
    for viewer in (MR_X, DETECTIVES, PUBLIC):
        view = game.view(state, viewer)
        assert view.master is not None
        assert view.master.helicopter_tickets == 0
        assert view.log[-1].ticket is Ticket.HELICOPTER
    state, _ = play(state, "red taxi 116", "blue bus 1", "bobby1 taxi 10", "bobby2 taxi 15")
    assert refusal(state, "mr_x helicopter 170") is rulebook.HELICOPTER_LEFT


def test_he_surfaces_where_he_lands() -> None:
    state, events = play(app_scene("mr_x", 170, in_round=3, fields=2), "mr_x helicopter 13", draws=[0])
    assert isinstance(events[0], MrXTravelled)
    assert events[0].surfaced
    assert game.view(state, DETECTIVES).mr_x == 13


def test_it_saves_him_where_he_is_surrounded() -> None:
    """T1 of the printed game: on 2 with hunters on 10 and 20 he has lost."""
    state = app_scene("mr_x", 2, hunters="red 10, blue 20, bobby1 13, bobby2 141")
    assert winner(state) is None
    state, _ = play(state, "mr_x helicopter 46")
    assert state.mr_x == 46
    lost = app_scene("mr_x", 2, hunters="red 10, blue 20, bobby1 13, bobby2 141", helicopter_tickets=0)
    assert (winner(lost), ended_by(lost)) == ("detectives", rulebook.MR_X_CORNERED)


def test_nobody_else_flies() -> None:
    state = app_scene("hunters", 170)
    for text in ("red helicopter 13", "bobby1 helicopter 13"):
        assert refusals(state, text) == {rulebook.HELICOPTER_FOR_MR_X}
    printed = scene(2, "mr_x", "mr_x 170, red 104, blue 46, bobby1 2, bobby2 5")
    assert refusals(printed, "mr_x helicopter 13") == {rulebook.HELICOPTER_LEFT}


def test_it_is_no_half_of_a_double_move_unless_the_game_allows_it() -> None:
    state = app_scene("mr_x", 170)
    for text in ("mr_x double helicopter 13 taxi 23", "mr_x double taxi 159 helicopter 13"):
        assert refusals(state, text) == {rulebook.HELICOPTER_ALONE}
        assert refusal(app_scene("mr_x", 170, helicopter_in_double=True), text) is None
    assert not any("double" in text and "helicopter" in text for text in listed(state, 0))


@pytest.mark.parametrize("tickets", [1, 2])
def test_doubles_with_flights_are_listed_and_legal_and_no_others_are(tickets: int) -> None:
    state = app_scene("mr_x", 170, helicopter_in_double=True, helicopter_tickets=tickets)
    doubles = [move for move in game.legal_moves(state, MR_X) if isinstance(move, DoubleMove)]
    assert len(set(doubles)) == len(doubles)
    assert doubles == sorted(doubles)
    for move in doubles[::37]:
        assert game.check(state, MR_X, move) is None
    flights = [[half.ticket for half in move].count(Ticket.HELICOPTER) for move in doubles]
    free = 199 - len(state.hunters)
    assert flights.count(2) == (0 if tickets == 1 else (free - 1) * (free - 1))
    both = "mr_x double helicopter 13 helicopter 170"
    assert refusal(state, both) is (None if tickets == 2 else rulebook.DOUBLE_TICKETS_TOGETHER)


def test_both_halves_cost_a_ticket() -> None:
    state = app_scene("mr_x", 170, helicopter_in_double=True, helicopter_tickets=2)
    state, _ = play(state, "mr_x double helicopter 13 helicopter 170")
    assert kept(state).helicopter_tickets == 0
    assert state.mr_x == 170


def test_without_a_ticket_there_are_no_flights() -> None:
    state = with_app(app_scene("mr_x", 170), helicopter_tickets=0)
    assert not any("helicopter" in text for text in listed(state, 0))
