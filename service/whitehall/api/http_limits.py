"""What requests over HTTP, and the connections that they come by, may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from whitehall.api.arrivals import REQUEST_SECONDS


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What one connection, and all of them together, may ask for. Times in seconds."""

    connections: int
    """How many are served. A few more are told that they are too many, and those beyond them nothing."""
    age: float
    """How long a connection lasts until its next answer is its last."""
    header_bytes: int = 16_384
    """The longest request line and headers together. Connect's GET carries its message in the request line."""
    handshake_seconds: float = 10.0
    """How long the handshake of TLS may take."""
    request_seconds: float = 10.0
    """How long headers may take, and then a body that nobody reads any more because the answer is there."""
    idle_seconds: float = 60.0
    """How long a connection may lie idle between two requests."""
    doubt_seconds: float = 0.5
    """How long a client that will say no more waits until it is asked whether it has left; then twice as long, and so
    on.
    """
    write_seconds: float = 20.0
    """How long a client may read so slowly that answers pile up."""
    late_bytes: int = 8_388_608
    """How much of a body is read after its answer. Many a client sends all before it hears that it was too much."""
    ahead: int = 16
    """How many requests may be sent before their turn. With one more, the one that is being answered is the last."""
    ahead_bytes: int = 262_144
    """How much of them, in bytes. A connection over which more comes is ended at once."""


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What one request, and what connections may ask for."""

    connections: ConnectionLimits

    message_bytes: int
    """Of the message in a request, once it is decompressed and out of its envelope."""
    body_seconds: float = REQUEST_SECONDS

    @property
    def body_bytes(self) -> int:
        """Of its body, as it is sent. Base64 makes three bytes four characters, and an envelope is a few bytes more."""
        return self.message_bytes * 3 // 2
