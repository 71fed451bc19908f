"""One round as a person at a cardboard game can write it down: what lay open when it began, and how Mr X moved."""

from typing import NamedTuple

from whitehall.games.scotland_yard.findings import Answer
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets


class PublicRide(NamedTuple):
    """One field of the log: the ticket on it, and the station where he showed himself, if he did."""

    ticket: Ticket
    station: Station | None = None


class PublicRound(NamedTuple):
    """One round: what lay open when it began, and how Mr X moved."""

    hunters: tuple[Station, ...]
    """Where the hunters stood when he was about to move; none where nobody wrote it down."""
    rides: tuple[PublicRide, ...]
    """One, or the two of a double move; none in the last round when he has not moved yet."""
    supply: Tickets | None = None
    """The normal tickets that he could draw from; None where nobody counted them."""
    black_tickets: int | None = None
    """The black tickets that he had left; None where nobody counted them."""
    helicopter_tickets: int | None = None
    """The helicopter tickets that he had left: none but in the app game. None where nobody counted them."""
    answers: tuple[Answer, ...] = ()
    """What the app answered in this round, after his move: none but in the app game."""
