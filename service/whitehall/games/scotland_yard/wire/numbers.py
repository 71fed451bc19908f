"""Our enumerations as those of the wire: the same numbers under another type."""

from typing import cast

from whitehall.games.scotland_yard.events import PassReason
from whitehall.games.scotland_yard.master import Nearness, SpecialAction
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Ticket
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, master_pb2, move_pb2


def piece_number(piece: Piece) -> "move_pb2.Piece.ValueType":
    """A pawn."""
    return cast("move_pb2.Piece.ValueType", piece.value)


def ticket_number(ticket: Ticket) -> "move_pb2.Ticket.ValueType":
    """A ticket."""
    return cast("move_pb2.Ticket.ValueType", ticket.value)


def phase_number(phase: Phase) -> "game_pb2.Phase.ValueType":
    """A phase."""
    return cast("game_pb2.Phase.ValueType", phase.value)


def pass_reason_number(reason: PassReason) -> "game_pb2.PassReason.ValueType":
    """Why a hunter passed."""
    return cast("game_pb2.PassReason.ValueType", reason.value)


def action_number(action: SpecialAction) -> "master_pb2.SpecialAction.ValueType":
    """A special action."""
    return cast("master_pb2.SpecialAction.ValueType", action.value)


def nearness_number(nearness: Nearness) -> "master_pb2.Nearness.ValueType":
    """A distance as Locate has it."""
    return cast("master_pb2.Nearness.ValueType", nearness.value)
