"""Options, states, moves and events as the bytes that the store keeps. Private and compact."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat
from whitehall.games.core.stored_board import stored_board
from whitehall.games.scotland_yard import boards
from whitehall.games.scotland_yard.events import (
    DoubleDeclared,
    Event,
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MrXCaught,
    MrXTravelled,
    PassReason,
    Placed,
    PlacingBegan,
)
from whitehall.games.scotland_yard.findings import Interrogated, StatementHeard
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import (
    DoubleMove,
    Hear,
    Move,
    Pass,
    Place,
    Ride,
    Single,
    Together,
    Travel,
    UseAction,
)
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy, StuckScope
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import RULES
from whitehall.games.scotland_yard.state import LogEntry, Phase, RoundStart, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.wire import master_storage
from whitehall.gen.whitehall.scotlandyard.store.v1 import state_pb2

_RULES = {rule.id: rule for rule in RULES}

# The kinds of moves and events in stored games. Never reuse a number.
_TRAVEL, _DOUBLE_MOVE, _PASS, _PLACE, _USE_ACTION, _HEAR = range(1, 7)
_PLACED, _DOUBLE_DECLARED, _MR_X_TRAVELLED, _HUNTER_TRAVELLED, _HUNTER_PASSED, _MR_X_CAUGHT, _GAME_ENDED = range(1, 8)
_PLACING_BEGAN, _PLACED_BY_CHOICE = 8, 9


FIRST_FORMAT, OPTIONS_FORMAT = 1, 2
"""Formats of stored games, as `sessions` numbers them: without any of the options that came later, and with them."""


def format_of(options: ScotlandYardOptions) -> int:
    """The oldest format whose readers overlook nothing of a game with these options."""
    usual = (EndBy.ROUNDS, MrXSupply.FINITE, StuckScope.DETECTIVES, 0, False, StartBy.CARDS, None)
    choices = options.end_by, options.mr_x_supply, options.stuck_scope, options.black_hand, options.last_black_wins
    is_usual = (*choices, options.start_by, options.master) == usual
    return FIRST_FORMAT if is_usual else OPTIONS_FORMAT


@lru_cache(256)
def encode_options(options: ScotlandYardOptions) -> bytes:
    """What a game was made with. Asked for with every move of a game, and always the same."""
    return state_pb2.Options(
        preset=options.preset,
        players=options.players,
        board=options.board.name,
        board_digest=options.board.digest,
        seats=[state_pb2.Pieces(pieces=pieces) for pieces in options.seats],
        detectives=options.detectives,
        bobbies=options.bobbies,
        pooled=options.pooled,
        rounds=options.rounds,
        log_fields=options.log_fields,
        surfacing=options.surfacing,
        hand=options.hand,
        supply=options.supply,
        black_tickets=options.black_tickets,
        double_tickets=options.double_tickets,
        start_cards_mr_x=options.start_cards_mr_x,
        start_cards_hunters=options.start_cards_hunters,
        end_by=options.end_by,
        mr_x_supply=options.mr_x_supply,
        stuck_scope=options.stuck_scope,
        black_hand=options.black_hand,
        last_black_wins=options.last_black_wins,
        start_by=options.start_by,
        master=None if options.master is None else master_storage.encode_options(options.master),
    ).SerializeToString()


@lru_cache(256)
def decode_options(data: bytes) -> ScotlandYardOptions:
    """The options that were encoded; one value for all games that were made with the same.

    Raises `BoardUnavailable`.
    """
    message = state_pb2.Options.FromString(data)
    return ScotlandYardOptions(
        preset=message.preset,
        players=message.players,
        board=stored_board(boards.board, message.board, message.board_digest),
        seats=tuple(tuple(Piece(piece) for piece in seat.pieces) for seat in message.seats),
        detectives=tuple(Piece(piece) for piece in message.detectives),
        bobbies=tuple(Piece(piece) for piece in message.bobbies),
        pooled=message.pooled,
        rounds=message.rounds,
        log_fields=message.log_fields,
        surfacing=tuple(message.surfacing),
        hand=Tickets(*message.hand),
        supply=Tickets(*message.supply),
        black_tickets=message.black_tickets,
        double_tickets=message.double_tickets,
        start_cards_mr_x=tuple(Station(card) for card in message.start_cards_mr_x),
        start_cards_hunters=tuple(Station(card) for card in message.start_cards_hunters),
        # Games from before there was a choice hold no number.
        end_by=EndBy(message.end_by or EndBy.ROUNDS),
        mr_x_supply=MrXSupply(message.mr_x_supply or MrXSupply.FINITE),
        stuck_scope=StuckScope(message.stuck_scope or StuckScope.DETECTIVES),
        black_hand=message.black_hand,
        last_black_wins=message.last_black_wins,
        start_by=StartBy(message.start_by or StartBy.CARDS),
        master=master_storage.decode_options(message.master) if message.HasField("master") else None,
    )


def encode_state(state: ScotlandYardState) -> bytes:
    """A state, without its options."""
    outcome = state.outcome
    return state_pb2.State(
        round=state.round,
        phase=state.phase,
        mr_x=state.mr_x,
        hunters=state.hunters,
        hands=[count for hand in state.hands for count in hand],
        black_hands=state.black_hands if any(state.black_hands) else (),
        supply=state.supply,
        black_tickets=state.black_tickets,
        double_tickets=state.double_tickets,
        moves_made=state.moves_made,
        moved=state.moved,
        log=[number for entry in state.log for number in entry],
        start=state.start or 0,
        round_starts=[number for start in state.round_starts for number in (*start.hunters, *start.supply)],
        winners=() if outcome is None else outcome.winners,
        ended_by="" if outcome is None else outcome.rule.id,
        offered=state.offered,
        master=None if state.master is None else master_storage.encode_state(state.master),
    ).SerializeToString()


def decode_state(options: ScotlandYardOptions, data: bytes) -> ScotlandYardState:
    """The state that was encoded."""
    message = state_pb2.State.FromString(data)
    hunters = len(options.hunters)
    starts = _chunks(message.round_starts, hunters + len(Tickets._fields))
    return ScotlandYardState(
        options=options,
        round=message.round,
        phase=Phase(message.phase),
        mr_x=Station(message.mr_x),
        hunters=tuple(Station(station) for station in message.hunters),
        hands=tuple(Tickets(*hand) for hand in _chunks(message.hands, len(Tickets._fields))),
        black_hands=tuple(message.black_hands) or (0,) * options.hands,
        supply=Tickets(*message.supply),
        black_tickets=message.black_tickets,
        double_tickets=message.double_tickets,
        moves_made=message.moves_made,
        moved=message.moved,
        log=tuple(
            LogEntry(number, Ticket(ticket), Station(station))
            for number, ticket, station in _chunks(message.log, len(LogEntry._fields))
        ),
        start=Station(message.start) if message.start else None,
        round_starts=tuple(
            RoundStart(tuple(Station(station) for station in start[:hunters]), Tickets(*start[hunters:]))
            for start in starts
        ),
        outcome=_outcome(message.winners, message.ended_by) if message.ended_by else None,
        offered=tuple(Station(station) for station in message.offered),
        master=master_storage.decode_state(message.master) if message.HasField("master") else None,
    )


def encode_happened(move: Move | None, events: Sequence[Event]) -> bytes:
    """A move and what came of it."""
    entry = state_pb2.Entry(moves=[number for single in _singles(move) for number in _move_numbers(single)])
    if isinstance(move, Hear):
        entry.names.append(move.landmark)
    for event in events:
        entry.events.extend(_event_numbers(event))
        if isinstance(event, GameEnded):
            entry.ended_by = event.outcome.rule.id
        elif isinstance(event, Interrogated | StatementHeard):
            entry.names.extend(master_storage.names_of(event))
    return entry.SerializeToString()


def decode_happened(data: bytes) -> tuple[Move | None, tuple[Event, ...]]:
    """The move and the events that were encoded."""
    entry = state_pb2.Entry.FromString(data)
    names = iter(entry.names)
    moves = tuple(_moves(iter(entry.moves), names))
    events = tuple(_events(iter(entry.events), entry.ended_by, names))
    if len(moves) > 1:
        return Together(tuple(move for move in moves if isinstance(move, Travel | Pass))), events
    return (moves[0] if moves else None), events


def _singles(move: Move | None) -> tuple[Single, ...]:
    if move is None:
        return ()
    return move.moves if isinstance(move, Together) else (move,)


def _move_numbers(move: Single) -> tuple[int, ...]:
    match move:
        case Travel():
            return (_TRAVEL, *move)
        case DoubleMove(first, second):
            return (_DOUBLE_MOVE, *first, *second)
        case Pass(piece):
            return (_PASS, piece)
        case Place():
            return (_PLACE, *move)
        case UseAction(action):
            return (_USE_ACTION, action)
        case Hear():
            return (_HEAR,)


def _moves(numbers: Iterator[int], names: Iterator[str]) -> Iterator[Single]:
    for kind in numbers:
        if kind == _TRAVEL:
            yield Travel(Piece(next(numbers)), Ticket(next(numbers)), Station(next(numbers)))
        elif kind == _DOUBLE_MOVE:
            yield DoubleMove(_ride(numbers), _ride(numbers))
        elif kind == _PASS:
            yield Pass(Piece(next(numbers)))
        elif kind == _PLACE:
            yield Place(Piece(next(numbers)), Station(next(numbers)))
        elif kind == _USE_ACTION:
            yield UseAction(SpecialAction(next(numbers)))
        elif kind == _HEAR:
            yield Hear(next(names))
        else:
            raise ValueError(f"unknown kind of stored move {kind}")


def _ride(numbers: Iterator[int]) -> Ride:
    return Ride(Ticket(next(numbers)), Station(next(numbers)))


def _event_numbers(event: Event) -> tuple[int, ...]:
    match event:
        case PlacingBegan(offered):
            return (_PLACING_BEGAN, len(offered), *offered)
        case Placed(piece, station, chosen):
            return (_PLACED_BY_CHOICE if chosen else _PLACED, piece, station or 0)
        case DoubleDeclared(remaining):
            return (_DOUBLE_DECLARED, remaining)
        case MrXTravelled(number, ticket, station, surfaced):
            return (_MR_X_TRAVELLED, number, ticket, station or 0, int(surfaced))
        case HunterTravelled():
            return (_HUNTER_TRAVELLED, *event)
        case HunterPassed():
            return (_HUNTER_PASSED, *event)
        case MrXCaught():
            return (_MR_X_CAUGHT, *event)
        case GameEnded(outcome):
            return (_GAME_ENDED, len(outcome.winners), *outcome.winners)
        case _:
            return master_storage.event_numbers(event)


def _events(numbers: Iterator[int], ended_by: str, names: Iterator[str]) -> Iterator[Event]:
    for kind in numbers:
        if kind in (_PLACED, _PLACED_BY_CHOICE):
            yield Placed(Piece(next(numbers)), Station(next(numbers)), chosen=kind == _PLACED_BY_CHOICE)
        elif kind == _PLACING_BEGAN:
            yield PlacingBegan(tuple(Station(next(numbers)) for _ in range(next(numbers))))
        elif kind == _DOUBLE_DECLARED:
            yield DoubleDeclared(next(numbers))
        elif kind == _MR_X_TRAVELLED:
            yield MrXTravelled(next(numbers), Ticket(next(numbers)), Station(next(numbers)), bool(next(numbers)))
        elif kind == _HUNTER_TRAVELLED:
            yield HunterTravelled(Piece(next(numbers)), Ticket(next(numbers)), Station(next(numbers)))
        elif kind == _HUNTER_PASSED:
            yield HunterPassed(Piece(next(numbers)), PassReason(next(numbers)))
        elif kind == _MR_X_CAUGHT:
            yield MrXCaught(Piece(next(numbers)), Station(next(numbers)))
        elif kind == _GAME_ENDED:
            yield GameEnded(_outcome([next(numbers) for _ in range(next(numbers))], ended_by))
        else:
            yield master_storage.decode_event(kind, numbers, names)


def _outcome(winners: Sequence[int], ended_by: str) -> Outcome:
    return Outcome(tuple(Seat(seat) for seat in winners), _RULES[ended_by])


def _chunks(numbers: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """The numbers in groups of `size`."""
    return zip(*[iter(numbers)] * size, strict=True)
