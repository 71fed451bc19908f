"""The app game's options in records: one tag for each that differs, as `[Option "master.scan_mast" "nearest"]`.

Choices stand by their words, lists with spaces. A landmark is its stations, its place on the map and its name, and a
semicolon stands between two: `4/13@528.0,18.0 King's Cross; 42/72@921.0,201.0 Liverpool St.`
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import either, expected, number_from
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard.listing import SPACES, Listing
from whitehall.games.scotland_yard.master import AnalysisStart, HelicopterGrant, Landmark, MasterOverrides, ScanMast
from whitehall.games.scotland_yard.ticket import Station

PREFIX = "master."
"""What the names of these options begin with."""

_MOST = 9999
_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
_COORDINATE = "([0-9]{1,6}(?:\\.[0-9]{1,16})?)"
_LANDMARK = re.compile(f"([0-9]{{1,4}}(?:/[0-9]{{1,4}})*)@{_COORDINATE},{_COORDINATE} ([^;]+)")


def texts(changes: MasterOverrides, listing: Listing = SPACES) -> Iterator[tuple[str, str]]:
    """The names and values of the tags."""
    for field in fields(changes):
        value = getattr(changes, field.name)
        if value is not None:
            yield PREFIX + field.name, _text(value, listing)


def _text(value: object, listing: Listing) -> str:
    match value:
        case bool():
            return str(value).lower()
        case Worded():
            return value.word
        case tuple() if value and isinstance(value[0], Landmark):
            return "; ".join(map(_landmark_text, value))
        case tuple():
            return listing.text(value)
        case _:
            return str(value)


def _landmark_text(landmark: Landmark) -> str:
    return f"{'/'.join(map(str, landmark.stations))}@{landmark.x!r},{landmark.y!r} {landmark.name}"


def read(name: str, value: str, listing: Listing = SPACES) -> Any:
    """The value of an option, by its name without the prefix. Raises `KeyError` for none, `BadInput` for no value."""
    return listing.numbers(value) if name in _LISTS else _READERS[name](value)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadInput(number_from(0, _MOST))
    return int(text)


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise BadInput(expected(either(("true", "false"))))
    return text == "true"


def _choice(kind: type[Worded]) -> Callable[[str], Worded]:
    choices = {choice.word: choice for choice in kind}

    def read_choice(text: str) -> Worded:
        if text not in choices:
            raise BadInput(expected(either([*choices])))
        return choices[text]

    return read_choice


def _landmarks(text: str) -> tuple[Landmark, ...]:
    return tuple(map(_landmark, text.split("; "))) if text else ()


def _landmark(text: str) -> Landmark:
    found = _LANDMARK.fullmatch(text)
    if not found:
        example = "4/13@528.0,18.0 King's Cross"
        raise BadInput(expected(Text(f"landmarks such as {example}", f"des lieux tels que {example}")))
    stations = tuple(Station(int(station)) for station in found[1].split("/"))
    return Landmark(found[4], stations, float(found[2]), float(found[3]))


_READERS: Mapping[str, Callable[[str], Any]] = {
    "actions_per_round": _number,
    "action_when_surfaced": _flag,
    "per_game_cap": _number,
    "cooldown": _number,
    "offered": _number,
    "locate_near": _number,
    "locate_medium": _number,
    "scan_mast": _choice(ScanMast),
    "analysis_start": _choice(AnalysisStart),
    "landmarks": _landmarks,
    "near_radius": _number,
    "recent_window": _number,
    "meeting_distance": _number,
    "meetings_to_survive": _number,
    "meetings_to_win": _number,
    "announce_visit": _flag,
    "helicopter_tickets": _number,
    "helicopter_grant": _choice(HelicopterGrant),
    "helicopter_in_double": _flag,
    "helicopter_reaches": _flag,
    "stuck_win_needs_meeting": _flag,
}
"""What reads each option that is no list of numbers."""

_LISTS = ("masts", "meeting_fields")

NAMES = tuple(field.name for field in fields(MasterOverrides))
"""The options there are."""
