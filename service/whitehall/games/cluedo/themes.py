"""Where themes come from: JSON texts of this package. A host replaces names game by game."""

from functools import cache
from importlib.resources import files
from typing import Any

from whitehall.games.cluedo.theme import Name, Theme
from whitehall.games.core.data_text import data_of, line_of, list_of, name_of, number_of, object_of
from whitehall.games.core.text import Text

AGENTS = "007"
"""The James Bond edition's theme, and the default."""


@cache
def theme(name: str) -> Theme:
    """The package's theme of that name."""
    return load(files(__package__).joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


def load(text: str) -> Theme:
    """The theme that a JSON text describes. Raises `BadText` for anything else.

    The text is an object with `name`, `about`, and the lists `suspects`, `weapons` and `locations`. Each entry has a
    `name` and, where that is ours and not the edition's, `placeholder` true; a location has its room's `slot` too.
    """
    keys = {"name", "about", "suspects", "weapons", "locations"}
    whole = object_of(data_of(text), Text("the theme", "le thème"), keys, keys)
    locations = _entries(whole["locations"], "locations", {"slot"})
    return Theme(
        name=name_of(whole["name"], "name"),
        about=line_of(whole["about"], "about"),
        suspects=_names(_entries(whole["suspects"], "suspects")),
        weapons=_names(_entries(whole["weapons"], "weapons")),
        locations=_names(locations),
        slots=tuple(number_of(entry["slot"], "slot") for entry in locations),
    )


def _entries(value: Any, place: str, more: frozenset[str] | set[str] = frozenset()) -> list[dict[str, Any]]:
    return [
        object_of(entry, f"{place}[{index}]", {"name", *more}, {"name", "placeholder", *more})
        for index, entry in enumerate(list_of(value, place))
    ]


def _names(entries: list[dict[str, Any]]) -> tuple[Name, ...]:
    return tuple(Name(line_of(entry["name"], "name"), entry.get("placeholder") is True) for entry in entries)
