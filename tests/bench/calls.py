"""Calls of which only the bytes matter, so that whoever asks spends as little as possible on it."""

from __future__ import annotations

import grpc

Metadata = tuple[tuple[str, str], ...]
Question = tuple[Metadata, bytes]
"""An encoded request and the token that it comes with."""

UnaryCall = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
WatchCall = grpc.aio.UnaryStreamMultiCallable[bytes, bytes]
StreamCall = grpc.aio.StreamStreamMultiCallable[bytes, bytes]


def bearing(token: str) -> Metadata:
    """The metadata of a call that bears this token."""
    return (("authorization", f"Bearer {token}"),)


def unary(channel: grpc.aio.Channel, service: str, method: str) -> UnaryCall:
    """A method with one request and one answer."""
    call: UnaryCall = channel.unary_unary(f"/{service}/{method}")
    return call


def watching(channel: grpc.aio.Channel, service: str, method: str) -> WatchCall:
    """A method with one request and a stream of answers."""
    call: WatchCall = channel.unary_stream(f"/{service}/{method}")
    return call


def streaming(channel: grpc.aio.Channel, service: str, method: str) -> StreamCall:
    """A method with a stream of each."""
    call: StreamCall = channel.stream_stream(f"/{service}/{method}")
    return call
