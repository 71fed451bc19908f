"""Replay: a record played through again by the rules, and what is wrong with it where something is."""

from collections.abc import Iterator
from typing import NamedTuple

from whitehall.games.cluedo import edition, notation, rules
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.overrides import OptionsError
from whitehall.games.cluedo.record import Record, Result
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.core.chance import DrawMismatch, RecordedChance, ReplayedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat


class Fault(NamedTuple):
    """Something in a record that cannot be: its place in words, and why."""

    place: str
    reason: str


def replay(record: Record) -> tuple[Fault, ...]:
    """Plays a record through with the draws that it holds, and tells what is wrong with it.

    After an illegal move nothing more can be played.
    """
    return tuple(_faults(record))


def options_of(record: Record) -> CluedoOptions:
    """What was in force. Raises `OptionsError` where a record names what cannot be."""
    return edition.resolve(record.preset, record.players, [seat.pawn for seat in record.seats], record.overrides)


def _faults(record: Record) -> Iterator[Fault]:
    try:
        options = options_of(record)
    except OptionsError as error:
        yield Fault(error.field, error.reason)
        return
    if not (record.draws or record.turns):
        if record.result is not None:
            yield Fault("result", "a game that was never dealt has none")
        return

    chance = RecordedChance(ReplayedChance(record.draws))
    try:
        state, _ = rules.setup(options, chance)
    except DrawMismatch as error:
        yield Fault("draws", str(error))
        return
    for number, turn in enumerate(record.turns, 1):
        place = f"turn {number}"
        if state.outcome is None and state.turn != number:
            yield Fault(place, f"turn {state.turn} is not over")
            return
        for move in turn:
            try:
                state, _ = rules.apply(state, _seat_of(options, move), move, chance)
            except IllegalMove as error:
                rule = error.violation.rule
                yield Fault(place, f"{notation.text(move)}: {rule.en} ({rule.id})")
                return
            except DrawMismatch as error:
                yield Fault(place, str(error))
                return
    if chance.draws != record.draws:
        yield Fault("draws", f"{len(record.draws)} are recorded, and {len(chance.draws)} were needed")
    yield from _result_faults(record, state)


def _seat_of(options: CluedoOptions, move: Move) -> Seat:
    """The seat that plays the pawn, or else one whose move the rules refuse."""
    return options.seat_of.get(move.pawn, Seat(0))


def _result_faults(record: Record, state: CluedoState) -> Iterator[Fault]:
    result = None
    if state.outcome is not None:
        winners = [state.options.seats[seat] for seat in state.outcome.winners]
        result = Result(winners[0] if winners else None, state.outcome.rule.id)
    if record.result != result:
        came_to = "the game is not over" if result is None else f"the game ends by {result.rule}"
        yield Fault("result", f"after these moves {came_to}")
