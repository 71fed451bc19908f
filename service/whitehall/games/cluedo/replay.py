"""Replay: a record played through again by the rules, and what is wrong with it where something is."""

from collections.abc import Iterator
from typing import NamedTuple

from whitehall.games.cluedo import edition, notation, rules
from whitehall.games.cluedo.events import Event
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


class Replay(NamedTuple):
    """What became of a record: what happened at the deal and at each move, and what is wrong.

    After an illegal move nothing more can be played, so `happened` ends there.
    """

    happened: tuple[tuple[Event, ...], ...]
    faults: tuple[Fault, ...]


def replay(record: Record) -> Replay:
    """Plays a record through with the draws that it holds."""
    happened: list[tuple[Event, ...]] = []
    return Replay(faults=tuple(_faults(record, happened)), happened=tuple(happened))


def _faults(record: Record, happened: list[tuple[Event, ...]]) -> Iterator[Fault]:
    try:
        seats = [seat.pawn for seat in record.seats]
        options = edition.resolve(record.preset, record.players, seats, record.overrides)
    except OptionsError as error:
        yield Fault(error.field, error.reason)
        return
    if not (record.draws or record.turns):
        if record.result is not None:
            yield Fault("result", "a game that was never dealt has none")
        return

    chance = RecordedChance(ReplayedChance(record.draws))
    try:
        state, events = rules.setup(options, chance)
    except DrawMismatch as error:
        yield Fault("draws", str(error))
        return
    happened.append(events)
    for number, turn in enumerate(record.turns, 1):
        place = f"turn {number}"
        if state.outcome is None and state.turn != number:
            yield Fault(place, f"turn {state.turn} is not over")
            return
        for move in turn:
            try:
                state, events = rules.apply(state, _seat_of(options, move), move, chance)
            except IllegalMove as error:
                rule = error.violation.rule
                yield Fault(place, f"{notation.text(move)}: {rule.en} ({rule.id})")
                return
            except DrawMismatch as error:
                yield Fault(place, str(error))
                return
            happened.append(events)
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
