"""Placing the pieces before the first round, where no start cards put them: who places what, where, and in which order.

The hunters are placed openly and in any order, the Bobbies by whichever detective seat comes first. Where players
choose, any station will do, and Mr X chooses last and in secret; where the hunters distribute themselves, chance has
named their stations and dealt Mr X his. Hunters' placements are judged on what lies open: where Mr X already has a
station, it is not looked at.
"""

from collections.abc import Iterator

from whitehall.games.core.rule import Violation
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import rounds
from whitehall.games.scotland_yard.events import Placed
from whitehall.games.scotland_yard.moves import Move, Place
from whitehall.games.scotland_yard.options import MR_X_SEAT, StartBy
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rounds import Continued
from whitehall.games.scotland_yard.rulebook import (
    HUNTERS_PLACED_FIRST,
    PLACED_ONCE,
    PLACING_COMES_FIRST,
    PLACING_IS_OVER,
    START_IS_FREE,
    START_IS_OFFERED,
    STATION_ON_BOARD,
)
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import NOWHERE, Station


def unplaced(state: ScotlandYardState, seat: Seat) -> tuple[Piece, ...]:
    """The pieces that the seat may place now, in order: Mr X's once all hunters stand, and a detective seat's, Bobbies
    included.
    """
    if seat == MR_X_SEAT:
        return (Piece.MR_X,) if state.mr_x == NOWHERE and NOWHERE not in state.hunters else ()
    numbers = state.options.hunter_numbers
    return tuple(piece for piece in state.options.movers.get(seat, ()) if state.hunters[numbers[piece]] == NOWHERE)


def free_stations(state: ScotlandYardState) -> tuple[Station, ...]:
    """Where the next piece may be placed, ascending; the same for every piece that may be placed now."""
    if state.options.start_by == StartBy.DISTRIBUTION:
        return state.offered
    return tuple(station for station in state.options.board.stations if station not in state.hunters)


def to_move(state: ScotlandYardState) -> tuple[Seat, ...]:
    """The seats that have a piece to place."""
    return tuple(seat for seat in state.options.movers if unplaced(state, seat))


def legal_moves(state: ScotlandYardState, seat: Seat) -> tuple[Place, ...]:
    """By piece and station."""
    stations = free_stations(state)
    return tuple(Place(piece, station) for piece in unplaced(state, seat) for station in stations)


def violations(state: ScotlandYardState, move: Move) -> Iterator[Violation]:
    """What forbids a move while pieces are placed, or a placement at any other time; `move` is of the seat's pieces."""
    # The first round begins when every piece stands on the board.
    if not isinstance(move, Place):
        yield Violation.of(PLACING_COMES_FIRST)
        return

    # Pieces are placed before the first round, and only where their players place them.
    piece, station = move
    if state.phase != Phase.PLACING:
        yield Violation.of(PLACING_IS_OVER, piece=piece.word)
        return

    # A piece is placed once.
    number = state.options.hunter_numbers.get(piece)
    if (state.mr_x if number is None else state.hunters[number]) != NOWHERE:
        yield Violation.of(PLACED_ONCE, piece=piece.word)

    # The detectives and Bobbies are placed first, then Mr X.
    elif number is None and NOWHERE in state.hunters:
        yield Violation.of(HUNTERS_PLACED_FIRST)

    # A move leads to a station of the board.
    if station not in state.options.board.coordinates:
        yield Violation.of(STATION_ON_BOARD, piece=piece.word, station=station)

    # Every piece starts on a station of its own.
    elif station in state.hunters:
        yield Violation.of(START_IS_FREE, piece=piece.word, station=station)

    # Where stations are named for the hunters, they distribute their pieces over these.
    elif state.options.start_by == StartBy.DISTRIBUTION and station not in state.offered:
        yield Violation.of(START_IS_OFFERED, piece=piece.word, station=station)


def move(state: ScotlandYardState, move: Place) -> Continued:
    """A piece is placed; with the last one the first round begins."""
    piece, station = move
    number = state.options.hunter_numbers.get(piece)
    if number is None:
        state = state._replace(mr_x=station, start=station)
    else:
        hunters = (*state.hunters[:number], station, *state.hunters[number + 1 :])
        offered = tuple(other for other in state.offered if other != station)
        state = state._replace(hunters=hunters, offered=offered)
    placed = Placed(piece, station, chosen=True)
    if NOWHERE in (state.mr_x, *state.hunters):
        return state, (placed,)
    state, events = rounds.begin(state._replace(round=1))
    return state, (placed, *events)
