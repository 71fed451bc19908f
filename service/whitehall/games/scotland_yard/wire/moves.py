"""Moves on the wire: reading what a seat tries, and writing what it may do."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from whitehall.games.core.encoding import embedded
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.kept import Kept
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import HOLDS_NO_MOVE
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import hunters, mr_x, notation
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Pass, Place, Ride, Together, Travel, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.timetable import DOUBLES_KEPT, TRAVELS_KEPT
from whitehall.games.scotland_yard.wire.numbers import action_number, piece_number, ticket_number
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2

# --- reading ------------------------------------------------------------------------------------------------------


def read_moves(messages: Sequence[move_pb2.Move], default: Piece | None, path: str = "moves") -> Move:
    """The move that a request's list stands for; several are hunters' moves to be judged together.

    `default` is the piece that is meant where none is named. Raises `InvalidField`.
    """
    moves = [_read_move(message, default, f"{path}[{index}]") for index, message in enumerate(messages)]
    if len(moves) == 1:
        return moves[0]
    hunters: list[Travel | Pass] = []
    for index, move in enumerate(moves):
        if not isinstance(move, Travel | Pass):
            several = Text(
                "several moves in one call must be rides or passes of hunters",
                "plusieurs coups dans un appel doivent être des trajets ou des passes de poursuivants",
            )
            raise InvalidField(f"{path}[{index}]", several)
        hunters.append(move)
    return Together(tuple(hunters))


def _read_move(message: move_pb2.Move, default: Piece | None, path: str) -> Move:
    match message.WhichOneof("kind"):
        case "travel":
            travel = message.travel
            piece = _piece(travel.piece, default, f"{path}.travel.piece")
            return Travel(piece, Ticket(travel.ticket), Station(travel.station))
        case "double_move":
            return DoubleMove(read_ride(message.double_move.first), read_ride(message.double_move.second))
        case "pass_turn":
            return Pass(_piece(message.pass_turn.piece, default, f"{path}.pass_turn.piece"))
        case "place":
            piece = _piece(message.place.piece, default, f"{path}.place.piece")
            return Place(piece, Station(message.place.station))
        case "use_action":
            return UseAction(SpecialAction(message.use_action.action))
        case "hear":
            return Hear(message.hear.landmark)
        case "text":
            try:
                return notation.parse(message.text, default)
            except NotationError as error:
                raise InvalidField(f"{path}.text", error.placed) from error
        case _:
            raise InvalidField(path, HOLDS_NO_MOVE)


def read_ride(message: move_pb2.Ride) -> Ride:
    """A half of a double move."""
    return Ride(Ticket(message.ticket), Station(message.station))


def _piece(number: int, default: Piece | None, path: str) -> Piece:
    if number:
        return Piece(number)
    if default is None:
        unclear = Text(
            "must name the piece, since it could be any of several",
            "doit nommer le pion, car il y en a plusieurs possibles",
        )
        raise InvalidField(path, unclear)
    return default


# --- writing ------------------------------------------------------------------------------------------------------

_RIDES = move_pb2.PieceMoves.DESCRIPTOR.fields_by_name["rides"].number
_DOUBLES = move_pb2.PieceMoves.DESCRIPTOR.fields_by_name["doubles"].number
_FIRST = move_pb2.DoubleGroup.DESCRIPTOR.fields_by_name["first"].number
_SECONDS = move_pb2.DoubleGroup.DESCRIPTOR.fields_by_name["seconds"].number
_ACTIONS = move_pb2.LegalMoves.DESCRIPTOR.fields_by_name["actions"].number
_PIECES = move_pb2.LegalMoves.DESCRIPTOR.fields_by_name["pieces"].number


class _Travels(dict[Travel, bytes]):
    """Single rides as elements of `PieceMoves.rides`, encoded when first asked for."""

    def __missing__(self, move: Travel) -> bytes:
        words = notation.text(move, with_piece=move.piece is not Piece.MR_X)
        ride = move_pb2.LegalRide(ticket=ticket_number(move.ticket), station=move.station, text=words)
        element = self[move] = embedded(_RIDES, ride.SerializeToString())
        return element


class _Halves(dict[Ride, bytes]):
    """Halves of double moves as elements of one field of `DoubleGroup`, encoded when first asked for."""

    def __init__(self, field: int, prefix: str) -> None:
        super().__init__()
        self._field = field
        self._prefix = prefix

    def __missing__(self, half: Ride) -> bytes:
        words = f"{self._prefix}{half.ticket.word} {half.station}"
        ride = move_pb2.LegalRide(ticket=ticket_number(half.ticket), station=half.station, text=words)
        element = self[half] = embedded(self._field, ride.SerializeToString())
        return element


# Bounded by the kinds of tickets and the numbers that stations can have.
_travels = _Travels()
_firsts = _Halves(_FIRST, "double ")
_seconds = _Halves(_SECONDS, "")

_first_half = attrgetter("first")


def encode_doubles(moves: Iterable[DoubleMove]) -> bytes:
    """Double moves, ordered by their first half, as `PieceMoves.doubles`."""
    return b"".join(
        embedded(_DOUBLES, _firsts[first] + _encode_seconds([move.second for move in group]))
        for first, group in groupby(moves, _first_half)
    )


def _encode_seconds(halves: Sequence[Ride]) -> bytes:
    """The second halves of one group: rides with their text, and then flights as mere stations."""
    if halves[-1].ticket is not Ticket.HELICOPTER:
        return b"".join([_seconds[half] for half in halves])
    flights = [half.station for half in halves if half.ticket is Ticket.HELICOPTER]
    rides = [_seconds[half] for half in halves if half.ticket is not Ticket.HELICOPTER]
    return b"".join(rides) + move_pb2.DoubleGroup(flights=flights).SerializeToString()


def encode_legal_moves(moves: Sequence[Move]) -> bytes:
    """A list of moves, ordered by piece with single rides before doubles, as an encoded `LegalMoves`."""
    pieces: dict[Piece, list[bytes]] = {}
    doubles: list[DoubleMove] = []
    passes: set[Piece] = set()
    starts: dict[Piece, list[Station]] = {}
    flights: list[Station] = []
    actions: list[bytes] = []
    for move in moves:
        if type(move) is Travel and move.ticket is Ticket.HELICOPTER:
            flights.append(move.station)
        elif type(move) is Travel:
            pieces.setdefault(move.piece, []).append(_travels[move])
        elif type(move) is DoubleMove:
            doubles.append(move)
        elif type(move) is Pass:
            pieces.setdefault(move.piece, [])
            passes.add(move.piece)
        elif type(move) is UseAction or type(move) is Hear:
            actions.append(_encode_action(move))
        elif type(move) is Place:
            starts.setdefault(move.piece, []).append(move.station)
    for piece, stations in starts.items():
        words = f"{piece.word} {notation.START}"
        pieces[piece] = [move_pb2.PieceMoves(starts=stations, start_text=words).SerializeToString()]
    if flights:
        pieces.setdefault(Piece.MR_X, []).append(move_pb2.PieceMoves(flights=flights).SerializeToString())
    if doubles:
        pieces.setdefault(Piece.MR_X, []).append(encode_doubles(doubles))
    listed = [
        embedded(_PIECES, _HEADS[piece] + b"".join(elements) + (_PASSES[piece] if piece in passes else b""))
        for piece, elements in pieces.items()
    ]
    return b"".join(listed + actions)


@lru_cache(1 << 8)
def _encode_action(move: UseAction | Hear) -> bytes:
    """A special action or a choice as an element of `LegalMoves.actions`."""
    action = move_pb2.LegalAction(text=notation.text(move))
    if isinstance(move, UseAction):
        action.action = action_number(move.action)
    else:
        action.landmark = move.landmark
    return embedded(_ACTIONS, action.SerializeToString())


def encode_moves_of(state: ScotlandYardState, seat: Seat) -> bytes:
    """All legal moves of a seat as an encoded `LegalMoves`: the same as `encode_legal_moves` makes of them, with each
    piece's list mostly found encoded already.
    """
    options = state.options
    if state.master is not None:
        return encode_legal_moves(game.legal_moves(state, seat))
    if state.phase == Phase.MR_X and seat == MR_X_SEAT:
        return embedded(_PIECES, _rides_of(mr_x.travels(state)) + _doubles_of(mr_x.doubles(state)))
    if state.phase == Phase.HUNTERS and seat in options.hunter_seats:
        pieces: list[bytes] = []
        for piece in options.movers[seat]:
            number = options.hunter_numbers[piece]
            if state.moved >> number & 1:
                continue
            rides = hunters.travels(state, number)
            if rides:
                pieces.append(_hunter_of(rides))
            elif hunters.may_pass(state, number):
                pieces.append(_WAITING[piece])
        return b"".join(pieces)
    return encode_legal_moves(game.legal_moves(state, seat))


def _encode_rides(moves: Sequence[Travel]) -> bytes:
    """One piece's single rides as the beginning of its `PieceMoves`."""
    return _HEADS[moves[0].piece] + b"".join([_travels[move] for move in moves])


def _encode_hunter(moves: Sequence[Travel]) -> bytes:
    """A hunter's moves, which are all single rides, as an element of `LegalMoves.pieces`."""
    return embedded(_PIECES, _encode_rides(moves))


_hunter_of = Kept(_encode_hunter, TRAVELS_KEPT)
_rides_of = Kept(_encode_rides, TRAVELS_KEPT)
_doubles_of = Kept(encode_doubles, DOUBLES_KEPT)

_HEADS = {piece: move_pb2.PieceMoves(piece=piece_number(piece)).SerializeToString() for piece in Piece}
_PASSES = {
    piece: move_pb2.PieceMoves(may_pass=True, pass_text=notation.text(Pass(piece))).SerializeToString()
    for piece in Piece
}
_WAITING = {piece: embedded(_PIECES, _HEADS[piece] + _PASSES[piece]) for piece in Piece}
"""Each piece that may only pass, as an element of `LegalMoves.pieces`."""
