"""Validity: whether a message keeps the rules that the proto states of its fields, and the refusal of what does not."""

from typing import TypeVar

import protovalidate
from google.protobuf.message import Message

from whitehall.api.field_rules import text_of
from whitehall.sessions.refusal import FieldFault, Reason, Refusal

SMALL_REQUEST = 1024
"""Bytes up to which a request is searched for all its faults. A larger one could hold a million of them, and the search
would keep everybody else waiting for half a minute.
"""

MessageT = TypeVar("MessageT", bound=Message)

_validator = protovalidate.Validator()


def checked(request: MessageT, size: int) -> MessageT:
    """A request of so many bytes if the proto's ranges allow it, else the refusal that names the fields at fault."""
    violations = _validator.collect_violations(request, fail_fast=True)
    if violations:
        if size <= SMALL_REQUEST:
            violations = _validator.collect_violations(request)
        faults = [FieldFault(_path(each.proto.field), text_of(each, request)) for each in violations]
        raise Refusal(Reason.INVALID_FIELD, faults=faults, metadata={"field": faults[0].field})
    return request


def _path(field: "protovalidate.FieldPathPb | None") -> str:
    """A field's path as people write it: `moves[0].travel.station`."""
    path = ""
    for element in field.elements if field is not None else ():
        path += f".{element.field_name}" if path else element.field_name
        subscript = element.subscript
        if subscript is not None:
            path += f"[{subscript.value}]"
    return path
