"""The pipeline: from a request's bytes to a valid message, and from whatever went wrong to a refusal."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from whitehall.api.answer import proto_bytes
from whitehall.api.call import Call
from whitehall.api.endpoint import Duplex, ServerStream, Unary
from whitehall.api.validity import checked
from whitehall.games.core.fault import InvalidField, TooMuchWork
from whitehall.games.core.rule import IllegalMove
from whitehall.sessions.refusal import Reason, Refusal, illegal, invalid_field
from whitehall.sessions.store import StoreUnavailable

RETRY_AFTER = 0.2
"""Seconds after which it makes sense to try an unavailable store again."""

T = TypeVar("T")
M = TypeVar("M", bound=Message)

Reading = Callable[[], tuple[Message, int]]
"""Makes a message of what was sent, and says of how many bytes; raises a `Refusal` or `InvalidField` if it is none."""


async def answer(endpoint: Unary, data: bytes, call: Call) -> bytes:
    """Answers one request; raises a `Refusal` for everything that a caller may be told, and nothing but our own
    faults otherwise.
    """
    try:
        if endpoint.shortcut is not None and (told := await endpoint.shortcut(data, call)) is not None:
            return told
        return await _handle(endpoint, _request(endpoint, data, call), call)
    except Exception as error:
        raise refusal_for(error) from error


async def respond(endpoint: Unary, reading: Reading, call: Call) -> bytes:
    """Answers one request that was sent in another form than protobuf's bytes, just as `answer` does."""
    try:
        request, size = _admitting(endpoint, call, reading)
        shortcut = endpoint.shortcut
        if shortcut is not None and (told := await shortcut(request.SerializeToString(), call)) is not None:
            return told
        return await _handle(endpoint, _admitting(endpoint, call, lambda: checked(request, size)), call)
    except Exception as error:
        raise refusal_for(error) from error


async def _handle(endpoint: Unary, request: Message, call: Call) -> bytes:
    async with asyncio.timeout_at(_loop_time(call)):
        return proto_bytes(await endpoint.handler(request, call))


async def answers(endpoint: ServerStream, data: bytes, call: Call) -> AsyncIterator[bytes]:
    """Answers one request with a stream."""
    try:
        request = _request(endpoint, data, call)
        async with aclosing(endpoint.handler(request, call)) as stream:
            async for message in stream:
                yield proto_bytes(message)
    except Exception as error:
        raise refusal_for(error) from error


async def converse(endpoint: Duplex, data: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
    """Answers a stream of requests, one by one and in order."""

    async def requests() -> AsyncGenerator[bytes]:
        async for each in data:
            yield each

    try:
        async with aclosing(endpoint.handler(requests(), call)) as stream:
            async for message in stream:
                yield proto_bytes(message)
    except Exception as error:
        raise refusal_for(error) from error


def asked(endpoint: Unary | ServerStream, reading: Reading, call: Call) -> Message:
    """A valid request that was sent in any form."""
    return _admitting(endpoint, call, lambda: checked(*reading()))


def _request(endpoint: Unary | ServerStream, data: bytes, call: Call) -> Message:
    return _admitting(endpoint, call, lambda: read(endpoint.request, data))


def _admitting(endpoint: Unary | ServerStream, call: Call, reading: Callable[[], T]) -> T:
    """What is read. Who may not ask at all is told that, and not what is wrong with the question; valid ones wait for
    the handler.
    """
    try:
        return reading()
    except (InvalidField, Refusal):
        endpoint.admit(call.token)
        raise


def read(kind: type[Message], data: bytes) -> Message:
    """A valid request, or the refusal that names the field at fault, or several of a small request."""
    return checked(parsed(kind, data), len(data))


def parsed(kind: type[M], data: bytes) -> M:
    """The message that these bytes are, valid or not, or the refusal of bytes that are none."""
    request = kind()
    try:
        request.ParseFromString(data)
    except DecodeError as error:
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name}) from error
    return request


def refusal_for(error: Exception) -> Exception:
    """What the caller is told of an error. An error that is not the caller's comes back as it is."""
    match error:
        case TooMuchWork(most=most):
            return Refusal(Reason.TOO_MUCH_WORK, metadata={"limit": most})
        case InvalidField(field=field, text=text, rule=rule):
            return invalid_field(field, text, rule)
        case IllegalMove(violation=violation):
            return illegal(violation)
        case StoreUnavailable():
            return Refusal(Reason.STORE_UNAVAILABLE, retry_after=RETRY_AFTER)
        case TimeoutError():
            return Refusal(Reason.DEADLINE_EXCEEDED)
        case _:
            return error


def _loop_time(call: Call) -> float:
    return asyncio.get_running_loop().time() + call.remaining
