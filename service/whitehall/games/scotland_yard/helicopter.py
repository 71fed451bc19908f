"""The helicopter: Mr X's flights in the app game, from where he stands to any other free station."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.moves import DoubleMove, Ride, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.station_sets import BOARDS_KEPT
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.timetable import ticket_set

_first_half = attrgetter("first")


@lru_cache(BOARDS_KEPT)
def _flights(board: Board) -> tuple[Travel, ...]:
    """A flight to each station of the board, ascending."""
    return tuple(Travel(Piece.MR_X, Ticket.HELICOPTER, station) for station in board.stations)


def left(state: ScotlandYardState) -> int:
    """The helicopter tickets that he has."""
    return 0 if state.master is None else state.master.helicopter_tickets


def may_be_half(state: ScotlandYardState) -> bool:
    """Whether a half of a double move may be a flight."""
    return state.options.master is not None and state.options.master.helicopter_in_double


def flights(state: ScotlandYardState) -> tuple[Travel, ...]:
    """His flights, if it were his turn."""
    if not left(state):
        return ()
    taken = {state.mr_x, *state.hunters}
    return tuple([flight for flight in _flights(state.options.board) if flight.station not in taken])


def with_flights(state: ScotlandYardState, doubles: tuple[DoubleMove, ...]) -> tuple[DoubleMove, ...]:
    """His double moves by land and water, and those with flights besides; still ordered by halves."""
    if not left(state) or not may_be_half(state):
        return doubles
    return tuple(_all_doubles(state, doubles))


def _all_doubles(state: ScotlandYardState, doubles: tuple[DoubleMove, ...]) -> Iterator[DoubleMove]:
    taken = frozenset(state.hunters)
    free = [Ride(Ticket.HELICOPTER, flight.station) for flight in _flights(state.options.board)]
    free = [ride for ride in free if ride.station not in taken]
    by_first = {first: tuple(group) for first, group in groupby(doubles, _first_half)}
    timetable = state.options.board.timetable
    held = ticket_set(state.supply, state.black_tickets)
    blocked = timetable.within_one_ride[state.mr_x] & taken
    for _, ticket, station in timetable.travels(Piece.MR_X, state.mr_x, held, blocked):
        first = Ride(ticket, station)
        yield from by_first.get(first, ())
        yield from (DoubleMove(first, second) for second in free if second.station != station)
    for first in free:
        if first.station == state.mr_x:
            continue
        yield from (DoubleMove(first, Ride(*ride[1:])) for ride in _rides_from(state, first.station, held, taken))
        if left(state) > 1:
            yield from (DoubleMove(first, second) for second in free if second.station != first.station)


def _rides_from(state: ScotlandYardState, station: Station, held: int, taken: frozenset[Station]) -> tuple[Travel, ...]:
    timetable = state.options.board.timetable
    return timetable.travels(Piece.MR_X, station, held, timetable.within_one_ride[station] & taken)
