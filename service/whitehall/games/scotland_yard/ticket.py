"""Tickets, and the transports they pay for."""

from functools import lru_cache
from typing import NamedTuple, NewType

from whitehall.games.core.word import Worded

Station = NewType("Station", int)
"""A station's number as printed on the board."""

NOWHERE = Station(0)
"""Where a piece stands that has not been placed yet. No station has this number."""


class Transport(Worded):
    """A kind of line on the board."""

    TAXI = 1
    BUS = 2
    UNDERGROUND = 3
    FERRY = 4


LAND = (Transport.TAXI, Transport.BUS, Transport.UNDERGROUND)
"""The transports that everybody may ride. The ferry is Mr X's alone."""


class Ticket(Worded):
    """What pays for one ride. The numbers are those of the wire and of stored games: never reuse one."""

    TAXI = 1
    BUS = 2
    UNDERGROUND = 3
    BLACK = 4
    HELICOPTER = 5
    """Flies from any station to any other one. In the app game only, for Mr X alone."""


class Tickets(NamedTuple):
    """A number of normal tickets of each kind: a detective's hand, the shared hand of two players, or the supply."""

    taxi: int
    bus: int
    underground: int

    def of(self, ticket: Ticket) -> int:
        """How many there are of one normal kind; black tickets are counted by themselves."""
        return self[ticket - 1]

    @lru_cache(1 << 12)  # noqa: B019 - bounded, and a handful of numbers is all it keeps
    def plus(self, ticket: Ticket, number: int) -> "Tickets":
        """The same tickets with `number` more of one normal kind (negative: fewer)."""
        taxi, bus, underground = self
        if ticket == Ticket.TAXI:
            return Tickets(taxi + number, bus, underground)
        if ticket == Ticket.BUS:
            return Tickets(taxi, bus + number, underground)
        return Tickets(taxi, bus, underground + number)
