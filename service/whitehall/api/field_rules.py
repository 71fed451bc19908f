"""Rules of fields, as the proto states them, in words: what is said where a request breaks one."""

from collections.abc import Callable, Mapping
from typing import Any

import protovalidate
from google.protobuf.message import Message

from whitehall.games.core.sentences import MUST_BE_GIVEN, at_least, must_be
from whitehall.games.core.text import Text
from whitehall.gen.buf.validate import validate_pb2

ONEOF_REQUIRED = "oneof.required"
"""Protovalidate calls it `required`, as it does with fields."""

NAME = Text(
    "must be one line without control characters, and no space at its ends",
    "doit tenir sur une ligne, sans caractères de contrôle ni espaces aux bouts",
)


def _id_of(kind: Text, letters: str, most: int) -> Text:
    return Text(
        f"must be {kind.en}: {letters} and a number from 1 to {most}",
        f"doit être {kind.fr} : {letters} et un nombre de 1 à {most}",
    )


_CARD, _SUSPECT = Text("a card", "une carte"), Text("a suspect", "un suspect")
_WEAPON, _LOCATION = Text("a weapon", "une arme"), Text("a location", "un lieu")

PATTERNS: Mapping[str, Text] = {
    "^[a-z2-7]{26}$": Text(
        "must be the id of a game: 26 small letters, or digits from 2 to 7",
        "doit être l'identifiant d'une partie : 26 minuscules, ou chiffres de 2 à 7",
    ),
    "^[^\\s\\p{C}](?:[^\\p{C}]*[^\\s\\p{C}])?$": NAME,
    "^(?:[^\\s\\p{C}](?:[^\\p{C}]*[^\\s\\p{C}])?)?$": NAME,
    "^[SWL][1-9]$": _id_of(_CARD, "S/W/L", 9),
    "^[SWL][1-9][0-9]?$": _id_of(_CARD, "S/W/L", 99),
    "^S[1-9]$": _id_of(_SUSPECT, "S", 9),
    "^S[1-9][0-9]?$": _id_of(_SUSPECT, "S", 99),
    "^W[1-9]$": _id_of(_WEAPON, "W", 9),
    "^W[1-9][0-9]?$": _id_of(_WEAPON, "W", 99),
    "^L[1-9]$": _id_of(_LOCATION, "L", 9),
    "^(L[1-9])?$": _id_of(_LOCATION, "L", 9),
    "^L[1-9][0-9]?$": _id_of(_LOCATION, "L", 99),
}
"""What each pattern of the proto asks for."""

_OTHER_PATTERN = Text("has another form than the contract asks for", "n'a pas la forme que demande le contrat")
_LISTED = Text("must be a value that the contract lists", "doit être une valeur que cite le contrat")


def _not_among(rules: Any) -> Text:
    barred = ", ".join(map(str, rules.not_in))
    return Text(f"{_LISTED.en}, and not {barred}", f"{_LISTED.fr}, et non {barred}")


def _not_shorter(rules: Any) -> Text:
    if rules.min_len == 1:
        return Text("must not be empty", "ne doit pas être vide")
    return Text(f"must be {rules.min_len} characters or more", f"doit compter au moins {rules.min_len} caractères")


def _not_longer(rules: Any) -> Text:
    return Text(f"must be {rules.max_len} characters at most", f"doit compter {rules.max_len} caractères au plus")


def _not_fewer(rules: Any) -> Text:
    return Text(f"must hold {rules.min_items} at least", f"doit en contenir au moins {rules.min_items}")


def _not_more(rules: Any) -> Text:
    return Text(f"must hold {rules.max_items} at most", f"doit en contenir {rules.max_items} au plus")


def _just(rules: Any) -> Text:
    constant = str(rules.const).lower()
    return Text(f"must be {constant}", f"doit être {constant}")


SENTENCES: Mapping[str, Callable[[Any], Text]] = {
    "required": lambda _: MUST_BE_GIVEN,
    ONEOF_REQUIRED: lambda _: Text("must be given: one of its fields", "doit être donné : l'un de ses champs"),
    "bool.const": _just,
    "double.gte_lte": lambda rules: must_be(f"{rules.gte:g}", f"{rules.lte:g}"),
    "enum.defined_only": lambda _: _LISTED,
    "enum.not_in": _not_among,
    "int32.gte": lambda rules: at_least(rules.gte),
    "int32.gte_lte": lambda rules: must_be(rules.gte, rules.lte),
    "repeated.max_items": _not_more,
    "repeated.min_items": _not_fewer,
    "repeated.unique": lambda _: Text("must not hold anything twice", "ne doit rien contenir deux fois"),
    "string.max_len": _not_longer,
    "string.min_len": _not_shorter,
    "string.pattern": lambda rules: PATTERNS.get(rules.pattern, _OTHER_PATTERN),
    "string.uuid": lambda _: Text("must be a UUID", "doit être un UUID"),
}
"""By protovalidate's id of the rule: what is said, for the rules of that type which hold for the field."""


def text_of(violation: protovalidate.Violation, request: Message) -> Text:
    """What is wrong with the field of a request that broke a rule."""
    broken = violation.proto
    if broken.rule is None:
        return SENTENCES[ONEOF_REQUIRED](None)
    say = SENTENCES.get(broken.rule_id)
    # A rule of the proto that nobody has put in words yet is told in the library's.
    return Text.of(broken.message) if say is None else say(_rules_around(broken, request))


def limits_of(field: Any) -> Any:
    """What the proto demands of a field of which it has this descriptor."""
    return field.GetOptions().Extensions[validate_pb2.field]


def _rules_around(broken: Any, request: Message) -> Any:
    """The rules among which the broken one stands: those of the field's type, or of the field itself."""
    field: Any = None
    kind: Any = request.DESCRIPTOR
    for element in broken.field.elements:
        field = kind.fields_by_name[element.field_name]
        kind = field.message_type
    rules = limits_of(field)
    for element in broken.rule.elements[:-1]:
        rules = getattr(rules, element.field_name)
    return rules
