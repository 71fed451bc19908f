"""Our enumerations as those of the wire: the same numbers under another type."""

from typing import cast

from whitehall.games.cluedo.events import TurnEndReason
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.state import Phase
from whitehall.gen.whitehall.cluedo.v1 import game_pb2, options_pb2


def phase_number(phase: Phase) -> "game_pb2.Phase.ValueType":
    """How far a turn has come."""
    return cast("game_pb2.Phase.ValueType", phase.value)


def turn_end_reason_number(reason: TurnEndReason) -> "game_pb2.TurnEndReason.ValueType":
    """Why a turn ended."""
    return cast("game_pb2.TurnEndReason.ValueType", reason.value)


def movement_number(movement: Movement) -> "options_pb2.Movement.ValueType":
    """How much of a roll is walked."""
    return cast("options_pb2.Movement.ValueType", movement.value)


def accusation_moment_number(moment: AccusationMoment) -> "options_pb2.AccusationMoment.ValueType":
    """When a seat may accuse."""
    return cast("options_pb2.AccusationMoment.ValueType", moment.value)


def dice_source_number(source: DiceSource) -> "options_pb2.DiceSource.ValueType":
    """Who rolls."""
    return cast("options_pb2.DiceSource.ValueType", source.value)


def leftovers_number(leftovers: Leftovers) -> "options_pb2.Leftovers.ValueType":
    """What happens to cards that do not go round evenly."""
    return cast("options_pb2.Leftovers.ValueType", leftovers.value)
