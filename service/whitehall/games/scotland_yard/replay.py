"""Replay: a record played through again by the rules, and everything in it that does not follow from them."""

from collections.abc import Iterator
from typing import NamedTuple

from whitehall.games.core.chance import DrawMismatch, RecordedChance, ReplayedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import edition, notation, rules, start
from whitehall.games.scotland_yard.events import Placed
from whitehall.games.scotland_yard.moves import Hear, Move, Place, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import OptionsError
from whitehall.games.scotland_yard.record import Record, Result, pieces_of
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState


class Fault(NamedTuple):
    """Something in a record that cannot be: its place in words, and why."""

    place: str
    reason: str


def replay(record: Record) -> tuple[Fault, ...]:
    """Plays a record through with the draws that it holds, and tells what is wrong with it.

    After an illegal move nothing more can be played.
    """
    return tuple(_faults(record))


def options_of(record: Record) -> ScotlandYardOptions:
    """What was in force. Raises `OptionsError` where a record names what cannot be."""
    return edition.resolve(record.preset, record.players, [seat.pieces for seat in record.seats], record.overrides)


def _faults(record: Record) -> Iterator[Fault]:
    try:
        options = options_of(record)
    except OptionsError as error:
        yield Fault(error.field, error.reason)
        return
    # Where players choose, a game can have begun without a card drawn or a piece placed.
    has_begun = record.draws or record.start or record.turns or options.start_by == StartBy.CHOICE
    if not has_begun:
        if record.result is not None:
            yield Fault("result", "a game that was never dealt has none")
        return

    chance = RecordedChance(ReplayedChance(record.draws))
    try:
        state, events = start.setup(options, chance)
    except DrawMismatch as error:
        yield Fault("draws", str(error))
        return
    dealt = [(event.piece, event.station) for event in events if isinstance(event, Placed)]
    placings = [Place(*placement) for placement in record.start[len(dealt) :]]
    if dealt != list(record.start[: len(dealt)]) or (placings and state.phase != Phase.PLACING):
        yield Fault("start", "the start cards drawn put the pieces elsewhere")
        placings = []
    for placing in placings:
        try:
            state, events = rules.apply(state, _seat_of(options, placing), placing, chance)
        except IllegalMove as error:
            yield _illegal("start", placing, error)
            return

    for number, turn in enumerate(record.turns, 1):
        place = f"turn {number}"
        if state.outcome is None and state.round != number:
            yield Fault(place, f"round {state.round} is not over")
            return
        for move in turn:
            try:
                state, events = rules.apply(state, _seat_of(options, move), move, chance)
            except IllegalMove as error:
                yield _illegal(place, move, error)
                return
            except DrawMismatch as error:
                yield Fault(place, str(error))
                return
    if chance.draws != record.draws:
        yield Fault("draws", f"{len(record.draws)} are recorded, and {len(chance.draws)} were needed")
    yield from _result_faults(record, state)


def _illegal(place: str, move: Move, error: IllegalMove) -> Fault:
    rule = error.violation.rule
    return Fault(place, f"{notation.text(move)}: {rule.en} ({rule.id})")


def _seat_of(options: ScotlandYardOptions, move: Move) -> Seat:
    """A seat that may make this move, or else one whose move the rules refuse."""
    if isinstance(move, UseAction | Hear):
        return options.hunter_seats[0]
    for seat, own in options.movers.items():
        if all(piece in own for piece in pieces_of(move)):
            return seat
    return MR_X_SEAT


def _result_faults(record: Record, state: ScotlandYardState) -> Iterator[Fault]:
    outcome = state.outcome
    result = None if outcome is None else Result(MR_X_SEAT in outcome.winners, outcome.rule.id)
    if record.result != result:
        came_to = "the game is not over" if result is None else f"the game ends by {result.rule}"
        yield Fault("result", f"after these moves {came_to}")
