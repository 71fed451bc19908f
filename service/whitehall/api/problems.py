"""Problems: refusals as bodies of HTTP, a `google.rpc.Status` in JSON with its details spelled out; and the statuses
and headers that go with a refusal over HTTP, whatever its body is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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
HEAD: Final = "head"
"""What is too large where it is not the body: the request line and the headers together."""

_UNSUPPORTED: Final[Mapping[str, HTTPStatus]] = {
    PATH: HTTPStatus.NOT_FOUND,
    METHOD: HTTPStatus.METHOD_NOT_ALLOWED,
    ACCEPT: HTTPStatus.NOT_ACCEPTABLE,
    CONTENT_TYPE: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    COMPRESSION: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
"""HTTP has a name of its own for each thing about a request that is not understood."""

_TELLS: Final[Mapping[str, bytes]] = {METHOD: b"allow", CONTENT_TYPE: b"accept-post", COMPRESSION: b"accept-encoding"}
"""And a header for what would have been understood."""

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


def problem_body(refusal: Refusal, language: str) -> bytes:
    """The refusal's status as JSON."""
    return _write(status(refusal, language).SerializeToString())


def problem(
    refusal: Refusal,
    language: str,
    *,
    conditional: bool = False,
    write: Callable[[Refusal, str], bytes] = problem_body,
) -> Problem:
    """What is answered instead; `conditional` where the call bore If-Match. `write` makes the body, which is JSON."""
    code = _status(refusal, conditional)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-language", language.encode()),
        *retry_after(refusal),
    ]
    if code is HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if refusal.reason is Reason.UNSUPPORTED and refusal.metadata["what"] in _TELLS:
        headers.append((_TELLS[refusal.metadata["what"]], refusal.metadata["supported"].encode()))
    return Problem(code, headers, write(refusal, language))


def retry_after(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    """The header that says when to come again, in whole seconds, where that makes sense."""
    if refusal.retry_after is None:
        return []
    return [(b"retry-after", str(max(1, math.ceil(refusal.retry_after))).encode())]


def http_statuses(reason: Reason) -> tuple[HTTPStatus, ...]:
    """What HTTP may call a refusal for this reason."""
    match reason:
        case Reason.UNSUPPORTED:
            return tuple(dict.fromkeys(_UNSUPPORTED.values()))
        case Reason.REQUEST_TOO_LARGE:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        case Reason.STALE_REVISION:
            return HTTP_STATUS[ERRORS[reason].code], HTTPStatus.PRECONDITION_FAILED
        case _:
            return (HTTP_STATUS[ERRORS[reason].code],)


def _status(refusal: Refusal, conditional: bool) -> HTTPStatus:
    match refusal.reason:
        case Reason.UNSUPPORTED:
            return _UNSUPPORTED[refusal.metadata["what"]]
        case Reason.STALE_REVISION if conditional:
            return HTTPStatus.PRECONDITION_FAILED
        case Reason.REQUEST_TOO_LARGE if refusal.metadata.get("what") == HEAD:
            return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        case _:
            return http_statuses(refusal.reason)[0]
