"""Notation of stations, wherever they stand in text: `86`, and `13/26` for several."""

from whitehall.games.scotland_yard.ticket import Station

STATION = "[1-9][0-9]{0,3}"
"""The number of a station, as a pattern. Whether the board has it is for the board to say."""
STATIONS = f"{STATION}(?:/{STATION})*"
"""The numbers of one station or several, as a pattern."""


def read_stations(listed: str) -> tuple[Station, ...]:
    """The stations that text of this pattern lists."""
    return tuple([Station(int(number)) for number in listed.split("/")])
