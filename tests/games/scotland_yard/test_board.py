"""Boards: the printed one is what the rulebook's map shows, and no unsound one comes into being."""

import json
import pickle
from typing import Any

import pytest

from whitehall.games.core.fault import BadBoard
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.boards import board, load
from whitehall.games.scotland_yard.ticket import Station, Transport

TAXI, BUS, UNDERGROUND, FERRY = Transport
LONDON = board("london-2013")


def neighbours(station: int, transport: Transport) -> list[int]:
    return list(LONDON.neighbours(Station(station), transport))


def test_the_london_board_has_the_stations_and_lines_of_the_print() -> None:
    assert LONDON.stations == tuple(range(1, 200))
    assert {transport: len(lines) for transport, lines in LONDON.edges.items()} == {
        TAXI: 345,
        BUS: 99,
        UNDERGROUND: 20,
        FERRY: 3,
    }


@pytest.mark.parametrize(
    ("station", "transport", "ends"),
    [
        (2, TAXI, [10, 20]),
        (2, BUS, []),
        (104, TAXI, [86, 116]),
        (194, TAXI, [192, 193, 195]),
        (194, FERRY, [157]),
        (157, TAXI, [156, 158, 170]),
        (157, BUS, [133, 142, 156, 185]),
        (157, FERRY, [115, 194]),
        (46, TAXI, [33, 45, 47, 61]),
        (46, BUS, [1, 34, 58, 78]),
        (46, UNDERGROUND, [1, 13, 74, 79]),
        (13, TAXI, [4, 23, 24]),
        (13, BUS, [14, 23, 52]),
        (13, UNDERGROUND, [46, 67, 89]),
        (108, FERRY, [115]),
    ],
)
def test_the_london_lines_lead_where_the_print_leads_them(station: int, transport: Transport, ends: list[int]) -> None:
    assert neighbours(station, transport) == ends


def test_lines_run_both_ways() -> None:
    for transport, lines in LONDON.edges.items():
        for one, other in lines:
            assert other in LONDON.neighbours(one, transport)
            assert one in LONDON.neighbours(other, transport)


def test_taxis_alone_reach_every_station_and_every_underground_station_has_a_bus() -> None:
    assert all(neighbours(station, TAXI) for station in LONDON.stations)
    underground = [station for station in LONDON.stations if neighbours(station, UNDERGROUND)]
    assert underground == [1, 13, 46, 67, 74, 79, 89, 93, 111, 128, 140, 153, 163, 185]
    assert all(neighbours(station, BUS) for station in underground)


def test_coordinates_run_to_the_right_and_down() -> None:
    north_west, south_east = LONDON.coordinates[Station(8)], LONDON.coordinates[Station(174)]
    assert north_west.x < south_east.x
    assert north_west.y < south_east.y


def test_a_packaged_board_is_read_once() -> None:
    assert board("london-2013") is LONDON


def test_an_unknown_board_is_refused_by_name() -> None:
    with pytest.raises(BadBoard, match="no board 'paris'"):
        board("paris")


def test_a_board_is_its_data_wherever_it_travels() -> None:
    copy = pickle.loads(pickle.dumps(LONDON))
    assert copy == LONDON
    assert hash(copy) == hash(LONDON)
    assert copy.timetable is not LONDON.timetable


PLACES = {1: (0.0, 0.0), 2: (1.0, 0.0), 5: (2.0, 0.0)}
ROW = {TAXI: [(1, 2), (5, 2)]}


def test_numbers_may_have_gaps_and_lines_come_in_any_order() -> None:
    tiny = Board("tiny", PLACES, ROW)
    assert tiny.stations == (1, 2, 5)
    assert tiny.edges[TAXI] == ((1, 2), (2, 5))
    assert tiny == Board("tiny", dict(reversed(PLACES.items())), {TAXI: [(2, 5), (2, 1)]})
    assert tiny.neighbours(Station(2), TAXI) == (1, 5)


@pytest.mark.parametrize(
    ("name", "places", "lines", "reason"),
    [
        ("", PLACES, ROW, "a board needs a name"),
        ("tiny", {}, {}, "a board needs stations"),
        ("tiny", {0: (0.0, 0.0)}, {}, "station 0: numbers go from 1 to 999"),
        ("tiny", {1000: (0.0, 0.0)}, {}, "station 1000: numbers go from 1 to 999"),
        ("tiny", {1: (0.0, float("nan"))}, {}, "station 1: its coordinates are not finite"),
        ("tiny", PLACES, {TAXI: [(1, 3)]}, "taxi line 1-3: there is no station 3"),
        ("tiny", PLACES, {BUS: [(2, 2)]}, "bus line 2-2: a line joins two different stations"),
        ("tiny", PLACES, {TAXI: [(1, 2), (2, 1)]}, "taxi line 1-2: drawn twice"),
        ("tiny", PLACES, {TAXI: [(1, 2)]}, "station 5: no way leads there by land"),
        ("tiny", PLACES, {TAXI: [(1, 2)], FERRY: [(2, 5)]}, "station 5: no way leads there by land"),
    ],
)
def test_an_unsound_board_is_refused_and_the_place_is_named(
    name: str, places: dict[int, tuple[float, float]], lines: dict[Transport, list[tuple[int, int]]], reason: str
) -> None:
    with pytest.raises(BadBoard) as refused:
        Board(name, places, lines)
    assert refused.value.reason == reason


def described(**changes: Any) -> str:
    """The text of a sound board of two stations, with changes."""
    stations = {"1": {"at": [0, 0], "taxi": [2]}, "2": {"at": [1.5, 0]}}
    return json.dumps({"name": "tiny", "stations": stations} | changes)


def test_a_board_is_read_from_its_text() -> None:
    tiny = load(described(about="Two stations and a taxi."))
    assert tiny == Board("tiny", {1: (0.0, 0.0), 2: (1.5, 0.0)}, {TAXI: [(1, 2)]})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "the board: must be an object"),
        ('{"name": "tiny"}', "the board: 'stations' is missing"),
        ('{"name": "a", "name": "b", "stations": {}}', "the board: 'name' stands twice"),
        ('{"name": "a", "stations": {"7": {}, "7": {}}}', "stations: '7' stands twice"),
        ('{"name": "a", "stations": {"7": {"at": [0, 0], "taxi": [], "taxi": []}}}', "station 7: 'taxi' stands twice"),
        (described(colour="red"), "the board: 'colour' is not known"),
        (described(name=3), "name: must be a text"),
        (described(stations={"one": {"at": [0, 0]}}), "station one: must be a plain number"),
        (described(stations={"01": {"at": [0, 0]}}), "station 01: must be a plain number"),
        (described(stations={"1": {}}), "station 1: 'at' is missing"),
        (described(stations={"1": {"at": [0]}}), "station 1: 'at' must be two numbers"),
        (described(stations={"1": {"at": [True, 0]}}), "station 1: 'at' must be two numbers"),
        (described(stations={"1": {"at": [0, 0], "tram": []}}), "station 1: 'tram' is not known"),
        (described(stations={"1": {"at": [0, 0], "bus": "2"}}), "station 1, bus: must be a list of station numbers"),
        (described(stations={"1": {"at": [0, 0], "bus": [2.0]}}), "station 1, bus: must be a list of station numbers"),
    ],
)
def test_a_text_that_is_no_board_is_refused_with_the_place(text: str, reason: str) -> None:
    with pytest.raises(BadBoard) as refused:
        load(text)
    assert refused.value.reason.startswith(reason)
