"""Replay: a record played through again by the rules, and everything in it that does not follow from them."""

from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.replay import NEVER_DEALT, Fault, Player, Unplayable
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import edition, notation, rules, start
from whitehall.games.scotland_yard.events import Event, Placed
from whitehall.games.scotland_yard.moves import Hear, Move, Place, UseAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.record import Record, Result, pieces_of
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState


def replay(record: Record) -> tuple[Fault, ...]:
    """Plays a record through with the draws that it holds, and tells what is wrong with it."""
    player = Player(record.draws, rules.apply, notation.text)
    return player.replay(_faults(record, player))


def options_of(record: Record) -> ScotlandYardOptions:
    """What was in force. Raises `OptionsError` where a record names what cannot be."""
    return edition.resolve(record.preset, record.players, [seat.pieces for seat in record.seats], record.overrides)


def _faults(record: Record, player: Player[ScotlandYardState, Move, Event]) -> Iterator[Fault]:
    try:
        options = options_of(record)
    except OptionsError as error:
        raise Unplayable(error.field, error.text) from error
    # Where players choose, a game can have begun without a card drawn or a piece placed.
    has_begun = record.draws or record.start or record.turns or options.start_by == StartBy.CHOICE
    if not has_begun:
        if record.result is not None:
            yield Fault("result", NEVER_DEALT)
        return

    state, events = player.begin(partial(start.setup, options))
    dealt = [(event.piece, event.station) for event in events if isinstance(event, Placed)]
    recorded = record.start[: len(dealt)]
    placings = [Place(*placement) for placement in record.start[len(dealt) :]]
    if dealt != list(recorded) or (placings and state.phase != Phase.PLACING):
        agreeing = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(dealt, recorded, strict=False)))
        elsewhere = Text(
            "the start cards drawn put the pieces elsewhere", "les cartes de départ tirées placent les pions ailleurs"
        )
        yield Fault("start", elsewhere, agreeing)
        placings = []
    for part, placing in enumerate(placings, len(dealt)):
        state = player.play(state, _seat_of(options, placing), placing, "start", part)

    for number, turn in enumerate(record.turns, 1):
        place = f"turn {number}"
        if state.outcome is None and state.round != number:
            raise Unplayable(place, Text(f"round {state.round} is not over", f"le tour {state.round} n'est pas fini"))
        for part, move in enumerate(turn):
            state = player.play(state, _seat_of(options, move), move, place, part)
    yield from player.faults_at_end(record.result, _result(state))


def _seat_of(options: ScotlandYardOptions, move: Move) -> Seat:
    """A seat that may make this move, or else one whose move the rules refuse."""
    if isinstance(move, UseAction | Hear):
        return options.hunter_seats[0]
    for seat, own in options.movers.items():
        if all(piece in own for piece in pieces_of(move)):
            return seat
    return MR_X_SEAT


def _result(state: ScotlandYardState) -> Result | None:
    outcome = state.outcome
    return None if outcome is None else Result(MR_X_SEAT in outcome.winners, outcome.rule.id)
