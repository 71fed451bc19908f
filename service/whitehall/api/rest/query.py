"""Query strings, as JSON says the same: `page_size=5&after.ticket=TICKET_TAXI` is `{"page_size": 5, "after": {...}}`.

Fields are named as in JSON, those of a message within by a dot. A repeated field may be given several times, any other
once. What is no field is refused by its name: a token never gets in here by a name of its own.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from whitehall.api import json_sentences as say
from whitehall.api.json_reading import no_such_field
from whitehall.api.rest.template import decoded
from whitehall.games.core.fault import InvalidField

_BOOLS = {"true": True, "false": False}


def query_members(descriptor: Descriptor, query: bytes) -> dict[str, Any]:
    """What a query string says of a message of this type, under the fields' names. Raises `InvalidField`."""
    members: dict[str, Any] = {}
    for part in query.split(b"&"):
        if part:
            name, _, value = part.replace(b"+", b" ").partition(b"=")
            known = decoded(name)
            if known is None:
                raise InvalidField(say.shown(quote(name, safe="%")), say.BADLY_ENCODED)
            _put(members, descriptor, known, value)
    return members


def _put(members: dict[str, Any], descriptor: Descriptor, name: str, raw: bytes) -> None:
    step, _, inner = name.partition(".")
    field = _field(descriptor, step)
    if inner:
        if not _is_nested(field):
            raise InvalidField(field.name, say.NO_FIELDS)
        try:
            _put(members.setdefault(field.name, {}), cast(Descriptor, field.message_type), inner, raw)
        except InvalidField as fault:
            raise fault.below(field.name) from None
        return
    if _is_nested(field) or (field.is_repeated and field.message_type is not None):
        raise InvalidField(field.name, say.names_fields(field.json_name))
    text = decoded(raw)
    if text is None:
        raise InvalidField(field.name, say.BADLY_ENCODED)
    value = _converted(field, text)
    if field.is_repeated:
        members.setdefault(field.name, []).append(value)
    elif field.name in members:
        raise InvalidField(field.name, say.TWICE)
    else:
        members[field.name] = value


def _field(descriptor: Descriptor, name: str) -> FieldDescriptor:
    for field in descriptor.fields:
        if name in (field.name, field.json_name):
            return field
    raise no_such_field(descriptor, name)


def _is_nested(field: FieldDescriptor) -> bool:
    """Whether a field holds one message with fields that a query can name."""
    kind = field.message_type
    return kind is not None and not field.is_repeated and not kind.full_name.startswith("google.protobuf.")


def _converted(field: FieldDescriptor, text: str) -> Any:
    """A value as JSON has it. Numbers may stand as text there too."""
    kind = field
    if field.message_type is not None and "value" in field.message_type.fields_by_name:
        kind = field.message_type.fields_by_name["value"]  # One of protobuf's wrappers.
    if kind.type == FieldDescriptor.TYPE_BOOL:
        return _BOOLS.get(text, text)
    if kind.type == FieldDescriptor.TYPE_ENUM and text.isascii() and text.isdecimal():
        return int(text[:20])
    return text
