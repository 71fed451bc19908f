"""The acceptor: takes connections from a listening socket, and counts each from that moment on.

asyncio's own servers tell of a connection over TLS only after its handshake, which may never come.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable, Collection
from typing import Final

import structlog

from whitehall.telemetry.sockets import address_of

_BACKLOG: Final = 2048
"""Connections that the system keeps until they are taken."""
_NO_ROOM: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS: Final = 1.0
"""How long to wait where the system has no more sockets to give."""


class Acceptor:
    """Has at most `limit` connections open, those in their handshake among them; ends what comes beyond that at once.

    `connections` are those that their protocols know of, which `factory` makes. A handshake may take so many seconds.
    """

    def __init__(
        self,
        factory: Callable[[], asyncio.Protocol],
        connections: Collection[object],
        limit: int,
        tls: ssl.SSLContext | None,
        handshake_seconds: float,
    ) -> None:
        self._factory = factory
        self._connections = connections
        self._limit = limit
        self._tls = tls
        self._handshake_seconds = handshake_seconds
        self._greeting: set[asyncio.Task[None]] = set()
        """Connections that have been taken, and that no protocol knows of yet."""
        self._taking: asyncio.Task[None] | None = None

    def start(self, listener: socket.socket) -> str:
        """Takes connections from now on. Returns where."""
        listener.setblocking(False)
        listener.listen(_BACKLOG)
        self._taking = asyncio.create_task(self._take(listener))
        return address_of(listener)

    async def close(self) -> None:
        """Takes no more of them, and ends those that are in their handshake."""
        tasks = [*self._greeting, *([] if self._taking is None else [self._taking])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _take(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken, _ = await loop.sock_accept(listener)
            except OSError as error:
                if error.errno in _NO_ROOM:
                    structlog.get_logger().warning("connections can't be taken", why=error.strerror)
                    await asyncio.sleep(_PAUSE_SECONDS)
                else:  # The client has left already. Whatever else it is, others get their turn.
                    await asyncio.sleep(0.01)
                continue
            if len(self._connections) + len(self._greeting) >= self._limit:
                taken.close()
            else:
                greeting = loop.create_task(self._greet(taken))
                self._greeting.add(greeting)
                greeting.add_done_callback(self._greeting.discard)
            # Whoever connects without end must not keep the loop from everybody else.
            await asyncio.sleep(0)

    async def _greet(self, taken: socket.socket) -> None:
        seconds = None if self._tls is None else self._handshake_seconds
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                self._factory, taken, ssl=self._tls, ssl_handshake_timeout=seconds
            )
        except OSError:  # No handshake, a bad one, or none in time.
            taken.close()
        except BaseException:
            taken.close()
            raise
