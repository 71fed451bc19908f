"""The course of the rounds: whose turn comes, passes that nobody can avoid, and how the game ends, in order of time."""

from collections.abc import Sequence

from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import hunters, meetings, mr_x, special_actions
from whitehall.games.scotland_yard.events import Event, GameEnded, HunterPassed, MrXCaught
from whitehall.games.scotland_yard.options import MR_X_SEAT, EndBy
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rulebook import (
    CAPTURE,
    DETECTIVES_IMMOBILE,
    LAST_BLACK_SPENT,
    LAST_ROUND,
    LOG_IS_FULL,
    MEETING_POINT_MISSED,
    MEETING_POINTS_REACHED,
    MR_X_CORNERED,
)
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState

Continued = tuple[ScotlandYardState, tuple[Event, ...]]
"""Where the game stands next and what happened on the way there."""


def begin(state: ScotlandYardState) -> Continued:
    """The game begins with Mr X to move."""
    return go_on_with_mr_x(state.with_round_begun(state.round))


def go_on_with_mr_x(state: ScotlandYardState) -> Continued:
    """Nothing happens while Mr X can move and the hunters could answer."""
    if _nobody_can_hunt_on(state):
        return _mr_x_wins(state, DETECTIVES_IMMOBILE)
    if _last_black_is_spent(state):
        return _mr_x_wins(state, LAST_BLACK_SPENT)
    return _unless_cornered(state)


def go_on_with_hunters(state: ScotlandYardState) -> Continued:
    """Nothing happens while a hunter can move, or the detective side has a special action left or a choice to make.

    When only passes remain they are made, and the round ends.
    """
    if hunters.somebody_can_move(state) or special_actions.are_due(state):
        return state, ()
    idle = hunters.unmoved(state)
    if not idle:
        return _end_round(state)
    passes = tuple(HunterPassed(state.options.hunters[number], hunters.pass_reason(state, number)) for number in idle)
    state, events = _end_round(state._replace(moved=(1 << len(state.hunters)) - 1))
    return state, passes + events


def catch(state: ScotlandYardState, piece: Piece) -> Continued:
    """A hunter stands on Mr X's station: the others do not move any more."""
    state, events = _detectives_win(state, CAPTURE)
    return state, (MrXCaught(piece, state.mr_x), *events)


def meet(state: ScotlandYardState) -> Continued:
    """Mr X has reached as many meeting points as win at once."""
    return _mr_x_wins(state, MEETING_POINTS_REACHED)


def _end_round(state: ScotlandYardState) -> Continued:
    # Mr X wins when, at the end of a round, no detective has a ticket for any line at its station.
    if _nobody_can_hunt_on(state):
        return _mr_x_wins(state, DETECTIVES_IMMOBILE)

    # Mr X wins, where the house plays so, when the hunters have answered his last black ticket.
    if _last_black_is_spent(state):
        return _mr_x_wins(state, LAST_BLACK_SPENT)

    # Mr X wins when the hunters have answered the move that filled the last field of his log.
    if state.options.end_by == EndBy.LOG_FULL and state.moves_made == state.options.log_fields:
        return _mr_x_escapes(state, LOG_IS_FULL)

    # Mr X wins when the hunters have moved in the last round without catching him.
    if state.round == state.options.rounds:
        return _mr_x_escapes(state, LAST_ROUND)

    return _unless_cornered(state.with_round_begun(state.round + 1))


def _unless_cornered(state: ScotlandYardState) -> Continued:
    # The detectives win when it is Mr X's turn and he cannot move to a free station.
    if not mr_x.travels(state):
        return _detectives_win(state, MR_X_CORNERED)
    return state, ()


def _nobody_can_hunt_on(state: ScotlandYardState) -> bool:
    """Bobbies do not count unless the options say so: the rule names detectives only (ruling 2.10).

    Where that alone does not let Mr X win, they hunt on as if they could (ruling 3.2).
    """
    if not all(hunters.is_immobile(state, number) for number in range(state.options.stuck_hunters)):
        return False
    master = state.options.master
    return master is None or not master.stuck_win_needs_meeting or meetings.suffice(state)


def _last_black_is_spent(state: ScotlandYardState) -> bool:
    return state.options.last_black_wins and not state.black_tickets


def _mr_x_escapes(state: ScotlandYardState, rule: Rule) -> Continued:
    # The detectives win after all where Mr X has not reached the meeting points that he had to.
    if not meetings.suffice(state):
        return _detectives_win(state, MEETING_POINT_MISSED)
    return _mr_x_wins(state, rule)


def _mr_x_wins(state: ScotlandYardState, rule: Rule) -> Continued:
    return _end(state, (MR_X_SEAT,), rule)


def _detectives_win(state: ScotlandYardState, rule: Rule) -> Continued:
    return _end(state, state.options.hunter_seats, rule)


def _end(state: ScotlandYardState, winners: Sequence[Seat], rule: Rule) -> Continued:
    outcome = Outcome(tuple(winners), rule)
    return state._replace(phase=Phase.OVER, outcome=outcome), (GameEnded(outcome),)
