"""What an operator can set, and where each value came from: flags before environment before file before defaults.

Every setting is one field here, and has the same name everywhere: `grpc_address` in the file, `WHITEHALL_GRPC_ADDRESS`
in the environment, `--grpc-address` as a flag.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from whitehall.settings.layers import (
    CONFIG_VARIABLE,
    DEFAULT,
    ENVIRONMENT,
    FLAG,
    SettingsError,
    explanations,
    from_environment,
    from_file,
    from_flags,
    state_folder,
)
from whitehall.settings.values import (
    Address,
    FullPath,
    OperatorKeys,
    Origins,
    StoreUrl,
    TokenKeys,
    full,
    is_loopback,
    plain,
    shown,
)


class SettingSource(NamedTuple):
    """One setting as it is in force."""

    name: str
    value: str
    """As text, secrets masked."""
    origin: str
    """`flag`, `environment`, the file's path, or `default`."""
    description: str


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
    tls_certificate: FullPath | None = Field(
        None,
        description="File with the certificate of both public listeners and its chain, in PEM. None: no TLS. A file "
        "that is put in its place is used within seconds.",
    )
    tls_key: FullPath | None = Field(
        None, description="File with the certificate's private key, in PEM, without a password."
    )
    tls_client_ca: FullPath | None = Field(
        None,
        description="File with the certificates of the authorities whose clients get in, in PEM. None: all clients.",
    )
    cors_origins: Origins = Field(
        (),
        description="Origins whose pages may call over HTTP, such as https://play.example; *: all of them.",
    )
    open: bool = Field(
        False,
        description="Let everybody who reaches grpc_address or http_address make games: allows an address beyond this "
        "machine without operator_keys.",
    )
    operator_keys: OperatorKeys = Field(
        (),
        description="Keys of those who may make games, each as id:secret. To change one, add its successor under "
        "another id, and take the old one away when nobody uses it.",
    )
    token_keys: TokenKeys = Field(
        (),
        description="Keys that sign the tokens of hosts, seats and spectators, each 32 bytes or more in hex or "
        "Base64. The first signs, all verify. None: made once and kept in the store.",
    )
    redis_url: StoreUrl | None = Field(
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
    data_dir: FullPath = Field(
        Path("~/.local/state/whitehall"),
        validate_default=True,
        description="Folder of the embedded store. Default: whitehall in the user's state folder ($XDG_STATE_HOME).",
    )
    boards_dir: FullPath | None = Field(
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
        15.0, gt=0, le=3600, description="How long a stream may be silent before a sign of life is sent, in seconds."
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
        public = [name for name in ("grpc_address", "http_address") if not is_loopback(getattr(self, name))]
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
        layers: list[tuple[str, Mapping[str, object]]] = [(DEFAULT, {"data_dir": state_folder(environ)})]
        if named:
            path = full(Path(named))
            layers.append((str(path), from_file(path, cls.model_fields)))
        layers.append((ENVIRONMENT, from_environment(environ, cls.model_fields)))
        layers.append((FLAG, from_flags(overrides, cls.model_fields)))

        values: dict[str, object] = {}
        origins: dict[str, str] = {}
        for origin, layer in layers:
            values.update(layer)
            origins.update(dict.fromkeys(layer, origin))
        try:
            settings = cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError("\n".join(explanations(error, origins))) from None
        settings._origins = origins
        return settings

    def sources(self) -> tuple[SettingSource, ...]:
        """Every setting in the order above, with its value as text, secrets masked, and where it came from."""
        return tuple(
            SettingSource(name, shown(getattr(self, name)), self._origins.get(name, DEFAULT), field.description or "")
            for name, field in type(self).model_fields.items()
        )

    def values(self) -> dict[str, object]:
        """Every setting by name, secrets and all, in a form that JSON can carry and `load` takes for a flag's."""
        return {name: plain(getattr(self, name)) for name in type(self).model_fields}
