"""CORS: which pages of which origins may call from a browser.

No answer allows credentials: tokens are sent by the page in a header, and never by the browser on its own.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from typing import Final

from whitehall.api.http_message import Message, RawHeader, Send, headers_of

ANY: Final = "*"

Headers = list[RawHeader]

_METHODS: Final = b"DELETE, GET, POST"
_ALLOWED: Final = (
    b"accept-encoding, accept-language, authorization, connect-accept-encoding, connect-content-encoding, "
    b"connect-protocol-version, connect-timeout-ms, content-encoding, content-type, grpc-accept-encoding, "
    b"grpc-encoding, grpc-message-type, grpc-timeout, idempotency-key, if-match, if-none-match, last-event-id, "
    b"traceparent, x-grpc-web, x-user-agent"
)
"""The headers that Connect's, gRPC-Web's and our own clients send and that a browser would ask about first."""
_EXPOSED: Final = (
    b"connect-content-encoding, content-encoding, etag, grpc-encoding, grpc-message, grpc-status, "
    b"grpc-status-details-bin, location, retry-after"
)
"""The headers of answers that a page may read."""
_MAX_AGE: Final = b"7200"
"""Seconds for which a browser need not ask again: the longest that any of them accepts."""


class Cors:
    """The origins that may call: none, some, or `*` for all of them."""

    def __init__(self, origins: Collection[str]) -> None:
        self._any = ANY in origins
        self._origins = frozenset(origins)

    def headers(self, scope: Message) -> Headers:
        """What the answer to this request has to say besides; nothing where no origin may call."""
        if not self._origins:
            return []
        if self._any:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED)]
        # The answer depends on the origin even where it is not one of ours.
        told: Headers = [(b"vary", b"Origin")]
        origin = headers_of(scope).get("origin")
        if origin in self._origins:
            told += [(b"access-control-allow-origin", origin.encode()), (b"access-control-expose-headers", _EXPOSED)]
        return told

    async def answer_preflight(self, scope: Message, send: Send) -> bool:
        """Whether this was a browser's question about a request to come. If so, it has been answered."""
        if (
            scope["method"] != "OPTIONS"
            or not self._origins
            or "access-control-request-method" not in headers_of(scope)
        ):
            return False
        headers = [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _ALLOWED),
            (b"access-control-max-age", _MAX_AGE),
        ]
        await send({"type": "http.response.start", "status": HTTPStatus.NO_CONTENT.value, "headers": headers})
        await send({"type": "http.response.body"})
        return True
