"""Values of options as text: the kinds that many options have, each written and read in one way.

A number is `13`, tickets are `11/8/4`, a choice stands by its word, a flag is `true` or `false`, and a list is parted
as its `Listing` has it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.sentences import either, expected, number_from
from whitehall.games.core.word import Worded
from whitehall.games.scotland_yard.listing import Listing
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.ticket_notation import LISTED

Read = Callable[[str], Any]
"""What reads a value. Raises `BadInput` where the text is none."""

_MOST = 999
"""No number of an option is greater."""

_NUMBER = re.compile("0|[1-9][0-9]{0,2}")
_TICKETS = re.compile("([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})")


def text(value: object, listing: Listing) -> str:
    """The value as text."""
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


def number(text: str) -> int:
    """A number. Raises `BadInput`."""
    if not _NUMBER.fullmatch(text):
        raise BadInput(number_from(0, _MOST))
    return int(text)


def tickets(text: str) -> Tickets:
    """Tickets of each kind. Raises `BadInput`."""
    found = _TICKETS.fullmatch(text)
    if not found:
        raise BadInput(expected(LISTED))
    return Tickets(int(found[1]), int(found[2]), int(found[3]))


def choice(kind: type[Worded]) -> Read:
    """What reads one of these choices."""
    return _word(kind.by_word())


def _word(words: Mapping[str, Any]) -> Read:
    def read_word(text: str) -> Any:
        if text not in words:
            raise BadInput(expected(either([*words])))
        return words[text]

    return read_word


flag = _word({"true": True, "false": False})
"""A flag. Raises `BadInput`."""
