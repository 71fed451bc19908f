"""Problems: refusals as bodies of HTTP, a `google.rpc.Status` in JSON with its details spelled out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

import grpc
from google.rpc import status_pb2

from whitehall.api.errors import ERRORS, status
from whitehall.api.json_writing import json_writer
from whitehall.sessions.refusal import Reason, Refusal

HTTP_STATUS: Final[Mapping[grpc.StatusCode, HTTPStatus]] = {
    grpc.StatusCode.INVALID_ARGUMENT: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.FAILED_PRECONDITION: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    grpc.StatusCode.PERMISSION_DENIED: HTTPStatus.FORBIDDEN,
    grpc.StatusCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    grpc.StatusCode.ABORTED: HTTPStatus.CONFLICT,
    grpc.StatusCode.RESOURCE_EXHAUSTED: HTTPStatus.TOO_MANY_REQUESTS,
    grpc.StatusCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    grpc.StatusCode.UNIMPLEMENTED: HTTPStatus.NOT_IMPLEMENTED,
    grpc.StatusCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED: HTTPStatus.GATEWAY_TIMEOUT,
}
"""What HTTP calls each code, as `google/rpc/code.proto` has it."""

PATH: Final = "path"
METHOD: Final = "method"
ACCEPT: Final = "accept"
CONTENT_TYPE: Final = "content type"
COMPRESSION: Final = "compression"

_UNSUPPORTED: Final[Mapping[str, HTTPStatus]] = {
    PATH: HTTPStatus.NOT_FOUND,
    METHOD: HTTPStatus.METHOD_NOT_ALLOWED,
    ACCEPT: HTTPStatus.NOT_ACCEPTABLE,
    CONTENT_TYPE: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    COMPRESSION: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
"""HTTP has a name of its own for each thing about a request that is not understood."""

_write = json_writer(status_pb2.Status)


class Problem(NamedTuple):
    """A refusal as HTTP tells it."""

    status: HTTPStatus
    headers: list[tuple[bytes, bytes]]
    body: bytes


def unsupported(what: str, *supported: str) -> Refusal:
    """The refusal of a request for how it was sent; `supported` is what would have been understood."""
    metadata = {"what": what, "supported": ", ".join(supported)} if supported else {"what": what}
    return Refusal(Reason.UNSUPPORTED, metadata=metadata)


def problem(refusal: Refusal, language: str, *, conditional: bool = False) -> Problem:
    """What is answered instead; `conditional` where the call bore If-Match."""
    code = _status(refusal, conditional)
    headers = [(b"content-language", language.encode())]
    if refusal.retry_after is not None:
        headers.append((b"retry-after", str(max(1, math.ceil(refusal.retry_after))).encode()))
    if code is HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if code is HTTPStatus.METHOD_NOT_ALLOWED:
        headers.append((b"allow", refusal.metadata["supported"].encode()))
    return Problem(code, headers, problem_body(refusal, language))


def problem_body(refusal: Refusal, language: str) -> bytes:
    """The refusal's status as JSON."""
    return _write(status(refusal, language).SerializeToString())


def http_statuses(reason: Reason) -> tuple[HTTPStatus, ...]:
    """What HTTP may call a refusal for this reason."""
    match reason:
        case Reason.UNSUPPORTED:
            return tuple(dict.fromkeys(_UNSUPPORTED.values()))
        case Reason.REQUEST_TOO_LARGE:
            return (HTTPStatus.REQUEST_ENTITY_TOO_LARGE,)
        case Reason.STALE_REVISION:
            return HTTP_STATUS[ERRORS[reason].code], HTTPStatus.PRECONDITION_FAILED
        case _:
            return (HTTP_STATUS[ERRORS[reason].code],)


def _status(refusal: Refusal, conditional: bool) -> HTTPStatus:
    if refusal.reason is Reason.UNSUPPORTED:
        return _UNSUPPORTED[refusal.metadata["what"]]
    usual, *others = http_statuses(refusal.reason)
    return others[0] if others and conditional else usual
