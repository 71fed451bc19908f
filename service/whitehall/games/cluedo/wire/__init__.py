"""Cluedo on the wire and in the store. The one place where this game's values meet protobuf."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whitehall.games.cluedo import edition, notation
from whitehall.games.cluedo.card import card
from whitehall.games.cluedo.events import Event
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.cluedo.wire import deductions, log_storage, moves, positions, records, refuters, storage, views
from whitehall.games.cluedo.wire.options import fault, read_overrides, write_options
from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import taken
from whitehall.games.core.wanted import IsWanted
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, game_pb2, position_pb2, record_pb2, service_pb2
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2


class CluedoWire:
    """This game's half of the generic servicer and of the store."""

    service = service_pb2.DESCRIPTOR.services_by_name["CluedoService"].full_name
    position_service = position_pb2.DESCRIPTOR.services_by_name["CluedoPositionService"].full_name
    rules = game

    # The same messages in every game, each of its own type.
    requests: Any = service_pb2
    game_message = game_pb2.Game
    revision_message = game_pb2.Revision
    update_message = game_pb2.Update
    recorded_revision_message = record_pb2.RecordedRevision

    recurring = None

    position_messages: Any = position_pb2
    questions: Mapping[str, Callable[..., bytes | Callable[[IsWanted], bytes]]] = {
        **positions.QUESTIONS,
        **refuters.QUESTIONS,
        **deductions.QUESTIONS,
    }
    plain_questions: Mapping[str, Any] = {}
    inquiries: Mapping[str, Callable[..., deductions.Valuation]] = deductions.INQUIRIES

    format_of = staticmethod(storage.format_of)
    encode_options = staticmethod(storage.encode_options)
    decode_options = staticmethod(storage.decode_options)
    encode_state = staticmethod(storage.encode_state)
    decode_state = staticmethod(storage.decode_state)
    encode_happened = staticmethod(log_storage.encode_happened)
    decode_happened = staticmethod(log_storage.decode_happened)

    record_text = staticmethod(records.record_text)

    write_view = staticmethod(views.write_view)
    write_event = staticmethod(views.write_event)
    legal_moves = staticmethod(moves.list_legal_moves)

    def read_options(self, request: service_pb2.CreateGameRequest) -> tuple[CluedoOptions, tuple[str, ...]]:
        """The options that a host asks for, and the seats' names. Raises `InvalidField`."""
        pawns = [card(seat.pawn) for seat in request.seats]
        try:
            changes = read_overrides(request.overrides)
            options = edition.resolve(request.preset, request.players, pawns or None, changes)
        except OptionsError as error:
            raise fault(error) from error
        asked = [seat.name for seat in request.seats] or [""] * len(options.seats)
        names = tuple(name or pawn.word for name, pawn in zip(asked, options.seats, strict=True))
        for index, name in enumerate(names):
            if name in names[:index]:
                raise InvalidField(f"seats[{index}].name", taken(name))
        return options, names

    def read_move(
        self, request: service_pb2.ValidateMoveRequest | service_pb2.PlayMoveRequest, options: CluedoOptions, seat: Seat
    ) -> Move:
        """The move that a seat tries. Raises `InvalidField`."""
        return moves.read_move(request.move, options.seats[seat])

    def write_deductions(
        self, view: CluedoView, request: service_pb2.GetDeductionsRequest
    ) -> Callable[[IsWanted], bytes]:
        """What works out in a thread what can lie where, as an encoded `PossibleSolutions`. Raises `InvalidField`."""
        return lambda is_wanted: deductions.write_deductions(view, request.explain, is_wanted).SerializeToString()

    def possibilities(self, deductions: bytes) -> int:
        """How many solutions such an encoded `PossibleSolutions` leaves possible."""
        return len(deduction_pb2.PossibleSolutions.FromString(deductions).solutions)

    def write_session_event(self, event: common_pb2.SessionEvent) -> game_pb2.Event:
        """Something that happened to the session, among this game's events."""
        return game_pb2.Event(session=event)

    def made(self, move: Move, events: Sequence[Event]) -> list[str]:
        """The move in notation: it is always made whole."""
        return [notation.text(move)]

    def played(self, move: Move, events: Sequence[Event]) -> Mapping[str, Any]:
        """A move is told by the update alone."""
        return {}

    def write_record(self, options: CluedoOptions, state: CluedoState | None) -> record_pb2.Record:
        """What the record says of the game itself; the servicer adds its history."""
        outcome = None if state is None else state.outcome
        return record_pb2.Record(
            preset=options.preset,
            players=options.players,
            seats=views.write_seats(options),
            outcome=None if outcome is None else views.write_outcome(outcome),
            options=write_options(options),
        )


wire = CluedoWire()
