"""Messages from lines of JSON, valid as the contract has it.

Protobuf's own reader takes any JSON that stands for a message, and five times as long as it takes to build the message
from Python values. So what is written plainly, each value in the type of its field, is built; everything else, and so
everything that may be wrong, is left to protobuf's reader, which says what is the matter.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import protovalidate
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

_validator = protovalidate.Validator()


class UnreadableLine(ValueError):
    """The line holds no valid message; the text says why."""


def read_line(line: str, kind: type[M]) -> M:
    """The message that a line of JSON holds. Raises `UnreadableLine`."""
    message = _plain(line, kind)
    if message is None:
        message = kind()
        try:
            json_format.Parse(line, message)
        # Python's own reader gives up on what is nested without end.
        except (json_format.ParseError, RecursionError) as error:
            raise UnreadableLine(str(error)) from error
    for violation in _validator.collect_violations(message, fail_fast=True):
        field = violation.proto.field
        path = ".".join(element.field_name for element in field.elements) if field is not None else ""
        raise UnreadableLine(f"{path}: {violation.proto.message}")
    return message


class _Field(NamedTuple):
    name: str
    needs: type | None
    """The type that a value must have lest the constructor take what JSON may not hold there."""
    is_choice: bool
    """Whether it is one of several of which a message holds one."""


def _plain(line: str, kind: type[M]) -> M | None:
    """The message, if the line is written plainly; else None."""
    try:
        return kind(**_decoder(kind.DESCRIPTOR).decode(line))
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


@cache
def _decoder(descriptor: Descriptor) -> json.JSONDecoder:
    fields = _fields(descriptor)

    def as_arguments(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        choices = 0
        for key, value in pairs:
            name, needs, is_choice = fields[key]
            if needs is not None and type(value) is not needs:
                raise TypeError(key)
            choices += is_choice
            made[name] = value
        if len(made) < len(pairs) or choices > 1:
            raise ValueError("a field or a choice stands there twice")
        return made

    return json.JSONDecoder(object_pairs_hook=as_arguments)


def _fields(descriptor: Descriptor) -> Mapping[str, _Field]:
    """What the keys mean in the JSON of a message and of all messages in it, but for those that mean several things."""
    fields: dict[str, _Field] = {}
    ambiguous: set[str] = set()
    for message in _with_parts(descriptor, set()):
        for field in message.fields:
            needs = list if field.is_repeated else bool if field.type == field.TYPE_BOOL else None
            choice = field.containing_oneof
            found = _Field(field.name, needs, choice is not None and len(choice.fields) > 1)
            if fields.setdefault(field.json_name, found) != found:
                ambiguous.add(field.json_name)
    return {key: found for key, found in fields.items() if key not in ambiguous}


def _with_parts(descriptor: Descriptor, seen: set[str]) -> Iterator[Descriptor]:
    if descriptor.full_name not in seen:
        seen.add(descriptor.full_name)
        yield descriptor
        for field in descriptor.fields:
            if field.message_type is not None:
                yield from _with_parts(field.message_type, seen)
