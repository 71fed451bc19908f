"""Events: what happened, in the order in which it happened. `None` stands for what a viewer may not know."""

from enum import IntEnum
from typing import NamedTuple

from whitehall.games.core.outcome import Outcome
from whitehall.games.scotland_yard.findings import Analysed, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import Station, Ticket


class PassReason(IntEnum):
    """Why a hunter could not move."""

    NO_TICKET = 1
    """No line from its station takes a ticket it still has."""
    BLOCKED = 2
    """Every station it could ride to is occupied."""


class PlacingBegan(NamedTuple):
    """The pieces are to be placed: hunters on the `offered` stations where chance has named these, else anywhere."""

    offered: tuple[Station, ...]


class Placed(NamedTuple):
    """A piece was put on the station where it starts, by a start card or by a player. Only Mr X sees his own."""

    piece: Piece
    station: Station | None
    chosen: bool = False
    """Whether a player chose the station."""


class DoubleDeclared(NamedTuple):
    """Mr X laid out a double ticket; `remaining` are left."""

    remaining: int


class MrXTravelled(NamedTuple):
    """Mr X filled field `number` of his log. The station is open when he surfaces there, else his own to know."""

    number: int
    ticket: Ticket
    station: Station | None
    surfaced: bool


class HunterTravelled(NamedTuple):
    """A detective or Bobby rode to a station. `ticket` is the one spent, or the line's for a Bobby."""

    piece: Piece
    ticket: Ticket
    station: Station


class HunterPassed(NamedTuple):
    """A hunter could not move."""

    piece: Piece
    reason: PassReason


class MrXCaught(NamedTuple):
    """A hunter moved onto Mr X's station, which everybody now sees."""

    piece: Piece
    station: Station


class GameEnded(NamedTuple):
    """The game is over."""

    outcome: Outcome


class ActionsOffered(NamedTuple):
    """The special actions that were drawn for this round. Only where not all of them are offered."""

    actions: tuple[SpecialAction, ...]


class MeetingPointShown(NamedTuple):
    """Mr X learns of a meeting point, and nobody else does."""

    station: Station


class MeetingPointReached(NamedTuple):
    """Mr X has reached a meeting point, his `number`th. Where visits are `announced` the others learn that, but not
    where.
    """

    station: Station | None
    number: int
    announced: bool


MasterEvent = (
    ActionsOffered
    | Analysed
    | Located
    | Scanned
    | Interrogated
    | StatementHeard
    | MeetingPointShown
    | MeetingPointReached
)
"""What happens in the app game alone."""

Event = (
    PlacingBegan
    | Placed
    | DoubleDeclared
    | MrXTravelled
    | HunterTravelled
    | HunterPassed
    | MrXCaught
    | GameEnded
    | MasterEvent
)
