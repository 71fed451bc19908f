"""Notation of options: what differs from a preset, as names with values in text.

In records a list is `3 8 13`, in lines `3,8,13`; all other values stand there alike, as `option_values` has them. What
the app game adds has names that begin with `master.`; `app_option_notation` knows their values.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import unknown_option
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import app_option_notation, option_values
from whitehall.games.scotland_yard.listing import SPACES, Listing
from whitehall.games.scotland_yard.master import PREFIX, MasterOverrides
from whitehall.games.scotland_yard.option_values import Read, choice, flag, number, tickets
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides, given


class UnknownOptionError(BadInput):
    """There is no option of that name."""


def texts(changes: Overrides, listing: Listing = SPACES) -> Iterator[tuple[str, str]]:
    """The names and values of all that differs; house rules not by their names, but by what they set."""
    for name, value in given(changes):
        if isinstance(value, MasterOverrides):
            yield from app_option_notation.texts(value, listing)
        elif name != "house_rules":
            yield name, option_values.text(value, listing)


def read(name: str, value: str, listing: Listing = SPACES) -> Any:
    """The value of an option. Raises `UnknownOptionError`, and another `BadInput` where the text is no value."""
    if name.startswith(PREFIX):
        option = name.removeprefix(PREFIX)
        if option not in app_option_notation.NAMES:
            known = ", ".join(app_option_notation.NAMES)
            words = Text(
                f"there is no option {name!r} of the app game; there are: {known}",
                f"il n'y a pas d'option {name!r} du jeu avec l'application ; il y a : {known}",
            )
            raise UnknownOptionError(words)
        return app_option_notation.read(option, value, listing)
    if name not in NAMES:
        raise UnknownOptionError(unknown_option(name, NAMES))
    return listing.numbers(value) if name in _LISTS else _READERS[name](value)


def overrides(values: Mapping[str, Any]) -> Overrides:
    """The changes, from what was read by name."""
    own = {name: value for name, value in values.items() if not name.startswith(PREFIX)}
    of_app = {name.removeprefix(PREFIX): value for name, value in values.items() if name.startswith(PREFIX)}
    return Overrides(**own, master=MasterOverrides(**of_app) if of_app else None)


_READERS: Mapping[str, Read] = {
    "board": str,
    "end_by": choice(EndBy),
    "rounds": number,
    "log_fields": number,
    "detective_tickets": tickets,
    "two_player_pool": tickets,
    "detective_black_tickets": number,
    "mr_x_supply": choice(MrXSupply),
    "box_tickets": tickets,
    "mr_x_hand": tickets,
    "black_tickets": number,
    "double_tickets": number,
    "bobbies": number,
    "stuck_scope": choice(StuckScope),
    "last_black_wins": flag,
    "start_by": choice(StartBy),
}
"""What reads each option that is no list of numbers."""

_LISTS = ("surfacing", "start_cards_mr_x", "start_cards_hunters")

NAMES = tuple(field.name for field in fields(Overrides) if field.name in _READERS or field.name in _LISTS)
"""The options there are, but for those of the app game."""
