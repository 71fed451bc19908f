"""The way to a server: the time that it may take, and what is to blame where it takes longer."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any, Final

from redis.asyncio.connection import UnixDomainSocketConnection

from whitehall.sessions.listening import Listening

CONNECT_SECONDS: Final = 0.4
"""How long it may take to find a server and to connect to it."""
_LOOKUP_SECONDS: Final = 0.05
"""How long its name is looked up once more, where that was too short. Both together are less than one attempt at the
store takes, which would else be given up without a word of what was slow.
"""


class _Patient:
    """Mixed into the library's connections by TCP."""

    host: str

    async def _connect(self) -> None:
        with suppress(TimeoutError):
            async with Listening(CONNECT_SECONDS):
                await super()._connect()  # type: ignore[misc]
                return
        if not await _is_found(self.host):
            raise socket.gaierror(socket.EAI_AGAIN, "no answer in time")
        raise TimeoutError


def patient(kind: type[Any]) -> type[Any]:
    """A kind of connection that gives up in time, and then knows whether the server's name was not found or the server
    did not take the connection. By a Unix socket there is no way to lose time on.
    """
    if issubclass(kind, UnixDomainSocketConnection):
        return kind
    return type(kind.__name__, (_Patient, kind), {})


async def _is_found(host: str) -> bool:
    """Whether a name is looked up quickly. It may not exist: that would have been told at once."""
    try:
        async with Listening(_LOOKUP_SECONDS):
            await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError as error:
        return not isinstance(error, TimeoutError)
    return True
