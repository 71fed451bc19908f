"""Where boards come from: JSON files, of which this package brings its own."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from whitehall.games.scotland_yard.board import Board, BoardError
from whitehall.games.scotland_yard.ticket import Transport

LONDON_2013 = "london-2013"
"""The board in print since 2013, and the default."""

LONDON_CLASSIC = "london-classic"
"""The board of older prints: one taxi line more, between 13 and 14."""

PACKAGED = (LONDON_2013, LONDON_CLASSIC)
"""The names of the boards that come with the package."""

_STATION_NUMBER = re.compile("[1-9][0-9]{0,3}")


@cache
def board(name: str) -> Board:
    """The packaged board of that name. Raises `BoardError` if there is none."""
    if name not in PACKAGED:
        raise BoardError(f"there is no board {name!r}; there are: {', '.join(PACKAGED)}")
    return load(files(__package__).joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


def load(text: str) -> Board:
    """The board that a JSON text describes. Raises `BoardError` for anything that is not a sound board.

    The text is an object with `name`, `stations` and, if it likes, `about`. `stations` maps each number to an object
    with `at`, the place on the map as `[x, y]`, and for each of `taxi`, `bus`, `underground` and `ferry` the stations
    that a line leads to. A line stands at one of its two ends only.
    """
    try:
        data = json.loads(text, object_pairs_hook=_each_key_once)
    except json.JSONDecodeError as error:
        raise BoardError(f"not JSON: {error}") from error
    whole = _object(data, "the board", required={"name", "stations"}, allowed={"name", "about", "stations"})
    for key in ("name", "about"):
        if not isinstance(whole.get(key, ""), str):
            raise BoardError(f"{key}: must be a text")
    coordinates: dict[int, tuple[float, float]] = {}
    edges: dict[Transport, list[tuple[int, int]]] = {transport: [] for transport in Transport}
    words = {transport.word: transport for transport in Transport}
    for number, entry in _object(whole["stations"], "stations").items():
        place = f"station {number}"
        if not _STATION_NUMBER.fullmatch(number):
            raise BoardError(f"{place}: must be a plain number")
        station = int(number)
        described = _object(entry, place, required={"at"}, allowed={"at", *words})
        coordinates[station] = _point(described["at"], place)
        for word in described.keys() & words.keys():
            edges[words[word]] += [(station, end) for end in _ends(described[word], f"{place}, {word}")]
    return Board(whole["name"], coordinates, edges, whole.get("about", ""))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON lets the last of two equal keys win without a word; a board must not lose a station that way."""
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique:
            raise BoardError(f"{key!r} stands twice")
        unique[key] = value
    return unique


def _object(
    value: Any, place: str, required: frozenset[str] | set[str] = frozenset(), allowed: set[str] | None = None
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BoardError(f"{place}: must be an object")
    for key in sorted(required - value.keys()):
        raise BoardError(f"{place}: {key!r} is missing")
    for key in sorted(value.keys() - allowed if allowed is not None else ()):
        raise BoardError(f"{place}: {key!r} is not known")
    return value


def _point(value: Any, place: str) -> tuple[float, float]:
    match value:
        case [int() | float() as x, int() | float() as y] if not (isinstance(x, bool) or isinstance(y, bool)):
            return float(x), float(y)
    raise BoardError(f"{place}: 'at' must be two numbers")


def _ends(value: Any, place: str) -> list[int]:
    if not isinstance(value, list) or any(type(end) is not int for end in value):
        raise BoardError(f"{place}: must be a list of station numbers")
    return value
