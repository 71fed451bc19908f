"""Listening sockets: made from an address as settings write it, and written as one again."""

import asyncio
import socket


async def listen(address: str, *, shares_port: bool = False) -> socket.socket:
    """A socket that listens on host:port, an IPv6 host in brackets; port 0: any free one. With `shares_port` other
    processes of the same user may listen there too. Raises `OSError`.
    """
    host, _, port = address.rpartition(":")
    found = await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    family, _, _, _, place = found[0]
    every = place[0] == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(place, family=family, dualstack_ipv6=every, reuse_port=shares_port)


def address_of(listener: socket.socket) -> str:
    """Where a socket listens, as host:port."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
