"""Data files: JSON read so strictly that nothing in it is lost without a word. Boards and themes come as such texts."""

import json
import re
import unicodedata
from collections.abc import Set
from typing import Any

MOST_DIGITS = 18
"""No number of a data file is longer."""

_NOT_IN_A_LINE = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of characters, and what ends a line or a paragraph."""

_NAME = re.compile("[a-z0-9][a-z0-9-]{0,63}")


class BadText(ValueError):
    """The text is no such data; the reason, in words for people, names the place."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def data_of(text: str) -> Any:
    """The JSON value that a text says. Raises `BadText`."""
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_int=_short_number)
    except json.JSONDecodeError as error:
        raise BadText(f"not JSON: {error}") from error
    except RecursionError as error:
        raise BadText("nested too deeply") from error


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON lets the last of two equal keys win without a word; no entry may be lost that way."""
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique:
            raise BadText(f"{key!r} stands twice")
        unique[key] = value
    return unique


def _short_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise BadText(f"the number {digits[:MOST_DIGITS]}... is too long")
    return int(digits)


def object_of(
    value: Any, place: str, required: Set[str] = frozenset(), allowed: Set[str] | None = None
) -> dict[str, Any]:
    """The value as an object that has all `required` keys, and none beside the `allowed` ones. Raises `BadText`."""
    if not isinstance(value, dict):
        raise BadText(f"{place}: must be an object")
    for key in sorted(required - value.keys()):
        raise BadText(f"{place}: {key!r} is missing")
    for key in sorted(value.keys() - allowed if allowed is not None else ()):
        raise BadText(f"{place}: {key!r} is not known")
    return value


def list_of(value: Any, place: str) -> list[Any]:
    """The value as a list. Raises `BadText`."""
    if not isinstance(value, list):
        raise BadText(f"{place}: must be a list")
    return value


def text_of(value: Any, place: str) -> str:
    """The value as a text. Raises `BadText`."""
    if not isinstance(value, str):
        raise BadText(f"{place}: must be a text")
    return value


def line_of(value: Any, place: str) -> str:
    """The value as a text of one line, which does nothing to whatever shows it. Raises `BadText`."""
    if any(unicodedata.category(letter) in _NOT_IN_A_LINE for letter in text_of(value, place)):
        raise BadText(f"{place}: must be one line, without control characters")
    return str(value)


def number_of(value: Any, place: str) -> int:
    """The value as a whole number. Raises `BadText`."""
    if type(value) is not int:
        raise BadText(f"{place}: must be a whole number")
    return value


def name_of(value: Any, place: str) -> str:
    """The value as a name that fits into paths and records. Raises `BadText`."""
    if not _NAME.fullmatch(text_of(value, place)):
        raise BadText(f"{place}: must be 1 to 64 small letters, digits and hyphens, beginning with a letter or a digit")
    return str(value)
