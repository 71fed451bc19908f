"""The store spread over a Redis Cluster: its URL, which can be read without the library that talks to it.

redis+cluster://user:password@node-1:6379,node-2:6379
"""

from __future__ import annotations

from typing import Final

from whitehall.sessions import hosts

SCHEMES: Final = ("redis+cluster", "rediss+cluster")


def parse(url: str) -> hosts.Hosts:
    """Raises ValueError, which does not tell the URL, for one that is no such URL."""
    found = hosts.parse(url, "cluster")
    if found.path not in ("", "0"):
        raise ValueError("names a database, and a cluster has only the first")
    if found.others:
        raise ValueError("has an option that is not known")
    return found
