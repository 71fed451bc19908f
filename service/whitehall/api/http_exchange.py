"""One request of HTTP and what becomes of it: what REST's calls and Connect's have in common."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from whitehall.api.compression import GZIP, WORTH_IT, compressed, decompressed, reads_gzip
from whitehall.api.http_message import Message, Receive, Send, body, headers_of
from whitehall.api.problems import Problem
from whitehall.sessions.refusal import Refusal

VARY: Final = (b"vary", b"authorization, accept, accept-encoding, accept-language")
"""What answers depend on besides their address."""
_NO_BODY: Final = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class Exchange:
    """A request, and the one answer that it gets."""

    __slots__ = ("_body", "_fault", "_message_bytes", "_receive", "headers", "scope", "send_event")

    def __init__(self, scope: Message, receive: Receive, send: Send, message_bytes: int) -> None:
        """A body may have so many bytes once it is decompressed."""
        self.scope = scope
        self.send_event = send
        self.headers = headers_of(scope)
        self._message_bytes = message_bytes
        self._receive = receive
        self._body = b""
        self._fault: Refusal | None = None

    async def read_body(self) -> None:
        """Waits for the body. What is wrong with it is told when it is looked at, in the call that it is for."""
        if self.headers.get("content-length", "0") == "0" and "transfer-encoding" not in self.headers:
            return
        try:
            self._body = await body(self._receive)
        except Refusal as refusal:
            self._fault = refusal

    def body(self) -> bytes:
        """The body as it was before it was compressed; nothing where there is none. Raises its refusal."""
        if self._fault is not None:
            raise self._fault
        if not self._body:
            return b""
        return decompressed(self._body, self.headers.get("content-encoding"), self._message_bytes)

    async def answer(self, data: bytes, headers: list[tuple[bytes, bytes]], *, tells_secrets: bool) -> None:
        """Answers; compressed, where it is worth it and the client likes it."""
        # What holds tokens is not compressed: its length would tell of what it shares with the rest.
        if len(data) >= WORTH_IT and not tells_secrets and reads_gzip(self.headers.get("accept-encoding")):
            data = await compressed(data)
            headers.append((b"content-encoding", GZIP.encode()))
        await self.send(HTTPStatus.OK, headers, data)

    async def refuse(self, told: Problem) -> None:
        """Answers with a problem."""
        await self.send(told.status, told.headers, told.body)

    async def send(self, status: HTTPStatus, headers: list[tuple[bytes, bytes]], data: bytes) -> None:
        """Answers."""
        headers.append(VARY)
        if status not in _NO_BODY:
            headers.append((b"content-length", str(len(data)).encode()))
        await self.send_event({"type": "http.response.start", "status": status.value, "headers": headers})
        await self.send_event({"type": "http.response.body", "body": data})
