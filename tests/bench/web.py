"""Calls over HTTP of which only the bytes matter: the same questions, through the other doors."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from google.protobuf import json_format
from google.protobuf.message import Message

from tests.bench.calls import Metadata, Question

HEADERS_END = b"\r\n\r\n"
LENGTH = b"content-length: "


class Web:
    """Connections to one address, each for one call at a time. Used like a method of gRPC: what is sent are the bytes
    of a whole request of HTTP, and what comes back the body of its answer.
    """

    def __init__(self, address: str) -> None:
        self._host, _, self._port = address.rpartition(":")
        self._idle: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()

    async def __call__(self, request: bytes, *, metadata: Metadata = ()) -> bytes:
        """Raises `ConnectionError` where the answer is none, or a refusal."""
        reader, writer = self._idle.popleft() if self._idle else await self._connect()
        writer.write(request)
        head = await reader.readuntil(HEADERS_END)
        if not head.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(head.decode())
        length = head.index(LENGTH) + len(LENGTH)
        body = await reader.readexactly(int(head[length : head.index(b"\r", length)]))
        self._idle.append((reader, writer))
        return body

    async def close(self) -> None:
        """Ends the connections."""
        for _, writer in self._idle:
            writer.close()
            await writer.wait_closed()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self._host, int(self._port))


@asynccontextmanager
async def open_web(address: str) -> AsyncIterator[Web]:
    """The HTTP door at an address, as whoever asks sees it."""
    web = Web(address)
    try:
        yield web
    finally:
        await web.close()


def connect(path: str, question: Question) -> Question:
    """A question as Connect puts it, in binary."""
    metadata, request = question
    return (), http("POST", path, "application/proto", metadata, request)


def rest(verb: str, path: str, kind: type[Message], question: Question, *, leaves_out: Sequence[str] = ()) -> Question:
    """A question as REST puts it: but for what the path says."""
    metadata, request = question
    said = json_format.MessageToDict(kind.FromString(request))
    path = path.format(**{name: said.pop(json_name(name)) for name in leaves_out})
    body = json.dumps(said).encode() if verb == "POST" else b""
    return (), http(verb, path, "application/json" if body else "", metadata, body)


def json_name(field: str) -> str:
    """A field's name in JSON."""
    first, *others = field.split("_")
    return first + "".join(other.capitalize() for other in others)


def http(verb: str, path: str, kind: str, metadata: Metadata, body: bytes) -> bytes:
    """A whole request."""
    headers = [("host", "localhost"), ("content-length", str(len(body))), *metadata]
    if kind:
        headers.append(("content-type", kind))
    lines = [f"{verb} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + HEADERS_END + body
