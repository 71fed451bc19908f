"""Listening sockets: made from an address as settings write it, and written as one again."""

import asyncio
import os
import socket
from typing import Any


async def listen(address: str, *, shares_port: bool = False) -> socket.socket:
    """A socket that listens on host:port, an IPv6 host in brackets; port 0: any free one. With `shares_port` other
    processes of the same user may listen there too. Raises `OSError`, which names the address.
    """
    try:
        return await _listen(address, shares_port)
    except OSError as error:
        # What the system itself says may be followed by Python's own words for the address.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise OSError(f"can't listen on {address}: {reason or error}") from error


async def why_not(address: str, *, shares_port: bool = False) -> str:
    """In the same words, why somebody can't `listen` there who was told no reason."""
    try:
        listener = await listen(address, shares_port=shares_port)
    except OSError as error:
        return str(error)
    listener.close()
    return f"can't listen on {address}"


async def _listen(address: str, shares_port: bool) -> socket.socket:
    family, place = await place_of(address)
    every = place[0] == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(place, family=family, dualstack_ipv6=every, reuse_port=shares_port)


async def place_of(address: str) -> tuple[int, Any]:
    """The family of a socket for host:port, and where to bind it. Raises `OSError`."""
    host, _, port = address.rpartition(":")
    found = await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    family, _, _, _, place = found[0]
    return family, place


def address_of(listener: socket.socket) -> str:
    """Where a socket listens, as host:port."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
