"""Our enumerations as those of the wire: the same numbers under another type."""

from typing import cast

from whitehall.games.scotland_yard.events import PassReason
from whitehall.games.scotland_yard.master import AnalysisStart, HelicopterGrant, Nearness, ScanMast, SpecialAction
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Ticket
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, master_pb2, move_pb2, options_pb2


def piece_number(piece: Piece) -> "move_pb2.Piece.ValueType":
    """A pawn."""
    return cast("move_pb2.Piece.ValueType", piece.value)


def ticket_number(ticket: Ticket) -> "move_pb2.Ticket.ValueType":
    """A ticket."""
    return cast("move_pb2.Ticket.ValueType", ticket.value)


def phase_number(phase: Phase) -> "game_pb2.Phase.ValueType":
    """A phase."""
    return cast("game_pb2.Phase.ValueType", phase.value)


def end_by_number(end_by: EndBy) -> "options_pb2.EndBy.ValueType":
    """What lets Mr X escape."""
    return cast("options_pb2.EndBy.ValueType", end_by.value)


def mr_x_supply_number(supply: MrXSupply) -> "options_pb2.MrXSupply.ValueType":
    """Where Mr X's normal tickets come from."""
    return cast("options_pb2.MrXSupply.ValueType", supply.value)


def stuck_scope_number(scope: StuckScope) -> "options_pb2.StuckScope.ValueType":
    """Who has to be immobile."""
    return cast("options_pb2.StuckScope.ValueType", scope.value)


def start_by_number(start_by: StartBy) -> "options_pb2.StartBy.ValueType":
    """How pieces come to their first stations."""
    return cast("options_pb2.StartBy.ValueType", start_by.value)


def pass_reason_number(reason: PassReason) -> "game_pb2.PassReason.ValueType":
    """Why a hunter passed."""
    return cast("game_pb2.PassReason.ValueType", reason.value)


def action_number(action: SpecialAction) -> "master_pb2.SpecialAction.ValueType":
    """A special action."""
    return cast("master_pb2.SpecialAction.ValueType", action.value)


def nearness_number(nearness: Nearness) -> "master_pb2.Nearness.ValueType":
    """A distance as Locate has it."""
    return cast("master_pb2.Nearness.ValueType", nearness.value)


def scan_mast_number(choice: ScanMast) -> "master_pb2.ScanMast.ValueType":
    """Which of the masts a Scan measures from."""
    return cast("master_pb2.ScanMast.ValueType", choice.value)


def analysis_start_number(choice: AnalysisStart) -> "master_pb2.AnalysisStart.ValueType":
    """Where Analysis lets Mr X have started."""
    return cast("master_pb2.AnalysisStart.ValueType", choice.value)


def helicopter_grant_number(grant: HelicopterGrant) -> "master_pb2.HelicopterGrant.ValueType":
    """When Mr X gets his helicopter tickets."""
    return cast("master_pb2.HelicopterGrant.ValueType", grant.value)
