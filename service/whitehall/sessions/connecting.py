"""The way to a server: its name is looked up, one of its addresses is connected to, and all of that in time.

The library leaves looking up to the event loop. There it goes on when an attempt is given up; so every attempt would
add one more to those that wait for a name server which does not answer, until nothing else gets its turn and the
process does not end. Here an attempt waits for the lookup that goes on already.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from redis.asyncio.connection import UnixDomainSocketConnection

from whitehall.sessions.listening import Listening

CONNECT_SECONDS: Final = 0.4
"""How long it may take to find a server and to connect to it. That is less than one attempt at the store takes, which
would else be given up without a word of what was slow.
"""


class _Lookups:
    """Looks names up, each once at a time."""

    def __init__(self) -> None:
        self._going: dict[str, asyncio.Task[Sequence[str]]] = {}

    async def addresses(self, host: str) -> Sequence[str]:
        """All that a name has; one or more. Raises `socket.gaierror`. To be cancelled only gives up the waiting."""
        going = self._going.get(host)
        if going is None:
            going = self._going[host] = asyncio.create_task(_look_up(host))
            going.add_done_callback(lambda _: self._going.pop(host))
        return await asyncio.shield(going)


async def _look_up(host: str) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class _Patient:
    """Mixed into the library's connections by TCP."""

    host: str
    lookups: _Lookups
    address: str
    """One of the host's."""

    async def _connect(self) -> None:
        """Raises `socket.gaierror` where the name is to blame, else whatever the last address has led to."""
        found: Sequence[str] | None = None
        with suppress(TimeoutError):
            async with Listening(CONNECT_SECONDS):
                found = await self.lookups.addresses(self.host)
                for self.address in found[:-1]:
                    # One that is silent must not use up the time of those behind it.
                    with suppress(OSError, TimeoutError):
                        async with Listening(CONNECT_SECONDS / len(found)):
                            await super()._connect()  # type: ignore[misc]
                            return
                self.address = found[-1]
                await super()._connect()  # type: ignore[misc]
                return
        if found is None:
            raise socket.gaierror(socket.EAI_AGAIN, "no answer in time")
        raise TimeoutError

    def _connection_arguments(self) -> dict[str, Any]:
        arguments = {**super()._connection_arguments(), "host": self.address}  # type: ignore[misc]
        # A certificate is for the name.
        return arguments | {"server_hostname": self.host} if "ssl" in arguments else arguments


def patient(kind: type[Any]) -> type[Any]:
    """A kind of connection that gives up in time, and then knows whether the server's name was not found or the server
    did not take the connection. All connections of this kind share their lookups. By a Unix socket there is no way to
    lose time on.
    """
    if issubclass(kind, UnixDomainSocketConnection):
        return kind
    return type(kind.__name__, (_Patient, kind), {"lookups": _Lookups()})
