"""What a refusal says, read from a call's error as a client would: by reason and details, never by its message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

DETAILS = "grpc-status-details-bin"

M = TypeVar("M", bound=Message)


class Refused:
    """A refusal, filled in when the block that expects it has ended."""

    def __init__(self, error: grpc.RpcError | None = None) -> None:
        if error is not None:
            self.read(error)

    def read(self, error: Any) -> None:
        """Takes over what an error of a call says."""
        self.code: grpc.StatusCode = error.code()
        self.message: str = error.details() or ""
        trailers = dict(error.trailing_metadata() or ())
        self.status = status_pb2.Status.FromString(trailers.get(DETAILS, b""))
        info = self.detail(error_details_pb2.ErrorInfo)
        self.reason: str = info.reason if info else ""
        self.domain: str = info.domain if info else ""
        self.metadata: dict[str, str] = dict(info.metadata) if info else {}
        bad = self.detail(error_details_pb2.BadRequest)
        self.fields: list[str] = [violation.field for violation in bad.field_violations] if bad else []

    @property
    def said(self) -> tuple[grpc.StatusCode, str, list[dict[str, Any]]]:
        """All that it says, to be compared: not by its bytes, in which a map's entries may stand in any order."""
        details = sorted(map(json_format.MessageToDict, self.status.details), key=itemgetter("@type"))
        return self.code, self.message, details

    def detail(self, kind: type[M]) -> M | None:
        """The detail of this type, if there is one."""
        for packed in self.status.details:
            message = kind()
            if packed.Unpack(message):
                return message
        return None


@contextmanager
def refused(reason: str, code: grpc.StatusCode | None = None) -> Iterator[Refused]:
    """Expects a call to be refused for this reason (a name of ErrorReason without its prefix)."""
    refusal = Refused()
    with pytest.raises(grpc.RpcError) as caught:
        yield refusal
    refusal.read(caught.value)
    assert refusal.reason == reason, f"{refusal.code.name} {refusal.reason} {refusal.metadata} {refusal.message}"
    if code is not None:
        assert refusal.code is code


def leads_somewhere(message: Message, path: str) -> bool:
    """Whether a path names fields (or a oneof, where one of its fields is missing) that these messages have."""
    kind: Any = message.DESCRIPTOR
    for name in re.sub(r"\[\d+\]", "", path).split("."):
        if kind is None or name not in kind.fields_by_name:
            return kind is not None and name in kind.oneofs_by_name
        kind = kind.fields_by_name[name].message_type
    return True
