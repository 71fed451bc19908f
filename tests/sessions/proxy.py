"""A proxy before a store's server that is slow, loses answers or changes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self


class Proxy:
    """Listens on a Unix socket and passes on what it gets; see its attributes for what else it does."""

    def __init__(self, server: Path, listen: Path) -> None:
        self.url = f"unix://{listen}"
        self.answers_to_lose = 0
        """So many scripts are still passed on to the server, and their connections cut when the answers come."""
        self.delay: Callable[[], float] = lambda: 0
        """How many seconds each part of an answer is held back."""
        self.change: Callable[[bytes], bytes] = lambda answer: answer
        """What becomes of a part of an answer."""
        self._server = server
        self._listen = listen
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._door = await asyncio.start_unix_server(self._serve, self._listen)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._door.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        server_reader, server_writer = await asyncio.open_unix_connection(self._server)
        doomed = asyncio.Event()

        async def requests() -> None:
            while part := await reader.read(1 << 16):
                if self.answers_to_lose and b"EVALSHA" in part:
                    self.answers_to_lose -= 1
                    doomed.set()
                server_writer.write(part)

        async def answers() -> None:
            while part := await server_reader.read(1 << 16):
                await asyncio.sleep(self.delay())
                if doomed.is_set():
                    return
                writer.write(self.change(part))

        ways = [asyncio.create_task(requests()), asyncio.create_task(answers())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for each in (writer, server_writer):
                each.close()
            await asyncio.gather(*ways, return_exceptions=True)
            for each in (writer, server_writer):
                with suppress(OSError):
                    await each.wait_closed()
