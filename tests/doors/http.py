"""HTTP/1.1 as a client speaks it, down to the bytes: what a test needs of it and no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

Headers = Sequence[tuple[str, str]]

PATIENCE_SECONDS = 30.0
"""Longer than any answer takes, or any silence in one."""


@dataclass(frozen=True)
class Answer:
    """An answer whose headers have come."""

    status: int
    headers: dict[str, str]
    reader: asyncio.StreamReader

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        if "content-length" in self.headers:
            if size := int(self.headers["content-length"]):
                yield await _patiently(self.reader.readexactly(size))
            return
        assert self.headers.get("transfer-encoding") == "chunked", self.headers
        while size := int(await _patiently(self.reader.readline()), 16):
            yield (await _patiently(self.reader.readexactly(size + 2)))[:-2]
        await self.reader.readline()

    async def body(self) -> bytes:
        """All of the body."""
        return b"".join([chunk async for chunk in self.chunks()])


@asynccontextmanager
async def asked(
    address: str, method: str, path: str, headers: Headers = (), body: bytes = b""
) -> AsyncIterator[Answer]:
    """One request on a connection of its own, which is closed with the block, whatever has still to come."""
    async with connected(address) as (reader, writer):
        writer.write(head(method, path, [*headers, ("content-length", str(len(body)))]) + body)
        yield await answer(reader)


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to host:port."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def head(method: str, path: str, headers: Headers) -> bytes:
    """A request's first line and headers."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode()


async def answer(reader: asyncio.StreamReader) -> Answer:
    """The next answer's first line and headers."""
    text = await _patiently(reader.readuntil(b"\r\n\r\n"))
    first, *lines = text.decode().split("\r\n")[:-2]
    return Answer(int(first.split()[1]), dict(map(_pair, lines)), reader)


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name.lower(), value


async def _patiently(reading: Awaitable[bytes]) -> bytes:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await reading
