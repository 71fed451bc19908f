"""Views: what one viewer may know, built up from nothing. Deductions take a view, never a state."""

from typing import NamedTuple

from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import PUBLIC, Viewer
from whitehall.games.scotland_yard import special_actions
from whitehall.games.scotland_yard.events import Event, MeetingPointReached, MeetingPointShown, MrXTravelled, Placed
from whitehall.games.scotland_yard.findings import Answer, Finding, veiled
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, Phase, RoundStart, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


class LogField(NamedTuple):
    """One field of Mr X's log as the viewer sees it. `station` is None while it stays covered."""

    number: int
    round: int
    ticket: Ticket
    station: Station | None
    surfaced: bool


class HunterView(NamedTuple):
    """A detective or Bobby on the board. `tickets` is None for a Bobby; a shared hand shows at each of its pieces."""

    piece: Piece
    station: Station
    """`NOWHERE` until it is placed."""
    tickets: Tickets | None
    black_tickets: int
    """Those of its hand: none but under a house rule."""
    has_moved: bool


class MasterView(NamedTuple):
    """What a viewer may know of the app game. All of it lies open once the game is over."""

    helicopter_tickets: int
    """Those that Mr X has left: open to all, as his black and double tickets are."""
    available: tuple[SpecialAction, ...]
    """The special actions that the detective side can use now: none of those that a rule forbids at the moment.

    Mr X and the public do not see whether that side has to choose a landmark first.
    """
    findings: tuple[Finding, ...]
    """Everything that special actions have answered. Mr X and the public see which was used, without the answers and
    what witnesses said.
    """
    choices: tuple[str, ...]
    """The landmarks among which the detective side has to choose now: for that side alone."""
    meeting_points: tuple[MeetingPoint, ...] | None
    """Those shown to Mr X so far, for himself; None for the others."""
    meetings: int | None
    """How many he has reached, for himself, and for all where visits are announced."""


class ScotlandYardView(NamedTuple):
    """One viewer's whole knowledge of the position.

    Detectives, spectators and the host see the same of the board: everything but Mr X's hidden stations. `mr_x` is his
    station where the viewer may know it now: always for himself; for the others while his pawn stands on the board
    (after surfacing, until his next move) and once the game is over, when his whole log is uncovered too.
    """

    viewer: Viewer
    options: ScotlandYardOptions
    round: int
    phase: Phase
    mr_x: Station | None
    hunters: tuple[HunterView, ...]
    supply: Tickets
    black_tickets: int
    double_tickets: int
    moves_made: int
    """Filled fields of the log: those in `log`, and any from before a bare position was set up."""
    log: tuple[LogField, ...]
    start: Station | None
    """Mr X's start station once he has one, for himself, and for all once the game is over."""
    round_starts: tuple[RoundStart, ...]
    outcome: Outcome | None
    offered: tuple[Station, ...]
    """While the hunters distribute themselves: the stations that are still to be taken."""
    master: MasterView | None = None
    """The app game; None in editions without it."""


def view_of(state: ScotlandYardState, viewer: Viewer) -> ScotlandYardView:
    """What `viewer` may know of the position, copied field by field: what is not named here stays hidden."""
    options = state.options
    knows_all = viewer == MR_X_SEAT or state.phase == Phase.OVER
    first_number = state.moves_made - len(state.log) + 1
    log = tuple(
        LogField(
            number=number,
            round=entry.round,
            ticket=entry.ticket,
            station=entry.station if knows_all or number in options.surfacing else None,
            surfaced=number in options.surfacing,
        )
        for number, entry in enumerate(state.log, first_number)
    )
    # Surfaced, his pawn stays on the board until his next move.
    pawn_stands = state.moves_made in options.surfacing
    return ScotlandYardView(
        viewer=viewer,
        options=options,
        round=state.round,
        phase=state.phase,
        mr_x=(state.mr_x or None) if knows_all or pawn_stands else None,
        hunters=tuple(
            HunterView(
                piece=piece,
                station=state.hunters[number],
                tickets=None if piece.is_bobby else state.hands[0 if options.pooled else number],
                black_tickets=0 if piece.is_bobby else state.black_hands[0 if options.pooled else number],
                has_moved=bool(state.moved >> number & 1),
            )
            for number, piece in enumerate(options.hunters)
        ),
        supply=state.supply,
        black_tickets=state.black_tickets,
        double_tickets=state.double_tickets,
        moves_made=state.moves_made,
        log=log,
        start=state.start if knows_all else None,
        round_starts=state.round_starts,
        outcome=state.outcome,
        offered=state.offered,
        master=None if state.master is None else _master_view(state, state.master, viewer),
    )


def _master_view(state: ScotlandYardState, master: MasterState, viewer: Viewer) -> MasterView:
    """What the app shows to Mr X, to the detective side and to the public: each its own."""
    assert state.options.master is not None
    is_over = state.phase == Phase.OVER
    knows_points = is_over or viewer == MR_X_SEAT
    knows_findings = is_over or viewer not in (PUBLIC, MR_X_SEAT)
    return MasterView(
        helicopter_tickets=master.helicopter_tickets,
        available=special_actions.available(state) if knows_findings else special_actions.left(state),
        findings=master.findings if knows_findings else tuple(filter(None, map(Finding.veiled, master.findings))),
        choices=special_actions.choices(state) if knows_findings else (),
        meeting_points=master.meeting_points if knows_points else None,
        meetings=master.meetings if knows_points or state.options.master.announce_visit else None,
    )


def event_view(event: Event, viewer: Viewer) -> Event | None:
    """The event as `viewer` may know it: Mr X alone sees where he starts, and where he goes without surfacing.

    The answers of special actions are the detective side's, and so is that witnesses spoke; meeting points are his.
    """
    if isinstance(event, Answer):
        return veiled(event) if viewer in (PUBLIC, MR_X_SEAT) else event
    if viewer == MR_X_SEAT:
        return event
    if isinstance(event, MeetingPointShown):
        return None
    if isinstance(event, MeetingPointReached):
        return event._replace(station=None) if event.announced else None
    if isinstance(event, Placed) and event.piece == Piece.MR_X:
        return event._replace(station=None)
    if isinstance(event, MrXTravelled) and not event.surfaced:
        return event._replace(station=None)
    return event
