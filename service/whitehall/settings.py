"""What an operator can set, and where each value came from: flags before environment before file before defaults.

Every setting is one field here, and has the same name everywhere: `grpc_address` in the file, `WHITEHALL_GRPC_ADDRESS`
in the environment, `--grpc-address` as a flag.
"""

from __future__ import annotations

import base64
import binascii
import difflib
import ipaddress
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, Self
from urllib.parse import parse_qsl, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretBytes,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from whitehall.sessions import cluster_url, sentinel

PREFIX: Final = "WHITEHALL_"
CONFIG_VARIABLE: Final = f"{PREFIX}CONFIG"
"""The variable that names the settings file where no flag does."""

_FLAG: Final = "flag"
_ENVIRONMENT: Final = "environment"
_DEFAULT: Final = "default"

# An orchestrator may describe a service called "whitehall" to us in variables of these names, which nobody has set.
_SERVICE_LINK_NAME = re.compile(r"WHITEHALL_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)")
_SERVICE_LINK_VALUE = re.compile(r"(tcp|udp|sctp)://\S+")

_OPERATOR_KEY = re.compile(r"([0-9A-Za-z.-]{1,64}):([0-9A-Za-z._~+/=-]{16,256})")
_ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[^\s:\[\]/]+):(\d{1,5})")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@,A-Z]+")
_TOKEN_KEY_BYTES = 32
_STORE_OPTIONS: Final[Mapping[str, frozenset[str]]] = {
    "redis": frozenset(),
    "rediss": frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"}),
    "unix": frozenset({"db"}),
}
"""What a store's URL may be asked for behind its question mark, by scheme."""
_SECRET_OPTIONS: Final = ("password", "user", "username")
"""Ends of the names of such options whose values are secret."""
_DATABASE = re.compile(r"[0-9]{1,9}")


class SettingsError(Exception):
    """The settings can't be used. The text names each setting at fault and what it may be, a line each.

    It never holds the value of a secret.
    """


class SettingsUnreadable(SettingsError):
    """The file of settings can't be read."""


class OperatorKey(BaseModel):
    """A key that lets its bearer make games and ask about positions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """Tells one key from another: 1 to 64 letters, digits, dots and hyphens. It is not secret."""
    secret: SecretStr
    """16 to 256 characters of those that a bearer token may have."""


class SettingSource(NamedTuple):
    """One setting as it is in force."""

    name: str
    value: str
    """As text, secrets masked."""
    origin: str
    """`flag`, `environment`, the file's path, or `default`."""
    description: str


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
        text.startswith(tuple(f"{scheme}://" for scheme in _STORE_OPTIONS))
        and bool(place)
        and parts.port != 0
        and bool(_DATABASE.fullmatch(database))
        and options.keys() <= _STORE_OPTIONS[parts.scheme]
        and not re.search(r"[\s#]", text)
    )


def _full(path: Path) -> Path:
    return path.expanduser().absolute()


Address = Annotated[str, AfterValidator(_address)]


class Settings(BaseModel):
    """Everything that can be set, checked as a whole. Made by `load`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)

    grpc_address: Address = Field(
        "127.0.0.1:50051",
        description="Where gRPC listens, as host:port. Port 0: any free one.",
    )
    http_address: Address = Field(
        "127.0.0.1:8080",
        description="Where REST, Connect and gRPC-Web are served, as host:port. Port 0: any free one.",
    )
    admin_address: Address = Field(
        "127.0.0.1:9090",
        description="Where metrics and health are served, as host:port. Port 0: any free one. Never for the public.",
    )
    tls_certificate: Annotated[Path, AfterValidator(_full)] | None = Field(
        None,
        description="File with the certificate of both public listeners and its chain, in PEM. None: no TLS. A file "
        "that is put in its place is used within seconds.",
    )
    tls_key: Annotated[Path, AfterValidator(_full)] | None = Field(
        None, description="File with the certificate's private key, in PEM, without a password."
    )
    tls_client_ca: Annotated[Path, AfterValidator(_full)] | None = Field(
        None,
        description="File with the certificates of the authorities whose clients get in, in PEM. None: all clients.",
    )
    cors_origins: Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], BeforeValidator(_listed)] = Field(
        (),
        description="Origins whose pages may call over HTTP, such as https://play.example; *: all of them.",
    )
    open: bool = Field(
        False,
        description="Let everybody who reaches grpc_address or http_address make games: allows an address beyond this "
        "machine without operator_keys.",
    )
    operator_keys: Annotated[
        tuple[Annotated[OperatorKey, BeforeValidator(_operator_key)], ...],
        BeforeValidator(_listed),
        AfterValidator(_distinct),
    ] = Field(
        (),
        description="Keys of those who may make games, each as id:secret. To change one, add its successor under "
        "another id, and take the old one away when nobody uses it.",
    )
    token_keys: Annotated[tuple[Annotated[SecretBytes, BeforeValidator(_token_key)], ...], BeforeValidator(_listed)] = (
        Field(
            (),
            description="Keys that sign the tokens of hosts, seats and spectators, each 32 bytes or more in hex or "
            "Base64. The first signs, all verify. None: made once and kept in the store.",
        )
    )
    redis_url: Annotated[SecretStr, AfterValidator(_redis_url)] | None = Field(
        None,
        description="The store, as redis://, rediss:// or unix:// URL; redis+sentinel://host:port,host:port/service is "
        "the primary that Sentinel knows, redis+cluster://host:port,host:port a cluster by some of its nodes. None: an "
        "embedded one in data_dir.",
    )
    durability: Literal["memory", "aof", "replica"] = Field(
        "memory",
        description="What an accepted move survives: memory, whatever the store is set up for; aof, loss of power; "
        "replica, loss of the primary.",
    )
    data_dir: Annotated[Path, AfterValidator(_full)] = Field(
        Path("~/.local/state/whitehall"),
        validate_default=True,
        description="Folder of the embedded store. Default: whitehall in the user's state folder ($XDG_STATE_HOME).",
    )
    boards_dir: Annotated[Path, AfterValidator(_full)] | None = Field(
        None,
        description="Folder with boards of your own, those of a game in a folder of its name, such as scotland-yard. "
        "None: the boards that come with the service.",
    )
    active_ttl_days: int = Field(
        30, ge=1, le=3650, description="How long a running game is kept after its last move, in days."
    )
    ended_ttl_days: int = Field(7, ge=1, le=3650, description="How long a game is kept after its end, in days.")
    max_message_bytes: int = Field(
        262_144, ge=4096, le=67_108_864, description="Largest message that is accepted, in bytes."
    )
    workers: int = Field(
        1,
        ge=1,
        le=64,
        description="Processes that serve, about one for each core. The limits below count in each of them by itself.",
    )
    max_concurrent_calls: int = Field(
        1000, ge=1, le=100_000, description="Calls that are served at the same time, streams aside; more are refused."
    )
    max_connections: int = Field(
        2000,
        ge=1,
        le=1_000_000,
        description="Connections that HTTP may have open, and gRPC as many; fewer where the system allows fewer files.",
    )
    max_calls_per_token: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        description="Calls a second that a game's token may make in the long run, in each process. 0: any number.",
    )
    max_calls_per_operator_key: float = Field(
        0.0,
        ge=0,
        le=1_000_000,
        description="Calls a second that an operator key may make in the long run, in each process. 0: any number.",
    )
    max_streams_per_game: int = Field(
        128,
        ge=1,
        le=100_000,
        description="Open streams that one game may have; its spectators at most half of them, each seat a sixteenth.",
    )
    max_streams: int = Field(
        2000, ge=1, le=100_000, description="Open streams of all games together that the process may have."
    )
    max_position_streams: int = Field(
        200, ge=1, le=100_000, description="Open streams about positions that the process may have."
    )
    long_answers_at_a_time: int = Field(
        2,
        ge=1,
        le=64,
        description="Answers that take long, such as deductions, that are worked out at a time for games in play, and "
        "as many for positions. They share one processor: more of them only let short ones overtake long ones.",
    )
    long_answers_waiting: int = Field(
        250, ge=0, le=100_000, description="So many more of each may wait for their turn; others are refused."
    )
    stream_minutes: float = Field(
        9.0,
        gt=0,
        le=1440,
        description="How long a stream lasts until its client is asked to reconnect, in minutes, on average.",
    )
    heartbeat_seconds: float = Field(
        15.0, gt=0, le=300, description="How long a stream may be silent before a sign of life is sent, in seconds."
    )
    default_deadline_seconds: float = Field(
        10.0, gt=0, le=300, description="How long a call may take whose caller has set no deadline, in seconds."
    )
    drain_seconds: float = Field(
        1.0, ge=0, le=300, description="How long to answer on after saying that we are going away, in seconds."
    )
    grace_seconds: float = Field(
        15.0,
        gt=0,
        le=3600,
        description="How long calls may go on after the drain, in seconds; above the longest deadline.",
    )
    connection_age_seconds: float = Field(
        60.0,
        ge=1,
        le=86_400,
        description="How long a connection lasts until its client is made to open another, in seconds.",
    )
    log_format: Literal["auto", "json", "pretty"] = Field(
        "auto", description="How the log is written; auto: pretty on a terminal, else JSON lines."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important thing that is logged."
    )
    cache_games: int = Field(
        10_000, ge=0, le=10_000_000, description="Games whose present state is kept in memory, in games."
    )
    store_pool: int = Field(32, ge=1, le=1024, description="Connections to the store.")

    _origins: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @field_validator("*", mode="before")
    @classmethod
    def _no_number_by_yes_or_no(cls, value: object, info: ValidationInfo) -> object:
        """Python takes true for 1, and a file may have the one where the other is meant."""
        if isinstance(value, bool) and info.field_name and cls.model_fields[info.field_name].annotation is not bool:
            raise ValueError("can't be true or false")
        return value

    @model_validator(mode="after")
    def _agree(self) -> Self:
        public = [name for name in ("grpc_address", "http_address") if not _is_loopback(getattr(self, name))]
        if public and not (self.open or self.operator_keys):
            raise ValueError(
                f"{public[0]} can be reached from other machines, and without operator_keys everybody there could make "
                "games: set operator_keys, or listen on 127.0.0.1, or say that you want it with open"
            )
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key are set together, or neither of them")
        if self.tls_client_ca is not None and self.tls_certificate is None:
            raise ValueError("tls_client_ca needs tls_certificate and tls_key: there is no TLS without them")
        if self.grace_seconds <= self.default_deadline_seconds:
            raise ValueError("grace_seconds has to be above default_deadline_seconds, or calls are cut at a shutdown")
        if self.heartbeat_seconds >= self.stream_minutes * 60:
            raise ValueError("heartbeat_seconds has to be below stream_minutes, or streams end before the first one")
        if self.max_streams_per_game > self.max_streams:
            raise ValueError("max_streams_per_game can't be above max_streams")
        return self

    @classmethod
    def load(cls, overrides: Mapping[str, object], environ: Mapping[str, str], file: Path | str | None = None) -> Self:
        """The settings from flags by field name, the environment and a TOML file; raises `SettingsError`.

        A flag that is None and a variable that is empty count as not given. Without `file`, the variable
        WHITEHALL_CONFIG may name it.
        """
        named = file or environ.get(CONFIG_VARIABLE)
        layers: list[tuple[str, Mapping[str, object]]] = [(_DEFAULT, {"data_dir": _state_folder(environ)})]
        if named:
            path = _full(Path(named))
            layers.append((str(path), _from_file(path)))
        layers.append((_ENVIRONMENT, _from_environment(environ)))
        layers.append((_FLAG, _from_flags(overrides)))

        values: dict[str, object] = {}
        origins: dict[str, str] = {}
        for origin, layer in layers:
            values.update(layer)
            origins.update(dict.fromkeys(layer, origin))
        try:
            settings = cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError("\n".join(_explanations(error, origins))) from None
        settings._origins = origins
        return settings

    def sources(self) -> tuple[SettingSource, ...]:
        """Every setting in the order above, with its value as text, secrets masked, and where it came from."""
        return tuple(
            SettingSource(name, _shown(getattr(self, name)), self._origins.get(name, _DEFAULT), field.description or "")
            for name, field in type(self).model_fields.items()
        )

    def values(self) -> dict[str, object]:
        """Every setting by name, secrets and all, in a form that JSON can carry and `load` takes for a flag's."""
        return {name: _plain(getattr(self, name)) for name in type(self).model_fields}


def _state_folder(environ: Mapping[str, str]) -> Path:
    """By the XDG rules a relative path counts for nothing."""
    state = Path(environ.get("XDG_STATE_HOME", ""))
    return (state if state.is_absolute() else Path("~/.local/state")) / "whitehall"


def _from_file(path: Path) -> dict[str, object]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsUnreadable(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is no UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        # Only the place: the rest of what the parser says may quote a secret.
        place = re.search(r"\(at .+\)$", str(error))
        raise SettingsError(f"{path} is not valid TOML {place[0] if place else ''}".rstrip()) from None
    return _known(values, str(path))


def _from_environment(environ: Mapping[str, str]) -> dict[str, object]:
    ours = {
        name.removeprefix(PREFIX).lower() if name.isupper() else name: value
        for name, value in environ.items()
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE and not _is_service_link(name, value)
    }
    return {name: value for name, value in _known(ours, _ENVIRONMENT).items() if value}


def _is_service_link(name: str, value: str) -> bool:
    return bool(_SERVICE_LINK_NAME.fullmatch(name)) or (
        name.endswith("_PORT") and bool(_SERVICE_LINK_VALUE.fullmatch(value))
    )


def _from_flags(overrides: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in _known(overrides, _FLAG).items() if value is not None}


def _known(values: Mapping[str, object], origin: str) -> dict[str, object]:
    """The values, after a look at their names."""
    problems = []
    for name in values.keys() - Settings.model_fields.keys():
        nearest = difflib.get_close_matches(name.lower(), Settings.model_fields, n=1)
        hint = (
            f"did you mean {_place(nearest[0], origin)}?"
            if nearest
            else f"the settings are {', '.join(Settings.model_fields)}"
        )
        problems.append(f"{_place(name, origin)} is no setting; {hint}")
    if problems:
        raise SettingsError("\n".join(sorted(problems)))
    return dict(values)


def _place(name: str, origin: str) -> str:
    """A setting as whoever set it would look for it."""
    match origin:
        case "flag":
            return f"--{name.replace('_', '-')}"
        case "environment":
            return name if name.startswith(PREFIX) else f"{PREFIX}{name.upper()}"
        case "default":
            return name
        case path:
            return f"{name} in {path}"


def _explanations(error: ValidationError, origins: Mapping[str, str]) -> list[str]:
    """One line for each fault. Only the messages are used: what was put in may be a secret."""
    lines = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False):
        message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "has to be")
        if not fault["loc"]:
            lines.append(message)
            continue
        name, *inside = fault["loc"]
        entry = next((f", entry {place + 1}," for place in inside if isinstance(place, int)), "")
        lines.append(f"{_place(str(name), origins.get(str(name), _DEFAULT))}{entry} {message}")
    return lines


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _plain(value: object) -> object:
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
            return [_plain(each) for each in value]
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


def _shown(value: object) -> str:
    match value:
        case OperatorKey():
            return f"{value.id}:{value.secret}"
        case SecretBytes():
            return str(SecretStr("key"))
        case SecretStr():
            return _without_secrets(value.get_secret_value())
        case tuple():
            return ", ".join(map(_shown, value))
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case _:
            return str(value)
