"""An address that several processes share: the kernel hands each connection to one of them."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from whitehall.telemetry.sockets import place_of

_POLL_SECONDS: Final = 0.1


@asynccontextmanager
async def shared(address: str, patience: float) -> AsyncIterator[str]:
    """The address with its real port, kept for processes of ours for as long as the block lasts.

    Raises OSError where somebody else still listens there after so many seconds: the workers of a supervisor that was
    killed need a moment to drain. We only hold the place: a socket that does not listen is given no connections.
    """
    holder = await _held(address, patience)
    with holder:
        yield f"{address.rpartition(':')[0]}:{holder.getsockname()[1]}"


async def _held(address: str, patience: float) -> socket.socket:
    clock = asyncio.get_running_loop()
    try:
        family, place = await place_of(address)
        deadline = clock.time() + patience
        while not _is_free(family, place):
            if clock.time() > deadline:
                raise OSError("somebody else does")
            await asyncio.sleep(_POLL_SECONDS)
        holder = socket.socket(family)
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holder.bind(place)
    except OSError as error:
        raise OSError(f"workers can't listen on {address}: {error.strerror or error}") from error
    return holder


def _is_free(family: int, place: Any) -> bool:
    """Whether nobody listens there, not even somebody who would share: another service of the same user, for one."""
    with socket.socket(family) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            alone.bind(place)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
        return True
