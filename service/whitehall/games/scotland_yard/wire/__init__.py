"""Scotland Yard on the wire and in the store. The one place where this game's values meet protobuf."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import MUST_BE_GIVEN, taken
from whitehall.games.core.wanted import IsWanted
from whitehall.games.scotland_yard import edition, notation
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Move, Pass, Together
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import OWN_PIECES, PIECE_IN_GAME
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.view import ScotlandYardView
from whitehall.games.scotland_yard.wire import deductions, investigation, moves, positions, records, storage, views
from whitehall.games.scotland_yard.wire.options import fault, read_overrides, write_options
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import (
    deduction_pb2,
    game_pb2,
    move_pb2,
    position_pb2,
    record_pb2,
    service_pb2,
)


class ScotlandYardWire:
    """This game's half of the generic servicer and of the store."""

    service = service_pb2.DESCRIPTOR.services_by_name["ScotlandYardService"].full_name
    position_service = position_pb2.DESCRIPTOR.services_by_name["ScotlandYardPositionService"].full_name
    rules = game

    # The same messages in every game, each of its own type.
    requests: Any = service_pb2
    game_message = game_pb2.Game
    revision_message = game_pb2.Revision
    update_message = game_pb2.Update
    recorded_revision_message = record_pb2.RecordedRevision

    recurring = move_pb2.DoubleGroup

    position_messages: Any = position_pb2
    questions: Mapping[str, Callable[..., bytes | Callable[[IsWanted], bytes]]] = {
        **positions.QUESTIONS,
        **deductions.QUESTIONS,
        **investigation.QUESTIONS,
    }
    plain_questions: Mapping[str, Callable[[bytes], bytes | None]] = positions.PLAIN_QUESTIONS
    inquiries: Mapping[str, Any] = {}

    format_of = staticmethod(storage.format_of)
    encode_options = staticmethod(storage.encode_options)
    decode_options = staticmethod(storage.decode_options)
    encode_state = staticmethod(storage.encode_state)
    decode_state = staticmethod(storage.decode_state)
    encode_happened = staticmethod(storage.encode_happened)
    decode_happened = staticmethod(storage.decode_happened)

    record_text = staticmethod(records.record_text)

    def read_options(self, request: service_pb2.CreateGameRequest) -> tuple[ScotlandYardOptions, tuple[str, ...]]:
        """The options that a host asks for, and the seats' names. Raises `InvalidField`."""
        seats = [tuple(Piece(piece) for piece in seat.pieces) for seat in request.seats]
        try:
            changes = read_overrides(request.overrides)
            options = edition.resolve(request.preset, request.players, seats or None, changes)
        except OptionsError as error:
            raise fault(error) from error
        asked = [seat.name for seat in request.seats] or [""] * len(options.seats)
        names = tuple(name or _name(pieces, options) for name, pieces in zip(asked, options.seats, strict=True))
        for index, name in enumerate(names):
            if name in names[:index]:
                raise InvalidField(f"seats[{index}].name", taken(name))
        return options, names

    def read_move(
        self,
        request: service_pb2.ValidateMoveRequest | service_pb2.PlayMoveRequest,
        options: ScotlandYardOptions,
        seat: Seat,
    ) -> Move:
        """The move that a seat tries. Raises `InvalidField`."""
        movers = options.movers[seat]
        return moves.read_moves(request.moves, movers[0] if len(movers) == 1 else None)

    def legal_moves(self, state: ScotlandYardState, seat: Seat, request: service_pb2.ListLegalMovesRequest) -> bytes:
        """The seat's legal moves as an encoded `LegalMoves`. Raises `IllegalMove` for a piece it does not move."""
        if not (request.piece or request.singles_only or request.HasField("after")):
            return moves.encode_moves_of(state, seat)
        legal: Sequence[Move] = game.legal_moves(state, seat)
        if request.piece:
            piece = Piece(request.piece)
            refused = game.check(state, seat, Pass(piece))
            if refused is not None and refused.rule in (OWN_PIECES, PIECE_IN_GAME):
                raise IllegalMove(refused)
            legal = [move for move in legal if _piece(move) is piece]
        if request.HasField("after"):
            if not request.after.ticket:
                raise InvalidField("after.ticket", MUST_BE_GIVEN)
            first = moves.read_ride(request.after)
            legal = [move for move in legal if isinstance(move, DoubleMove) and move.first == first]
        if request.singles_only:
            legal = [move for move in legal if not isinstance(move, DoubleMove)]
        return moves.encode_legal_moves(legal)

    def write_view(self, view: ScotlandYardView) -> game_pb2.View:
        """What a viewer may know of the position."""
        return views.write_view(view)

    def write_deductions(
        self, view: ScotlandYardView, request: service_pb2.GetDeductionsRequest
    ) -> bytes | Callable[[IsWanted], bytes]:
        """Where Mr X can be, as an encoded `PossibleLocations`, or what works it out in a thread."""
        return deductions.deductions_of(view, request.hindsight, request.prospects)

    def possibilities(self, deductions: bytes) -> int:
        """How many stations such an encoded `PossibleLocations` leaves possible."""
        return len(deduction_pb2.PossibleLocations.FromString(deductions).strong)

    def write_event(self, event: Event) -> game_pb2.Event:
        """What a viewer may know of an event."""
        return views.write_event(event)

    def write_session_event(self, event: common_pb2.SessionEvent) -> game_pb2.Event:
        """Something that happened to the session, among this game's events."""
        return game_pb2.Event(session=event)

    def made(self, move: Move, events: Sequence[Event]) -> list[str]:
        """The single moves that were made, in notation."""
        return [notation.text(single) for single in views.made(move, events)]

    def played(self, move: Move, events: Sequence[Event]) -> Mapping[str, int]:
        """How many moves of a batch were left out."""
        tried = len(move.moves) if isinstance(move, Together) else 1
        return {"moves_dropped": tried - len(views.made(move, events))}

    def write_record(self, options: ScotlandYardOptions, state: ScotlandYardState | None) -> record_pb2.Record:
        """What the record says of the game itself; the servicer adds its history."""
        outcome = None if state is None else state.outcome
        return record_pb2.Record(
            preset=options.preset,
            players=options.players,
            seats=views.write_seats(options),
            outcome=None if outcome is None else views.write_outcome(outcome),
            options=write_options(options),
        )


def _name(pieces: Sequence[Piece], options: ScotlandYardOptions) -> str:
    """A seat's name where the host gave none: its pieces', or `detectives` where no other seat has several."""
    if len(pieces) > 1 and sum(len(seat) > 1 for seat in options.seats) == 1:
        return "detectives"
    return " and ".join(piece.word for piece in pieces)


def _piece(move: Move) -> Piece | None:
    return getattr(move, "piece", Piece.MR_X if isinstance(move, DoubleMove) else None)


wire = ScotlandYardWire()
