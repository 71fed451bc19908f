"""Notation of options: what differs from a preset, as names with values in text.

A number is `13`, a list `3 8 13` (or as a `Listing` has it), tickets are `11/8/4`, a choice stands by its word, and a
flag is `true` or `false`. What the app game adds has names that begin with `master.`; `master_record` knows their
values.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import either, expected, number_from, unknown_option
from whitehall.games.core.text import Text
from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard import master_record
from whitehall.games.scotland_yard.listing import SPACES, Listing
from whitehall.games.scotland_yard.master import MasterOverrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.ticket_notation import LISTED

_MOST = 999
"""No number of an option is greater."""

_NUMBER = re.compile("0|[1-9][0-9]{0,2}")
_TICKETS = re.compile("([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})")


class UnknownOptionError(BadInput):
    """There is no option of that name."""


def texts(changes: Overrides, listing: Listing = SPACES) -> Iterator[tuple[str, str]]:
    """The names and values of all that differs; house rules not by their names, but by what they set."""
    for field in fields(changes):
        value = getattr(changes, field.name)
        if isinstance(value, MasterOverrides):
            yield from master_record.texts(value, listing)
        elif field.name != "house_rules" and value is not None:
            yield field.name, _text(value, listing)


def _text(value: object, listing: Listing) -> str:
    match value:
        case Tickets():
            return "/".join(map(str, value))
        case tuple():
            return listing.text(value)
        case Worded():
            return value.word
        case bool():
            return str(value).lower()
        case _:
            return str(value)


def read(name: str, value: str, listing: Listing = SPACES) -> Any:
    """The value of an option. Raises `UnknownOptionError`, and another `BadInput` where the text is no value."""
    if name.startswith(master_record.PREFIX):
        option = name.removeprefix(master_record.PREFIX)
        if option not in master_record.NAMES:
            known = ", ".join(master_record.NAMES)
            words = Text(
                f"there is no option {name!r} of the app game; there are: {known}",
                f"il n'y a pas d'option {name!r} du jeu avec l'application ; il y a : {known}",
            )
            raise UnknownOptionError(words)
        return master_record.read(option, value, listing)
    if name not in NAMES:
        raise UnknownOptionError(unknown_option(name, NAMES))
    return listing.numbers(value) if name in _LISTS else _READERS[name](value)


def overrides(values: Mapping[str, Any]) -> Overrides:
    """The changes, from what was read by name."""
    prefix = master_record.PREFIX
    own = {name: value for name, value in values.items() if not name.startswith(prefix)}
    of_app = {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}
    return Overrides(**own, master=MasterOverrides(**of_app) if of_app else None)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadInput(number_from(0, _MOST))
    return int(text)


def _tickets(text: str) -> Tickets:
    found = _TICKETS.fullmatch(text)
    if not found:
        raise BadInput(expected(LISTED))
    return Tickets(int(found[1]), int(found[2]), int(found[3]))


def _word(words: Mapping[str, Any]) -> Callable[[str], Any]:
    def read_word(text: str) -> Any:
        if text not in words:
            raise BadInput(expected(either([*words])))
        return words[text]

    return read_word


_READERS: Mapping[str, Callable[[str], Any]] = {
    "board": str,
    "end_by": _word({choice.word: choice for choice in EndBy}),
    "rounds": _number,
    "log_fields": _number,
    "detective_tickets": _tickets,
    "two_player_pool": _tickets,
    "detective_black_tickets": _number,
    "mr_x_supply": _word({choice.word: choice for choice in MrXSupply}),
    "box_tickets": _tickets,
    "mr_x_hand": _tickets,
    "black_tickets": _number,
    "double_tickets": _number,
    "bobbies": _number,
    "stuck_scope": _word({choice.word: choice for choice in StuckScope}),
    "last_black_wins": _word({"true": True, "false": False}),
    "start_by": _word({choice.word: choice for choice in StartBy}),
}
"""What reads each option that is no list of numbers."""

_LISTS = ("surfacing", "start_cards_mr_x", "start_cards_hunters")

NAMES = tuple(field.name for field in fields(Overrides) if field.name in _READERS or field.name in _LISTS)
"""The options there are, but for those of the app game."""
