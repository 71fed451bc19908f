"""How a connection to the service is set up, so that restarts, silence and big answers do no harm."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

import grpc

from whitehall_client.faults import checked_key, checked_token

ChannelOption: TypeAlias = tuple[str, str | int]
Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]

GAMES = ""
"""Whose health a channel for games goes by: that of the server as a whole, which needs its store."""
STORELESS = "whitehall.catalog.v1.CatalogService"
"""Whose health a channel for the catalog and for positions goes by: one that needs no store stands for them all."""

DEFAULTS: tuple[ChannelOption, ...] = (
    # A replica that comes back is found within a second. The middle one is how long an attempt to connect may take.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # Silence is looked into every 30 seconds, calls or none: streams are silent for long.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # gRPC takes no more than 4 MiB unless told. Most answers have a few KiB; the record of a long game may be large.
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
)


def channel_options(health: str, own: Sequence[ChannelOption] = ()) -> list[ChannelOption]:
    """The options of a channel that goes by the health of a service; the caller's own win over the defaults."""
    # Calls go round all addresses of the name, and only to replicas that say that they serve: one that is about to stop
    # gets no new calls.
    config = {"loadBalancingConfig": [{"round_robin": {}}], "healthCheckConfig": {"serviceName": health}}
    return list((dict(DEFAULTS) | {"grpc.service_config": json.dumps(config)} | dict(own)).items())


def channel_credentials(tls: bool | grpc.ChannelCredentials) -> grpc.ChannelCredentials | None:
    """What proves the service to us: the system's certificates, or credentials of the caller's; None without TLS."""
    if isinstance(tls, grpc.ChannelCredentials):
        return tls
    return grpc.ssl_channel_credentials() if tls else None


def call_metadata(token: str, language: str) -> Metadata:
    """What a call bears: a token of the game or an operator's key, and the language of refusals. Raises `ValueError`
    where the token has characters that tokens don't have.
    """
    borne = {"authorization": f"Bearer {checked_token(token)}" if token else "", "accept-language": language}
    return tuple((name, value) for name, value in borne.items() if value)


def operator_token(key: str | None) -> str:
    """An operator's `id:secret` as the token that calls bear; empty for none. Raises `ValueError` where it is wrong."""
    return "" if key is None else f"wh_operator_{checked_key(key).replace(':', '_', 1)}"
