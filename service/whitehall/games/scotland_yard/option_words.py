"""Options as words of a line: `option:rounds=13`, and `option:surfacing=3,8,13` where an option is a list.

Names and values are those of `option_notation`, with commas between the parts of a list; here house rules have a word
too, `option:house_rules=fast`, while a record tells what they set. A table of landmarks makes no word: with its names
and places it is no matter for one line.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from whitehall.games.core.fault import BadInput, OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import STANDS_TWICE, expected, unknown_option
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import app_option_notation, option_notation
from whitehall.games.scotland_yard.listing import COMMAS
from whitehall.games.scotland_yard.master import PREFIX
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Tickets

START = "option:"
"""What each of these words begins with."""

HOUSE_RULES = "house_rules"
TABLE = f"{PREFIX}landmarks"
NO_TABLE = Text(
    "a table of landmarks has no notation in one line", "une table de lieux n'a pas de notation sur une seule ligne"
)

_FIELD = "overrides."
"""What the fields of faults in options begin with."""

_NAMES = (HOUSE_RULES, *option_notation.NAMES, *(PREFIX + name for name in app_option_notation.NAMES))
_ELEMENT = re.compile(r"\[([0-9]+)\]$")


def words(changes: Overrides) -> list[str]:
    """The changes, each as a word. Raises `BadInput` for landmarks."""
    found = dict(option_notation.texts(changes, COMMAS))
    if TABLE in found:
        raise BadInput(NO_TABLE)
    named = {HOUSE_RULES: COMMAS.text(changes.house_rules)} if changes.house_rules else {}
    return [f"{START}{name}={value}" for name, value in (named | found).items()]


def read(given: Iterable[str]) -> Overrides:
    """The changes that words say. Raises `WrongWord`."""
    values: dict[str, Any] = {}
    for number, word in enumerate(given):
        try:
            name, value = _read(word)
        except NotationError as error:
            raise WrongWord(error.text, number, error.column) from error
        if name in values:
            raise WrongWord(STANDS_TWICE, number)
        values[name] = value
    return option_notation.overrides(values)


class WrongWord(NotationError):
    """One of several words is wrong: the one of this number, from 0."""

    def __init__(self, text: Text, number: int, column: int = 1) -> None:
        super().__init__(text, column)
        self.number = number


def wrong_word(error: OptionsError, given: Sequence[str]) -> WrongWord | None:
    """The word that a fault in options concerns, and why: the column tells what the path in a request would. None
    where the fault is in no option.

    Where no word says the option at fault, it is named, and the first word is told: there all of them begin that do not
    go together. Without any it is the one before them.
    """
    if not error.field.startswith(_FIELD):
        return None
    option = error.field.removeprefix(_FIELD)
    for number, word in enumerate(given):
        name = _name(word)
        if _begins(option, name):
            return WrongWord(error.text, number, _column(word, option.removeprefix(name)))
        # All options of the app game may be at fault.
        if _begins(name, option):
            return WrongWord(error.text, number)
    named = next(name for name in _NAMES if _begins(option, name))
    return WrongWord(error.text.at(named), 0 if given else -1)


def _begins(path: str, start: str) -> bool:
    """Whether a path is the other one, or leads on from it."""
    return path == start or path.startswith((f"{start}.", f"{start}["))


def _column(word: str, within: str) -> int:
    """The column of what a path leads to within an option: one of a list, or tickets of one kind; else of the word."""
    name, _, value = word.partition("=")
    kind = within.removeprefix(".")
    if kind in Tickets._fields:
        index, separator = Tickets._fields.index(kind), "/"
    elif found := _ELEMENT.search(within):
        index, separator = int(found[1]), COMMAS.separator
    else:
        return 1
    return len(name) + 2 + sum(len(before) + 1 for before in value.split(separator)[:index])


def _read(word: str) -> tuple[str, Any]:
    name, sign, text = word.removeprefix(START).partition("=")
    if not sign:
        raise NotationError(expected(Text("= and a value", "= et une valeur")), len(word) + 1)
    at_name, at_value = len(START) + 1, len(START) + len(name) + 2
    if name == TABLE:
        raise NotationError(NO_TABLE, at_name)
    try:
        return name, _value(name, text)
    except option_notation.UnknownOptionError as error:
        raise NotationError(error.text, at_name) from error
    except BadInput as error:
        raise NotationError(error.text, at_value) from error


def _value(name: str, text: str) -> Any:
    if name == HOUSE_RULES:
        return COMMAS.names(text)
    if name in option_notation.NAMES or name.startswith(PREFIX):
        return option_notation.read(name, text, COMMAS)
    raise option_notation.UnknownOptionError(unknown_option(name, (HOUSE_RULES, *option_notation.NAMES)))


def _name(word: str) -> str:
    return word.removeprefix(START).partition("=")[0]
