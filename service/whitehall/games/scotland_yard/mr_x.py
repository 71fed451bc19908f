"""Mr X's half of a round: what he may do, and what happens when he does it."""

from collections.abc import Iterator

from whitehall.games.core.rule import Violation
from whitehall.games.scotland_yard import helicopter, riding
from whitehall.games.scotland_yard.events import DoubleDeclared, Event, MrXTravelled
from whitehall.games.scotland_yard.moves import DoubleMove, Pass, Ride, Travel
from whitehall.games.scotland_yard.options import MrXSupply
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    BLACK_LEFT,
    DOUBLE_LEFT,
    DOUBLE_NEEDS_TWO_FIELDS,
    DOUBLE_TICKETS_TOGETHER,
    HELICOPTER_ALONE,
    HELICOPTER_LEFT,
    MR_X_NEVER_PASSES,
    ONE_DOUBLE_A_ROUND,
    TICKET_IN_SUPPLY,
    TICKET_OF_MR_X,
)
from whitehall.games.scotland_yard.state import LogEntry, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Ticket
from whitehall.games.scotland_yard.timetable import ticket_set


def travels(state: ScotlandYardState) -> tuple[Travel, ...]:
    """His single moves, if it were his turn."""
    timetable = state.options.board.timetable
    blocked = timetable.within_one_ride[state.mr_x].intersection(state.hunters)
    rides = timetable.travels(Piece.MR_X, state.mr_x, ticket_set(state.supply, state.black_tickets), blocked)
    return rides if state.master is None else rides + helicopter.flights(state)


def doubles(state: ScotlandYardState) -> tuple[DoubleMove, ...]:
    """His double moves, if it were his turn: each completely playable with the tickets there are."""
    if not state.double_tickets or state.options.log_fields - state.moves_made < 2:
        return ()
    timetable = state.options.board.timetable
    blocked = timetable.within_two_rides[state.mr_x].intersection(state.hunters)
    held = ticket_set(state.supply, state.black_tickets)
    held_twice = ticket_set(state.supply, state.black_tickets, at_least=2)
    rides = timetable.doubles(state.mr_x, held, held_twice, blocked)
    return rides if state.master is None else helicopter.with_flights(state, rides)


def violations(state: ScotlandYardState, move: Travel | DoubleMove | Pass) -> Iterator[Violation]:
    """What forbids a move of his, whose turn it is aside."""
    if isinstance(move, Travel):
        # Only a ride that is not listed needs an explanation.
        if move not in travels(state):
            yield from riding.violations(state, Piece.MR_X, state.mr_x, move.ticket, move.station)
            yield from _ticket_violations(state, move.ticket)
    elif isinstance(move, DoubleMove):
        yield from _double_violations(state, move)
    else:
        # Mr X moves in every round.
        yield Violation.of(MR_X_NEVER_PASSES)


def _ticket_violations(state: ScotlandYardState, ticket: Ticket) -> Iterator[Violation]:
    if ticket == Ticket.BLACK:
        # Mr X needs a black ticket that he has not spent yet.
        if not state.black_tickets:
            yield Violation.of(BLACK_LEFT)
    elif ticket == Ticket.HELICOPTER:
        # A flight takes a helicopter ticket that Mr X has not spent yet.
        if not helicopter.left(state):
            yield Violation.of(HELICOPTER_LEFT)
    elif not state.supply.of(ticket):
        # Mr X spends normal tickets of his own: those dealt to him and all that detectives have spent.
        if state.options.mr_x_supply == MrXSupply.FROM_DETECTIVES:
            yield Violation.of(TICKET_OF_MR_X, ticket=ticket.word)
        # Mr X takes each normal ticket from the common supply, so one must be there.
        else:
            yield Violation.of(TICKET_IN_SUPPLY, ticket=ticket.word)


def _double_violations(state: ScotlandYardState, move: DoubleMove) -> Iterator[Violation]:
    first, second = move

    # Mr X uses one double ticket in a round at most.
    if state.phase == Phase.HUNTERS and _has_doubled_this_round(state):
        yield Violation.of(ONE_DOUBLE_A_ROUND, round=state.round)

    # A double move takes a double ticket, which then leaves the game.
    if not state.double_tickets:
        yield Violation.of(DOUBLE_LEFT)

    # A double move fills two fields of the log, so two must be free.
    if state.options.log_fields - state.moves_made < 2:
        yield Violation.of(DOUBLE_NEEDS_TWO_FIELDS)

    # A flight is no half of a double move, unless the game allows it.
    if Ticket.HELICOPTER in (first.ticket, second.ticket) and not helicopter.may_be_half(state):
        yield Violation.of(HELICOPTER_ALONE)

    # Each half is a move of its own, the second from where the first one led: back to the start, if he likes.
    yield from riding.violations(state, Piece.MR_X, state.mr_x, first.ticket, first.station)
    if first.station in state.options.board.coordinates:
        yield from riding.violations(state, Piece.MR_X, first.station, second.ticket, second.station)

    # A double move needs the tickets of both its halves at the moment it is declared.
    yield from _ticket_violations(state, first.ticket)
    if second.ticket != first.ticket:
        yield from _ticket_violations(state, second.ticket)
    elif left(state, first.ticket) == 1:
        yield Violation.of(DOUBLE_TICKETS_TOGETHER, ticket=first.ticket.word)


def _has_doubled_this_round(state: ScotlandYardState) -> bool:
    return [entry.round for entry in state.log[-2:]] == [state.round, state.round]


def left(state: ScotlandYardState, ticket: Ticket) -> int:
    """How many of these tickets he could spend now."""
    if ticket == Ticket.HELICOPTER:
        return helicopter.left(state)
    return state.black_tickets if ticket == Ticket.BLACK else state.supply.of(ticket)


def move(state: ScotlandYardState, move: Travel | DoubleMove | Pass) -> tuple[ScotlandYardState, tuple[Event, ...]]:
    """He makes a legal move, which a pass never is, and the hunters' phase begins."""
    if isinstance(move, DoubleMove):
        state, declared = declare_double(state)
        state, first = ride(state, move.first)
        state, second = ride(state, move.second)
        return state, (declared, first, second)
    assert isinstance(move, Travel)
    state, event = ride(state, Ride(move.ticket, move.station))
    return state, (event,)


def declare_double(state: ScotlandYardState) -> tuple[ScotlandYardState, DoubleDeclared]:
    """He lays out a double ticket, which leaves the game."""
    state = state._replace(double_tickets=state.double_tickets - 1)
    return state, DoubleDeclared(state.double_tickets)


def ride(state: ScotlandYardState, half: Ride) -> tuple[ScotlandYardState, MrXTravelled]:
    """He takes the ticket, writes the station into the next field of his log and covers it with the ticket.

    Tickets on the log stay there: what he spent never comes back.
    """
    ticket, station = half
    supply, black_tickets = state.supply, state.black_tickets
    if ticket == Ticket.BLACK:
        black_tickets -= 1
    elif ticket == Ticket.HELICOPTER:
        assert state.master is not None
        state = state._replace(master=state.master._replace(helicopter_tickets=state.master.helicopter_tickets - 1))
    elif state.options.supply_changes:
        supply = supply.plus(ticket, -1)
    number = state.moves_made + 1
    state = state._replace(
        phase=Phase.HUNTERS,
        mr_x=station,
        supply=supply,
        black_tickets=black_tickets,
        moves_made=number,
        log=(*state.log, LogEntry(state.round, ticket, station)),
    )
    return state, MrXTravelled(number, ticket, station, surfaced=number in state.options.surfacing)
