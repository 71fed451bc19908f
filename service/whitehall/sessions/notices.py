"""Notices that a game has changed: one connection per process, however many games are watched.

A notice says only *that* something may have happened; whoever gets one reads the game again. So notices may be merged,
and lost ones are made good by one more notice whenever the server confirms the channel anew.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from whitehall.sessions.client import lacks_permission
from whitehall.sessions.store import StoreUnavailable

_log = logging.getLogger(__name__)

SUBSCRIBE_SECONDS: Final = 2.0
"""How long entering a subscription may last."""
SUSPECT_SECONDS: Final = 5.0
"""How old a connection has to be before it may be suspected of leading to a server that was demoted."""
_CONNECT_SECONDS: Final = 1.0
_SILENCE_SECONDS: Final = 5.0
"""After so long without a word the server is asked for one, and after as long again it is given up."""
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 1.0


class Bell:
    """One subscription: rings once for all notices since it was last heard."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Let the next `wait` return, or the present one."""
        self._rung.set()

    async def wait(self, timeout: float) -> bool:
        """See `Subscription`."""
        try:
            async with asyncio.timeout(timeout):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True


class _Channel:
    """All bells of one game."""

    def __init__(self) -> None:
        self.bells: set[Bell] = set()
        self.confirmed = asyncio.Event()
        """Set while the server is known to send us the notices of this channel."""

    def ring(self) -> None:
        for bell in self.bells:
            bell.ring()


class Notices:
    """The subscriptions of this process. The connection is made with the first one, and made again whenever it is lost.

    Only the reading task connects and reads; subscribers do no more than send on a connection that is up.
    """

    def __init__(self, make_connection: Callable[[], AbstractConnection]) -> None:
        self._make_connection = make_connection
        self._connection: AbstractConnection | None = None
        self._connected_at = 0.0
        self._failure: Exception | None = None
        """What became of the last connection, until the next one has brought anything."""
        self._longest_pause = _FIRST_PAUSE_SECONDS
        """Before the next connection. It grows until one has brought anything: the server may refuse the channels."""
        self._reader: asyncio.Task[None] | None = None
        self._channels: dict[bytes, _Channel] = {}

    @asynccontextmanager
    async def subscribe(self, name: bytes) -> AsyncIterator[Bell]:
        """Attend to a channel, from the moment when the server has confirmed that."""
        if self._reader is None:
            self._reader = asyncio.create_task(self._keep_reading())
        bell = Bell()
        bell.ring()
        channel = self._channels.get(name)
        if is_first := channel is None:
            channel = self._channels[name] = _Channel()
        channel.bells.add(bell)
        try:
            if is_first:
                await self._send("SSUBSCRIBE", name)
            try:
                async with asyncio.timeout(SUBSCRIBE_SECONDS):
                    await channel.confirmed.wait()
            except TimeoutError as error:
                if isinstance(self._failure, RedisError) and lacks_permission(self._failure):
                    raise StoreUnavailable("the store does not permit what we need") from self._failure
                raise StoreUnavailable("the store can't be reached for notices") from error
            yield bell
        finally:
            channel.bells.remove(bell)
            if not channel.bells:
                del self._channels[name]
                await self._send("SUNSUBSCRIBE", name)

    async def suspect(self) -> None:
        """Connect anew, as the server has turned out not to be the primary. Not again within the next few seconds."""
        age = asyncio.get_running_loop().time() - self._connected_at
        if self._connection is not None and age > SUSPECT_SECONDS:
            await self._connection.disconnect(nowait=True)

    async def close(self) -> None:
        """Give up the connection and let every subscriber wait no longer."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        for channel in self._channels.values():
            channel.ring()

    async def _send(self, *command: str | bytes) -> None:
        """Send if the connection is up. Else nothing is lost: once it is up again, every channel is asked for."""
        if self._connection is not None and self._connection.is_connected:
            with suppress(RedisError):
                await self._connection.send_command(*command)

    async def _keep_reading(self) -> None:
        while True:
            connection = self._make_connection()
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    await connection.connect()  # type: ignore[no-untyped-call]
                self._connection = connection
                self._connected_at = asyncio.get_running_loop().time()
                if self._channels:
                    await connection.send_command("SSUBSCRIBE", *self._channels)
                await self._read(connection)
            except Exception as error:  # whatever it was, notices have to come back
                self._failure = error
                _log.warning("the connection for notices was lost (%s)", type(error).__name__)
            finally:
                self._connection = None
                for channel in self._channels.values():
                    channel.confirmed.clear()
                await connection.disconnect(nowait=True)
            await asyncio.sleep(random.uniform(0, self._longest_pause))
            self._longest_pause = min(2 * self._longest_pause, _LONGEST_PAUSE_SECONDS)

    async def _read(self, connection: AbstractConnection) -> None:
        """Ring for every notice until the connection is lost."""
        asked = False
        while True:
            message = await connection.read_response(
                timeout=_SILENCE_SECONDS, disconnect_on_error=False, push_request=True
            )
            if message is None and asked:
                raise Disconnected("the server is silent")
            asked = message is None
            if asked:
                await connection.send_command("PING")
            else:
                self._failure = None
                self._longest_pause = _FIRST_PAUSE_SECONDS
                if isinstance(message, list):
                    self._take(message)

    def _take(self, message: list[Any]) -> None:
        kind, name = message[0], message[1]
        channel = self._channels.get(name)
        if channel is None or kind == b"sunsubscribe":
            return
        if kind == b"ssubscribe":
            # What was published since the connection was lost has not reached us.
            channel.confirmed.set()
        channel.ring()
