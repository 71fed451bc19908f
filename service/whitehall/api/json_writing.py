"""JSON out: answers in protobuf's binary form, written as the JSON that every door gives.

Names in lowerCamelCase, enums by name, 64-bit integers as text, bytes as Base64; fields without presence always, so
that "0 black tickets" is said; fields with presence (messages, `optional`, the cases of a oneof) where they are set.

Written by `protobuf-py`, which protovalidate brings along, at seven times the speed of `google.protobuf.json_format`,
against which the tests hold it. It must never read what comes from outside: text that is nested deeply enough ends the
process. So `json_reading` reads.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from protobuf import DescFile, DescMessage, Registry
from protobuf._codegen import file_desc

_NOT_NEEDED: Final = ("buf/validate/", "google/api/")
"""Where the options of fields and methods are declared; no message has a field of these."""


def json_writer(kind: type[Message]) -> Callable[[bytes], bytes]:
    """What writes encoded messages of this type as JSON. An Any may hold what refusals have for details."""
    message = _message(kind).type
    details = details_registry()

    def write(data: bytes) -> bytes:
        return message.from_binary(data).to_json(always_emit_implicit=True, registry=details).encode()

    return write


@cache
def details_registry() -> Registry:
    """The messages that refusals have for details."""
    return Registry(_file(error_details_pb2.DESCRIPTOR.name))


def _message(kind: type[Message]) -> DescMessage:
    found = Registry(_file(kind.DESCRIPTOR.file.name)).message(kind.DESCRIPTOR.full_name)
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
