"""Endpoints: every method of the contract with what answers it. Doors serve these and know nothing else."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from whitehall.api.answer import Answer
from whitehall.api.call import Call

UnaryHandler = Callable[[Any, Call], Awaitable[Answer]]
StreamHandler = Callable[[Any, Call], AsyncGenerator[Answer]]
DuplexHandler = Callable[[AsyncGenerator[Any], Call], AsyncGenerator[Answer]]


@dataclass(frozen=True, slots=True)
class Unary:
    """One request, one answer."""

    service: str
    name: str
    request: type[Message]
    handler: UnaryHandler


@dataclass(frozen=True, slots=True)
class ServerStream:
    """One request, many answers."""

    service: str
    name: str
    request: type[Message]
    handler: StreamHandler


@dataclass(frozen=True, slots=True)
class Duplex:
    """Many requests, an answer for each."""

    service: str
    name: str
    request: type[Message]
    handler: DuplexHandler


Endpoint = Unary | ServerStream | Duplex
