"""What a single setting may be: its form in text, what is made of it, and how it is shown without its secrets."""

import base64
import binascii
import ipaddress
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, SecretBytes, SecretStr

from whitehall.sessions import cluster_url, sentinel
from whitehall.sessions.hosts import TLS_OPTIONS

_OPERATOR_KEY = re.compile(r"([0-9A-Za-z.-]{1,64}):([0-9A-Za-z._~+/=-]{16,256})")
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[^\s:\[\]/]+):(\d{1,5})")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@,A-Z]+")
_TOKEN_KEY_BYTES = 32
STORE_OPTIONS: Final[Mapping[str, frozenset[str]]] = {
    "redis": frozenset(),
    "rediss": TLS_OPTIONS,
    "unix": frozenset({"db"}),
}
"""What a store's URL may be asked for behind its question mark, by scheme."""
_SECRET_OPTIONS: Final = ("password", "user", "username")
"""Ends of the names of such options whose values are secret."""
_DATABASE = re.compile(r"[0-9]{1,9}")


class OperatorKey(BaseModel):
    """A key that lets its bearer make games and ask about positions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Tells one key from another: 1 to 64 letters, digits, dots and hyphens. It is not secret."""
    secret: SecretStr
    """16 to 256 characters of those that a bearer token may have."""


def _address(text: str) -> str:
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise ValueError("has to be host:port, with an IPv6 host in brackets, such as 127.0.0.1:50051 or [::1]:0")
    if int(match[2]) > 65535:
        raise ValueError("has a port above 65535")
    if match[1].startswith("["):
        try:
            ipaddress.IPv6Address(match[1][1:-1])
        except ValueError:
            raise ValueError("has brackets around what is no IPv6 address") from None
    return text


def _origin(text: str) -> str:
    if text != "*" and not _ORIGIN.fullmatch(text):
        raise ValueError(
            "has to be * or scheme://host or scheme://host:port, as browsers write it: without a slash behind"
        )
    return text


def _listed(value: object) -> object:
    """Where a list is written as one text, commas part its items."""
    return [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value


def _operator_key(value: object) -> object:
    if isinstance(value, OperatorKey):
        return value
    match = _OPERATOR_KEY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(
            "has to be id:secret, the id of 1 to 64 letters, digits, dots and hyphens, "
            "the secret of 16 to 256 letters, digits and . _ ~ + / = -"
        )
    return OperatorKey(id=match[1], secret=SecretStr(match[2]))


def _distinct(keys: tuple[OperatorKey, ...]) -> tuple[OperatorKey, ...]:
    ids = [key.id for key in keys]
    for key_id in ids:
        if ids.count(key_id) > 1:
            raise ValueError(f"has two keys with the id {key_id}; give the new one another id")
    return keys


def _token_key(value: object) -> object:
    """Hexadecimal if it can be, else Base64 in either alphabet, with or without padding."""
    if isinstance(value, SecretBytes):
        return value
    problem = ValueError(f"has to be hexadecimal or Base64 of {_TOKEN_KEY_BYTES} bytes or more")
    if not isinstance(value, str):
        raise problem
    try:
        if re.fullmatch(r"[0-9A-Fa-f]+", value):
            key = bytes.fromhex(value)
        else:
            plain = value.replace("-", "+").replace("_", "/").rstrip("=")
            key = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (ValueError, binascii.Error):
        raise problem from None
    if len(key) < _TOKEN_KEY_BYTES:
        raise problem
    return SecretBytes(key)


def _redis_url(url: SecretStr) -> SecretStr:
    try:
        usable = _is_store(url.get_secret_value())
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(
            "has to be redis://host:port/db, rediss://host:port/db, unix:///path?db=db, "
            "redis+sentinel://host:port,host:port/service/db or redis+cluster://host:port,host:port, without spaces, "
            "the db a number; in a password / ? # @ are written as %2F %3F %23 %40. With rediss:// and "
            "rediss+...:// there may follow ?ssl_ca_certs, ssl_certfile, ssl_keyfile, ssl_cert_reqs or "
            "ssl_check_hostname, with sentinels ?sentinel_user or sentinel_password"
        )
    return url


def _is_store(text: str) -> bool:
    """Whether a URL says where a store is and nothing that the store's client would not understand."""
    if text.startswith(sentinel.SCHEMES):
        sentinel.parse(text)
        return True
    if text.startswith(cluster_url.SCHEMES):
        cluster_url.parse(text)
        return True
    parts = urlsplit(text)
    options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True)) if parts.query else {}
    is_file = parts.scheme == "unix"
    place = parts.path if is_file else parts.hostname
    database = options.get("db", "0") if is_file else parts.path.removeprefix("/") or "0"
    return (
        text.startswith(tuple(f"{scheme}://" for scheme in STORE_OPTIONS))
        and bool(place)
        and parts.port != 0
        and bool(_DATABASE.fullmatch(database))
        and options.keys() <= STORE_OPTIONS[parts.scheme]
        and not re.search(r"[\s#]", text)
    )


def full(path: Path) -> Path:
    """The path from the root, with `~` worked out."""
    return path.expanduser().absolute()


Address = Annotated[str, AfterValidator(_address)]
"""Where something listens: host:port."""

Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], BeforeValidator(_listed)]
"""Origins of pages, as browsers write them."""

OperatorKeys = Annotated[
    tuple[Annotated[OperatorKey, BeforeValidator(_operator_key)], ...],
    BeforeValidator(_listed),
    AfterValidator(_distinct),
]
"""Keys of operators, with an id each that no other one has."""

TokenKeys = Annotated[tuple[Annotated[SecretBytes, BeforeValidator(_token_key)], ...], BeforeValidator(_listed)]
"""Keys that sign tokens."""

StoreUrl = Annotated[SecretStr, AfterValidator(_redis_url)]
"""Where a store is, with its password if it has one."""

FullPath = Annotated[Path, AfterValidator(full)]
"""A path from the root."""


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def plain(value: object) -> object:
    """A value, secrets and all, in a form that JSON can carry."""
    match value:
        case OperatorKey():
            return f"{value.id}:{value.secret.get_secret_value()}"
        case SecretBytes():
            return value.get_secret_value().hex()
        case SecretStr():
            return value.get_secret_value()
        case Path():
            return str(value)
        case tuple():
            return [plain(each) for each in value]
        case _:
            return value


def _without_secrets(url: str) -> str:
    """A store's URL with what is secret in it masked: user and password, and options that are passwords."""
    mask = str(SecretStr("secret"))
    scheme, mark, rest = url.partition("://")
    place, question, options = rest.partition("?")
    credentials, at, place = place.rpartition("@")
    shown = [
        f"{name}={mask}" if name.lower().endswith(_SECRET_OPTIONS) else option
        for option in options.split("&")
        for name in (option.partition("=")[0],)
    ]
    return f"{scheme}{mark}{mask if credentials else ''}{at}{place}{question}{'&'.join(shown)}"


def shown(value: object) -> str:
    """A value as text, secrets masked."""
    match value:
        case OperatorKey():
            return f"{value.id}:{value.secret}"
        case SecretBytes():
            return str(SecretStr("key"))
        case SecretStr():
            return _without_secrets(value.get_secret_value())
        case tuple():
            return ", ".join(map(shown, value))
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case _:
            return str(value)
