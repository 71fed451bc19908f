"""Messages of any type filled with what nobody should send, for Hypothesis to draw from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

INT32 = st.sampled_from([0, 1, 2, 6, 7, 100, 199, 200, 10_000, 2**31 - 1, -1, -(2**31)]) | st.integers(-5, 300)

NUMBERS: Mapping[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_INT32: INT32,
    FieldDescriptor.TYPE_DOUBLE: st.floats() | st.sampled_from([0.0, 528.0]),
    # Open enums: unknown numbers arrive as they are.
    FieldDescriptor.TYPE_ENUM: st.integers(0, 9) | st.sampled_from([-1, 99, 2**31 - 1, -(2**31)]),
}

GARBAGE = st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "taxi",
        "taxi \x00",
        "taxi ١٢",
        "taxi 999999999999",
        "red;;;",
        ";",
        "double taxi 1",
        "mr_x double taxi 1 taxi 2; red pass",
        "red taxi 1; blue taxi 2; bobby1 pass",
        "ＴＡＸＩ 86",
        "İtaxi 5",
        "taxi 86" * 20,
        "’; DROP TABLE games; --",
        "../../etc/passwd",
        "\u202e\U0001f575",
        "%s%n{0}",
        "0-0000000000000000",
        "1-0000000000000000",
        "999999999-ffffffffffffffff",
        "00000000-0000-0000-0000-000000000000",
        "new",
        "x" * 5000,
    ]
)

TEXTS = GARBAGE | st.text(max_size=50)


def messages(
    descriptor: Descriptor, known: Mapping[str, st.SearchStrategy[Any]] | None = None
) -> st.SearchStrategy[Message]:
    """Messages of a type with any of its fields set. `known` has better strategies for fields by their names."""
    better = known or {}
    kind = GetMessageClass(descriptor)
    fields = {field.name: _values(field, better) for field in descriptor.fields}
    return st.fixed_dictionaries({}, optional=fields).map(lambda given: _filled(kind, given))


def _filled(kind: type[Message], given: Mapping[str, Any]) -> Message:
    """A message with these fields; of a oneof's fields the last one stays."""
    message = kind()
    for name, value in given.items():
        message.MergeFrom(kind(**{name: value}))
    return message


def _values(field: FieldDescriptor, known: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    if field.name in known:
        return known[field.name]
    one: st.SearchStrategy[Any]
    if field.message_type is not None:
        one = messages(field.message_type, known)
    elif field.type == FieldDescriptor.TYPE_STRING:
        one = TEXTS
    else:
        one = NUMBERS[field.type]
    return st.lists(one, max_size=4) if field.is_repeated else one
