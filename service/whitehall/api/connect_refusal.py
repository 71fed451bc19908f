"""Refusals, as Connect and gRPC-Web are told of them; and the library's own errors, as refusals."""

from __future__ import annotations

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from protobuf.wkt import Any as ConnectAny

from whitehall.api.errors import ERRORS, status
from whitehall.sessions.refusal import Reason, Refusal

_CODES = {code.value.upper(): code for code in Code}


def connect_error(refusal: Refusal, language: str) -> ConnectError:
    """The refusal's status with all its details, in the words of the library."""
    told = status(refusal, language)
    details = [ErrorDetail(ConnectAny(type_url=detail.type_url, value=detail.value)) for detail in told.details]
    return ConnectError(_CODES[ERRORS[refusal.reason].code.name], told.message, details)


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
