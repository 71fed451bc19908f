"""Where boards come from: JSON texts, of which this package brings its own, and an operator may add more.

`names`, `board` and `add` are those of `core.boards`.
"""

import re
from collections import Counter
from typing import Any

from whitehall.games.core.boards import Boards
from whitehall.games.core.data_text import BadText, data_of, line_of, name_of, object_of
from whitehall.games.core.fault import BadBoard
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.station_notation import STATION
from whitehall.games.scotland_yard.ticket import Transport

LONDON_2013 = "london-2013"
"""The board in print since 2013, and the default."""

LONDON_CLASSIC = "london-classic"
"""The board of older prints: one taxi line more, between 13 and 14."""

PACKAGED = (LONDON_2013, LONDON_CLASSIC)
"""The names of the boards that come with the package."""

_STATION = re.compile(STATION)

MOST_LINES_AT_STATION = 40
"""More than twice as many as at any station of London; double moves go by their square."""
MAP_WIDTH = 1000
"""Coordinates are thousandths of the map's width."""


def load(text: str) -> Board:
    """The board that a JSON text describes. Raises `BadBoard` for anything that is not a sound board.

    The text is an object with `name`, `stations` and, if it likes, `about`. `stations` maps each number to an object
    with `at`, the place on the map as `[x, y]`, and for each of `taxi`, `bus`, `underground` and `ferry` the stations
    that a line leads to. A line stands at one of its two ends only.
    """
    try:
        return _board_of(data_of(text))
    except BadText as error:
        raise BadBoard(error.text) from error


def _board_of(data: Any) -> Board:
    whole = object_of(
        data, Text("the board", "le plateau"), required={"name", "stations"}, allowed={"name", "about", "stations"}
    )
    name, about = name_of(whole["name"], "name"), line_of(whole.get("about", ""), "about")
    coordinates: dict[int, tuple[float, float]] = {}
    edges: dict[Transport, list[tuple[int, int]]] = {transport: [] for transport in Transport}
    words = Transport.by_word()
    for number, entry in object_of(whole["stations"], "stations").items():
        place = f"station {number}"
        if not _STATION.fullmatch(number):
            raise BadBoard(Text("must be a plain number", "doit être un simple nombre").at(place))
        station = int(number)
        described = object_of(entry, place, required={"at"}, allowed={"at", *words})
        coordinates[station] = _point(described["at"], place)
        for word in described.keys() & words.keys():
            edges[words[word]] += [(station, end) for end in _ends(described[word], f"{place}, {word}")]
    ends = Counter(end for lines in edges.values() for line in lines for end in line)
    for station, lines_there in ends.items():
        if lines_there > MOST_LINES_AT_STATION:
            most = MOST_LINES_AT_STATION
            raise BadBoard(Text(f"has more than {most} lines", f"a plus de {most} lignes").at(f"station {station}"))
    return Board(name, coordinates, edges, about)


def _point(value: Any, place: str) -> tuple[float, float]:
    match value:
        case [int() | float() as x, int() | float() as y] if not (isinstance(x, bool) or isinstance(y, bool)):
            if not (0 <= x <= MAP_WIDTH and 0 <= y <= 10 * MAP_WIDTH):
                why = Text(
                    f"'at' must lie on the map, {MAP_WIDTH} wide",
                    f"'at' doit se trouver sur la carte, large de {MAP_WIDTH}",
                )
                raise BadBoard(why.at(place))
            return float(x), float(y)
    raise BadBoard(Text("'at' must be two numbers", "'at' est fait de deux nombres").at(place))


def _ends(value: Any, place: str) -> list[int]:
    if not isinstance(value, list) or any(type(end) is not int for end in value):
        raise BadBoard(
            Text("must be a list of station numbers", "doit être une liste de numéros de stations").at(place)
        )
    return value


shelf = Boards(__package__, PACKAGED, load)
names, board, add = shelf.names, shelf.board, shelf.add
