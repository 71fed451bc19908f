"""Refusals of requests that no call comes of, in the form that whoever sent them reads.

| the request                                             | is told by                                            |
|---------------------------------------------------------|-------------------------------------------------------|
| has a content type of gRPC, or of gRPC-Web              | `grpc-status` and its details, as headers             |
| is a stream of Connect                                  | the message that ends a stream                        |
| is another call of Connect                              | Connect's error                                       |
| is anything else                                        | a problem (`whitehall.api.problems`)                  |
"""

from __future__ import annotations

import base64
import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from whitehall.api.connect_refusal import connect_body, connect_end
from whitehall.api.errors import locale, status
from whitehall.api.headers import Headers
from whitehall.api.http_message import Message, Send, headers_of
from whitehall.api.negotiation import media_type
from whitehall.api.problems import Problem, problem, retry_after
from whitehall.sessions.refusal import Refusal

_GRPC: Final = re.compile(r"application/grpc[a-z+-]*")
_CONNECT_STREAM: Final = re.compile(r"application/connect\+[a-z]+")
_CONNECT_PROTO: Final = "application/proto"
_CONNECT_VERSION: Final = "connect-protocol-version"


async def refuse(scope: Message, send: Send, refusal: Refusal, *, is_connect: bool = False) -> None:
    """Answers a request with a refusal. `is_connect` where its address is one of Connect's, whatever it says itself."""
    headers = headers_of(scope)
    told = _told(refusal, headers, is_connect=is_connect or _CONNECT_VERSION in headers)
    length = (b"content-length", str(len(told.body)).encode())
    start = {"type": "http.response.start", "status": told.status.value}
    await send({**start, "headers": [*told.headers, length]})
    await send({"type": "http.response.body", "body": told.body})


def _told(refusal: Refusal, headers: Headers, *, is_connect: bool) -> Problem:
    kind = media_type(headers.get("content-type"))
    language = locale(headers.get("accept-language"))
    if _GRPC.fullmatch(kind):
        return Problem(HTTPStatus.OK, _trailers(refusal, language, kind), b"")
    if _CONNECT_STREAM.fullmatch(kind):
        headers_told = [(b"content-type", kind.encode()), *retry_after(refusal)]
        return Problem(HTTPStatus.OK, headers_told, connect_end(refusal, language))
    if is_connect or kind == _CONNECT_PROTO:
        return problem(refusal, language, write=connect_body)
    return problem(refusal, language)


def _trailers(refusal: Refusal, language: str, kind: str) -> list[tuple[bytes, bytes]]:
    """What gRPC tells in trailers; where there is no message before them, they are headers."""
    told = status(refusal, language)
    details = base64.b64encode(told.SerializeToString()).rstrip(b"=")
    return [
        (b"content-type", kind.encode()),
        (b"grpc-status", str(told.code).encode()),
        (b"grpc-message", quote(told.message, safe="").encode()),
        (b"grpc-status-details-bin", details),
        *retry_after(refusal),
    ]
