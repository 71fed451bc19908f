"""Connect and gRPC-Web, at the paths of the contract's services: which of their forms a request is in.

| content type                                     | what it is                         | served by         |
|--------------------------------------------------|------------------------------------|-------------------|
| `application/json`, `application/proto`; or GET  | Connect, a call with one answer    | `connect_unary`   |
| `application/connect+json`, `…+proto`            | Connect, a stream                  | `connect_streams` |
| `application/grpc-web`, `…+json`, `…+proto`      | gRPC-Web                           | `connect_streams` |
| `application/grpc-web-text`, `…+proto`           | gRPC-Web in Base64                 | `connect_streams` |
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from whitehall.api.connect_streams import ConnectStreams
from whitehall.api.connect_unary import UNARY_TYPES, ConnectUnary
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Duplex, Endpoint, Unary, is_safe
from whitehall.api.grpc_web_text import as_binary, is_text
from whitehall.api.http_message import Message, Receive, Send, headers_of
from whitehall.api.http_refusal import refuse
from whitehall.api.negotiation import is_utf8, media_type
from whitehall.api.problems import CONTENT_TYPE, METHOD, PATH, unsupported
from whitehall.sessions.refusal import Refusal

_JSON: Final = "json"
"""How the content types end that say so."""
_STREAM_TYPES: Final = ("application/connect+json", "application/connect+proto")
_WEB_TYPES: Final = (
    "application/grpc-web",
    "application/grpc-web+json",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc-web-text+proto",
)


class ConnectApp:
    """Both protocols, for every endpoint but those that converse: browsers can't, and HTTP/1.1 is not made for it."""

    def __init__(self, endpoints: Iterable[Endpoint], desk: Desk, message_bytes: int) -> None:
        served = [endpoint for endpoint in endpoints if not isinstance(endpoint, Duplex)]
        self.segments = frozenset(endpoint.service for endpoint in served)
        self._unary = {
            _path(endpoint): ConnectUnary(endpoint, desk, message_bytes)
            for endpoint in served
            if isinstance(endpoint, Unary)
        }
        self._types = {_path(each): (UNARY_TYPES if isinstance(each, Unary) else _STREAM_TYPES) for each in served}
        self._safe = frozenset(_path(each) for each in served if isinstance(each, Unary) and is_safe(each))
        self._streams = ConnectStreams(served, desk, message_bytes)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        # As it came: a slash that somebody encoded is none.
        path, method = scope["raw_path"].decode("latin-1"), scope["method"]
        try:
            kind = self._form(path, method, scope)
        except Refusal as refusal:
            await refuse(scope, send, refusal, is_connect=True)
            return
        if kind in UNARY_TYPES:
            await self._unary[path].answer(scope, receive, send, kind)
        elif kind == "":
            await self._unary[path].answer_get(scope, receive, send)
        else:
            if is_text(kind):
                kind, receive, send = as_binary(kind, receive, send)
            await self._streams(scope, receive, send, kind)

    def _form(self, path: str, method: str, scope: Message) -> str:
        """The content type in which a call is sent, or nothing where it is asked by GET. Raises a `Refusal`."""
        types = self._types.get(path)
        if types is None:
            raise unsupported(PATH)
        if method == "GET" and path in self._safe:
            return ""
        if method != "POST":
            raise unsupported(METHOD, *(("GET", "POST") if path in self._safe else ("POST",)))
        content_type = headers_of(scope).get("content-type")
        kind = media_type(content_type)
        known = kind in types or kind in _WEB_TYPES
        if not known or (kind.endswith(_JSON) and not is_utf8(content_type)):
            raise unsupported(CONTENT_TYPE, *types, *_WEB_TYPES)
        return kind


def _path(endpoint: Endpoint) -> str:
    return f"/{endpoint.service}/{endpoint.name}"
