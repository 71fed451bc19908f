"""Evidence: what everybody at the table has seen of Mr X, field by field of his log.

All that the hunters see says something about where he stood after one of his moves: the ticket says how he came there
from the place before, every other clue is about that place alone. Whatever a seat may know beyond that (Mr X's own
stations above all) has no way into an `Evidence`.
"""

from typing import NamedTuple

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.options import StartBy
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.station_sets import StationSet, StationSets
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.timetable import ticket_set
from whitehall.games.scotland_yard.view import LogField, ScotlandYardView


class NotAmong(NamedTuple):
    """He is on none of these stations: a hunter stood there when he moved, or came there and did not catch him."""

    stations: tuple[Station, ...]

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & ~sets.of(self.stations)


class CanMove(NamedTuple):
    """It is his turn and the game goes on, so a ride for one of these tickets leads to a station without a hunter."""

    hunters: tuple[Station, ...]
    tickets: int
    """The set of the kinds of tickets that he could take."""

    def narrow(self, possible: StationSet, sets: StationSets) -> StationSet:
        """What remains of the possible stations."""
        return possible & sets.reached(sets.all & ~sets.of(self.hunters), self.tickets)


Clue = NotAmong | CanMove
"""One thing seen about the place where he stood. Each kind says what it leaves of a set of possible stations."""


class Step(NamedTuple):
    """What was seen of one of his places: his start, or where the move led that filled a field of the log."""

    field: int
    """The number of the field; 0 for the start, or the last field before a bare position was set up."""
    ticket: Ticket | None
    """What he rode there for; None for the first place."""
    shown: Station | None
    """The place itself, where everybody saw it: he surfaced there, or the game is over."""
    clues: tuple[Clue, ...]


class Evidence(NamedTuple):
    """What has been seen of Mr X on one board, from his first place to where he is now."""

    board: Board
    origin: tuple[Station, ...]
    """Where he could have been at first, for all that was known before anything was seen."""
    steps: tuple[Step, ...]
    """His first place, then one for each field of the log."""


def evidence_of(view: ScotlandYardView) -> Evidence:
    """What the public has seen up to this view, whoever's view it is."""
    return Evidence(view.options.board, _origin(view), steps_of(view, _first_field(view)))


def steps_of(view: ScotlandYardView, since: int) -> tuple[Step, ...]:
    """The steps of a view from field `since` on.

    Raises `ValueError` for a field that is not filled, or that was filled before a bare position was set up.
    """
    first = _first_field(view)
    if not first <= since <= view.moves_made:
        raise ValueError(f"the view tells of fields {first} to {view.moves_made} of the log, and not of {since}")
    if since > first:
        return tuple(_step(view, index) for index in range(since - first - 1, len(view.log)))
    return (_first_step(view), *(_step(view, index) for index in range(len(view.log))))


def _first_field(view: ScotlandYardView) -> int:
    """The number of the field before those in the log."""
    return view.moves_made - len(view.log)


def _origin(view: ScotlandYardView) -> tuple[Station, ...]:
    """The start cards that the hunters left in the deck; every station where he chose, or where a bare position hides
    what was.
    """
    if _first_field(view) > 0 or view.options.start_by == StartBy.CHOICE:
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
    return Step(_first_field(view), None, shown, tuple(clues))


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
    return (NotAmong(hunters), CanMove(hunters, ticket_set(view.supply, view.black_tickets)))


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
