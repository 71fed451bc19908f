"""Places in records as text: the line and column of what a fault in a record names."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from whitehall.games.core.record_reading import RecordText
from whitehall.games.core.record_tag import Place
from whitehall.games.core.replay import Fault

T = TypeVar("T")

_DRAW = re.compile("draw ([0-9]+)")
_TURN = re.compile("turn ([0-9]+)")
_SEAT = re.compile(r"seats\[([0-9]+)\]")
_OPTION = re.compile(r"overrides\.([a-z_.]+)")
_TAGS: Mapping[str, str] = {
    "digest": "Digest",
    "commitment": "Commitment",
    "preset": "Preset",
    "players": "Players",
    "overrides": "Option",
    "seats": "Seat",
    "draws": "Draw",
}
"""The tags that hold what faults name."""


def place(said: RecordText[Any, Any], fault: Fault) -> Place:
    """Where a record says what a fault names. What is not there is told at the last of its kind, or at the result."""
    if fault.place == "start":
        return _value(said, "Start", 0, fault.part)
    if drawn := _DRAW.fullmatch(fault.place):
        return _value(said, "Draw", int(drawn[1]) - 1, -1)
    if turn := _TURN.fullmatch(fault.place):
        moves = said.moves[int(turn[1]) - 1 :][:1]
        return _at(moves[0], fault.part) if moves else said.end
    if seat := _SEAT.match(fault.place):
        return _value(said, "Seat", int(seat[1]), -1)
    if option := _OPTION.match(fault.place):
        return _option(said, option[1])
    return _value(said, _TAGS.get(fault.place, ""), fault.part, 0)


def _value(said: RecordText[Any, Any], name: str, index: int, part: int) -> Place:
    tags = said.tags.get(name)
    return _at(_at(tags, index).values, part).place if tags else said.end


def _option(said: RecordText[Any, Any], path: str) -> Place:
    """The value of the option that a path leads to, or into; the preset where it does not stand here."""
    values = [tag.values[1].place for tag in said.tags["Option"] if f"{path}.".startswith(f"{tag.values[0].text}.")]
    return values[0] if values else said.only("Preset").place


def _at(there: Sequence[T], index: int) -> T:
    return there[min(index, len(there) - 1)]
