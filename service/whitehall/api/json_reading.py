"""JSON in: what callers send as JSON, made into messages. Every fault is told with its place.

Read by the rules of protobuf's JSON, and more strictly where it would lose what somebody meant: a name that stands
twice is refused, as is a name that is no field; the closest field is told. Fields may be named in lowerCamelCase or as
the proto spells them. Whatever may be at fault is parsed by Python itself, which tells the place, and members that
stand twice.
"""

import base64
import json
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, NoReturn, TypeVar, cast

import msgspec
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from whitehall.api import json_sentences as say
from whitehall.games.core.fault import InvalidField
from whitehall.sessions.refusal import Reason, Refusal

MessageT = TypeVar("MessageT", bound=Message)

_Read = Callable[[Any], Any]
"""Makes a value of what stands in the JSON. Raises `InvalidField`, with the path from there on."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LARGEST_FLOAT: Final = (2 - 2**-23) * 2.0**127


class _Twice(dict[str, Any]):
    """An object in which a name stands more than once."""

    def __init__(self, members: Sequence[tuple[str, Any]]) -> None:
        super().__init__(members)
        names = [name for name, _ in members]
        self.name = next(name for name in names if names.count(name) > 1)


def read_json(kind: type[MessageT], text: bytes) -> MessageT:
    """The message that the text says; no text at all says the empty one. Raises the `Refusal` of what is no JSON, or
    `InvalidField`.
    """
    return read_members(kind, parse(kind, text))


def read_members(kind: type[MessageT], members: object) -> MessageT:
    """The message that parsed JSON says. Raises `InvalidField`, or the `Refusal` of what is no object at all."""
    if not isinstance(members, dict):
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name})
    return kind(**_reader(cast(Descriptor, kind.DESCRIPTOR))(members))


def parse(kind: type[Message], text: bytes) -> object:
    """The text as Python's own values; raises the refusal of what is no JSON. `kind` is what was expected."""
    if not text:
        return {}
    found = _plain(text)
    return _exact(kind, text) if found is None else found


def _plain(text: bytes) -> object:
    """The text's values, read at several times Python's speed; None where they can't be read, or may be others.

    A name that stands twice takes a colon with it, which is seen where no character is written as another one.
    """
    if b"\\" in text:
        return None
    try:
        found = _quickly.decode(text)
        lost = text.count(b":") - _encode(found).count(b":")
    except (ValueError, RecursionError):
        return None
    return None if lost else found


def _exact(kind: type[Message], text: bytes) -> object:
    try:
        return _decoder.decode(text.decode())
    except (ValueError, RecursionError) as error:
        place = {"line": error.lineno, "column": error.colno} if isinstance(error, json.JSONDecodeError) else {}
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name, **place}) from None


def no_such_field(descriptor: Descriptor, name: str) -> InvalidField:
    """The fault of a name that is no field, with the closest that is one, spelled in the same way."""
    fields = [field.name if "_" in name else field.json_name for field in descriptor.fields]
    return InvalidField(say.shown(name), say.no_field(name, descriptor.name, fields))


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(members)
    return read if len(read) == len(members) else _Twice(members)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_quickly = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode
_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


# --- messages ---------------------------------------------------------------------------------------------------------


@cache
def _reader(descriptor: Descriptor) -> _Read:
    """What reads a message of this type: as the arguments that make it, or whole where it is one of protobuf's own."""
    if descriptor.full_name.startswith("google.protobuf."):
        return _well_known(descriptor)
    fields: dict[str, tuple[str, _Read, OneofDescriptor | None]] = {}
    for field in descriptor.fields:
        # What the compiler makes of an optional field is a oneof too, but nothing else is in it.
        oneof = field.containing_oneof if field.containing_oneof and len(field.containing_oneof.fields) > 1 else None
        entry = (field.name, _field(field), oneof)
        fields[field.json_name] = fields[field.name] = entry

    def read(members: Any) -> dict[str, Any]:
        if not isinstance(members, dict):
            raise InvalidField("", say.object_of(descriptor.name))
        if type(members) is _Twice:
            raise InvalidField(say.shown(members.name), say.TWICE)
        values: dict[str, Any] = {}
        cases: dict[OneofDescriptor, str] = {}
        for name, value in members.items():
            known = fields.get(name)
            if known is None:
                raise no_such_field(descriptor, name)
            field, read_value, oneof = known
            if field in values:
                raise InvalidField(field, say.TWICE)
            if value is None:
                continue  # As if it was not there.
            try:
                values[field] = read_value(value)
            except InvalidField as fault:
                raise _below(field, fault) from None
            if oneof is not None and (other := cases.setdefault(oneof, field)) != field:
                raise InvalidField(field, say.together(other))
        return values

    return read


def _below(place: str, fault: InvalidField) -> InvalidField:
    """A fault as seen from what holds it at `place`: a field's name, an index or a key."""
    dot = "." if fault.field and not fault.field.startswith("[") else ""
    return InvalidField(f"{place}{dot}{fault.field}", fault.text)


def _well_known(descriptor: Descriptor) -> _Read:
    kind = GetMessageClass(descriptor)

    def read(value: Any) -> Message:
        try:
            return json_format.ParseDict(value, kind())
        except json_format.ParseError:
            raise InvalidField("", say.other_form(descriptor.name)) from None

    return read


# --- fields -----------------------------------------------------------------------------------------------------------


def _field(field: FieldDescriptor) -> _Read:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return _map(field.message_type)
    one = _one(field)
    return _list(one) if field.is_repeated else one


def _list(one: _Read) -> _Read:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise InvalidField("", say.LIST)
        values: list[Any] = []
        try:
            for each in value:
                values.append(one(each) if each is not None else _no_null())
        except InvalidField as fault:
            raise _below(f"[{len(values)}]", fault) from None
        return values

    return read


def _map(entry: Descriptor) -> _Read:
    read_key, read_value = _key(entry.fields_by_name["key"]), _one(entry.fields_by_name["value"])

    def read(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise InvalidField("", say.OBJECT)
        if type(value) is _Twice:
            raise InvalidField(f'["{say.shown(value.name)}"]', say.TWICE)
        values: dict[Any, Any] = {}
        for key, each in value.items():
            try:
                values[read_key(key)] = read_value(each) if each is not None else _no_null()
            except InvalidField as fault:
                raise _below(f'["{say.shown(key)}"]', fault) from None
        return values

    return read


def _no_null() -> NoReturn:
    raise InvalidField("", say.NOT_NULL)


def _key(field: FieldDescriptor) -> _Read:
    """What reads a key of a map, which JSON has as text whatever its type."""
    read = _one(field)
    if field.type != FieldDescriptor.TYPE_BOOL:
        return read
    return lambda key: read({"true": True, "false": False}.get(key, key))


def _one(field: FieldDescriptor) -> _Read:
    """What reads one value of a field's type."""
    match field.type:
        case FieldDescriptor.TYPE_MESSAGE:
            return _reader(cast(Descriptor, field.message_type))
        case FieldDescriptor.TYPE_ENUM:
            return _enum(cast(EnumDescriptor, field.enum_type))
        case FieldDescriptor.TYPE_STRING:
            return _text
        case FieldDescriptor.TYPE_BOOL:
            return _bool
        case FieldDescriptor.TYPE_BYTES:
            return _bytes
        case FieldDescriptor.TYPE_FLOAT:
            return _float(_LARGEST_FLOAT)
        case FieldDescriptor.TYPE_DOUBLE:
            return _float(sys.float_info.max)
        case _:
            return _integer(field)


def _integer(field: FieldDescriptor) -> _Read:
    bits = 64 if field.cpp_type in (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64) else 32
    if field.cpp_type in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64):
        least, most = 0, 2**bits - 1
    else:
        least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    words = say.whole_number(least, most)

    def read(value: Any) -> int:
        number = value
        kind = type(value)
        if (kind is float and value.is_integer()) or (kind is str and _INTEGER.fullmatch(value)):
            kind, number = int, int(value)
        if kind is not int or not least <= number <= most:
            raise InvalidField("", words)
        return number  # type: ignore[no-any-return] # it is an int by now

    return read


def _float(largest: float) -> _Read:
    def read(value: Any) -> float:
        kind = type(value)
        if kind is str and value in _SPECIAL:
            return _SPECIAL[value]
        if kind in (int, float) or (kind is str and _NUMBER.fullmatch(value)):
            with suppress(OverflowError):
                number = float(value)
                if abs(number) <= largest:
                    return number
        raise InvalidField("", say.NUMBER)

    return read


def _enum(descriptor: EnumDescriptor) -> _Read:
    numbers: Mapping[str, int] = {value.name: value.number for value in descriptor.values}

    def read(value: Any) -> int:
        if type(value) is str:
            number = numbers.get(value)
            if number is not None:
                return number
            raise InvalidField("", say.no_value(value, descriptor.name, numbers))
        # Whether a number means anything is said by the rules of the field, as it is for the binary form.
        if type(value) is int and -(2**31) <= value < 2**31:
            return value
        raise InvalidField("", say.name_of(descriptor.name))

    return read


def _text(value: Any) -> str:
    if type(value) is not str:
        raise InvalidField("", say.TEXT)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidField("", say.HALF_A_PAIR) from None
    return value


def _bool(value: Any) -> bool:
    if type(value) is not bool:
        raise InvalidField("", say.TRUE_OR_FALSE)
    return value


def _bytes(value: Any) -> bytes:
    if type(value) is str:
        plain = value.replace("-", "+").replace("_", "/").rstrip("=")
        with suppress(ValueError):
            return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    raise InvalidField("", say.BASE64)
