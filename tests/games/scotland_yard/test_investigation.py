"""How much special actions tell under the default numbers, over the whole board: what the numbers were chosen for."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from tests.games.scotland_yard.reference import LAND, LINES, reached
from whitehall.games.scotland_yard import analysis, investigation
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.edition import MASTER
from whitehall.games.scotland_yard.master import Nearness
from whitehall.games.scotland_yard.ticket import Ticket

LONDON = board(LONDON_2013)
assert MASTER.master is not None
NUMBERS = MASTER.master


def test_no_station_is_more_than_17_taxi_moves_from_a_mast() -> None:
    """Ruling 3.5: 16 from the north, 15 from the south, 16 from the west and 17 from the east."""
    farthest = []
    for mast in (13, 184, 94, 108):
        rings = [{mast}]
        while ring := {there for here in rings[-1] for there in LINES["taxi"][here]} - set().union(*rings):
            rings.append(ring)
        farthest.append(len(rings) - 1)
    assert farthest == [16, 15, 16, 17]
    distances = [investigation.mast_distances(LONDON, NUMBERS, station) for station in LONDON.stations]
    assert [max(column) for column in zip(*distances, strict=True)] == farthest


def test_locate_parts_the_stations_into_31_patterns_of_18_at_most() -> None:
    """Ruling 3.5: near, medium and far for 25, 45 and 31 of 100 stations and masts; 9.7 stations remain on average."""
    patterns = [investigation.locate(LONDON, NUMBERS, station) for station in LONDON.stations]
    alike = Counter(patterns)
    assert (len(alike), max(alike.values())) == (31, 18)
    assert round(Fraction(sum(number**2 for number in alike.values()), len(patterns)), 1) == Fraction("9.7")
    colours = Counter(colour for pattern in patterns for colour in pattern)
    shares = {colour: round(100 * number / colours.total()) for colour, number in colours.items()}
    assert shares == {Nearness.NEAR: 25, Nearness.MEDIUM: 45, Nearness.FAR: 31}


def test_a_scan_leaves_about_50_stations_on_average() -> None:
    """Ruling 3.6: which is of use only where two or three candidates are known."""
    answers = {station: investigation.scan_answers(LONDON, NUMBERS, station) for station in LONDON.stations}
    fitting = Counter(distance for distances in answers.values() for distance in set(distances))
    asked = [distance for distances in answers.values() for distance in distances]
    assert round(sum(fitting[distance] for distance in asked) / len(asked)) == 50


def test_analysis_is_of_use_for_two_or_three_moves_after_a_surfacing() -> None:
    """Ruling 3.4: some 3, 8, 17, 29 and 43 stations after one to five random rides, none of them black."""
    random, games = Random(1), 1500
    sizes = [0] * 5
    for _ in range(games):
        seen = here = random.choice(LONDON.stations)
        tickets: list[Ticket] = []
        for ride in range(5):
            ticket, there = random.choice([(word, end) for word in LAND for end in sorted(reached(here, word))])
            here = next(station for station in LONDON.stations if station == there)
            tickets.append(Ticket[ticket.upper()])
            found = analysis.follow(LONDON, (seen,), tickets)
            assert here in found
            sizes[ride] += len(found)
    for measured, noted in zip(sizes, (3, 8, 17, 29, 43), strict=True):
        assert abs(measured / games - noted) < 1.5
