"""uvicorn, serving an ASGI app in the event loop of all the rest: connections that are bounded in number too."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Any, Final, NamedTuple

import uvicorn

from whitehall.api.acceptor import Acceptor
from whitehall.api.http_connection import Connection, Safety
from whitehall.api.http_limits import ConnectionLimits
from whitehall.telemetry.sockets import listen

_REFUSED_AT_A_TIME: Final = 64
"""Connections beyond the limit that are open all the same, to be told so."""


class HttpServer:
    """An ASGI app on one address, from `start` to `close`. Leaves signals, logging and the event loop alone."""

    def __init__(
        self,
        app: Any,
        limits: ConnectionLimits,
        tls: ssl.SSLContext | None = None,
        safety: Safety = lambda _: (),
    ) -> None:
        """`safety` is asked for what the server refuses itself."""
        self._limits = limits
        self._tls = tls
        self._safety = safety
        self._config = uvicorn.Config(
            app,
            interface="asgi3",
            http=Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",  # Its warnings are of what any stranger may do, and as often as they like.
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=round(limits.idle_seconds),
        )
        self._running: _Running | None = None

    async def start(self, address: str, *, shares_port: bool = False) -> str:
        """Listens, and returns the real address. Raises `OSError` where it can't be had."""
        self._config.load()
        listener = await listen(address, shares_port=shares_port)
        # What Server.serve does, less its signal handlers, and less its accepting.
        server = uvicorn.Server(self._config)
        server.lifespan = self._config.lifespan_class(self._config)
        server.servers = []
        state = server.server_state
        acceptor = Acceptor(
            lambda: Connection(self._limits, self._safety, config=self._config, server_state=state, app_state={}),
            state.connections,
            self._limits.connections + _REFUSED_AT_A_TIME,
            self._tls,
            self._limits.handshake_seconds,
        )
        self._running = _Running(server, listener, acceptor, asyncio.create_task(server.main_loop()))
        return acceptor.start(listener)

    async def close(self, grace: float) -> None:
        """Takes no more connections, and returns when running requests have ended or `grace` seconds have passed."""
        if self._running is None:
            return
        server, listener, acceptor, ticking = self._running
        self._running = None
        await acceptor.close()
        ticking.cancel()
        await asyncio.wait([ticking])
        self._config.timeout_graceful_shutdown = max(1, round(grace))
        await server.shutdown(sockets=[listener])


class _Running(NamedTuple):
    server: uvicorn.Server
    listener: socket.socket
    acceptor: Acceptor
    ticking: asyncio.Task[None]
