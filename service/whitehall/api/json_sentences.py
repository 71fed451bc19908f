"""Sentences about JSON and queries: what is said of what can't be read, in both languages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from whitehall.games.core.text import Text

MOST_OF_A_NAME: Final = 40
"""Characters of a caller's own name that a refusal repeats."""

TWICE: Final = Text("stands twice", "figure deux fois")
NOT_NULL: Final = Text("must not be null", "ne doit pas être null")
LIST: Final = Text("must be a list", "doit être une liste")
OBJECT: Final = Text("must be an object", "doit être un objet")
TEXT: Final = Text("must be text", "doit être un texte")
HALF_A_PAIR: Final = Text("holds half of a surrogate pair", "contient la moitié d'une paire de substitution")
TRUE_OR_FALSE: Final = Text("must be true or false", "doit être true ou false")
NUMBER: Final = Text("must be a number that fits", "doit être un nombre qui tient")
BASE64: Final = Text("must be Base64", "doit être en Base64")
BADLY_ENCODED: Final = Text("is not percent-encoded UTF-8", "n'est pas de l'UTF-8 encodé en pour-cent")
NO_FIELDS: Final = Text("has no fields of its own", "n'a pas de champs à lui")
NOT_IN_QUERY: Final = Text(
    "must not stand in the query: this method takes everything in its body",
    "ne doit pas figurer dans l'adresse : cette méthode prend tout dans son corps",
)
NO_ETAG: Final = Text(
    'must be one strong ETag of this service, such as "17"',
    'doit être un ETag fort de ce service, tel que "17"',
)
NO_VALUE: Final = Text("has a value that this header can't have", "a une valeur que cet en-tête ne peut pas avoir")
NO_PARAMETER: Final = Text("is no parameter of this address", "n'est pas un paramètre de cette adresse")
NO_KEY: Final = Text("must be a UUID", "doit être un UUID")


def no_condition(kind: str) -> Text:
    """A condition stands where the contract knows none."""
    return Text(f"can't be asked of {kind}", f"ne peut pas être exigé de {kind}")


def object_of(kind: str) -> Text:
    """Something else stands where a message has to."""
    return Text(f"{OBJECT.en} ({kind})", f"{OBJECT.fr} ({kind})")


def no_field(name: str, kind: str, fields: Iterable[str]) -> Text:
    """A message has no such field; perhaps the closest was meant."""
    return _meant(Text(f"is no field of {kind}", f"n'est pas un champ de {kind}"), name, fields, 0.6)


def no_value(name: str, kind: str, values: Iterable[str]) -> Text:
    """An enum has no such value; perhaps the closest was meant."""
    return _meant(Text(f"is no {kind}", f"n'est pas un {kind}"), name.upper(), values, 0.5)


def name_of(kind: str) -> Text:
    """Something else stands where the name of an enum's value has to."""
    return Text(f"must be a name of {kind}", f"doit être un nom de {kind}")


def one_of(values: Iterable[str]) -> Text:
    """Something else stands where one of a few words has to."""
    known = list(values)
    return Text(f"must be {' or '.join(known)}", f"doit être {' ou '.join(known)}")


def whole_number(least: int, most: int) -> Text:
    """Something else stands where an integer has to, or one that does not fit."""
    return Text(f"must be a whole number from {least} to {most}", f"doit être un nombre entier de {least} à {most}")


def together(other: str) -> Text:
    """Of the cases of a oneof there are two."""
    return Text(f"can't be given together with {other}", f"ne peut pas être donné avec {other}")


def other_form(kind: str) -> Text:
    """One of protobuf's own messages is written in another way."""
    return Text(f"is no {kind} as protobuf writes it", f"n'est pas un {kind} tel que l'écrit protobuf")


def names_fields(field: str) -> Text:
    """A query names a message as a whole."""
    return Text(
        f"is a message: a query names its fields, as {field}.name",
        f"est un message : l'adresse en nomme les champs, comme {field}.nom",
    )


def disagrees(where: Text | str) -> Text:
    """A field is given in two places, and differs."""
    there = Text.of(where)
    return Text(f"does not agree with {there.en}", f"n'est pas en accord avec {there.fr}")


def shown(name: str) -> str:
    """A name that a caller made up, as far as it is repeated."""
    if not name:
        return '""'
    printable = "".join(character if character.isprintable() else "?" for character in name[:MOST_OF_A_NAME])
    return printable if len(name) <= MOST_OF_A_NAME else f"{printable}..."


def _meant(text: Text, name: str, known: Iterable[str], cutoff: float) -> Text:
    close = difflib.get_close_matches(name[:MOST_OF_A_NAME], list(known), n=1, cutoff=cutoff)
    if not close:
        return text
    return Text(f"{text.en}; did you mean {close[0]}?", f"{text.fr} ; vouliez-vous dire {close[0]} ?")
