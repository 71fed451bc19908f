"""Notation of tickets, in positions and in public logs: `5`, and `11/8/4` for taxi, bus and underground.

Where detectives have black tickets, these come fourth in a hand.
"""

import re
from typing import NoReturn

from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text

NUMBER = "(0|[1-9][0-9]{0,2})"
"""A number of tickets, as a pattern."""
LISTED = Text("taxi, bus and underground tickets, such as 11/8/4", "des tickets de taxi, bus et métro, comme 11/8/4")
"""What tickets of all kinds look like."""

_NUMBER = re.compile(NUMBER)
_ONE_KIND = Text("a number of tickets from 0 to 999", "un nombre de tickets de 0 à 999")


def refuse_number(column: int) -> NoReturn:
    """What stands at a column of a word is no number of tickets."""
    raise NotationError(expected(_ONE_KIND), column)


def refuse_tickets(said: str, column: int) -> NoReturn:
    """What was said from a column of a word on is no list of tickets: one of its numbers is none, or there are too few
    or too many.
    """
    before = 0
    for number in said.split("/"):
        if number and not _NUMBER.fullmatch(number):
            refuse_number(column + before)
        before += len(number) + 1
    raise NotationError(expected(LISTED), column)
