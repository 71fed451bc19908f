"""Refusals, as Connect and gRPC-Web are told of them; and the library's own errors, as refusals."""

from __future__ import annotations

from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import any_pb2
from protobuf.wkt import Any as ConnectAny

from whitehall.api.errors import ERRORS, status
from whitehall.api.json_writing import details_registry
from whitehall.sessions.refusal import Reason, Refusal

_CODES = {code.value.upper(): code for code in Code}


def connect_error(refusal: Refusal, language: str) -> ConnectError:
    """The refusal's status with all its details, in the words of the library."""
    told = status(refusal, language)
    return ConnectError(_CODES[ERRORS[refusal.reason].code.name], told.message, map(_Detail, told.details))


class _Detail(ErrorDetail):
    """A detail in the library's words. Connect's JSON shows what it says beside its bytes, for people with curl."""

    def __init__(self, packed: any_pb2.Any) -> None:
        super().__init__(ConnectAny(type_url=packed.type_url, value=packed.value))
        kind = details_registry().message(self.type_name)
        self._spelled_out = None if kind is None else kind.type.from_binary(packed.value)

    def value(self, *_: object) -> Any:
        return self._spelled_out


def refusal_of(error: ConnectError, message_bytes: int) -> Refusal:
    """What the library says of a request that it can't read or that took too long, as every door says it.

    It calls a message INTERNAL that is compressed and should not be; and what it says may quote the request.
    """
    match error.code:
        case Code.RESOURCE_EXHAUSTED:
            return Refusal(Reason.REQUEST_TOO_LARGE, metadata={"limit": message_bytes})
        case Code.DEADLINE_EXCEEDED:
            return Refusal(Reason.DEADLINE_EXCEEDED)
        # It says no other way which of the two it is, and calls too many messages UNIMPLEMENTED as well.
        case Code.UNIMPLEMENTED if error.message.startswith("unknown compression"):
            return Refusal(Reason.UNSUPPORTED, metadata={"what": "compression", "supported": "gzip, identity"})
        case _:
            return Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "envelope"})
