"""The store behind Sentinel: its URL, and a pool whose connections lead to whichever server is the primary by then.

redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/service/0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, unquote

SCHEMES: Final = ("redis+sentinel", "rediss+sentinel")

_URL = re.compile(
    r"(?P<scheme>rediss?)\+sentinel://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?(?P<hosts>[^@/?]+)"
    r"/(?P<service>[^/?\s]+)(?:/(?P<db>[0-9]{1,9}))?(?:\?(?P<options>[^#\s]+))?"
)
_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]+):(?P<port>[0-9]{1,5})")
_TLS_OPTIONS: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"})
_OPTIONS: Final[Mapping[str, frozenset[str]]] = {
    "redis": frozenset({"sentinel_user", "sentinel_password"}),
    "rediss": frozenset({"sentinel_user", "sentinel_password"}) | _TLS_OPTIONS,
}


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
    match = _URL.fullmatch(url)
    if match is None:
        raise ValueError("is no URL of sentinels")
    hosts = [_HOST.fullmatch(host) for host in match["hosts"].split(",")]
    found = tuple((host["host"].strip("[]"), int(host["port"])) for host in hosts if host is not None)
    if len(found) < len(hosts) or not all(0 < port < 65_536 for _, port in found):
        raise ValueError("has sentinels that are not host:port")
    given = dict(parse_qsl(match["options"] or "", keep_blank_values=True, strict_parsing=bool(match["options"])))
    if not given.keys() <= _OPTIONS[match["scheme"]]:
        raise ValueError("has an option that is not known")
    tls: dict[str, Any] = {name: given[name] for name in given.keys() & _TLS_OPTIONS}
    if match["scheme"] == "rediss":
        tls["ssl"] = True
    if "ssl_check_hostname" in tls:
        tls["ssl_check_hostname"] = tls["ssl_check_hostname"].lower() in ("true", "yes", "1")
    return Place(
        found,
        unquote(match["service"]),
        _credentials(match["user"], match["password"]) | {"db": int(match["db"] or 0)} | tls,
        _credentials(given.get("sentinel_user"), given.get("sentinel_password")) | tls,
    )


def _credentials(user: str | None, password: str | None) -> dict[str, Any]:
    named = {"username": user, "password": password}
    return {name: unquote(value) for name, value in named.items() if value}
