"""Messages as JSON, for every door that speaks it, by protobuf's own mapping: https://protobuf.dev/programming-guides/json.

What is written has every field, zero or not, but for those that a message may lack (`optional`, messages, members of a
oneof); names in lowerCamelCase, enums by name. What is read may use either spelling of a name. A field that does not
exist, or can't have its value, is refused by its path: `moves[0].travel.station`.

This is not `google.protobuf.json_format`, which takes five times as long and tells a caller neither the path nor, in
words that we could answer for, what is wrong. The types here are those that our protos use; well-known types are left
to protobuf.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final, NoReturn

import orjson
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from whitehall.sessions.refusal import Reason, Refusal, invalid_field

_INT32: Final = (-(2**31), 2**31 - 1)
_INTEGER: Final = re.compile(r"-?[0-9]{1,11}")
_LONGEST_NAME: Final = 64
_WELL_KNOWN: Final = "google.protobuf."

Writer = Callable[[Any], Any]
"""From a value as protobuf has it to one that JSON can have."""
Reader = Callable[[Message, object, str], None]
"""Puts a value that stood at a path of the JSON into a field of the message."""


def write_json(message: Message) -> bytes:
    """A message as JSON on one line."""
    return orjson.dumps(_writer(message.DESCRIPTOR)(message))


def read_json(kind: type[Message], data: bytes) -> Message:
    """The message that JSON stands for, or the refusal that names what it can't stand for. Nothing at all stands for
    the empty message. Ranges are not looked at: see `pipeline.checked`.
    """
    try:
        value = orjson.loads(data) if data else {}
    except orjson.JSONDecodeError as error:
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name}) from error
    if not isinstance(value, dict):
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name})
    return read_object(kind, value)


def read_object(kind: type[Message], value: Mapping[str, object], path: str = "") -> Message:
    """The same of what has been parsed already, and stood at a path of something larger."""
    message = kind()
    _fill(message, value, path)
    return message


# --- writing ----------------------------------------------------------------------------------------------------------


@cache
def _writer(descriptor: Descriptor) -> Writer:
    if descriptor.full_name.startswith(_WELL_KNOWN):
        return json_format.MessageToDict
    parts = [(field.json_name, field.name, field.has_presence, _field_writer(field)) for field in descriptor.fields]

    def write(message: Any) -> dict[str, Any]:
        written = {}
        for name, attribute, may_lack, convert in parts:
            if may_lack and not message.HasField(attribute):
                continue
            value = getattr(message, attribute)
            written[name] = value if convert is None else convert(value)
        return written

    return write


def _field_writer(field: FieldDescriptor) -> Writer | None:
    """None: JSON has the value as it is."""
    if _is_map(field):
        return dict
    one = _value_writer(field)
    if not field.is_repeated:
        return one
    return list if one is None else lambda values: [one(value) for value in values]


def _value_writer(field: FieldDescriptor) -> Writer | None:
    if field.message_type is not None:
        # A message may hold its own kind, so its writer is looked for when it is needed.
        return partial(_write_message, field.message_type)
    if field.enum_type is not None:
        names = {number: value.name for number, value in field.enum_type.values_by_number.items()}
        return lambda number: names.get(number, number)
    return None


def _write_message(descriptor: Descriptor, message: Message) -> Any:
    return _writer(descriptor)(message)


# --- reading ----------------------------------------------------------------------------------------------------------


def _fill(message: Message, value: object, path: str) -> None:
    if not isinstance(value, Mapping):
        _refuse(path, "has to be an object")
    readers = _readers(message.DESCRIPTOR)
    taken: dict[str, str] = {}
    for name, inner in value.items():
        place = _below(path, name)
        found = readers.get(name)
        if found is None:
            _refuse(place, f"{message.DESCRIPTOR.name} has no such field")
        field, read = found
        if inner is None:
            continue
        # The field itself may be there in both spellings, and of a oneof there may be one member.
        slot = field.name if field.containing_oneof is None else field.containing_oneof.name
        if slot in taken:
            _refuse(place, f"can't be there beside {taken[slot]}")
        taken[slot] = name
        read(message, inner, place)


@cache
def _readers(descriptor: Descriptor) -> dict[str, tuple[FieldDescriptor, Reader]]:
    """How each field is read, by both of its names."""
    found = {}
    for field in descriptor.fields:
        found[field.name] = found[field.json_name] = (field, _field_reader(field))
    return found


def _field_reader(field: FieldDescriptor) -> Reader:
    name = field.name
    if _is_map(field):
        return lambda message, value, path: getattr(message, name).update(_text_map(value, path))
    if field.is_repeated:
        return _list_reader(field)
    if field.message_type is not None:
        return lambda message, value, path: _read_message(_mutable(message, name), value, path)
    scalar = _scalar(field)
    return lambda message, value, path: setattr(message, name, scalar(value, path))


def _list_reader(field: FieldDescriptor) -> Reader:
    name = field.name
    scalar = None if field.message_type is not None else _scalar(field)

    def read(message: Message, value: object, path: str) -> None:
        if not isinstance(value, list):
            _refuse(path, "has to be a list")
        target = getattr(message, name)
        for index, item in enumerate(value):
            place = f"{path}[{index}]"
            if scalar is None:
                _read_message(target.add(), item, place)
            else:
                target.append(scalar(item, place))

    return read


def _mutable(message: Message, name: str) -> Any:
    """A message's message, there from now on even if it stays empty."""
    inner = getattr(message, name)
    inner.SetInParent()
    return inner


def _read_message(message: Message, value: Any, path: str) -> None:
    if not message.DESCRIPTOR.full_name.startswith(_WELL_KNOWN):
        _fill(message, value, path)
        return
    try:
        json_format.ParseDict(value, message)
    except json_format.ParseError:
        _refuse(path, f"is no {message.DESCRIPTOR.name}")


def _scalar(field: FieldDescriptor) -> Callable[[object, str], Any]:
    """How one value of a field that is no message is read from where it stands."""
    if field.enum_type is not None:
        numbers = {name: value.number for name, value in field.enum_type.values_by_name.items()}
        return lambda value, path: _enum(value, path, numbers)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return _text
        case FieldDescriptor.CPPTYPE_BOOL:
            return _bool
        case FieldDescriptor.CPPTYPE_INT32:
            return _int32
        case FieldDescriptor.CPPTYPE_DOUBLE:
            return _double
    raise AssertionError(f"{field.full_name} is of a type that no request has had yet")


def _enum(value: object, path: str, numbers: Mapping[str, int]) -> int:
    if isinstance(value, str) and value in numbers:
        return numbers[value]
    if isinstance(value, bool) or not isinstance(value, int) or not _INT32[0] <= value <= _INT32[1]:
        _refuse(path, f"has to be one of {', '.join(numbers)}")
    return value


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        _refuse(path, "has to be a text")
    return value


def _bool(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        _refuse(path, "has to be true or false")
    return value


def _int32(value: object, path: str) -> int:
    """Protobuf takes 5.0 and "5" for 5."""
    if (isinstance(value, str) and _INTEGER.fullmatch(value)) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not _INT32[0] <= value <= _INT32[1]:
        _refuse(path, "has to be a whole number of at most 32 bits")
    return value


def _double(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        _refuse(path, "has to be a number")
    return float(value)


def _text_map(value: object, path: str) -> dict[str, str]:
    if not isinstance(value, dict):
        _refuse(path, "has to be an object")
    return {key: _text(item, _below(path, key)) for key, item in value.items()}


def _is_map(field: FieldDescriptor) -> bool:
    """Whether it is a map. Those of our protos are from text to text."""
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _below(path: str, name: str) -> str:
    """Of a name that a caller made up as much as it takes to recognise it: paths go into headers."""
    shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."
    return f"{path}.{shown}" if path else shown


def _refuse(path: str, description: str) -> NoReturn:
    raise invalid_field(path, description)
