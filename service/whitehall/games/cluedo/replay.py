"""Replay: a record played through again by the rules, and what is wrong with it where something is."""

from collections.abc import Iterator
from functools import partial

from whitehall.games.cluedo import edition, notation, rules
from whitehall.games.cluedo.events import Event
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.record import Record, Result
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.core.fault import OptionsError
from whitehall.games.core.replay import NEVER_DEALT, Fault, Player, Unplayable
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text


def replay(record: Record) -> tuple[Fault, ...]:
    """Plays a record through with the draws that it holds, and tells what is wrong with it."""
    player = Player(record.draws, rules.apply, notation.text)
    return player.replay(_faults(record, player))


def options_of(record: Record) -> CluedoOptions:
    """What was in force. Raises `OptionsError` where a record names what cannot be."""
    return edition.resolve(record.preset, record.players, [seat.pawn for seat in record.seats], record.overrides)


def _faults(record: Record, player: Player[CluedoState, Move, Event]) -> Iterator[Fault]:
    try:
        options = options_of(record)
    except OptionsError as error:
        raise Unplayable(error.field, error.text) from error
    if not (record.draws or record.turns):
        if record.result is not None:
            yield Fault("result", NEVER_DEALT)
        return

    state, _ = player.begin(partial(rules.setup, options))
    for number, turn in enumerate(record.turns, 1):
        place = f"turn {number}"
        if state.outcome is None and state.turn != number:
            raise Unplayable(place, Text(f"turn {state.turn} is not over", f"le tour {state.turn} n'est pas fini"))
        for part, move in enumerate(turn):
            state = player.play(state, _seat_of(options, move), move, place, part)
    yield from player.faults_at_end(record.result, _result(state))


def _seat_of(options: CluedoOptions, move: Move) -> Seat:
    """The seat that plays the pawn, or else one whose move the rules refuse."""
    return options.seat_of.get(move.pawn, Seat(0))


def _result(state: CluedoState) -> Result | None:
    if state.outcome is None:
        return None
    winners = [state.options.seats[seat] for seat in state.outcome.winners]
    return Result(winners[0] if winners else None, state.outcome.rule.id)
