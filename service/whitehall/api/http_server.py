"""uvicorn, serving an ASGI app in the event loop of all the rest: connections that are bounded in number, in the size
of their headers and in how slow their clients may be.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final, NamedTuple

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from whitehall.telemetry.sockets import address_of, listen

MAX_HEADER_BYTES: Final = 16_384
"""The longest request line and headers that are read. Connect's GET carries its message in the request line."""
IDLE_SECONDS: Final = 30.0
"""How long a connection may lie idle between two requests."""
TICK_SECONDS: Final = 1.0


class HttpServer:
    """An ASGI app on one address, from `start` to `close`. Leaves signals, logging and the event loop alone."""

    def __init__(self, app: Any) -> None:
        self._config = uvicorn.Config(
            app,
            interface="asgi3",
            http=_Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=round(IDLE_SECONDS),
        )
        self._running: _Running | None = None

    async def start(self, address: str) -> str:
        """Listens, and returns the real address. Raises `OSError` where it can't be had."""
        self._config.load()
        listener = await listen(address)
        # What Server.serve does, less its signal handlers.
        server = uvicorn.Server(self._config)
        server.lifespan = self._config.lifespan_class(self._config)
        await server.startup(sockets=[listener])
        self._running = _Running(server, listener, asyncio.create_task(server.main_loop()))
        return address_of(listener)

    async def close(self, grace: float) -> None:
        """Takes no more connections, and returns when running requests have ended or `grace` seconds have passed."""
        if self._running is None:
            return
        server, listener, ticking = self._running
        self._running = None
        ticking.cancel()
        await asyncio.wait([ticking])
        self._config.timeout_graceful_shutdown = max(1, round(grace))
        await server.shutdown(sockets=[listener])


class _Running(NamedTuple):
    server: uvicorn.Server
    listener: socket.socket
    ticking: asyncio.Task[None]


class _Connection(HttpToolsProtocol):
    """One connection."""
