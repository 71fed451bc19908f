"""The link between a worker and its supervisor: a pair of sockets without a name, and lines of JSON on it.

The supervisor begins with the assignment; from then on it asks questions. The worker says that it serves, or why it
can't, and answers whenever it is asked and once more at its end. How it is costs nothing to tell; what it has counted
takes its event loop some milliseconds, and is only told when it is asked for. Nothing lies on the disk, so nothing is
left there; and each learns of the other's end at once, as the link ends with either.
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
    """What a worker has to do: the settings, by name, and how durable the store is that they name; and by which number
    its supervisor knows it.

    It holds every secret, which is why it goes through the link: arguments and environments can be read by others.
    """

    settings: Mapping[str, object]
    durability: str
    number: int


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
    metrics: Report | None
    """None if they were not asked for."""


@dataclass(frozen=True, slots=True)
class Question:
    """How the worker is, and if so wanted what it has counted."""

    metrics: bool


Message = Assignment | Serving | Failed | Condition | Question

_KINDS: Final[Mapping[str, type[Message]]] = {
    kind.__name__: kind for kind in (Assignment, Serving, Failed, Condition, Question)
}


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
        if not self._writer.is_closing():
            self._writer.write(json.dumps([type(message).__name__, content], default=asdict).encode() + b"\n")

    async def messages(self) -> AsyncIterator[Message]:
        """What the other end sends, until it is no more."""
        while line := await self._line():
            yield _message(json.loads(line))

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


def _message(content: Any) -> Message:
    name, values = content
    if name == Condition.__name__:
        values["results"] = tuple(CheckResult(**result) for result in values["results"])
    return _KINDS[name](**values)
