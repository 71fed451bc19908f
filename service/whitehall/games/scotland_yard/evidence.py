"""Evidence: what everybody at the table has seen of Mr X, field by field of his log.

All that the hunters see says something about where he stood after one of his moves: the ticket says how he came there
from the place before, every other clue is about that place alone. In the app game the answers join in that the view's
side was given. Whatever a seat may know beyond that (Mr X's own stations above all) has no way into an `Evidence`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whitehall.games.scotland_yard.answers import AnswerBook, answer_book
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import CanMove, Clue, NotAmong, Step
from whitehall.games.scotland_yard.findings import Answer
from whitehall.games.scotland_yard.options import ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.station_sets import HELICOPTER_TICKET
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.timetable import ticket_set
from whitehall.games.scotland_yard.view import LogField, MasterView, ScotlandYardView


class Evidence(NamedTuple):
    """What has been seen of Mr X on one board, from his first place to where he is now."""

    board: Board
    origin: tuple[Station, ...]
    """Where he could have been at first, for all that was known before anything was seen."""
    steps: tuple[Step, ...]
    """His first place, then one for each field of the log."""
    book: AnswerBook | None = None
    """What the app's answers say; None where there is no app to ask."""


def evidence_of(view: ScotlandYardView) -> Evidence:
    """What the public has seen up to this view, whoever's view it is; and what the app has told the viewer's side."""
    return Evidence(view.options.board, _origin(view), steps_of(view, first_field(view)), _book_of(view.options))


def steps_of(view: ScotlandYardView, since: int) -> tuple[Step, ...]:
    """The steps of a view from field `since` on.

    Raises `ValueError` for a field that is not filled, or that was filled before a bare position was set up.
    """
    first = first_field(view)
    if not first <= since <= view.moves_made:
        raise ValueError(f"the view tells of fields {first} to {view.moves_made} of the log, and not of {since}")
    steps = tuple(_step(view, index) for index in range(max(since - first - 1, 0), len(view.log)))
    if since == first:
        steps = (_first_step(view), *steps)
    book = _book_of(view.options)
    return steps if view.master is None or book is None else tuple(_with_answers(view, view.master, book, steps))


def _book_of(options: ScotlandYardOptions) -> AnswerBook | None:
    return None if options.master is None else answer_book(options.board, options.master)


def _with_answers(
    view: ScotlandYardView, master: MasterView, book: AnswerBook, steps: Iterable[Step]
) -> Iterator[Step]:
    """The steps, with what special actions have answered at each; nothing of what this viewer was not told."""
    answers: dict[int, list[Answer]] = {}
    for finding in master.findings:
        answers.setdefault(finding.field, []).append(finding.answer)
    first = first_field(view)
    for step in steps:
        # Nobody saw the moves before a bare position was set up, and his start is none.
        yield book.told(step, answers.get(step.field, ()), known=step.field - first)


def first_field(view: ScotlandYardView) -> int:
    """The number of the field before those in the log."""
    return view.moves_made - len(view.log)


def _origin(view: ScotlandYardView) -> tuple[Station, ...]:
    """The start cards that the hunters left in the deck; every station where he chose, or where a bare position hides
    what was.
    """
    if first_field(view) > 0 or view.options.start_by == StartBy.CHOICE:
        return view.options.board.stations
    drawn = _hunters_at_first(view) + view.offered
    return tuple(card for card in view.options.start_cards_mr_x if card not in drawn)


def _first_step(view: ScotlandYardView) -> Step:
    """The place before the first field of the log."""
    clues: list[Clue] = []
    # A game that ended before anything happened may have ended by his capture.
    if view.round_starts or view.phase != Phase.OVER:
        clues.append(NotAmong(_hunters_at_first(view)))
    shown = view.start if view.phase == Phase.OVER else None
    if not view.log:
        clues += _clues_now(view)
        if view.phase == Phase.OVER or view.moves_made in view.options.surfacing:
            shown = view.mr_x
    return Step(first_field(view), None, shown, tuple(clues))


def _step(view: ScotlandYardView, index: int) -> Step:
    """The place under the field at this index of the log."""
    field = view.log[index]
    shown = field.station if field.surfaced or view.phase == Phase.OVER else None
    before = NotAmong(_hunters_before(view, field))
    return Step(field.number, field.ticket, shown, (before, *_clues_after(view, index)))


def _clues_after(view: ScotlandYardView, index: int) -> tuple[Clue, ...]:
    """What was seen between a move of his and the next one."""
    later = index + 1
    if later == len(view.log):
        return _clues_now(view)
    # Between the halves of a double move no hunter has moved, so this says nothing new there. That he could move on
    # needs no clue: he did, for the ticket on the next field.
    return (NotAmong(_hunters_before(view, view.log[later])),)


def _clues_now(view: ScotlandYardView) -> tuple[Clue, ...]:
    """What is seen of the place where he is now: no hunter that has moved there has caught him."""
    # Once the game is over nothing has to be worked out, and he may have been caught or cornered.
    if view.phase == Phase.OVER:
        return ()
    hunters = _hunters_now(view)
    if view.phase in (Phase.HUNTERS, Phase.PLACING):
        return (NotAmong(hunters),)
    tickets = ticket_set(view.supply, view.black_tickets)
    if view.master is not None and view.master.helicopter_tickets:
        tickets |= HELICOPTER_TICKET
    return (NotAmong(hunters), CanMove(hunters, tickets))


def _hunters_before(view: ScotlandYardView, field: LogField) -> tuple[Station, ...]:
    """Where the hunters stood when he moved to the place under a field."""
    return view.round_starts[field.round - view.round - 1].hunters


def _hunters_at_first(view: ScotlandYardView) -> tuple[Station, ...]:
    """Where the hunters stood as early as the view can tell."""
    if view.round_starts:
        return view.round_starts[0].hunters
    return _hunters_now(view)


def _hunters_now(view: ScotlandYardView) -> tuple[Station, ...]:
    """Where those hunters stand that are on the board."""
    return tuple([hunter.station for hunter in view.hunters if hunter.station])
