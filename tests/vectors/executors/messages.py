"""Requests and answers as JSON, by the names of their methods."""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf import json_format, message_factory
from google.protobuf.message import Message

from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_position_pb2
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2

_FILES = (catalog_pb2, service_pb2, position_pb2, cluedo_pb2, cluedo_position_pb2)


class Method(NamedTuple):
    """What a method takes and gives."""

    request: type[Message]
    answer: type[Message]


METHODS = {
    f"{service.full_name}/{method.name}": Method(
        message_factory.GetMessageClass(method.input_type), message_factory.GetMessageClass(method.output_type)
    )
    for file in _FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}


def parsed(call: str, request: Any) -> Message:
    """The request; a field that there is not is an error of the vector."""
    return json_format.ParseDict(request, METHODS[call].request())


def as_json(message: Message) -> Any:
    """An answer as vectors are compared with it: default values are there."""
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
