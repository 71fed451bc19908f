"""Sets of stations as bit masks, against plain sets along the reference's lines."""

from random import Random

import pytest

from tests.games.scotland_yard.reference import reached
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.station_sets import StationSets, station_sets
from whitehall.games.scotland_yard.ticket import Station, Ticket, Transport
from whitehall.games.scotland_yard.timetable import ALL_TICKETS, LAND_TICKETS

LONDON = board(LONDON_2013)
TICKETS = {Ticket.TAXI: "taxi", Ticket.BUS: "bus", Ticket.UNDERGROUND: "underground", Ticket.BLACK: "black"}


@pytest.mark.parametrize("ticket", TICKETS)
def test_a_set_leads_where_its_stations_lead(ticket: Ticket) -> None:
    sets, random = station_sets(LONDON), Random(ticket)
    for size in (0, 1, 2, 3, 8, 17, 40, 120, 199):
        for _ in range(20):
            stations = random.sample(LONDON.stations, size)
            expected = {end for station in stations for end in reached(station, TICKETS[ticket])}
            assert set(sets.stations(sets.reached(sets.of(stations), 1 << ticket))) == expected


@pytest.mark.parametrize("tickets", range(0, ALL_TICKETS + 1, 2))
def test_several_tickets_lead_where_each_of_them_leads(tickets: int) -> None:
    sets = station_sets(LONDON)
    for station in LONDON.stations:
        expected = {end for ticket, word in TICKETS.items() if tickets >> ticket & 1 for end in reached(station, word)}
        assert sets.stations(sets.reached(1 << station, tickets)) == tuple(sorted(expected))
        assert sets.neighbours(tickets)[station] == tuple(sorted(expected))


def test_a_set_lists_its_stations_in_ascending_order() -> None:
    sets, random = station_sets(LONDON), Random(1)
    assert sets.stations(0) == ()
    assert sets.stations(sets.all) == tuple(range(1, 200))
    for _ in range(200):
        stations = random.sample(LONDON.stations, random.randint(0, 199))
        assert sets.stations(sets.of(stations)) == tuple(sorted(stations))


def test_numbers_may_have_gaps_and_go_up_to_999() -> None:
    numbers = (7, 8, 15, 16, 998, 999)
    lines = {Transport.TAXI: [(7, 8), (8, 15), (15, 16), (16, 999)], Transport.BUS: [(998, 999)]}
    sparse = Board("sparse", {number: (0, number) for number in numbers}, lines)
    sets = StationSets(sparse)
    assert sets.stations(sets.all) == numbers
    assert sets.stations(sets.reached(sets.of([Station(16), Station(8)]), 1 << Ticket.TAXI)) == (7, 15, 999)
    assert sets.stations(sets.reached(1 << 999, LAND_TICKETS)) == (16, 998)


def test_the_tables_of_a_board_are_made_once() -> None:
    assert station_sets(LONDON) is station_sets(board(LONDON_2013))
