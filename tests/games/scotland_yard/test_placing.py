"""Placing the pieces: players choose their stations, or the hunters distribute themselves over their cards."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

from tests.games.chance import NoChance, ScriptedChance, SeededChance
from tests.games.scotland_yard.reference import X_CARDS, start
from tests.games.scotland_yard.scenario import (
    DETECTIVES,
    MR_X,
    PUBLIC,
    ended_by,
    listed,
    play,
    refusal,
    refusals,
    violation,
    winner,
)
from tests.games.scotland_yard.words import facts_of_state, facts_of_table
from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import boards, rulebook
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.events import Placed, PlacingBegan
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.log_notation import parse as parse_log
from whitehall.games.scotland_yard.moves import Place
from whitehall.games.scotland_yard.options import StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.position_notation import text as position_text
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import NOWHERE, Station, Tickets
from whitehall.games.scotland_yard.wire.storage import decode_happened, decode_state, encode_happened, encode_state

CHOICE, DISTRIBUTION = StartBy.CHOICE, StartBy.DISTRIBUTION
PLACED = ("red start 104", "bobby1 start 13", "blue start 29", "bobby2 start 141")
"""All hunters of a game for three, as they choose."""
OFFERED = tuple(map(Station, (13, 26, 29, 34)))
DEALT = [0, 0, 0, 0, 1]
"""The draws that offer the four lowest cards, and give Mr X the second of his."""


def begun(players: int = 3, start_by: StartBy = CHOICE, preset: str = "new", **changes: Any) -> ScotlandYardState:
    """A game whose pieces are to be placed; of a distribution over `OFFERED` with Mr X on 45."""
    options = resolve(preset, players, changes=Overrides(start_by=start_by, **changes))
    state, _ = game.setup(options, ScriptedChance(DEALT) if start_by == DISTRIBUTION else NoChance())
    return state


def placed(*texts: str, state: ScotlandYardState | None = None) -> ScotlandYardState:
    return play(state or begun(), *texts)[0]


# ---- players choose


def test_choose_the_game_begins_with_an_empty_board_and_takes_no_draw() -> None:
    chance = RecordedChance(SeededChance(1))
    state, events = game.setup(resolve("new", 3, changes=Overrides(start_by=CHOICE)), chance)
    assert chance.draws == ()
    assert events == (PlacingBegan(()),)
    assert (state.phase, state.round, state.mr_x, state.start, state.round_starts) == (
        Phase.PLACING,
        0,
        NOWHERE,
        None,
        (),
    )
    assert set(state.hunters) == {NOWHERE}


def test_choose_hunters_may_stand_on_any_station_and_mr_x_is_not_asked_yet() -> None:
    """199 stations for the seat's own detective, and as many for each Bobby."""
    state = begun()
    assert game.to_move(state) == (Seat(1), Seat(2))
    assert listed(state, 0) == []
    for seat, detective in ((1, "red"), (2, "blue")):
        pieces = (detective, "bobby1", "bobby2")
        assert listed(state, seat) == [f"{piece} start {number}" for piece in pieces for number in range(1, 200)]


def test_choose_once_the_hunters_stand_mr_x_takes_any_station_but_theirs() -> None:
    state = placed(*PLACED)
    assert game.to_move(state) == (MR_X,)
    assert listed(state, 1) == listed(state, 2) == []
    assert listed(state, 0) == [f"mr_x start {number}" for number in range(1, 200) if number not in (104, 13, 29, 141)]


def test_choose_with_mr_x_s_station_the_first_round_begins_as_after_a_deal() -> None:
    state = placed(*PLACED, "mr_x start 170")
    assert (state.phase, state.round, state.start, state.mr_x) == (Phase.MR_X, 1, 170, 170)
    assert facts_of_state(state) == facts_of_table(start(3, 170, (104, 29, 13, 141)), state.options)
    assert [round_start.hunters for round_start in state.round_starts] == [(104, 29, 13, 141)]
    assert "mr_x taxi 159" in listed(state, 0)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("start_by", [CHOICE, DISTRIBUTION])
def test_choose_every_number_of_players_places_all_its_pieces(preset: str, players: int, start_by: StartBy) -> None:
    """A seat owns its detectives; the Bobbies are for all seats of that side, and one seat of two players has all."""
    options = resolve(preset, players, changes=Overrides(start_by=start_by))
    state, _ = game.setup(options, SeededChance(players))
    for piece in options.hunters:
        seats = [seat for seat, own in enumerate(options.seats) if piece in own or (piece.is_bobby and seat)]
        chances = {
            s: [move for move in _places(state, Seat(s)) if move.piece is piece] for s in range(len(options.seats))
        }
        assert [seat for seat, moves in chances.items() if moves] == seats
        state, _ = game.apply(state, Seat(seats[-1]), chances[seats[-1]][0], NoChance())
    if start_by == CHOICE:
        assert game.to_move(state) == (MR_X,)
        state, _ = game.apply(state, MR_X, _places(state, MR_X)[-1], NoChance())
    assert (state.phase, state.round) == (Phase.MR_X, 1)


def _places(state: ScotlandYardState, seat: Seat) -> list[Place]:
    return [move for move in game.legal_moves(state, seat) if isinstance(move, Place)]


# ---- refusals


@pytest.mark.parametrize(
    ("before", "tried", "rule"),
    [
        ([], "red taxi 104", rulebook.PLACING_COMES_FIRST),
        ([], "red pass", rulebook.PLACING_COMES_FIRST),
        ([], "red taxi 104; bobby1 taxi 5", rulebook.PLACING_COMES_FIRST),
        ([], "mr_x taxi 104", rulebook.PLACING_COMES_FIRST),
        ([], "mr_x double taxi 104 taxi 86", rulebook.PLACING_COMES_FIRST),
        ([], "mr_x start 170", rulebook.HUNTERS_PLACED_FIRST),
        (PLACED[:3], "mr_x start 170", rulebook.HUNTERS_PLACED_FIRST),
        (PLACED[:1], "red start 105", rulebook.PLACED_ONCE),
        (PLACED[:1], "red start 104", rulebook.PLACED_ONCE),
        (PLACED[:2], "bobby1 start 14", rulebook.PLACED_ONCE),
        (PLACED[:1], "blue start 104", rulebook.START_IS_FREE),
        (PLACED[:1], "bobby2 start 104", rulebook.START_IS_FREE),
        (PLACED, "mr_x start 141", rulebook.START_IS_FREE),
        ([], "red start 200", rulebook.STATION_ON_BOARD),
        (PLACED, "mr_x start 200", rulebook.STATION_ON_BOARD),
        ([], "green start 1", rulebook.PIECE_IN_GAME),
        ([*PLACED, "mr_x start 170"], "mr_x start 171", rulebook.PLACING_IS_OVER),
        ([*PLACED, "mr_x start 170"], "red start 171", rulebook.PLACING_IS_OVER),
    ],
)
def test_choose_what_is_out_of_order_or_taken_is_refused_by_its_rule(before: list[str], tried: str, rule: Any) -> None:
    assert refusal(placed(*before), tried) is rule


def test_choose_a_seat_places_its_own_pieces_and_the_bobbies() -> None:
    state = begun()
    assert refusal(state, "blue start 7", seat=1) is rulebook.OWN_PIECES
    assert refusal(state, "red start 7", seat=0) is rulebook.OWN_PIECES
    assert refusal(state, "mr_x start 7", seat=1) is rulebook.OWN_PIECES
    assert refusal(state, "bobby1 start 7", seat=2) is None


def test_choose_a_refusal_names_the_piece_and_the_station() -> None:
    found = violation(placed(*PLACED[:1]), "blue start 104")
    assert found is not None
    assert found.details == {"piece": "blue", "station": "104"}


def test_choose_every_fault_of_a_placement_is_told() -> None:
    assert refusals(placed(*PLACED[:2]), "red start 13") == {rulebook.PLACED_ONCE, rulebook.START_IS_FREE}


def test_choose_where_cards_decide_nobody_places_a_piece() -> None:
    state, _ = game.setup(resolve("new", 3), SeededChance(1))
    assert refusal(state, "red start 1") is rulebook.PLACING_IS_OVER


# ---- what is hidden


def test_choose_mr_x_s_station_is_his_own_to_know_until_the_end() -> None:
    before = placed(*PLACED)
    state, (event,) = play(before, "mr_x start 170")
    assert event == Placed(Piece.MR_X, Station(170), chosen=True)
    for viewer in (DETECTIVES, Seat(2), PUBLIC):
        assert game.event_view(event, viewer) == Placed(Piece.MR_X, None, chosen=True)
        view = game.view(state, viewer)
        assert (view.mr_x, view.start) == (None, None)
    assert (game.view(state, MR_X).mr_x, game.view(state, MR_X).start) == (170, 170)
    assert (game.view(before, MR_X).mr_x, game.view(before, MR_X).start) == (None, None)


def test_choose_the_hunters_see_the_same_wherever_he_hides() -> None:
    before, seen = placed(*PLACED), set()
    for station in range(1, 200):
        if station in before.hunters:
            continue
        state, events = play(before, f"mr_x start {station}")
        if state.outcome is None:
            shown = tuple(game.event_view(event, PUBLIC) for event in events)
            seen.add((game.view(state, PUBLIC), shown, *(game.view(state, seat) for seat in (Seat(1), Seat(2)))))
    assert len(seen) == 1


def test_choose_hunters_are_placed_in_the_open() -> None:
    state, events = play(begun(), "bobby2 start 7")
    assert [game.event_view(event, PUBLIC) for event in events] == [Placed(Piece.BOBBY2, Station(7), chosen=True)]
    assert [hunter.station for hunter in game.view(state, MR_X).hunters] == [NOWHERE, NOWHERE, NOWHERE, 7]


# ---- where he can be


def test_choose_he_may_start_on_every_station_but_those_of_the_hunters() -> None:
    """Analysis ignores the hunters; the strong set does not, from the moment on at which one is placed."""
    everywhere = tuple(range(1, 200))
    for texts in ((), PLACED[:1], PLACED, (*PLACED, "mr_x start 170")):
        state = placed(*texts)
        found = possible_locations(game.view(state, PUBLIC))
        assert found.analysis == everywhere
        assert set(found.strong) == set(everywhere) - set(state.hunters)
        assert set(found.routes.values()) == {1}


def test_choose_a_start_where_he_would_have_been_cornered_drops_out() -> None:
    """2 has but two lines, to 10 and 20; had he chosen it, the game would be over."""
    hunters = ("red start 10", "blue start 20", "bobby1 start 13", "bobby2 start 141")
    cornered, _ = play(begun(), *hunters, "mr_x start 2")
    assert (winner(cornered), ended_by(cornered)) == ("detectives", rulebook.MR_X_CORNERED)
    assert possible_locations(game.view(cornered, PUBLIC)).strong == (2,)
    found = possible_locations(game.view(placed(*hunters, "mr_x start 170"), PUBLIC))
    assert set(found.strong) == set(range(1, 200)) - {10, 20, 13, 141, 2}


def test_choose_hindsight_tells_of_the_start_too() -> None:
    state = placed(*PLACED, "mr_x start 170", "mr_x taxi 159")
    trail = possible_trail(game.view(state, PUBLIC))
    assert 170 in trail[0]
    assert not set(trail[0]) & {104, 29, 13, 141}


def test_choose_a_log_on_paper_without_start_cards_says_the_same() -> None:
    state = placed(*PLACED, "mr_x start 170")
    log = parse_log("london-2013 | 104/29/13/141")
    found = possible_locations(evidence_from_log(boards.board(log.board), log.rounds, start=log.start))
    assert found == possible_locations(game.view(state, PUBLIC))


def test_distribute_he_is_on_one_of_his_cards_that_are_not_named_to_the_hunters() -> None:
    state = begun(start_by=DISTRIBUTION)
    assert possible_locations(game.view(state, PUBLIC)).strong == X_CARDS
    options = resolve("classic", 5, changes=Overrides(start_by=DISTRIBUTION))
    state, _ = game.setup(options, SeededChance(3))
    left = tuple(card for card in options.start_cards_mr_x if card not in state.offered)
    for seat in (1, 2, 3, 4):
        assert possible_locations(game.view(state, PUBLIC)).analysis == left
        state, _ = game.apply(state, Seat(seat), game.legal_moves(state, Seat(seat))[0], NoChance())
    assert possible_locations(game.view(state, PUBLIC)).analysis == left


# ---- the hunters distribute themselves


def test_distribute_the_stations_are_drawn_from_the_hunters_deck_and_named_openly() -> None:
    chance = RecordedChance(ScriptedChance(DEALT))
    options = resolve("new", 3, changes=Overrides(start_by=DISTRIBUTION))
    state, events = game.setup(options, chance)
    assert [draw.bound for draw in chance.draws] == [16, 15, 14, 13, 13]
    assert [draw.label for draw in chance.draws] == [
        *(f"start card {number} of the hunters" for number in (1, 2, 3, 4)),
        "start card of mr_x",
    ]
    assert events == (PlacingBegan(OFFERED), Placed(Piece.MR_X, Station(45)))
    assert [game.event_view(event, PUBLIC) for event in events] == [PlacingBegan(OFFERED), Placed(Piece.MR_X, None)]
    assert game.view(state, PUBLIC).offered == OFFERED
    assert (game.view(state, MR_X).mr_x, game.view(state, MR_X).start) == (45, 45)
    assert (game.view(state, DETECTIVES).mr_x, game.view(state, DETECTIVES).start) == (None, None)


def test_distribute_each_piece_takes_one_of_the_stations_that_are_left() -> None:
    state = begun(start_by=DISTRIBUTION)
    pieces = ("red", "bobby1", "bobby2")
    assert listed(state, 1) == [f"{piece} start {station}" for piece in pieces for station in OFFERED]
    state = placed("bobby1 start 26", state=state)
    assert game.view(state, PUBLIC).offered == (13, 29, 34)
    assert listed(state, 2) == [f"{piece} start {station}" for piece in ("blue", "bobby2") for station in (13, 29, 34)]


def test_distribute_other_stations_taken_ones_and_mr_x_are_refused() -> None:
    state = placed("bobby1 start 26", state=begun(start_by=DISTRIBUTION))
    assert refusal(state, "red start 26") is rulebook.START_IS_FREE
    for station in (1, 45, 50):
        assert refusal(state, f"red start {station}") is rulebook.START_IS_OFFERED
    assert refusal(state, "red start 200") is rulebook.STATION_ON_BOARD
    assert refusal(state, "mr_x start 26") is rulebook.PLACED_ONCE
    assert listed(state, 0) == []


def test_distribute_with_the_last_hunter_the_first_round_begins() -> None:
    texts = ("bobby1 start 26", "red start 34", "bobby2 start 13", "blue start 29")
    state = placed(*texts, state=begun(start_by=DISTRIBUTION))
    assert facts_of_state(state) == facts_of_table(start(3, 45, (34, 29, 26, 13)), state.options)
    assert (state.start, state.offered) == (45, ())


def test_distribute_there_are_as_many_ways_as_orders_of_pieces_times_orders_of_stations() -> None:
    """Every way, counted one by one: four pieces in any order, each on one of the stations that are left."""
    ends: list[tuple[int, ...]] = []

    def place_on(state: ScotlandYardState) -> None:
        if state.phase is not Phase.PLACING:
            ends.append(state.hunters)
            return
        for move in {move for seat in game.to_move(state) for move in _places(state, seat)}:
            seat = next(seat for seat in game.to_move(state) if move in game.legal_moves(state, seat))
            place_on(game.apply(state, seat, move, NoChance())[0])

    place_on(begun(start_by=DISTRIBUTION))
    assert len(ends) == 24 * 24
    assert set(ends) == set(permutations(OFFERED))
    assert all(ends.count(stations) == 24 for stations in set(ends))


# ---- ends, options, and what a position is


def test_choose_a_game_whose_detectives_cannot_hunt_is_over_once_all_stand() -> None:
    state = begun(detective_tickets=Tickets(0, 0, 0))
    assert state.outcome is None
    state = placed(*PLACED, "mr_x start 170", state=state)
    assert (winner(state), ended_by(state)) == ("mr_x", rulebook.DETECTIVES_IMMOBILE)
    assert game.view(state, PUBLIC).start == 170
    assert refusal(state, "red start 1") is rulebook.GAME_IS_OVER


@pytest.mark.usefixtures("nobody_elses_boards")
def test_choose_a_board_needs_a_station_for_every_piece() -> None:
    stations = {str(number): {"at": [number * 100, 1]} for number in range(1, 5)}
    for number in range(1, 4):
        stations[str(number)]["taxi"] = [number + 1]
    boards.add(json.dumps({"name": "four-stations", "stations": stations}))
    for bobbies, has_room in ((1, True), (2, False)):
        changes = Overrides(board="four-stations", start_by=CHOICE, bobbies=bobbies)
        if has_room:
            assert resolve("new", 3, changes=changes).start_cards_mr_x == ()
            continue
        with pytest.raises(OptionsError) as refused:
            resolve("new", 3, changes=changes)
        assert (refused.value.field, refused.value.rule) == ("overrides.board", rulebook.STATION_FOR_ALL)


def test_positions_have_all_pieces_on_the_board() -> None:
    options = resolve("new", 3, changes=Overrides(start_by=CHOICE))
    with pytest.raises(PositionError) as refused:
        position(options, mr_x=170, hunters=[104, 29, 13, 141], phase=Phase.PLACING)
    assert refused.value.field == "phase"
    with pytest.raises(ValueError, match="still placed"):
        position_text(begun())
    asked = position(options, mr_x=170, hunters=[104, 29, 13, 141])
    assert len(possible_locations(game.view(asked, PUBLIC)).analysis) == 199


@pytest.mark.parametrize("start_by", [CHOICE, DISTRIBUTION])
def test_choose_states_moves_and_events_come_out_of_the_store_as_they_went_in(start_by: StartBy) -> None:
    options = resolve("new", 3, changes=Overrides(start_by=start_by))
    state, events = game.setup(options, SeededChance(1))
    assert decode_happened(encode_happened(None, events)) == (None, events)
    while state.phase is Phase.PLACING:
        assert decode_state(options, encode_state(state)) == state
        seat = game.to_move(state)[-1]
        move = game.legal_moves(state, seat)[-1]
        state, events = game.apply(state, seat, move, NoChance())
        assert decode_happened(encode_happened(move, events)) == (move, events)
