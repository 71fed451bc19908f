"""Refusals, as Connect and gRPC-Web are told of them; and the library's own errors, as refusals."""

from __future__ import annotations

import base64
import json
from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf import any_pb2
from protobuf.wkt import Any as ConnectAny

from whitehall.api.errors import ERRORS, status
from whitehall.api.json_writing import details_registry
from whitehall.api.problems import COMPRESSION, unsupported
from whitehall.sessions.refusal import Reason, Refusal

_CODES = {code.value.upper(): code for code in Code}


def connect_body(refusal: Refusal, language: str) -> bytes:
    """The refusal's status as Connect writes it in JSON."""
    return json.dumps(_error(refusal, language), ensure_ascii=False).encode()


def connect_end(refusal: Refusal, language: str) -> bytes:
    """The message that ends a stream of Connect with the refusal, in its envelope."""
    end = json.dumps({"error": _error(refusal, language)}, ensure_ascii=False).encode()
    return b"\x02" + len(end).to_bytes(4, "big") + end


def _error(refusal: Refusal, language: str) -> dict[str, Any]:
    told = status(refusal, language)
    code = _CODES[ERRORS[refusal.reason].code.name].value
    return {"code": code, "message": told.message, "details": [_detail(packed) for packed in told.details]}


def _detail(packed: any_pb2.Any) -> dict[str, Any]:
    """A detail's bytes, and beside them what they say, for people with curl."""
    name = packed.type_url.rpartition("/")[2]
    value = base64.b64encode(packed.value).decode().rstrip("=")
    kind = details_registry().message(name)
    assert kind is not None, "refusals have details that are known"
    return {"type": name, "value": value, "debug": json.loads(kind.type.from_binary(packed.value).to_json())}


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
            return unsupported(COMPRESSION, "gzip", "identity")
        case _:
            return Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "envelope"})
