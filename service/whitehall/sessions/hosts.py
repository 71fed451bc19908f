"""The URL of a store that several hosts know of: what those for Sentinel and those for Cluster have in common.

rediss+sentinel://user:password@host:port,host:port/rest?option=value
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote

_URL = re.compile(
    r"(?P<scheme>rediss?)\+(?P<kind>[a-z]+)://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?(?P<hosts>[^@/?]+)"
    r"(?:/(?P<path>[^?\s]*))?(?:\?(?P<options>[^#\s]+))?"
)
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):(?P<port>[0-9]{1,5})")
TLS_OPTIONS: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"})
"""What a URL may ask of TLS behind its question mark."""


class Hosts(NamedTuple):
    """What such a URL says."""

    addresses: tuple[tuple[str, int], ...]
    path: str
    """What follows the hosts, without its first slash."""
    credentials: Mapping[str, Any]
    tls: Mapping[str, Any]
    """Empty without TLS."""
    others: Mapping[str, str]
    """Options that are not about TLS."""


def parse(url: str, kind: str) -> Hosts:
    """Raises ValueError, which does not tell the URL, for one that is no URL of that kind."""
    match = _URL.fullmatch(url)
    if match is None or match["kind"] != kind:
        raise ValueError(f"is no URL of a {kind}")
    hosts = [_HOST.fullmatch(host) for host in match["hosts"].split(",")]
    found = tuple((host["host"].strip("[]"), int(host["port"])) for host in hosts if host is not None)
    if len(found) < len(hosts) or not all(0 < port < 65_536 for _, port in found):
        raise ValueError("has hosts that are not host:port")
    given = dict(parse_qsl(match["options"] or "", keep_blank_values=True, strict_parsing=bool(match["options"])))
    tls: dict[str, Any] = {}
    if match["scheme"] == "rediss":
        tls = {name: given.pop(name) for name in TLS_OPTIONS & given.keys()} | {"ssl": True}
    if "ssl_check_hostname" in tls:
        tls["ssl_check_hostname"] = tls["ssl_check_hostname"].lower() in ("true", "yes", "1")
    return Hosts(found, match["path"] or "", credentials(match["user"], match["password"]), tls, given)


def credentials(user: str | None, password: str | None) -> dict[str, Any]:
    """A user and a password as they stand in a URL, as options of a connection; those that there are."""
    named = {"username": user, "password": password}
    return {name: unquote(value) for name, value in named.items() if value}
