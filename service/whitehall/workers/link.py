"""The link between a worker and its supervisor: a pair of sockets without a name, and lines of JSON on it.

The supervisor begins with the assignment; from then on an empty line asks for a report. The worker says that it serves,
or why it can't, and reports whenever it is asked and once more at its end. Nothing lies on the disk, so nothing is left
there; and each learns of the other's end at once, as the link ends with either.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from whitehall.telemetry.health import CheckResult
from whitehall.telemetry.ledger import Report

LONGEST_LINE: Final = 1 << 26
"""Bytes. A report has some hundred thousand."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker has to do: the settings, by name, and how durable the store is that they name.

    It holds every secret, which is why it goes through the link: arguments and environments can be read by others.
    """

    settings: Mapping[str, object]
    durability: str


@dataclass(frozen=True, slots=True)
class Serving:
    """The worker takes calls."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The worker can't start, for a reason that is meant for the operator."""

    reason: str


@dataclass(frozen=True, slots=True)
class Condition:
    """How a worker is."""

    ready: bool
    draining: bool
    results: tuple[CheckResult, ...]
    metrics: Report


Message = Assignment | Serving | Failed | Condition

_KINDS: Final[Mapping[str, type[Message]]] = {kind.__name__: kind for kind in (Assignment, Serving, Failed, Condition)}


class Link:
    """One end of it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, end: socket.socket) -> Link:
        """The link over one of two sockets."""
        end.setblocking(False)
        return cls(*await asyncio.open_connection(sock=end, limit=LONGEST_LINE))

    def tell(self, message: Message) -> None:
        """Send a message. One that the other does not live to read is lost without a word."""
        content = {each.name: getattr(message, each.name) for each in fields(message)}
        self._write(json.dumps([type(message).__name__, content], default=asdict).encode())

    def ask(self) -> None:
        """Ask the worker for its condition."""
        self._write(b"")

    async def messages(self) -> AsyncIterator[Message | None]:
        """What the other end sends, None for a question, until it is no more."""
        while line := await self._line():
            yield _message(json.loads(line)) if line.strip() else None

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readline()
        except ConnectionError:
            return b""
        # Where the other was killed in the middle of a line, nothing can be made of the rest.
        return line if line.endswith(b"\n") else b""

    async def close(self) -> None:
        """End it, once what was sent has left."""
        try:
            self._writer.close()
            await self._writer.wait_closed()
        except ConnectionError:
            pass

    def _write(self, line: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(line + b"\n")


def _message(content: Any) -> Message:
    name, values = content
    if name == Condition.__name__:
        values["results"] = tuple(CheckResult(**result) for result in values["results"])
    return _KINDS[name](**values)
