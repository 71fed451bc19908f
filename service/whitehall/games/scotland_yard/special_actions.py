"""The special actions of the detective side: when one may be used, why not otherwise, and what it leads to.

When and which is judged on what lies open; only the answer looks at where Mr X is and has been.
"""

from collections.abc import Iterator, Sequence

from whitehall.games.core.chance import Chance
from whitehall.games.core.rule import Rule, Violation
from whitehall.games.scotland_yard import analysis, investigation
from whitehall.games.scotland_yard.events import ActionsOffered, Event
from whitehall.games.scotland_yard.findings import (
    ACTION_OF,
    Analysed,
    Answer,
    Finding,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import Hear, UseAction
from whitehall.games.scotland_yard.rulebook import (
    ACTION_AGAIN,
    ACTION_BEFORE_HUNTERS,
    ACTION_EVERY_SO_OFTEN,
    ACTION_HIDDEN_ONLY,
    ACTION_OFFERED,
    ACTION_ONCE_A_ROUND,
    APP_GAME_ONLY,
    CHOICE_FIRST,
    HEAR_WHERE_SEEN,
    LANDMARK_ON_BOARD,
    NOTHING_TO_HEAR,
)
from whitehall.games.scotland_yard.state import LogEntry, MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket


def choices(state: ScotlandYardState) -> tuple[str, ...]:
    """The landmarks among which the detective side has to choose now; none where there is nothing to choose."""
    if state.master is None or state.phase != Phase.HUNTERS or not state.master.findings:
        return ()
    last = state.master.findings[-1]
    answer = last.answer
    if (
        last.round != state.round
        or not isinstance(answer, Interrogated)
        or answer.landmarks is None
        or len(answer.landmarks) < 2
    ):
        return ()
    return answer.landmarks


def available(state: ScotlandYardState) -> tuple[SpecialAction, ...]:
    """The special actions that may be used now: none while a choice is due."""
    return () if choices(state) else left(state)


def left(state: ScotlandYardState) -> tuple[SpecialAction, ...]:
    """The special actions that may be used in this round still, at once or after a choice that may be due.

    Whether one is due is not looked at, so that these may be shown to those who are not to know.
    """
    if state.master is None or state.phase != Phase.HUNTERS:
        return ()
    return tuple([action for action in SpecialAction if _rule_in_the_open(state, state.master, action) is None])


def legal_moves(state: ScotlandYardState) -> tuple[UseAction | Hear, ...]:
    """The special actions as moves, or the choice that is due."""
    due = choices(state)
    return tuple(map(Hear, due)) if due else tuple(map(UseAction, available(state)))


def are_due(state: ScotlandYardState) -> bool:
    """Whether a choice is due, or a special action could still be used: then forced passes wait."""
    return bool(choices(state) or available(state))


def violations(state: ScotlandYardState, move: UseAction | Hear) -> Iterator[Violation]:
    """What forbids a special action, whose turn it is aside."""
    # Special actions belong to the game with the app.
    if state.master is None or state.options.master is None:
        yield Violation.of(APP_GAME_ONLY)
    elif isinstance(move, Hear):
        yield from _hearing_violations(state, move.landmark)
    elif rule := _rule_against(state, state.master, move.action):
        yield Violation.of(rule, action=move.action.word)


def _rule_against(state: ScotlandYardState, master: MasterState, action: SpecialAction) -> Rule | None:
    # Where several landmarks show a question mark, one must be chosen before anything else is done.
    return CHOICE_FIRST if choices(state) else _rule_in_the_open(state, master, action)


def _rule_in_the_open(state: ScotlandYardState, master: MasterState, action: SpecialAction) -> Rule | None:
    """The same, by what lies open to everybody."""
    options = state.options.master
    assert options is not None

    # A special action comes after Mr X's move and before any hunter moves.
    if state.moved:
        return ACTION_BEFORE_HUNTERS

    # There is none while Mr X's pawn stands on the board.
    if not options.action_when_surfaced and state.moves_made in state.options.surfacing:
        return ACTION_HIDDEN_ONLY

    # So many special actions may be used in one round, all detectives together.
    used = [finding for finding in master.findings if type(finding.answer) in ACTION_OF]
    if sum(1 for finding in used if finding.round == state.round) >= options.actions_per_round:
        return ACTION_ONCE_A_ROUND

    # After a round with a special action there may be some without.
    before = [finding.round for finding in used if finding.round < state.round]
    if before and state.round - before[-1] <= options.cooldown:
        return ACTION_EVERY_SO_OFTEN

    # Only what this round offers can be used.
    if action not in master.offered:
        return ACTION_OFFERED

    # Each special action may be limited to so many uses in a game.
    if options.per_game_cap and sum(1 for _ in _uses(master, action)) >= options.per_game_cap:
        return ACTION_AGAIN
    return None


def _uses(master: MasterState, action: SpecialAction) -> Iterator[Finding]:
    return (finding for finding in master.findings if ACTION_OF.get(type(finding.answer)) == action)


def _hearing_violations(state: ScotlandYardState, name: str) -> Iterator[Violation]:
    assert state.options.master is not None

    # A landmark is one of those that the game names.
    if all(landmark.name != name for landmark in state.options.master.landmarks):
        yield Violation.of(LANDMARK_ON_BOARD, landmark=name)

    # Witnesses are heard after an Interrogation that found several landmarks.
    due = choices(state)
    if not due:
        yield Violation.of(NOTHING_TO_HEAR)

    # Only where there is a question mark somebody has something to say.
    elif name not in due:
        yield Violation.of(HEAR_WHERE_SEEN, landmark=name)


def offer(state: ScotlandYardState, chance: Chance) -> tuple[ScotlandYardState, tuple[ActionsOffered, ...]]:
    """The special actions of a round come up: all of them, or so many that are drawn."""
    master, options = state.master, state.options.master
    assert master is not None
    assert options is not None
    if options.offered == len(SpecialAction):
        return state, ()
    actions = list(SpecialAction)
    while len(actions) > options.offered:
        del actions[chance.draw("special action that is not offered", len(actions))]
    offered = tuple(actions)
    return state._replace(master=master._replace(offered=offered)), (ActionsOffered(offered),)


def use(
    state: ScotlandYardState, move: UseAction | Hear, chance: Chance
) -> tuple[ScotlandYardState, tuple[Event, ...]]:
    """The detective side makes a legal special action, or chooses whom it hears."""
    answers = tuple(_answers(state, move, chance))
    assert state.master is not None
    made = tuple([Finding(state.round, state.moves_made, answer) for answer in answers])
    return state._replace(master=state.master._replace(findings=state.master.findings + made)), answers


def _answers(state: ScotlandYardState, move: UseAction | Hear, chance: Chance) -> Iterator[Answer]:
    board, options = state.options.board, state.options.master
    assert options is not None
    # A bare position remembers no more than where he is.
    log = state.log or (LogEntry(state.round, Ticket.BLACK, state.mr_x),)
    recent = tuple([entry.station for entry in log[-options.recent_window :]])
    if isinstance(move, Hear):
        yield _statement(state, move.landmark, recent)
        return
    match move.action:
        case SpecialAction.ANALYSIS:
            yield Analysed(analysis.analysis(state))
        case SpecialAction.LOCATE:
            yield Located(investigation.locate(board, options, state.mr_x))
        case SpecialAction.SCAN:
            yield Scanned(investigation.scan(board, options, state.mr_x, chance))
        case SpecialAction.INTERROGATION:
            marks = investigation.question_marks(board, options, recent)
            yield Interrogated(marks)
            # The only landmark needs no choice.
            if len(marks) == 1:
                yield _statement(state, marks[0], recent)


def _statement(state: ScotlandYardState, landmark: str, recent: Sequence[Station]) -> StatementHeard:
    assert state.options.master is not None
    moves_ago = investigation.moves_ago(state.options.board, state.options.master, landmark, recent)
    assert moves_ago is not None, "witnesses are heard where they have seen him"
    return StatementHeard(landmark, moves_ago)
