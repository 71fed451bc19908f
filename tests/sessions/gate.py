"""A gate before a server: it takes connections from the start, and passes nothing on until it is opened."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from typing import Self

from tests.sessions.servers import free_port


class Gate:
    """Listens on a TCP port of the loopback. While it is shut, whoever connects is heard and never answered."""

    def __init__(self, target: int | str | None = None) -> None:
        """`target` is the server's TCP port, or the path of its socket; None if it is never opened."""
        self.port = free_port()
        self.taken = 0
        """Connections so far."""
        self._target = target
        self._is_open = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._door = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._door.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def open(self) -> None:
        """From now on connections lead to the server: new ones, and those that wait."""
        self._is_open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.taken += 1
        # What the streams make of a handler that is cancelled is an error in the log.
        with suppress(ConnectionError, asyncio.CancelledError), closing(writer):
            await self._is_open.wait()
            await self._pass_on(reader, writer)
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if isinstance(self._target, int):
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        else:
            there, back = await asyncio.open_unix_connection(self._target)
        ways = [asyncio.ensure_future(_carry(*way)) for way in ((reader, back), (there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            back.close()
            await asyncio.gather(*ways, back.wait_closed(), return_exceptions=True)


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while part := await source.read(1 << 16):
        target.write(part)
