"""Messages of any type, for tests that must hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from whitehall.api.hosted import hosted_games
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2

_Draw = Callable[[st.SearchStrategy[Any]], Any]

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, 2**64 - 1),
}


def contract() -> list[type[Message]]:
    """Every request and every answer of every method."""
    services = [catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"]]
    for game in hosted_games().values():
        wire = game.wire
        for module, name in ((wire.requests, wire.service), (wire.position_messages, wire.position_service)):
            services.append(module.DESCRIPTOR.services_by_name[name.rpartition(".")[2]])
    methods = [method for service in services for method in service.methods]
    return [GetMessageClass(kind) for method in methods for kind in (method.input_type, method.output_type)]


@st.composite
def messages(draw: _Draw, kind: type[Message], depth: int = 4) -> Message:
    """Messages of this type with any values that a field of each type can have, the most telling ones among them."""
    message = kind()
    for field in _chosen(draw, cast(Descriptor, kind.DESCRIPTOR)):
        if field.message_type is not None and depth == 0:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            key = draw(_values(field.message_type.fields_by_name["key"], depth))
            getattr(message, field.name)[key] = draw(_values(field.message_type.fields_by_name["value"], depth))
        elif field.is_repeated:
            getattr(message, field.name).extend(draw(st.lists(_values(field, depth - 1), min_size=1, max_size=2)))
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(draw(_values(field, depth - 1)))
        else:
            setattr(message, field.name, draw(_values(field, depth)))
    return message


def _chosen(draw: _Draw, descriptor: Descriptor) -> list[FieldDescriptor]:
    """Some fields, of each oneof at most one."""
    if not descriptor.fields:
        return []
    picked = draw(st.lists(st.sampled_from(list(descriptor.fields)), unique_by=lambda field: field.name, max_size=6))
    cases: dict[str, FieldDescriptor] = {}
    for field in picked:
        oneof = field.containing_oneof
        cases.setdefault(field.name if oneof is None else oneof.full_name, field)
    return list(cases.values())


def _values(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    match field.type:
        case FieldDescriptor.TYPE_MESSAGE:
            kind = GetMessageClass(cast(Descriptor, field.message_type))
            if kind is Timestamp:
                nanos = st.sampled_from([0, 1_000_000, 123_000_000, 5])
                return st.builds(Timestamp, seconds=st.integers(0, 2**32), nanos=nanos)
            return messages(kind, depth)
        case FieldDescriptor.TYPE_ENUM:
            return st.sampled_from([value.number for value in cast(EnumDescriptor, field.enum_type).values])
        case FieldDescriptor.TYPE_STRING:
            return st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
        case FieldDescriptor.TYPE_BYTES:
            return st.binary(max_size=8)
        case FieldDescriptor.TYPE_BOOL:
            return st.booleans()
        case FieldDescriptor.TYPE_DOUBLE:
            return st.floats(allow_nan=False)
        case FieldDescriptor.TYPE_FLOAT:
            return st.floats(allow_nan=False, width=32)
        case _:
            return _INTEGERS[field.cpp_type]
