"""Notices that a game has changed: one connection to each server, however many games are watched.

A notice says only *that* something may have happened; whoever gets one reads the game again. So notices may be merged,
and lost ones are made good by one more notice whenever a server confirms the channel anew.

A channel is at the server that has its game. When that is another one, the channel follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import AskError, RedisError

from whitehall.sessions.client import lacks_permission
from whitehall.sessions.notice_line import NoticeLine
from whitehall.sessions.servers import Servers
from whitehall.sessions.store import StoreUnavailable

SUBSCRIBE_SECONDS: Final = 2.0
"""How long entering a subscription may last."""
SUSPECT_SECONDS: Final = 5.0
"""How old a connection has to be before it may be suspected of leading to a server that was demoted."""
_SURVEY_SECONDS: Final = 1.0


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
        self.line: NoticeLine | None = None
        """The one by which its notices come; None while no server is known to have the game."""
        self.confirmed = asyncio.Event()
        """Set while the server is known to send us the notices of this channel."""

    def ring(self) -> None:
        for bell in self.bells:
            bell.ring()


class Notices:
    """The subscriptions of this process."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._lines: dict[Redis, NoticeLine] = {}
        self._channels: dict[bytes, _Channel] = {}
        self._routing: asyncio.Task[None] | None = None
        servers.changed = self._route_soon

    @asynccontextmanager
    async def subscribe(self, name: bytes) -> AsyncIterator[Bell]:
        """Attend to a channel, from the moment when the server has confirmed that."""
        bell = Bell()
        bell.ring()
        channel = self._channels.get(name)
        if is_first := channel is None:
            channel = self._channels[name] = _Channel()
        channel.bells.add(bell)
        try:
            try:
                async with asyncio.timeout(SUBSCRIBE_SECONDS):
                    if is_first:
                        if self._servers.at(name) is None:
                            await self._servers.survey()
                        await self._route(name, channel)
                    await channel.confirmed.wait()
            except (TimeoutError, RedisError) as error:
                failure = channel.line and channel.line.failure
                if isinstance(failure, RedisError) and lacks_permission(failure):
                    raise StoreUnavailable("the store does not permit what we need") from failure
                raise StoreUnavailable("the store can't be reached for notices") from error
            yield bell
        finally:
            channel.bells.remove(bell)
            if not channel.bells:
                del self._channels[name]
                if channel.line is not None:
                    await channel.line.leave(name)

    async def suspect(self) -> None:
        """Connect anew, as a server has turned out not to be the primary. Not again within the next few seconds."""
        for line in list(self._lines.values()):
            if line.age > SUSPECT_SECONDS:
                await line.break_off()

    async def close(self) -> None:
        """Give up all connections and let every subscriber wait no longer."""
        self._servers.changed = lambda: None
        if self._routing is not None:
            self._routing.cancel()
            await asyncio.wait([self._routing])
        for line in list(self._lines.values()):
            await line.close()
        for channel in self._channels.values():
            channel.ring()

    def confirmed(self, name: bytes, line: NoticeLine) -> None:
        """A server tells that it sends us a channel's notices. What was published before has not reached us."""
        channel = self._channels.get(name)
        if channel is not None and channel.line is line:
            channel.confirmed.set()
            channel.ring()

    def rung(self, name: bytes) -> None:
        """A notice."""
        if (channel := self._channels.get(name)) is not None:
            channel.ring()

    def refused(self, error: AskError, line: NoticeLine) -> None:
        """A server tells that another one has a channel."""
        self._servers.moved(error, line.server)

    async def lost(self, line: NoticeLine) -> None:
        """A connection was lost. What went by it may be elsewhere by now."""
        for channel in self._channels.values():
            if channel.line is line:
                channel.confirmed.clear()
        with suppress(RedisError, TimeoutError):
            async with asyncio.timeout(_SURVEY_SECONDS):
                await self._servers.survey()
        await self._route_all()

    def ended(self, line: NoticeLine) -> None:
        """A line has nothing left to listen to, and no connection."""
        if self._lines.get(line.server) is line:
            del self._lines[line.server]

    def _route_soon(self) -> None:
        """Lets channels follow their games in the background; what changes meanwhile is looked at as well."""
        if self._channels:
            before = self._routing

            async def route() -> None:
                if before is not None:
                    await asyncio.wait([before])
                await self._route_all()

            self._routing = asyncio.create_task(route())

    async def _route_all(self) -> None:
        for name, channel in list(self._channels.items()):
            await self._route(name, channel)

    async def _route(self, name: bytes, channel: _Channel) -> None:
        """Listen to a channel where its game is, and nowhere else."""
        server = self._servers.at(name)
        old = channel.line
        if self._channels.get(name) is not channel or (old is not None and old.server is server):
            return
        new = None
        if server is not None and (new := self._lines.get(server)) is None:
            new = self._lines[server] = NoticeLine(server, self)
        channel.line = new
        channel.confirmed.clear()
        if new is not None:
            await new.join(name)
        if old is not None:
            await old.leave(name)
