"""Data files: JSON read so strictly that nothing in it is lost without a word. Boards and themes come as such texts."""

import json
import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from whitehall.games.core.fault import BadInput
from whitehall.games.core.text import Text

Place = Text | str
"""Where something stands in the data: a key of the file, or in words for people."""

MOST_DIGITS = 18
"""No number of a data file is longer."""

_NOT_IN_A_LINE = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of characters, and what ends a line or a paragraph."""

_NAME = re.compile("[a-z0-9][a-z0-9-]{0,63}")


class BadText(BadInput):
    """The text is no such data; the reason, for people, names the place."""


@dataclass(frozen=True, slots=True)
class _Doubled:
    """Stands for an object in which a key stands twice, until somebody who knows the object's place comes to it."""

    key: str


def data_of(text: str) -> Any:
    """The JSON value that a text says. Raises `BadText`.

    JSON lets the last of two equal keys win without a word; no entry may be lost that way. So an object in which a key
    stands twice is none: `object_of` refuses it with its place.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_int=_short_number)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        words = Text(
            f"not JSON: line {line}, column {column} does not go on as JSON does",
            f"pas du JSON : la ligne {line} ne se poursuit pas comme du JSON à la colonne {column}",
        )
        raise BadText(words) from error
    except RecursionError as error:
        raise BadText(Text("nested too deeply", "trop de niveaux emboîtés")) from error


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Doubled:
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique:
            return _Doubled(key)
        unique[key] = value
    return unique


def _short_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        begin = digits[:MOST_DIGITS]
        raise BadText(Text(f"the number {begin}... is too long", f"le nombre {begin}... est trop long"))
    return int(digits)


def object_of(
    value: Any, place: Place, required: Set[str] = frozenset(), allowed: Set[str] | None = None
) -> dict[str, Any]:
    """The value as an object that has all `required` keys, and none beside the `allowed` ones. Raises `BadText`."""
    if isinstance(value, _Doubled):
        raise BadText(Text(f"{value.key!r} stands twice", f"{value.key!r} figure deux fois").at(place))
    if not isinstance(value, dict):
        raise BadText(Text("must be an object", "doit être un objet").at(place))
    for key in sorted(required - value.keys()):
        raise BadText(Text(f"{key!r} is missing", f"il manque {key!r}").at(place))
    for key in sorted(value.keys() - allowed if allowed is not None else ()):
        raise BadText(Text(f"{key!r} is not known", f"{key!r} est inconnu").at(place))
    return value


def list_of(value: Any, place: Place) -> list[Any]:
    """The value as a list. Raises `BadText`."""
    if not isinstance(value, list):
        raise BadText(Text("must be a list", "doit être une liste").at(place))
    return value


def text_of(value: Any, place: Place) -> str:
    """The value as a text. Raises `BadText`."""
    if not isinstance(value, str):
        raise BadText(Text("must be a text", "doit être un texte").at(place))
    return value


def line_of(value: Any, place: Place) -> str:
    """The value as a text of one line, which does nothing to whatever shows it. Raises `BadText`."""
    if any(unicodedata.category(letter) in _NOT_IN_A_LINE for letter in text_of(value, place)):
        words = Text(
            "must be one line, without control characters", "doit tenir sur une ligne, sans caractères de contrôle"
        )
        raise BadText(words.at(place))
    return str(value)


def number_of(value: Any, place: Place) -> int:
    """The value as a whole number. Raises `BadText`."""
    if type(value) is not int:
        raise BadText(Text("must be a whole number", "doit être un nombre entier").at(place))
    return value


def name_of(value: Any, place: Place) -> str:
    """The value as a name that fits into paths and records. Raises `BadText`."""
    if not _NAME.fullmatch(text_of(value, place)):
        words = Text(
            "must be 1 to 64 small letters, digits and hyphens, beginning with a letter or a digit",
            "doit compter de 1 à 64 minuscules, chiffres et traits d'union, une lettre ou un chiffre d'abord",
        )
        raise BadText(words.at(place))
    return str(value)
