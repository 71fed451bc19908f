"""A cable between a client and the service: it can be cut, and can swallow what the service says."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self


class Cable:
    """Listens on the loopback and passes on what it gets, both ways, each `delay` seconds later."""

    def __init__(self, service: str, delay: float = 0.0) -> None:
        self._delay = delay
        host, _, port = service.rpartition(":")
        self._service = host, int(port)
        self._lines: set[asyncio.Task[None]] = set()
        self.is_deaf = False
        """While it is, nothing that the service says comes through, though all that the client says does."""
        self.connections = 0
        """How often somebody has connected."""

    async def __aenter__(self) -> Self:
        self._door = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._door.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._door.close()
        await self.cut()

    async def cut(self) -> None:
        """Breaks every connection, in the middle of whatever is said. New ones can be made at once."""
        lines = list(self._lines)
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.current_task()
        assert line is not None
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)
        self.connections += 1
        writers = [writer]
        ways: list[asyncio.Future[None]] = []
        try:
            with suppress(asyncio.CancelledError, OSError):
                service_reader, service_writer = await asyncio.open_connection(*self._service)
                writers.append(service_writer)
                ways.append(asyncio.ensure_future(self._pass_on(reader, service_writer, hears=True)))
                ways.append(asyncio.ensure_future(self._pass_on(service_reader, writer, hears=False)))
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for each in writers:
                each.transport.abort()
            await asyncio.gather(*ways, *(each.wait_closed() for each in writers), return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, hears: bool) -> None:
        loop = asyncio.get_running_loop()
        arrival = 0.0
        while part := await reader.read(1 << 16):
            if self.is_deaf and not hears:
                continue
            if self._delay:
                # Later than what was said before, so that nothing overtakes it.
                arrival = max(loop.time() + self._delay, arrival + 1e-6)
                loop.call_at(arrival, writer.write, part)
            else:
                writer.write(part)
                await writer.drain()
