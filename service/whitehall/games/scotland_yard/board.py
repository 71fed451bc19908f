"""The board: stations on a map and the lines between them. It knows nothing of tickets, pieces or start cards."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from whitehall.games.core.fault import BadBoard
from whitehall.games.core.stored_board import digest_of
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.sentences import no_station
from whitehall.games.scotland_yard.ticket import LAND, Station, Transport
from whitehall.games.scotland_yard.timetable import Timetable

HIGHEST_STATION = 999
"""No station has a higher number, so that a set of stations stays a small bit mask."""


class Point(NamedTuple):
    """A place on the map: x to the right, y down, in thousandths of the map's width."""

    x: float
    y: float


Line = tuple[Station, Station]
"""The two ends of a line, which runs both ways; the lower number first."""


@dataclass(frozen=True, init=False, repr=False)
class Board:
    """An immutable board. Takes its data in any order, keeps them sorted; raises `BadBoard` for what cannot work."""

    name: str
    coordinates: Mapping[Station, Point]
    """Where each station stands; the stations of the board are those that stand somewhere. Ascending."""
    edges: Mapping[Transport, tuple[Line, ...]]
    """The lines of each of the four transports, ascending, each once."""
    about: str = field(compare=False)
    """One line about it, for people."""

    def __init__(
        self,
        name: str,
        coordinates: Mapping[int, tuple[float, float]],
        edges: Mapping[Transport, Iterable[tuple[int, int]]],
        about: str = "",
    ) -> None:
        keep = object.__setattr__  # the way a frozen dataclass takes its fields
        keep(self, "name", name)
        keep(self, "about", about)
        keep(self, "coordinates", {Station(station): Point(*coordinates[station]) for station in sorted(coordinates)})
        keep(self, "edges", {transport: _ascending(edges.get(transport, ())) for transport in Transport})
        for fault in _faults(self):
            raise fault

    @property
    def stations(self) -> tuple[Station, ...]:
        """Every station, ascending. The numbers may have gaps."""
        return tuple(self.coordinates)

    def neighbours(self, station: Station, transport: Transport) -> tuple[Station, ...]:
        """The stations that one ride by `transport` leads to, ascending. Raises `KeyError` for an unknown station."""
        return self._neighbours[station][transport]

    @cached_property
    def timetable(self) -> Timetable:
        """Every ride there is, prepared for the rules; made when it is first asked for, gone with the board."""
        return Timetable(self._neighbours)

    @cached_property
    def _neighbours(self) -> Mapping[Station, Mapping[Transport, tuple[Station, ...]]]:
        reached: dict[Station, dict[Transport, list[Station]]]
        reached = {station: {transport: [] for transport in Transport} for station in self.coordinates}
        for transport, lines in self.edges.items():
            for one, other in lines:
                reached[one][transport].append(other)
                reached[other][transport].append(one)
        return {
            station: {transport: tuple(sorted(ends)) for transport, ends in by_transport.items()}
            for station, by_transport in reached.items()
        }

    @cached_property
    def digest(self) -> bytes:
        """What tells it from another board of its name: stations and lines. Where these stand on the map is for people
        and no rule.
        """
        return digest_of([self.stations, [self.edges[transport] for transport in Transport]])

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.coordinates)} stations>"

    def __reduce__(self) -> tuple[object, ...]:
        """Travels to another process as its data; what was prepared from them is prepared there anew."""
        return Board, (self.name, self.coordinates, self.edges, self.about)


def _ascending(lines: Iterable[tuple[int, int]]) -> tuple[Line, ...]:
    return tuple(sorted((Station(min(line)), Station(max(line))) for line in lines))


def _faults(board: Board) -> Iterator[BadBoard]:
    """What is wrong with a board, the simplest first, because the later questions rely on the earlier answers."""
    if not board.name:
        yield BadBoard(Text("a board needs a name", "un plateau porte un nom"))
    if not board.coordinates:
        yield BadBoard(Text("a board needs stations", "un plateau a des stations"))
    for station, point in board.coordinates.items():
        if not 1 <= station <= HIGHEST_STATION:
            why = Text(f"numbers go from 1 to {HIGHEST_STATION}", f"les numéros vont de 1 à {HIGHEST_STATION}")
            yield BadBoard(why.at(f"station {station}"))
        if not (math.isfinite(point.x) and math.isfinite(point.y)):
            why = Text("its coordinates are not finite", "ses coordonnées ne sont pas finies")
            yield BadBoard(why.at(f"station {station}"))
    for transport, lines in board.edges.items():
        drawn: set[Line] = set()
        for line in lines:
            one, other = line
            place = Text(f"{transport.word} line {one}-{other}", f"ligne {transport.word} {one}-{other}")
            for end in line:
                if end not in board.coordinates:
                    yield BadBoard(no_station(end).at(place))
            if one == other:
                why = Text("a line joins two different stations", "une ligne relie deux stations différentes")
                yield BadBoard(why.at(place))
            if line in drawn:
                yield BadBoard(Text("drawn twice", "dessinée deux fois").at(place))
            drawn.add(line)
    for station in _cut_off(board):
        why = Text("no way leads there by land", "aucun chemin n'y mène par voie de terre")
        yield BadBoard(why.at(f"station {station}"))


def _cut_off(board: Board) -> list[Station]:
    """The stations that taxi, bus and underground do not join to the first one."""
    first = board.stations[0]
    reached, to_visit = {first}, [first]
    while to_visit:
        here = to_visit.pop()
        for transport in LAND:
            for there in board.neighbours(here, transport):
                if there not in reached:
                    reached.add(there)
                    to_visit.append(there)
    return [station for station in board.stations if station not in reached]
