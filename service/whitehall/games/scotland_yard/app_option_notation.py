"""Notation of the app game's options: their names without the prefix, and their values in text.

A landmark is its stations, its place on the map and its name, and a semicolon stands between two:
`4/13@528.0,18.0 King's Cross; 42/72@921.0,201.0 Liverpool St.` All other values are those of `option_values`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import option_values
from whitehall.games.scotland_yard.listing import SPACES, Listing
from whitehall.games.scotland_yard.master import (
    PREFIX,
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOverrides,
    ScanMast,
)
from whitehall.games.scotland_yard.option_values import Read, choice, flag, number
from whitehall.games.scotland_yard.overrides import given
from whitehall.games.scotland_yard.ticket import Station

_COORDINATE = "([0-9]{1,6}(?:\\.[0-9]+)?)"
_LANDMARK = re.compile(f"([0-9]{{1,4}}(?:/[0-9]{{1,4}})*)@{_COORDINATE},{_COORDINATE} ([^;]+)")


def texts(changes: MasterOverrides, listing: Listing = SPACES) -> Iterator[tuple[str, str]]:
    """The full names and the values of all that differs."""
    for name, value in given(changes):
        is_table = name == "landmarks"
        yield PREFIX + name, "; ".join(map(_landmark_text, value)) if is_table else option_values.text(value, listing)


def _landmark_text(landmark: Landmark) -> str:
    at = f"{_coordinate_text(landmark.x)},{_coordinate_text(landmark.y)}"
    return f"{'/'.join(map(str, landmark.stations))}@{at} {landmark.name}"


def _coordinate_text(coordinate: float) -> str:
    """As few digits as say this number and no other, without an exponent."""
    return format(Decimal(repr(coordinate)), "f")


def read(name: str, value: str, listing: Listing = SPACES) -> Any:
    """The value of an option, by its name without the prefix. Raises `KeyError` for none, `BadInput` for no value."""
    return listing.numbers(value) if name in _LISTS else _READERS[name](value)


def _landmarks(text: str) -> tuple[Landmark, ...]:
    return tuple(map(_landmark, text.split("; "))) if text else ()


def _landmark(text: str) -> Landmark:
    found = _LANDMARK.fullmatch(text)
    if not found:
        example = "4/13@528.0,18.0 King's Cross"
        raise BadInput(expected(Text(f"landmarks such as {example}", f"des lieux tels que {example}")))
    stations = tuple(Station(int(station)) for station in found[1].split("/"))
    return Landmark(found[4], stations, float(found[2]), float(found[3]))


_READERS: Mapping[str, Read] = {
    "actions_per_round": number,
    "action_when_surfaced": flag,
    "per_game_cap": number,
    "cooldown": number,
    "offered": number,
    "locate_near": number,
    "locate_medium": number,
    "scan_mast": choice(ScanMast),
    "analysis_start": choice(AnalysisStart),
    "landmarks": _landmarks,
    "near_radius": number,
    "recent_window": number,
    "meeting_distance": number,
    "meetings_to_survive": number,
    "meetings_to_win": number,
    "announce_visit": flag,
    "helicopter_tickets": number,
    "helicopter_grant": choice(HelicopterGrant),
    "helicopter_in_double": flag,
    "helicopter_reaches": flag,
    "stuck_win_needs_meeting": flag,
}
"""What reads each option that is no list of numbers."""

_LISTS = ("masts", "meeting_fields")

NAMES = tuple(field.name for field in fields(MasterOverrides))
"""The options there are."""
