"""Repeats: what a call is recognised by that a caller makes again, having seen no answer."""

import base64
import hashlib
import uuid
from collections.abc import Callable
from typing import Any

from whitehall.sessions.store import RequestKey


def game_id(operator: str, request_id: str, entropy: Callable[[int], bytes]) -> str:
    """The id of a new game. It follows from the request id, so that a repeated creation finds the game it made."""
    named = f"{operator}|{uuid.UUID(request_id)}".encode() if request_id else None
    raw = entropy(16) if named is None else hashlib.sha256(named).digest()[:16]
    return base64.b32encode(raw).decode().rstrip("=").lower()


def request_key(method: str, request: Any) -> RequestKey | None:
    """What a repeated call is recognised by; None where the caller does not mean to repeat it."""
    if not request.request_id:
        return None
    name = f"{method}|{uuid.UUID(request.request_id)}"
    return RequestKey(hashlib.sha256(name.encode()).digest()[:8], digest(method, request))


def digest(method: str, request: Any) -> bytes:
    """What tells a request's body from another one under the same request id."""
    body = type(request)()
    body.CopyFrom(request)
    body.request_id = ""
    name = f"{method}|{request.DESCRIPTOR.full_name}|".encode()
    return hashlib.sha256(name + body.SerializeToString(deterministic=True)).digest()[:8]
