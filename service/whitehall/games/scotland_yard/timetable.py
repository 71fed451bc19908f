"""The timetable of a board: every ride that can leave a station, prepared so that listing moves costs next to nothing.

Nothing here is a rule of its own. The rules say which tickets are at hand and which stations are occupied; the
timetable looks up the moves that this leaves. It is a pure function of the board's lines, belongs to one board, and
forgets all lists when there are too many.

A *set of tickets* is a bit mask with bit `1 << ticket` for each kind of ticket in it. A list of moves depends on the
occupied stations within reach only, and mostly there is none: so lists are kept by what is `blocked` (occupied and
within reach), and few serve nearly always.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from whitehall.games.scotland_yard.moves import DoubleMove, Ride, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.ticket import LAND, Station, Ticket, Tickets, Transport

TRAVELS_KEPT = 1 << 14
DOUBLES_KEPT = 1 << 12
"""How many lists of moves a board keeps at most: about 6 MiB each for a board of 199 stations."""

_TAXI, _BUS, _UNDERGROUND = 1 << Ticket.TAXI, 1 << Ticket.BUS, 1 << Ticket.UNDERGROUND

LAND_TICKETS = _TAXI | _BUS | _UNDERGROUND
"""The set of the normal tickets. A Bobby rides as if it held them all."""

BLACK_TICKET = 1 << Ticket.BLACK
"""The set of the black ticket alone: all that a ferry takes."""

ALL_TICKETS = LAND_TICKETS | BLACK_TICKET


def ticket_set(tickets: Tickets, black_tickets: int = 0, at_least: int = 1) -> int:
    """The set of the kinds of tickets of which `at_least` so many are at hand."""
    taxi, bus, underground = tickets
    return (
        (_TAXI if taxi >= at_least else 0)
        | (_BUS if bus >= at_least else 0)
        | (_UNDERGROUND if underground >= at_least else 0)
        | (BLACK_TICKET if black_tickets >= at_least else 0)
    )


class Timetable:
    """The rides of one board. Every method is a pure function of the board and its arguments."""

    def __init__(self, neighbours: Mapping[Station, Mapping[Transport, tuple[Station, ...]]]) -> None:
        self._rides = {station: tuple(_rides(lines)) for station, lines in neighbours.items()}
        self._tickets = {station: _tickets_by_end(rides) for station, rides in self._rides.items()}
        self._travels_from: dict[tuple[Piece, Station], tuple[Travel, ...]] = {}
        self._doubles_by_first: dict[tuple[Ride, int], tuple[DoubleMove, ...]] = {}
        self.within_one_ride = {station: frozenset(ends) for station, ends in self._tickets.items()}
        """For each station the stations that one ride can lead to."""
        self.within_two_rides = {
            station: ends.union(*(self.within_one_ride[end] for end in ends))
            for station, ends in self.within_one_ride.items()
        }
        """For each station the stations that a double move can touch."""
        self.leaving = {station: _union(ends.values()) for station, ends in self._by_land().items()}
        """For each station the set of tickets that some line by land takes there."""
        self._travels: dict[tuple[Piece, Station, int, frozenset[Station]], tuple[Travel, ...]] = {}
        self._doubles: dict[tuple[Station, int, int, frozenset[Station]], tuple[DoubleMove, ...]] = {}

    def travels(self, piece: Piece, station: Station, held: int, blocked: frozenset[Station]) -> tuple[Travel, ...]:
        """The piece's single moves from there with the set `held` of tickets, none of them to a `blocked` station; by
        ticket, then station, ascending.
        """
        asked = piece, station, held, blocked
        known = self._travels.get(asked)
        if known is not None:
            return known
        if len(self._travels) >= TRAVELS_KEPT:
            self._travels.clear()
        made = self._travels[asked] = self._list_travels(piece, station, held, blocked)
        return made

    def doubles(self, station: Station, held: int, twice: int, blocked: frozenset[Station]) -> tuple[DoubleMove, ...]:
        """Mr X's double moves from there with the set `held` of tickets, of which `twice` are there at least twice,
        neither half to a `blocked` station; ordered by halves.
        """
        asked = station, held, twice, blocked
        known = self._doubles.get(asked)
        if known is not None:
            return known
        if len(self._doubles) >= DOUBLES_KEPT:
            self._doubles.clear()
        made = self._doubles[asked] = self._list_doubles(station, held, twice, blocked)
        return made

    def tickets_between(self, here: Station, there: Station) -> int:
        """The set of tickets that ride from one station to the other in one go; empty where no line joins them."""
        return self._tickets[here].get(there, 0)

    def _by_land(self) -> dict[Station, dict[Station, int]]:
        """Where rides lead by land from each station, with the sets of tickets that lead there."""
        return {
            station: {end: tickets for end, tickets in ends.items() if tickets & LAND_TICKETS}
            for station, ends in self._tickets.items()
        }

    def _list_travels(
        self, piece: Piece, station: Station, held: int, blocked: frozenset[Station]
    ) -> tuple[Travel, ...]:
        prepared = self._travels_from.get((piece, station))
        if prepared is None:
            # A black ticket takes a detective who has one everywhere but on the ferry.
            rides_ferry, tickets = piece == Piece.MR_X, self._tickets[station]
            rides = [ride for ride in self._rides[station] if rides_ferry or tickets[ride.station] & LAND_TICKETS]
            prepared = tuple(Travel(piece, ticket, end) for ticket, end in rides)
            self._travels_from[piece, station] = prepared
        return tuple(move for move in prepared if held >> move.ticket & 1 and move.station not in blocked)

    def _list_doubles(
        self, station: Station, held: int, twice: int, blocked: frozenset[Station]
    ) -> tuple[DoubleMove, ...]:
        moves: list[DoubleMove] = []
        for first in self._rides[station]:
            ticket, halfway = first
            if not held >> ticket & 1 or halfway in blocked:
                continue
            left = held if twice >> ticket & 1 else held & ~(1 << ticket)
            prepared = self._doubles_by(first, left)
            if blocked.isdisjoint(self.within_one_ride[halfway]):
                moves += prepared
            else:
                moves += [move for move in prepared if move.second.station not in blocked]
        return tuple(moves)

    def _doubles_by(self, first: Ride, left: int) -> tuple[DoubleMove, ...]:
        """The double moves that begin with `first` and end with one of the `left` tickets, wherever hunters stand."""
        known = self._doubles_by_first.get((first, left))
        if known is not None:
            return known
        if left == ALL_TICKETS:
            made = tuple(DoubleMove(first, second) for second in self._rides[first.station])
        else:
            made = tuple(move for move in self._doubles_by(first, ALL_TICKETS) if left >> move.second.ticket & 1)
        self._doubles_by_first[first, left] = made
        return made


def _rides(lines: Mapping[Transport, tuple[Station, ...]]) -> Iterator[Ride]:
    """Every ride along these lines by ticket, then station: a black ticket rides them all, and alone the ferry."""
    for transport in LAND:
        yield from (Ride(Ticket(transport), end) for end in lines[transport])
    ends = {end for transport in Transport for end in lines[transport]}
    yield from (Ride(Ticket.BLACK, end) for end in sorted(ends))


def _tickets_by_end(rides: Iterable[Ride]) -> dict[Station, int]:
    """Where rides lead, each with the set of tickets that lead there."""
    tickets: dict[Station, int] = {}
    for ticket, end in rides:
        tickets[end] = tickets.get(end, 0) | 1 << ticket
    return tickets


def _union(ticket_sets: Iterable[int]) -> int:
    return reduce(or_, ticket_sets, 0)
