"""The hunters' half of a round: what a detective or Bobby may do, and what happens when it does it.

Everything here is judged on what lies open on the table. Mr X's station is never looked at, so that no answer can
give it away. A hunter goes by its number, its place in `options.hunters`.
"""

from collections.abc import Iterator
from functools import cache

from whitehall.games.core.rule import Rule, Violation
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import riding
from whitehall.games.scotland_yard.events import HunterPassed, HunterTravelled, PassReason
from whitehall.games.scotland_yard.moves import Pass, Travel
from whitehall.games.scotland_yard.rulebook import (
    BLACK_FOR_MR_X,
    BLOCKED_WAITS,
    ONE_MOVE_EACH,
    PASS_IS_FORCED,
    TICKET_IN_HAND,
)
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Ticket
from whitehall.games.scotland_yard.timetable import LAND_TICKETS, ticket_set


def travels(state: ScotlandYardState, number: int) -> tuple[Travel, ...]:
    """The rides that a hunter could make, had it not moved yet."""
    options = state.options
    timetable = options.board.timetable
    station = state.hunters[number]
    blocked = timetable.within_one_ride[station].intersection(state.hunters)
    return timetable.travels(options.hunters[number], station, _held(state, number), blocked)


def is_immobile(state: ScotlandYardState, number: int) -> bool:
    """No line from its station takes a ticket it has. Who stands around does not matter: a blockade is temporary."""
    leaving = state.options.board.timetable.leaving[state.hunters[number]]
    return not leaving & _held(state, number)


def unmoved(state: ScotlandYardState) -> tuple[int, ...]:
    """The hunters that have neither moved nor passed in this round."""
    return _outside(state.moved, len(state.hunters))


@cache
def _outside(moved: int, hunters: int) -> tuple[int, ...]:
    """The numbers below `hunters` that are not in the set `moved`: a small table, looked up after every move."""
    return tuple(number for number in range(hunters) if not moved >> number & 1)


def somebody_can_move(state: ScotlandYardState) -> bool:
    """Whether any hunter that has not moved yet could."""
    for number in unmoved(state):  # noqa: SIM110 - asked after every move, and a generator costs more than the answer
        if travels(state, number):
            return True
    return False


def pass_reason(state: ScotlandYardState, number: int) -> PassReason:
    """Why a hunter that cannot move cannot move."""
    return PassReason.NO_TICKET if is_immobile(state, number) else PassReason.BLOCKED


def legal_moves(state: ScotlandYardState, seat: Seat) -> tuple[Travel | Pass, ...]:
    """The moves of a seat's unmoved pieces, Bobbies included, if it were the hunters' turn."""
    numbers = state.options.hunter_numbers
    moves: tuple[Travel | Pass, ...] = ()
    for piece in state.options.movers[seat]:
        number = numbers[piece]
        if state.moved >> number & 1:
            continue
        rides = travels(state, number)
        if rides:
            moves += rides
        elif may_pass(state, number):
            moves = (*moves, Pass(piece))
    return moves


def violations(state: ScotlandYardState, move: Travel | Pass) -> Iterator[Violation]:
    """What forbids a move of a hunter, whose turn it is aside."""
    piece = move.piece
    number = state.options.hunter_numbers[piece]

    # Each detective and each Bobby moves once in a round, in any order.
    has_moved = state.moved >> number & 1
    if has_moved:
        yield Violation.of(ONE_MOVE_EACH, piece=piece.word)

    if isinstance(move, Travel):
        # Only a ride that is not listed needs an explanation.
        if move not in travels(state, number):
            yield from _travel_violations(state, number, move)
    elif not has_moved and (rule := _rule_against_passing(state, number)):
        yield Violation.of(rule, piece=piece.word)


def _travel_violations(state: ScotlandYardState, number: int, move: Travel) -> Iterator[Violation]:
    piece, ticket, station = move

    # Only Mr X uses black tickets, unless a house rule deals some to the detectives.
    hand = state.options.hand_numbers[number]
    is_barred = ticket == Ticket.BLACK and (hand is None or not state.options.black_hand)
    if is_barred:
        yield Violation.of(BLACK_FOR_MR_X, piece=piece.word)

    yield from riding.violations(state, piece, state.hunters[number], ticket, station)

    # A detective needs a ticket for the transport. (A Bobby rides as if it held them all.)
    if not is_barred and ticket != Ticket.HELICOPTER and not _held(state, number) >> ticket & 1:
        yield Violation.of(TICKET_IN_HAND, piece=piece.word, ticket=ticket.word)


def may_pass(state: ScotlandYardState, number: int) -> bool:
    """Whether a hunter may stay where it is, had it not moved yet."""
    return _rule_against_passing(state, number) is None


def _rule_against_passing(state: ScotlandYardState, number: int) -> Rule | None:
    # A detective or Bobby passes only when it cannot move.
    if travels(state, number):
        return PASS_IS_FORCED

    # A piece that is only blocked by others waits until no other hunter can still move.
    if not is_immobile(state, number) and somebody_can_move(state):
        return BLOCKED_WAITS
    return None


def _held(state: ScotlandYardState, number: int) -> int:
    """The set of the kinds of tickets that a hunter can spend."""
    hand = state.options.hand_numbers[number]
    return LAND_TICKETS if hand is None else ticket_set(state.hands[hand], state.black_hands[hand])


def move(state: ScotlandYardState, move: Travel | Pass) -> tuple[ScotlandYardState, HunterTravelled | HunterPassed]:
    """A hunter makes a legal move; whether it has caught Mr X is for others to say."""
    number = state.options.hunter_numbers[move.piece]
    moved = state.moved | 1 << number
    if isinstance(move, Pass):
        return state._replace(moved=moved), HunterPassed(move.piece, pass_reason(state, number))
    piece, ticket, station = move
    hunters = (*state.hunters[:number], station, *state.hunters[number + 1 :])
    hands, supply = state.hands, state.supply
    # A detective spends the ticket, and Mr X can draw it from then on; a black one leaves the game.
    hand = state.options.hand_numbers[number]
    if hand is not None:
        if ticket == Ticket.BLACK:
            blacks = state.black_hands
            state = state._replace(black_hands=(*blacks[:hand], blacks[hand] - 1, *blacks[hand + 1 :]))
        else:
            hands = (*hands[:hand], hands[hand].plus(ticket, -1), *hands[hand + 1 :])
            if state.options.supply_changes:
                supply = supply.plus(ticket, +1)
    return state.with_hunter_moved(hunters, hands, supply, moved), HunterTravelled(piece, ticket, station)
