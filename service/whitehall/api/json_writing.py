"""JSON out: answers in protobuf's binary form, written as the JSON that every door gives.

Names in lowerCamelCase, enums by name, 64-bit integers as text, bytes as Base64; fields without presence always, so
that "0 black tickets" is said; fields with presence (messages, `optional`, the cases of a oneof) where they are set.

Written by `protobuf-py`, which protovalidate brings along, at seven times the speed of `google.protobuf.json_format`,
against which the tests hold it. It must never read what comes from outside: text that is nested deeply enough ends the
process. So `json_reading` reads.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain, zip_longest
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from protobuf import DescFile, DescMessage, Registry
from protobuf._codegen import file_desc

from whitehall.games.core.decoding import cut_out

Writer = Callable[[bytes], bytes]
"""Writes encoded messages of one type as JSON."""

_NOT_NEEDED: Final = ("buf/validate/", "google/api/")
"""Where the options of fields and methods are declared; no message has a field of these."""

_KEPT: Final = 1 << 12
"""How many messages of a recurring type are kept as JSON: some 4 MiB of double moves."""


def json_writer(kind: type[Message], recurring: type[Message] | None = None) -> Writer:
    """What writes encoded messages of this type as JSON. An Any may hold what refusals have for details.

    What is `recurring` in them is written once and kept, if there is one field in which they hold lists of it.
    """
    path = () if recurring is None else _path(kind.DESCRIPTOR, recurring.DESCRIPTOR.full_name, frozenset())
    if recurring is None or not path:
        return _writer(kind.DESCRIPTOR)
    return _keeping_writer(_writer(kind.DESCRIPTOR), path, _kept_writer(recurring.DESCRIPTOR))


def _keeping_writer(write_all: Writer, path: tuple[FieldDescriptor, ...], write_recurring: Writer) -> Writer:
    """What leaves all to `write_all` but what stands in the last field of the path."""
    steps = [field.number for field in path]
    # Inside a string the quotation marks would be escaped.
    nothing = f'"{path[-1].json_name}":[]'.encode()
    begin = nothing[:-1]

    def write(data: bytes) -> bytes:
        cut = cut_out(data, steps)
        if cut is None:
            return write_all(data)
        rest, lists = cut
        around = write_all(rest).split(nothing)
        if len(around) != len(lists) + 1:
            return write_all(data)
        written = [begin + b",".join(map(write_recurring, each)) + b"]" for each in lists]
        return b"".join(chain.from_iterable(zip_longest(around, written, fillvalue=b"")))

    return write


def _path(holder: Any, held: str, above: frozenset[str]) -> tuple[FieldDescriptor, ...]:
    """The fields that lead from a message to lists of another: none where no way does, or more than one."""
    paths: list[tuple[FieldDescriptor, ...]] = []
    above |= {holder.full_name}
    for field in holder.fields:
        if field.message_type is None or field.message_type.full_name in above:
            continue
        if field.message_type.full_name == held:
            paths.append((field,))
        elif deeper := _path(field.message_type, held, above):
            paths.append((field, *deeper))
    return paths[0] if len(paths) == 1 else ()


@cache
def _kept_writer(kind: Any) -> Writer:
    """What writes messages of a recurring type: one for all answers that hold such messages."""
    return lru_cache(_KEPT)(_writer(kind))


def _writer(kind: Any) -> Writer:
    message = _message(kind).type
    details = details_registry()

    def write(data: bytes) -> bytes:
        return message.from_binary(data).to_json(always_emit_implicit=True, registry=details).encode()

    return write


@cache
def details_registry() -> Registry:
    """The messages that refusals have for details."""
    return Registry(_file(error_details_pb2.DESCRIPTOR.name))


def _message(kind: Any) -> DescMessage:
    """A message of `protobuf-py`'s own, by google's descriptor of it."""
    found = Registry(_file(kind.file.name)).message(kind.full_name)
    assert found is not None, "a file has the messages that it declares"
    return found


@cache
def _file(name: str) -> DescFile:
    """A file's messages, made from google's descriptor of it without services, options and whatever only they need."""
    known = descriptor_pool.Default().FindFileByName(name)
    proto = descriptor_pb2.FileDescriptorProto()
    known.CopyToProto(proto)
    needed = [dependency for dependency in proto.dependency if not dependency.startswith(_NOT_NEEDED)]
    for field in ("dependency", "public_dependency", "service", "options"):
        proto.ClearField(field)
    proto.dependency.extend(needed)
    _complete(proto.message_type, known.message_types_by_name.values())
    return file_desc(proto.SerializeToString(), [_file(dependency) for dependency in needed], {})


def _complete(protos: Iterable[descriptor_pb2.DescriptorProto], descriptors: Iterable[Descriptor]) -> None:
    """Adds the fields' names in JSON, which the compiler leaves out of what it generates."""
    by_name = {descriptor.name: descriptor for descriptor in descriptors}
    for proto in protos:
        descriptor = by_name[proto.name]
        for field in proto.field:
            field.json_name = descriptor.fields_by_name[field.name].json_name
            field.ClearField("options")
        _complete(proto.nested_type, descriptor.nested_types)
