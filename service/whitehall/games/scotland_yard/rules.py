"""The rules as a referee applies them: which moves are legal, why others are not, and what a move leads to."""

from collections.abc import Iterator

from whitehall.games.core.chance import Chance
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import IllegalMove, Violation
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import hunters, meetings, mr_x, placing, rounds, special_actions
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.moves import AppMove, DoubleMove, Move, Pass, Place, Ride, Together, Travel
from whitehall.games.scotland_yard.options import MR_X_SEAT
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rounds import Continued
from whitehall.games.scotland_yard.rulebook import (
    ACTION_OF_DETECTIVES,
    BATCH_HOLDS_A_MOVE,
    CHOICE_FIRST,
    GAME_IS_OVER,
    HUNTERS_ONLY_TOGETHER,
    MR_X_THEN_HUNTERS,
    OWN_PIECES,
    PIECE_IN_GAME,
)
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState


def to_move(state: ScotlandYardState) -> tuple[Seat, ...]:
    """Mr X's seat, or every seat that has a legal move.

    With a Bobby that can still move, or a special action, that is the whole detective side.
    """
    if state.outcome is not None:
        return ()
    if state.phase == Phase.MR_X:
        return (MR_X_SEAT,)
    if state.phase == Phase.PLACING:
        return placing.to_move(state)
    if state.master is not None and special_actions.are_due(state):
        return state.options.hunter_seats
    return tuple(seat for seat in state.options.hunter_seats if hunters.legal_moves(state, seat))


def legal_moves(state: ScotlandYardState, seat: Seat) -> tuple[Move, ...]:
    """What the seat may do now: by piece, ticket and station; Mr X's double moves last, by their first half.

    Special actions of the detective side stand first, as they come first.
    """
    if state.phase == Phase.PLACING:
        return placing.legal_moves(state, seat)
    if seat == MR_X_SEAT:
        return mr_x.travels(state) + mr_x.doubles(state) if state.phase == Phase.MR_X else ()
    if state.phase == Phase.HUNTERS and seat in state.options.movers:
        if state.master is None:
            return hunters.legal_moves(state, seat)
        actions = special_actions.legal_moves(state)
        return actions if special_actions.choices(state) else actions + hunters.legal_moves(state, seat)
    return ()


def violations(state: ScotlandYardState, seat: Seat, move: Move) -> Iterator[Violation]:
    """Every rule against the move.

    Who may not move a piece at all learns nothing else about its move. A batch is judged move by move on the position
    that the moves before would make, up to its first faulty move, since no position follows from that one.
    """
    options = state.options
    own = options.movers.get(seat, ())
    for piece in _pieces(move):
        if piece not in own:
            # Only the pieces that this number of players puts on the board take part.
            if piece != Piece.MR_X and piece not in options.hunter_numbers:
                yield Violation.of(PIECE_IN_GAME, piece=piece.word)
            # A seat moves its own pieces only.
            else:
                yield Violation.of(OWN_PIECES, piece=piece.word)
            return

    # Special actions belong to the detective side; each of its seats may use them for all.
    if seat == MR_X_SEAT and isinstance(move, AppMove):
        yield Violation.of(ACTION_OF_DETECTIVES)
        return

    # Once the game is over, nobody moves any more.
    if state.outcome is not None:
        yield Violation.of(GAME_IS_OVER)
        return

    if isinstance(move, Place) or state.phase == Phase.PLACING:
        yield from placing.violations(state, move)
        return

    # In each round Mr X moves first, then the detectives and Bobbies move.
    if (state.phase == Phase.MR_X) != (seat == MR_X_SEAT):
        yield Violation.of(MR_X_THEN_HUNTERS)

    # Where several landmarks show a question mark, one is chosen before anything else is done.
    if state.master is not None and not isinstance(move, AppMove) and special_actions.choices(state):
        yield Violation.of(CHOICE_FIRST)

    if isinstance(move, AppMove):
        yield from special_actions.violations(state, move)
    elif isinstance(move, Together):
        yield from _batch_violations(state, seat, move)
    elif seat == MR_X_SEAT or isinstance(move, DoubleMove):
        yield from mr_x.violations(state, move)
    else:
        yield from hunters.violations(state, move)


def _batch_violations(state: ScotlandYardState, seat: Seat, batch: Together) -> Iterator[Violation]:
    # Only the moves of detectives and Bobbies may be sent together.
    if seat == MR_X_SEAT:
        yield Violation.of(HUNTERS_ONLY_TOGETHER)
        return

    # Moves sent together are at least one.
    if not batch.moves:
        yield Violation.of(BATCH_HOLDS_A_MOVE)

    for move in batch.moves:
        faulty = False
        for violation in hunters.violations(state, move):
            faulty = True
            yield violation
        if faulty:
            return
        state, _ = hunters.move(state, move)


def _pieces(move: Move) -> tuple[Piece, ...]:
    """The pieces that a move would move."""
    if isinstance(move, Together):
        return tuple(part.piece for part in move.moves)
    if isinstance(move, DoubleMove):
        return (Piece.MR_X,)
    return () if isinstance(move, AppMove) else (move.piece,)


def check(state: ScotlandYardState, seat: Seat, move: Move) -> Violation | None:
    """The first of `violations`, or None."""
    return next(violations(state, seat, move), None)


def apply(state: ScotlandYardState, seat: Seat, move: Move, chance: Chance) -> Continued:
    """Makes a legal move, and all that follows from it without anybody's choice. Raises `IllegalMove`.

    Once the pieces are placed only the app game leaves anything to chance.
    """
    violation = check(state, seat, move)
    if violation is not None:
        raise IllegalMove(violation)
    if isinstance(move, Place):
        return placing.move(state, move)
    if isinstance(move, Together):
        state, events = _move_together(state, move)
    elif isinstance(move, AppMove):
        state, events = special_actions.use(state, move, chance)
    elif isinstance(move, DoubleMove) or seat == MR_X_SEAT:
        state, events = mr_x.move(state, move) if state.master is None else _move_mr_x(state, move, chance)
    else:
        state, events = _move_hunter(state, move)
    if state.outcome is not None:
        return state, events
    state, more = rounds.go_on_with_hunters(state)
    return state, events + more


def _move_mr_x(state: ScotlandYardState, move: Travel | DoubleMove | Pass, chance: Chance) -> Continued:
    """Mr X moves in the app game, where any half of his move may reach a meeting point, and others come up after it."""
    fields = state.moves_made
    events: tuple[Event, ...] = ()
    if isinstance(move, DoubleMove):
        state, declared = mr_x.declare_double(state)
        events = (declared,)
        rides: tuple[Ride, ...] = move
    else:
        assert isinstance(move, Travel)
        rides = (Ride(move.ticket, move.station),)
    for ride in rides:
        state, travelled = mr_x.ride(state, ride)
        state, reached = meetings.visit(state, ride.ticket)
        events = (*events, travelled, *reached)
        # Mr X wins as soon as he has reached enough meeting points; the rest of his move is not made.
        if meetings.win(state):
            state, ending = rounds.meet(state)
            return state, events + ending
    state, shown = meetings.show(state, fields, chance)
    state, offered = special_actions.offer(state, chance)
    return state, (*events, *shown, *offered)


def _move_hunter(state: ScotlandYardState, move: Travel | Pass) -> Continued:
    """One hunter moves, and has perhaps caught Mr X."""
    state, event = hunters.move(state, move)
    if state.mr_x not in state.hunters:
        return state, (event,)
    state, ending = rounds.catch(state, move.piece)
    return state, (event, *ending)


def _move_together(state: ScotlandYardState, batch: Together) -> Continued:
    """Hunters move one after the other; once one has caught Mr X the rest stay where they are."""
    events: tuple[Event, ...] = ()
    for move in batch.moves:
        state, more = _move_hunter(state, move)
        events += more
        if state.outcome is not None:
            break
    return state, events


def outcome(state: ScotlandYardState) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return state.outcome
