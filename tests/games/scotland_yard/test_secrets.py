"""What hunters and the public may not learn: where Mr X started, rides and hides, and anything that would tell it."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from tests.games.chance import NoChance, SeededChance
from tests.games.scotland_yard.scenario import refusals, scene, violation
from tests.games.scotland_yard.worlds import pairs
from whitehall.games.core.chance import Draw
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import Event, MrXTravelled, Placed
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Pass, Together, Travel
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import OWN_PIECES
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import write_position

FAR = "red 104, blue 29, bobby1 13, bobby2 141"
FAR_STATIONS = (104, 29, 13, 141)
HUNTERS_AND_PUBLIC = (Seat(1), Seat(2), None)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of a tree of values, down to the last, by its path. The options are the same for everybody."""
    if isinstance(value, ScotlandYardOptions):
        return
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        inner: Any = zip(value._fields, value, strict=True)
    elif is_dataclass(value) and not isinstance(value, type):
        inner = ((field.name, getattr(value, field.name)) for field in fields(value))
    elif isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, tuple | list | set | frozenset):
        inner = enumerate(value)
    else:
        yield path, value
        return
    yield path, type(value)
    for name, part in inner:
        yield from leaves(part, f"{path}.{name}")


def paths_to(tree: Any, station: int) -> list[str]:
    return [path for path, value in leaves(tree) if value == station]


def a_game_so_far() -> tuple[ScotlandYardState, list[Event], list[Station]]:
    """Four moves of a dealt game with Mr X in the hundreds, so that no count can be taken for one of his stations."""
    for seed in range(1000):
        state, dealt = game.setup(resolve("new", 3), SeededChance(seed))
        events: list[Event] = list(dealt)
        route, random = [state.mr_x], Random(seed)
        for _ in range(4):
            for seat in (Seat(0), Seat(1), Seat(1), Seat(2), Seat(2)):
                moves = [move for move in game.legal_moves(state, seat) if isinstance(move, Travel)]
                if moves:
                    state, happened = game.apply(state, seat, random.choice(moves), SeededChance(0))
                    events.extend(happened)
            route.append(state.mr_x)
        # the stations of rides 1, 2 and 4 are hidden; hunters may stand on none of those he used
        seen = {station for round_start in state.round_starts for station in round_start.hunters} | set(state.hunters)
        if state.outcome is None and min(route) >= 100 and len(set(route)) == 5 and not seen & set(route):
            return state, events, route
    raise AssertionError("no seed gives such a game")


@pytest.mark.parametrize("viewer", HUNTERS_AND_PUBLIC)
def test_ts05_a_hunters_view_holds_no_start_station_no_draw_and_no_hidden_station_anywhere(viewer: Seat | None) -> None:
    state, _ = game.setup(resolve("new", 3), SeededChance(5))
    assert paths_to(game.view(state, viewer), state.mr_x) == []

    state, _, (start, first, second, third, fourth) = a_game_so_far()
    view = game.view(state, viewer)
    for hidden in (start, first, second, fourth):
        assert paths_to(view, hidden) == []
    assert paths_to(view, third) == [".log.2.station"]
    kinds = {value for _, value in leaves(view) if isinstance(value, type)}
    assert not kinds & {Draw, ScotlandYardState}
    assert not [path for path, _ in leaves(view) if "seed" in path or "draw" in path or "chance" in path]


def test_ts05_mr_xs_own_view_holds_his_start_and_his_whole_route() -> None:
    state, _, route = a_game_so_far()
    view = game.view(state, Seat(0))
    assert (view.start, view.mr_x) == (route[0], route[-1])
    assert [field.station for field in view.log] == route[1:]


@pytest.mark.parametrize("viewer", HUNTERS_AND_PUBLIC)
def test_ts07_hunters_see_that_mr_x_moved_and_by_which_ticket_but_not_where_to(viewer: Seat | None) -> None:
    _, events, (start, first, second, third, fourth) = a_game_so_far()
    seen = [game.event_view(event, viewer) for event in events]
    assert len(seen) == len(events)
    for hidden in (start, first, second, fourth):
        assert paths_to(seen, hidden) == []
    rides = [event for event in seen if isinstance(event, MrXTravelled)]
    told = [event for event in events if isinstance(event, MrXTravelled)]
    assert [(ride.number, ride.ticket) for ride in rides] == [(ride.number, ride.ticket) for ride in told]
    assert [ride.station for ride in rides] == [None, None, third, None]
    assert [ride.surfaced for ride in rides] == [False, False, True, False]
    placed = {event.piece: event.station for event in seen if isinstance(event, Placed)}
    assert placed.pop(Piece.MR_X) is None
    assert all(placed.values())


def test_ts07_mr_xs_own_events_have_his_stations() -> None:
    _, events, route = a_game_so_far()
    seen = [game.event_view(event, Seat(0)) for event in events]
    assert seen == events
    assert [event.station for event in seen if isinstance(event, MrXTravelled)] == route[1:]


@pytest.mark.parametrize("seed", range(10))
def test_ts07_when_the_game_is_over_everybody_sees_the_start_and_the_whole_log(seed: int) -> None:
    random = Random(seed)
    state, _ = game.setup(resolve("new", 4), SeededChance(seed))
    start, route = state.mr_x, []
    while seats := game.to_move(state):
        seat = random.choice(seats)
        state, events = game.apply(state, seat, random.choice(game.legal_moves(state, seat)), NoChance())
        route.extend([event.station for event in events if isinstance(event, MrXTravelled)])
    for viewer in (Seat(0), Seat(1), Seat(2), Seat(3), None):
        view = game.view(state, viewer)
        assert (view.start, view.mr_x) == (start, state.mr_x)
        assert [field.station for field in view.log] == route


def test_sy20_hunters_cannot_ask_for_mr_xs_moves_whosever_turn_it_is() -> None:
    """The same refusal, to the last detail, for right and wrong guesses of his station."""
    for turn in ("mr_x", "hunters"):
        answers = set()
        for station in range(1, 200):
            if station in FAR_STATIONS:
                continue
            state = scene(3, turn, f"mr_x {station}, {FAR}")
            assert "mr_x" not in " ".join(map(notation.text, game.legal_moves(state, Seat(1))))
            for text in ("mr_x taxi 8", "mr_x double taxi 8 taxi 1", "mr_x black 115", "mr_x pass"):
                refused = violation(state, text, seat=1)
                assert refused is not None
                assert refused.rule is OWN_PIECES
                answers.add((text, refused.rule.id, tuple(refused.details.items())))
        assert len(answers) == 4, turn


def test_sy20_a_refusal_of_mr_xs_move_names_every_rule_alike_wherever_he_is() -> None:
    for turn in ("mr_x", "hunters"):
        lists = {
            frozenset(rule.id for rule in refusals(scene(3, turn, f"mr_x {station}, {FAR}"), "mr_x taxi 8", seat=1))
            for station in range(1, 200)
            if station not in FAR_STATIONS
        }
        assert len(lists) == 1, turn


@pytest.mark.parametrize("seed", range(40))
def test_sy16_batches_are_judged_alike_in_worlds_that_hunters_cannot_tell_apart(seed: int) -> None:
    """Batches that would catch Mr X in one world and miss him in the other are among them."""
    random = Random(seed)
    for pair in pairs(seed):
        for (one, _), (other, _) in zip(pair.one.play(game), pair.other.play(game), strict=True):
            for seat in game.to_move(one):
                for moves in _batches(one, seat, random) if seat else ():
                    found = list(game.violations(one, seat, moves))
                    assert found == list(game.violations(other, seat, moves))


def _batches(state: ScotlandYardState, seat: Seat, random: Random) -> Iterator[Together]:
    """Random batches of two or three moves, half of which are legal by themselves."""
    listed = [move for move in game.legal_moves(state, seat) if isinstance(move, Travel | Pass)]
    for _ in range(5):
        strays: list[Travel | Pass] = [
            Travel(random.choice(list(Piece)), random.choice(list(Ticket)), Station(random.randint(1, 199))),
            Pass(random.choice(list(Piece))),
        ]
        yield Together(tuple(random.choice([*listed, *strays]) for _ in range(random.randint(2, 3))))


@pytest.mark.parametrize("seed", range(10))
def test_what_a_log_line_would_print_of_a_state_or_a_refusal_does_not_tell_where_mr_x_is(seed: int) -> None:
    for pair in pairs(seed):
        for (one, _), (other, _) in zip(pair.one.play(game), pair.other.play(game), strict=True):
            assert (repr(one), str(one)) == (repr(other), str(other))
    refused = {
        repr(violation(scene(3, "hunters", f"mr_x {station}, {FAR}"), "red taxi 8")) for station in (116, 8, 170, 199)
    }
    assert len(refused) == 1


def test_questions_about_positions_and_games_in_play_prepare_nothing_for_each_other() -> None:
    """What was prepared before comes sooner, so a shared timetable would tell by the clock where Mr X has stood."""
    played = resolve("new", 3)
    state, _ = game.setup(played, SeededChance(1))
    asked = read_position(write_position(state))
    assert asked.options.board == played.board
    assert asked.options.board.timetable is not played.board.timetable
    listed, answered = game.legal_moves(state, MR_X_SEAT), game.legal_moves(asked, MR_X_SEAT)
    assert listed == answered
