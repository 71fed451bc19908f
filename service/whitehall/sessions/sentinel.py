"""The store behind Sentinel: its URL. Each new connection leads to whichever server is the primary by then.

redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/service/0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from whitehall.sessions import hosts

SCHEMES: Final = ("redis+sentinel", "rediss+sentinel")

_PATH = re.compile(r"(?P<service>[^/?\s]+)(?:/(?P<db>[0-9]{1,9}))?")
_OPTIONS: Final = frozenset({"sentinel_user", "sentinel_password"})


class Place(NamedTuple):
    """What such a URL says."""

    sentinels: tuple[tuple[str, int], ...]
    service: str
    options: Mapping[str, Any]
    """For connections to the primary."""
    sentinel_options: Mapping[str, Any]
    """For those to the sentinels, which have a password of their own or none."""


def parse(url: str) -> Place:
    """Raises ValueError, which does not tell the URL, for one that is no such URL."""
    found = hosts.parse(url, "sentinel")
    path = _PATH.fullmatch(found.path)
    if path is None:
        raise ValueError("does not name what the sentinels watch over")
    if not found.others.keys() <= _OPTIONS:
        raise ValueError("has an option that is not known")
    own = hosts.credentials(found.others.get("sentinel_user"), found.others.get("sentinel_password"))
    return Place(
        found.addresses,
        unquote(path["service"]),
        {**found.credentials, "db": int(path["db"] or 0), **found.tls},
        {**own, **found.tls},
    )
