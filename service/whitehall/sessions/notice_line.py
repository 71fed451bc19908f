"""The connection to one server by which notices come: made again whenever it is lost, as long as it is wanted."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from contextlib import suppress
from typing import Any, Final, Protocol

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.crc import key_slot
from redis.exceptions import AskError, RedisError
from redis.exceptions import ConnectionError as Disconnected

_log = logging.getLogger(__name__)

_CONNECT_SECONDS: Final = 1.0
_SILENCE_SECONDS: Final = 5.0
"""After so long without a word the server is asked for one, and after as long again it is given up."""
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 1.0


class Listener(Protocol):
    """Whoever is told what comes by a line."""

    def confirmed(self, name: bytes, line: NoticeLine) -> None:
        """The server sends the notices of a channel from now on."""

    def rung(self, name: bytes) -> None:
        """A notice."""

    def refused(self, error: AskError, line: NoticeLine) -> None:
        """The server says that another one has a channel; raises what can't be helped."""

    async def lost(self, line: NoticeLine) -> None:
        """The connection was lost."""

    def ended(self, line: NoticeLine) -> None:
        """The connection was lost, and nothing asks for another one."""


class NoticeLine:
    """One server's line. Only its reading task connects and reads; others do no more than send while it is up."""

    def __init__(self, server: Redis, listener: Listener) -> None:
        self.server = server
        self.names: set[bytes] = set()
        """The channels that are wanted."""
        self.failure: Exception | None = None
        """What became of the last connection, until the next one has brought anything."""
        self._listener = listener
        self._connection: AbstractConnection | None = None
        self._connected_at = 0.0
        self._asked: set[bytes] = set()
        """The channels for which this connection has asked."""
        self._left: Counter[bytes] = Counter()
        """Those that it has left, and how often the server has yet to say that it is done."""
        self._longest_pause = _FIRST_PAUSE_SECONDS
        """Before the next connection. It grows until one has brought anything: the server may refuse the channels."""
        self._reader = asyncio.create_task(self._keep_reading())

    @property
    def age(self) -> float:
        """Seconds since it was connected; 0 while it is not."""
        return 0.0 if self._connection is None else asyncio.get_running_loop().time() - self._connected_at

    async def join(self, name: bytes) -> None:
        """Want a channel."""
        self.names.add(name)
        await self._ask(name)

    async def leave(self, name: bytes) -> None:
        """Want a channel no longer."""
        self.names.discard(name)
        if name in self._asked:
            self._asked.remove(name)
            self._left[name] += 1
            await self._send("SUNSUBSCRIBE", name)

    async def break_off(self) -> None:
        """Connect anew."""
        if self._connection is not None:
            await self._connection.disconnect(nowait=True)

    async def close(self) -> None:
        """Give the connection up."""
        self._reader.cancel()
        await asyncio.wait([self._reader])

    async def _ask(self, name: bytes) -> None:
        """Ask for a channel if the connection is up. Once it is up again, every wanted one is asked for."""
        if self._connection is not None:
            self._asked.add(name)
            await self._send("SSUBSCRIBE", name)

    async def _send(self, command: str, name: bytes) -> None:
        if self._connection is not None and self._connection.is_connected:
            with suppress(RedisError):
                await self._connection.send_command(command, name)

    async def _keep_reading(self) -> None:
        while True:
            connection: AbstractConnection = self.server.connection_pool.make_connection()  # type: ignore[no-untyped-call]
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    await connection.connect()  # type: ignore[no-untyped-call]
                self._connection = connection
                self._connected_at = asyncio.get_running_loop().time()
                self._left.clear()
                self._asked = set(self.names)
                # A command for each: in a cluster one may not name channels of several slots.
                wanted = [("SSUBSCRIBE", name) for name in self.names]
                if wanted:
                    await connection.send_packed_command(connection.pack_commands(wanted))
                await self._read(connection)
            except Exception as error:  # whatever it was, notices have to come back
                self.failure = error
                _log.warning("the connection for notices was lost (%s)", type(error).__name__)
            finally:
                self._connection = None
                await connection.disconnect(nowait=True)
            await self._listener.lost(self)
            await asyncio.sleep(random.uniform(0, self._longest_pause))
            self._longest_pause = min(2 * self._longest_pause, _LONGEST_PAUSE_SECONDS)
            if not self.names:
                self._listener.ended(self)
                return

    async def _read(self, connection: AbstractConnection) -> None:
        """Tell of every notice until the connection is lost."""
        asked = False
        while True:
            try:
                message = await connection.read_response(
                    timeout=_SILENCE_SECONDS, disconnect_on_error=False, push_request=True
                )
            except AskError as error:
                self._forget(error.slot_id)
                self._listener.refused(error, self)
                continue
            if message is None and asked:
                raise Disconnected("the server is silent")
            asked = message is None
            if asked:
                await connection.send_command("PING")
            else:
                self.failure = None
                self._longest_pause = _FIRST_PAUSE_SECONDS
                if isinstance(message, list):
                    await self._take(message)

    def _forget(self, slot: int) -> None:
        """The server has nothing to do with a slot any more; it answers neither for nor against its channels."""
        for name in [name for name in self._asked | self._left.keys() if key_slot(name) == slot]:
            self._asked.discard(name)
            del self._left[name]

    async def _take(self, message: list[Any]) -> None:
        kind, name = message[0], message[1]
        if kind == b"ssubscribe":
            self._listener.confirmed(name, self)
        elif kind == b"smessage":
            self._listener.rung(name)
        elif kind == b"sunsubscribe":
            if self._left[name]:
                self._left[name] -= 1
            elif name in self.names:
                # The server has given the channel's slot away. Asked for the channel it tells to whom.
                await self._ask(name)
