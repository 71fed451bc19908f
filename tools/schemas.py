"""JSON Schemas of the messages: their fields as our JSON writes them, with the ranges that the protos state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor

from whitehall.gen.buf.validate import validate_pb2

Schema = dict[str, Any]

_INTEGERS: Final[Mapping[int, Schema]] = {
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]+$"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
}
_WELL_KNOWN: Final[Mapping[str, Schema]] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"},
}
_RULES: Final[Mapping[str, str]] = {
    "gte": "minimum",
    "lte": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "min_len": "minLength",
    "max_len": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique": "uniqueItems",
    "const": "const",
}
"""By a rule of protovalidate: what JSON Schema calls it."""


class Schemas:
    """The schemas of messages, by the names that they have among the document's components.

    `said` are the comments by full name. `asked` are the messages that requests hold: these take no field that is not
    theirs, and leave out what they like; what is only answered has all its fields but those that may be absent.
    """

    def __init__(self, said: Mapping[str, str], asked: Iterable[Descriptor]) -> None:
        self._said = said
        self._asked = {each.full_name for each in reachable(asked)}
        self.components: dict[str, Schema] = {}

    def reference(self, descriptor: Descriptor) -> Schema:
        """A reference to a message's schema, which is among the components from now on."""
        name = component_name(descriptor.full_name)
        if name not in self.components:
            self.components[name] = {}  # A message may hold itself.
            self.components[name] = self.message(descriptor)
        return {"$ref": f"#/components/schemas/{name}"}

    def message(self, descriptor: Descriptor, left_out: Iterable[str] = ()) -> Schema:
        """A message's own schema, without the fields that are said elsewhere."""
        fields = [field for field in descriptor.fields if field.name not in left_out]
        schema: Schema = {"type": "object", **self._described(descriptor.full_name)}
        if fields:
            schema["properties"] = {field.json_name: self.field(field) for field in fields}
        if descriptor.full_name in self._asked:
            schema["additionalProperties"] = False
            required = [field.json_name for field in fields if is_required(field)]
        else:
            required = [field.json_name for field in fields if not field.has_presence]
        if required:
            schema["required"] = required
        for oneof in descriptor.oneofs:
            if not _is_optional(oneof):
                schema |= _choice(oneof, len(fields))
        return schema

    def field(self, field: FieldDescriptor) -> Schema:
        """A field's schema."""
        rules = field.GetOptions().Extensions[validate_pb2.field]
        described = self._described(field.full_name)
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            values = self._value(kind.fields_by_name["value"], validate_pb2.FieldRules())
            return {"type": "object", "additionalProperties": values, **described}
        if not field.is_repeated:
            return self._value(field, rules) | described
        items = self._value(field, rules.repeated.items)
        return {"type": "array", "items": items, **_translated(rules.repeated), **described}

    def _value(self, field: FieldDescriptor, rules: validate_pb2.FieldRules) -> Schema:
        if field.message_type is not None:
            known = _WELL_KNOWN.get(field.message_type.full_name)
            return dict(known) if known else self.reference(field.message_type)
        if field.enum_type is not None:
            return self._enum(field.enum_type, tuple(rules.enum.not_in))
        if field.type == FieldDescriptor.TYPE_BYTES:
            return {"type": "string", "contentEncoding": "base64"}
        schema: Schema = {"type": "string"}
        if field.type != FieldDescriptor.TYPE_STRING:
            schema = dict(_INTEGERS[field.cpp_type])
        kind = rules.WhichOneof("type")
        if kind is not None:
            schema |= _translated(getattr(rules, kind))
        if kind == "string":
            # JSON Schema's patterns know no classes of Unicode; the comment says in words what these mean.
            if rules.string.pattern and "\\p" not in rules.string.pattern:
                schema["pattern"] = rules.string.pattern
            if rules.string.uuid:
                schema["format"] = "uuid"
        return schema

    def _enum(self, descriptor: EnumDescriptor, barred: Iterable[int]) -> Schema:
        name = component_name(descriptor.full_name)
        values = [
            (value.name, self._said.get(f"{descriptor.full_name}.{value.name}", "")) for value in descriptor.values
        ]
        if name not in self.components:
            words = [self._said.get(descriptor.full_name, ""), ""]
            words += [f"- `{value}`: {' '.join(said.split())}" for value, said in values]
            names = [value for value, _ in values]
            self.components[name] = {"type": "string", "enum": names, "description": "\n".join(words).strip()}
        reference = {"$ref": f"#/components/schemas/{name}"}
        never = [descriptor.values_by_number[number].name for number in barred]
        return {"allOf": [reference], "not": {"enum": never}} if never else reference

    def _described(self, full_name: str) -> Schema:
        said = self._said.get(full_name)
        return {"description": said} if said else {}


def component_name(full_name: str) -> str:
    """`whitehall.scotlandyard.v1.Move` among the components: `scotlandyard.Move`."""
    return full_name.removeprefix("whitehall.").replace(".v1.", ".")


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request without the field is refused: it is said to be required, or may not have its default."""
    options = field.GetOptions()
    rules = options.Extensions[validate_pb2.field]
    if field_behavior_pb2.REQUIRED in options.Extensions[field_behavior_pb2.field_behavior] or rules.required:
        return True
    if field.has_presence or rules.ignore:
        return False
    if field.is_repeated:
        return bool(rules.repeated.min_items)
    pattern = rules.string.pattern
    return (
        rules.int32.gte > 0
        or 0 in rules.enum.not_in
        or rules.string.min_len > 0
        or bool(pattern and "\\p" not in pattern and not re.search(pattern, ""))
    )


def reachable(roots: Iterable[Descriptor]) -> list[Descriptor]:
    """The messages and all that they hold."""
    found: dict[str, Descriptor] = {}
    waiting = list(roots)
    while waiting:
        descriptor = waiting.pop()
        if descriptor.full_name not in found:
            found[descriptor.full_name] = descriptor
            waiting += [field.message_type for field in descriptor.fields if field.message_type is not None]
    return list(found.values())


def _choice(oneof: OneofDescriptor, fields: int) -> Schema:
    """That of the fields of a oneof there is one, or at most one. It is said as simply as can be: programs that make
    values from schemas lose themselves in alternatives.
    """
    names = [field.json_name for field in oneof.fields]
    is_required = bool(oneof.GetOptions().Extensions[validate_pb2.oneof].required)
    if len(names) == fields:
        return {"minProperties": 1, "maxProperties": 1} if is_required else {"maxProperties": 1}
    if is_required:
        return {"oneOf": [{"required": [name]} for name in names]}
    return {"not": {"anyOf": [{"required": list(pair)} for pair in combinations(names, 2)]}}


def _is_optional(oneof: OneofDescriptor) -> bool:
    """Whether it is how protobuf writes a field that is `optional`."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _translated(rules: Any) -> Schema:
    """What JSON Schema has a word for of the rules of one kind of value."""
    return {_RULES[field.name]: value for field, value in rules.ListFields() if field.name in _RULES}
