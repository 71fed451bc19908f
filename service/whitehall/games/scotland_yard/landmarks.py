"""Where landmarks come from: the labels of the London board, read off its 2013 print."""

import json
from functools import cache
from importlib.resources import files

from whitehall.games.scotland_yard.master import Landmark
from whitehall.games.scotland_yard.ticket import Station


@cache
def london() -> tuple[Landmark, ...]:
    """The landmarks of London, each with its two nearest stations."""
    data = json.loads(files(__package__).joinpath("data", "landmarks-london.json").read_text(encoding="utf-8"))
    return tuple(
        Landmark(entry["name"], tuple(Station(number) for number in entry["stations"]), *map(float, entry["at"]))
        for entry in data["landmarks"]
    )
