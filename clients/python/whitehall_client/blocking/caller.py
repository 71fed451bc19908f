# Made by tools/clients.py from the module of this name in aio/. Never edited by hand.
"""One call: it bears a token, has a deadline, is repeated where that is safe, and fails with a typed refusal."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from itertools import count
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from whitehall_client.channel import Metadata, call_metadata
from whitehall_client.ending import Ending
from whitehall_client.faults import checked_seconds
from whitehall_client.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import service_pb2 as yard_pb2
from whitehall_client.refusals import read
from whitehall_client.repeating import attempt_seconds, may_repeat, pause

RequestT = TypeVar("RequestT", bound=Message)
ResponseT = TypeVar("ResponseT")
NewsT = TypeVar("NewsT", yard_pb2.WatchGameResponse, cluedo_pb2.WatchGameResponse)


class Caller:
    """Makes calls over one channel for games, and another for what needs no store."""

    def __init__(
        self,
        channel: grpc.Channel,
        storeless_channel: grpc.Channel,
        operator: str,
        language: str,
        timeout: float,
    ) -> None:
        self.channel = channel
        self.storeless_channel = storeless_channel
        self._operator = operator
        self._language = language
        self._timeout = timeout
        self.ending = Ending()

    def ask(
        self,
        method: grpc.UnaryUnaryMultiCallable[RequestT, ResponseT],
        request: RequestT,
        *,
        token: str = "",
        timeout: float | None = None,
    ) -> ResponseT:
        """The answer of a method of some stub. `timeout` is in seconds, all repetitions included. Calls without a token
        of their own bear the operator's key. Raises `WhitehallError`, and `ValueError` where no header can bear the
        token, or where the time is no number.
        """
        deadline = time.monotonic() + (self._timeout if timeout is None else checked_seconds(timeout))
        repeatable = may_repeat(request)
        for attempt in count(1):
            remaining = max(0.0, deadline - time.monotonic())
            allowed = min(remaining, attempt_seconds(request, attempt))
            try:
                with self.ending.told():
                    return method(request, metadata=self._metadata(token), timeout=allowed)
            except grpc.RpcError as error:
                failure = read(error)
                rest = pause(attempt, failure)
                if not repeatable or not failure.is_temporary or time.monotonic() + rest >= deadline:
                    raise failure from error
            time.sleep(rest)
        raise AssertionError("counting has no end")

    def converse(
        self,
        method: grpc.StreamStreamMultiCallable[RequestT, ResponseT],
        requests: Iterable[RequestT],
        *,
        timeout: float | None = None,
    ) -> Generator[ResponseT, None, None]:
        """The answers to a stream of questions, one for each in order. Nothing is repeated. Without a `timeout` it may
        last as long as there are questions.
        """
        allowed = None if timeout is None else checked_seconds(timeout)
        with self.ending.told():
            call = method(iter(requests), metadata=self._metadata(""), timeout=allowed)
        try:
            with self.ending.told():
                for response in call:
                    yield response
        except grpc.RpcError as error:
            raise read(error) from error
        finally:
            call.cancel()

    def follow(
        self,
        method: grpc.UnaryStreamMultiCallable[RequestT, NewsT],
        request: Callable[[str], RequestT],
        *,
        token: str,
        cursor: str,
        patience: float,
    ) -> Generator[NewsT, None, None]:
        """What a stream of a game tells, through any number of broken connections: `request` asks for what came after
        a cursor. Ends when the game is over. Raises `WhitehallError` where nothing was to be had for `patience`
        seconds, and at once where the service refuses.
        """
        patience = checked_seconds(patience)
        failures, failing_since = 0, 0.0
        while True:
            with self.ending.told():
                call = method(request(cursor), metadata=self._metadata(token))
            try:
                with self.ending.told():
                    for news in call:
                        failures = 0
                        kind = news.WhichOneof("kind")
                        if kind == "update":
                            cursor = news.update.revision.cursor
                            yield news
                        elif kind == "reconnect":
                            break
                    else:
                        return
            except grpc.RpcError as error:
                failure = read(error)
                failing_since = failing_since if failures else time.monotonic()
                failures += 1
                if not failure.is_temporary or time.monotonic() - failing_since > patience:
                    raise failure from error
                time.sleep(pause(failures, failure))
            finally:
                call.cancel()

    def _metadata(self, token: str) -> Metadata:
        return call_metadata(token or self._operator, self._language)
