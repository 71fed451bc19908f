"""Endpoints: every method of the contract with what answers it. Doors serve these and know nothing else."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from whitehall.api.answer import Answer
from whitehall.api.call import Call

Admission = Callable[[str | None], object]
"""Asks by its token whether a caller may ask at all; raises a `Refusal` if not."""


def everybody(token: str | None) -> None:
    """Lets every caller ask."""


Shortcut = Callable[[bytes, Call], Awaitable[bytes | None]]
"""Answers an encoded request that nobody has looked at yet, just as the handler would, if it is one of those for which
that is quicker; None sends it the usual way.
"""

UnaryHandler = Callable[[Any, Call], Awaitable[Answer]]
StreamHandler = Callable[[Any, Call], AsyncGenerator[Answer]]
DuplexHandler = Callable[[AsyncGenerator[bytes], Call], AsyncGenerator[Answer]]


@dataclass(frozen=True, slots=True)
class Unary:
    """One request, one answer."""

    service: str
    name: str
    request: type[Message]
    handler: UnaryHandler
    admit: Admission = everybody
    """What a caller has to pass to be told what is wrong with a request. The handler itself asks for more."""
    shortcut: Shortcut | None = None
    recurring: type[Message] | None = None
    """What its answers are made of over and over, so that its JSON is worth keeping."""


@dataclass(frozen=True, slots=True)
class ServerStream:
    """One request, many answers."""

    service: str
    name: str
    request: type[Message]
    handler: StreamHandler
    admit: Admission = everybody


@dataclass(frozen=True, slots=True)
class Duplex:
    """Many requests, which the handler reads itself, and an answer for each."""

    service: str
    name: str
    request: type[Message]
    handler: DuplexHandler


Endpoint = Unary | ServerStream | Duplex


def described(endpoint: Endpoint) -> MethodDescriptor:
    """What the proto says of the endpoint: its options, its comments, the types of request and answer."""
    service: Any = endpoint.request.DESCRIPTOR.file.pool.FindServiceByName(endpoint.service)
    method: MethodDescriptor = service.methods_by_name[endpoint.name]
    return method


def is_safe(endpoint: Endpoint) -> bool:
    """Whether the contract says that it has no side effects."""
    return described(endpoint).GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS


def answer_type(endpoint: Endpoint) -> type[Message]:
    """The message that the endpoint answers with."""
    return GetMessageClass(described(endpoint).output_type)
