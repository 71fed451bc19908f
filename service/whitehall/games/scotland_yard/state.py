"""The state of a game: the whole truth. It never leaves the service; seats get a view."""

from enum import IntEnum
from typing import NamedTuple

from whitehall.games.core.outcome import Outcome
from whitehall.games.scotland_yard.findings import Finding
from whitehall.games.scotland_yard.master import HelicopterGrant, MasterOptions, SpecialAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


class Phase(IntEnum):
    """Whose turn it is within a round. The numbers are those of the wire and of stored games: never reuse one."""

    MR_X = 1
    HUNTERS = 2
    OVER = 3
    PLACING = 4
    """Before the first round: pieces are put on the stations where they start."""


class LogEntry(NamedTuple):
    """One field of Mr X's log: the ticket that covers it and the station written under it."""

    round: int
    ticket: Ticket
    station: Station


class RoundStart(NamedTuple):
    """What lay open when Mr X was about to move: where the hunters stood, and the tickets he could draw from.

    Exact deduction needs it: he cannot have moved onto a hunter, nor spent a ticket that was not there.
    """

    hunters: tuple[Station, ...]
    supply: Tickets


class MeetingPoint(NamedTuple):
    """A station that Mr X has been told to visit."""

    station: Station
    shown: int
    """The field of the log after which he was told."""
    reached: int
    """The field under which he reached it; 0 while it is open."""


class MasterState(NamedTuple):
    """What the app keeps of a game."""

    helicopter_tickets: int
    meeting_points: tuple[MeetingPoint, ...]
    """In the order in which they were shown."""
    offered: tuple[SpecialAction, ...]
    """The special actions of this round, used or not."""
    findings: tuple[Finding, ...]
    """Everything that special actions have answered, oldest first."""

    @classmethod
    def at_start(cls, options: MasterOptions) -> "MasterState":
        """As the game begins."""
        tickets = options.helicopter_tickets if options.helicopter_grant == HelicopterGrant.START else 0
        return cls(tickets, (), tuple(SpecialAction), ())

    @property
    def meetings(self) -> int:
        """How many meeting points he has reached."""
        return sum(1 for point in self.meeting_points if point.reached)

    def __repr__(self) -> str:
        """Says nothing that is hidden."""
        return f"<MasterState {len(self.findings)} findings>"


class ScotlandYardState(NamedTuple):
    """Everything about one moment of one game. Hunters are ordered as `options.detectives + options.bobbies`."""

    options: ScotlandYardOptions
    round: int
    """From 1; 0 while pieces are placed."""
    phase: Phase
    mr_x: Station
    """`NOWHERE` until he is placed."""
    hunters: tuple[Station, ...]
    """`NOWHERE` for one that is not placed yet."""
    hands: tuple[Tickets, ...]
    """Tickets per detective; a single shared hand where the options say `pooled`."""
    black_hands: tuple[int, ...]
    """Black tickets per hand: none but under a house rule."""
    supply: Tickets
    """What Mr X can draw his normal tickets from: the common supply, or a hand of his own."""
    black_tickets: int
    double_tickets: int
    moves_made: int
    """Fields of the log that are filled. Counts Mr X's moves, not rounds."""
    moved: int
    """Bit i is set when hunter i has moved, or passed, in this round."""
    log: tuple[LogEntry, ...]
    """The filled fields, the latest last; without those from before a bare position was set up."""
    start: Station | None
    """Mr X's start station; None for a bare position, and until he is placed."""
    round_starts: tuple[RoundStart, ...]
    """One for each round so far, the latest last; without those from before a bare position was set up."""
    outcome: Outcome | None
    offered: tuple[Station, ...] = ()
    """While the hunters distribute themselves: the stations that are still to be taken, ascending."""
    master: MasterState | None = None
    """What the app keeps; None in games without it."""

    def with_hunter_moved(
        self, hunters: tuple[Station, ...], hands: tuple[Tickets, ...], supply: Tickets, moved: int
    ) -> "ScotlandYardState":
        """The state with these fields replaced: most moves need just them, and `_replace` takes twice as long."""
        return ScotlandYardState(
            self.options,
            self.round,
            self.phase,
            self.mr_x,
            hunters,
            hands,
            self.black_hands,
            supply,
            self.black_tickets,
            self.double_tickets,
            self.moves_made,
            moved,
            self.log,
            self.start,
            self.round_starts,
            self.outcome,
            self.offered,
            self.master,
        )

    def with_round_begun(self, number: int) -> "ScotlandYardState":
        """The state when it is Mr X's turn in that round: made without `_replace` for the same reason."""
        return ScotlandYardState(
            self.options,
            number,
            Phase.MR_X,
            self.mr_x,
            self.hunters,
            self.hands,
            self.black_hands,
            self.supply,
            self.black_tickets,
            self.double_tickets,
            self.moves_made,
            0,
            self.log,
            self.start,
            (*self.round_starts, RoundStart(self.hunters, self.supply)),
            self.outcome,
            self.offered,
            self.master,
        )

    def __repr__(self) -> str:
        """Says where the game is, and nothing that is hidden."""
        return f"<ScotlandYardState round {self.round}, {self.phase.name}>"
