"""What keeps a call from the store's answer: in words for everybody, and its cause for the operator's log alone."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator
from typing import Final

import structlog
from redis.asyncio.sentinel import MasterNotFoundError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as ConnectTimeoutError

QUEUED: Final = "too many calls are waiting for the store"
UNANSWERED: Final = "the store did not answer in time"


class Trouble:
    """What one call has met so far."""

    __slots__ = ("cause", "known", "silence")

    def __init__(self) -> None:
        self.known: str | None = None
        """What the store, or the way to it, has let us know."""
        self.silence = QUEUED
        """What there is to say as long as nothing is known."""
        self.cause: str | None = None
        """Why the store can't be reached, for its operator."""

    @property
    def reason(self) -> str:
        """In words for everybody."""
        return self.known or self.silence


class Causes:
    """Tells the log why the store can't be reached, whenever that is another reason than before."""

    def __init__(self) -> None:
        self._told: str | None = None

    def met(self, trouble: Trouble) -> None:
        """The store was asked in vain. Mere silence changes nothing."""
        if trouble.cause not in (None, self._told):
            self._told = trouble.cause
            structlog.get_logger().warning("the store can't be reached", cause=self._told)

    def over(self) -> None:
        """The store has answered."""
        self._told = None


def cause_of(error: RedisError) -> str:
    """Why a server can't be reached, from what the system says of it.

    Nothing is told of the library's own text, which may repeat the address with the password in it.
    """
    for each in _chain(error):
        match each:
            case ssl.SSLCertVerificationError():
                return f"its certificate is not accepted: {each.verify_message}"
            case ssl.SSLError():
                return f"no TLS with it: {(each.reason or type(each).__name__).replace('_', ' ').lower()}"
            case socket.gaierror():
                return f"its name is not found: {each.strerror}"
            case OSError(errno=int(number)) if number > 0:
                return os.strerror(number)
            case MasterNotFoundError():
                return "no sentinel tells where the primary is"
            case ConnectTimeoutError() | TimeoutError():
                return "no connection in time"
    return "it closes the connection, as it may where it expects TLS and is not spoken to by TLS"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """From what has happened first up to the error itself."""
    earlier = error.__cause__ or error.__context__
    if earlier is not None:
        yield from _chain(earlier)
    yield error
