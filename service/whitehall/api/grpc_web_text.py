"""gRPC-Web's text form, which is its binary form in Base64: for clients that can't read bytes while they come in."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from whitehall.api.http_message import Message, Receive, Send
from whitehall.sessions.refusal import Reason, Refusal

_TEXT: Final = "application/grpc-web-text"
_BINARY: Final = "application/grpc-web"
_QUANTUM: Final = 4
"""Characters of Base64 that stand for bytes together."""


def is_text(kind: str) -> bool:
    """Whether a request of this content type is in the text form."""
    return kind.startswith(_TEXT)


def as_binary(kind: str, receive: Receive, send: Send) -> tuple[str, Receive, Send]:
    """The content type of the same request in the binary form, its body, and where to send the answer in that form."""
    return kind.replace(_TEXT, _BINARY), _Decoded(receive), _encoded(send)


class _Decoded:
    """A request's `receive`, with the body decoded. Raises the refusal of one that is no Base64."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = b""

    async def __call__(self) -> Message:
        event = await self._receive()
        if event["type"] != "http.request":
            return event
        text = self._left + event.get("body", b"")
        whole = len(text) - len(text) % _QUANTUM
        self._left = text[whole:]
        if self._left and not event.get("more_body", False):
            raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "Base64"})
        return {**event, "body": _decode(text[:whole])}


def _decode(text: bytes) -> bytes:
    """Whoever encodes a body piece by piece pads each of the pieces, so padding may stand in the middle."""
    try:
        pieces = (piece + b"=" * (-len(piece) % _QUANTUM) for piece in text.split(b"=") if piece)
        return b"".join(base64.b64decode(piece, validate=True) for piece in pieces)
    except binascii.Error as error:
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "Base64"}) from error


def _encoded(send: Send) -> Send:
    async def encoded(event: Message) -> None:
        if event["type"] == "http.response.start":
            headers = [
                (name, value.replace(_BINARY.encode(), _TEXT.encode(), 1) if name == b"content-type" else value)
                for name, value in event["headers"]
            ]
            await send({**event, "headers": headers})
        else:
            await send({**event, "body": base64.b64encode(event.get("body", b""))})

    return encoded
