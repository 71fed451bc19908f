"""Sets of stations of one board as bit masks, and where whole sets lead: the quick part of deduction.

Bit `1 << station` of a mask stands for the station of that number. Where a set leads is looked up byte by byte: for
each byte of a mask a table holds, for all its 256 values, where those eight stations lead together.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.ticket import LAND, Station, Ticket, Transport
from whitehall.games.scotland_yard.timetable import BLACK_TICKET

HELICOPTER_TICKET = 1 << Ticket.HELICOPTER
"""The set of the helicopter ticket alone."""

StationSet = int
"""A set of stations, as a bit mask."""

BOARDS_KEPT = 16
"""For how many boards tables are kept. With 199 stations they take half a MiB, and a third more for each set of tickets
that was asked for."""


class _Rides(NamedTuple):
    """Where one set of tickets leads."""

    neighbours: dict[Station, tuple[Station, ...]]
    by_byte: Sequence[Sequence[StationSet]]


class StationSets:
    """The sets of one board's stations. Every method is a pure function of the board and its arguments."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._bytes = board.stations[-1] // 8 + 1
        self._members = tuple(_members(board, first) for first in self._first_of_each_byte())
        self._rides: dict[int, _Rides] = {}
        self.all = self.of(board.stations)
        """Every station of the board."""

    def of(self, stations: Iterable[Station]) -> StationSet:
        """The set of these stations."""
        mask = 0
        for station in stations:
            mask |= 1 << station
        return mask

    def stations(self, mask: StationSet) -> tuple[Station, ...]:
        """The stations of a set, ascending."""
        found: list[Station] = []
        for index, byte in enumerate(mask.to_bytes(self._bytes, "little")):
            if byte:
                found += self._members[index][byte]
        return tuple(found)

    def reached(self, mask: StationSet, tickets: int) -> StationSet:
        """Where one ride for a ticket of the set `tickets` leads from the stations of a set.

        As lines run both ways, these are also the stations from which such a ride leads into the set. A helicopter
        flies from every station to every other one.
        """
        rides = self._rides.get(tickets)
        if rides is None:
            if tickets & HELICOPTER_TICKET:
                return self.all if mask & (mask - 1) else self.all & ~mask if mask else 0
            rides = self._prepare(tickets)
        tables, ends = rides.by_byte, 0
        for index, byte in enumerate(mask.to_bytes(self._bytes, "little")):
            if byte:
                ends |= tables[index][byte]
        return ends

    def neighbours(self, tickets: int) -> dict[Station, tuple[Station, ...]]:
        """For each station where one ride for a ticket of the set `tickets` leads, ascending and each once.

        Lines only: a helicopter needs none.
        """
        return (self._rides.get(tickets) or self._prepare(tickets)).neighbours

    def _prepare(self, tickets: int) -> _Rides:
        # A table under this ticket would be found in place of the flights.
        assert not tickets & HELICOPTER_TICKET, "a helicopter needs no lines"
        # A black ticket pays for every line, and it alone for the ferry.
        transports = [transport for transport in LAND if tickets >> transport & 1]
        if tickets & BLACK_TICKET:
            transports = list(Transport)
        lines = self._board.neighbours
        neighbours = {
            station: tuple(sorted({end for transport in transports for end in lines(station, transport)}))
            for station in self._board.stations
        }
        ends = {station: self.of(joined) for station, joined in neighbours.items()}
        by_byte = tuple(_unions(ends, first) for first in self._first_of_each_byte())
        rides = self._rides[tickets] = _Rides(neighbours, by_byte)
        return rides

    def _first_of_each_byte(self) -> range:
        """The station of the lowest bit of each byte of a mask."""
        return range(0, 8 * self._bytes, 8)


@lru_cache(BOARDS_KEPT)
def station_sets(board: Board) -> StationSets:
    """The sets of a board's stations, with tables made when they are first asked for."""
    return StationSets(board)


def _members(board: Board, first: int) -> list[tuple[Station, ...]]:
    """For each value of a byte the stations that it stands for, its lowest bit standing for `first`."""
    table: list[tuple[Station, ...]] = [()]
    for bit in range(8):
        station = Station(first + bit)
        member = (station,) if station in board.coordinates else ()
        table += [members + member for members in table]
    return table


def _unions(ends: Mapping[Station, StationSet], first: int) -> list[StationSet]:
    """For each value of a byte where its stations lead together: with each further bit, the table so far and again."""
    table = [0]
    for bit in range(8):
        station_ends = ends.get(Station(first + bit), 0)
        table += [union | station_ends for union in table]
    return table
