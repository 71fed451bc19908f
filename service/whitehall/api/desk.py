"""The desk: what becomes of every call, whatever door it comes through.

It counts, times and logs the call, reads from its headers whose it is, which language it wants and how long it may
take, keeps the number of calls within bounds, and turns whatever goes wrong into a `Refusal`. A door does no more than
take the request's bytes and send the answer's in the way of its protocol:

    method = desk.method(endpoint, "connect")                   # once
    visit = method.visit(headers, seconds)                      # for each call
    try:
        with visit as call:                                     # whatever is raised in here leaves it as a Refusal
            request = await body()
            with desk.place():                                  # not for streams: their endpoints count them
                told = await answer(endpoint, request, call)
            ...                                                 # send the answer
    except Refusal as refusal:
        ...                                                     # send status(refusal, visit.language)

Streams differ in that the answers are sent inside of the `with` as they come. A call that is cancelled, because its
client has left, is counted as such, and the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractContextManager
from typing import Any, Final

import structlog

from whitehall.api.arrivals import RETRY_AFTER, Arrivals
from whitehall.api.call import Call
from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, Unary
from whitehall.api.errors import ERRORS, locale
from whitehall.api.headers import Headers
from whitehall.api.pipeline import refusal_for
from whitehall.api.places import Places
from whitehall.api.rates import Rates
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.telemetry import trace
from whitehall.telemetry.log import CallLogger, call_logger
from whitehall.telemetry.metrics import MethodKind, MethodMetrics, Metrics, Transport

BACK_SECONDS: Final = 1.0
"""How long a caller is asked to wait when the process is about to end: long enough not to meet its end."""

_KINDS: dict[type, MethodKind] = {Unary: "unary", ServerStream: "server_stream", Duplex: "bidi_stream"}


class Desk:
    """What the doors of one process share. `concurrent_calls` are answered at the same time, streams aside; a call
    whose caller sets no deadline may take `default_deadline` seconds.
    """

    def __init__(
        self, metrics: Metrics, concurrent_calls: int, default_deadline: float, rates: Rates | None = None
    ) -> None:
        self.concurrent_calls = concurrent_calls
        self.default_deadline = default_deadline
        self.arrivals = Arrivals(concurrent_calls)
        self.running: set[asyncio.Task[Any]] = set()
        """The tasks of calls that have not ended."""
        self.rates = rates
        """How often one bearer may call; None: as often as it likes."""
        self._metrics = metrics
        self._calls = Places(concurrent_calls, Reason.TOO_MANY_CALLS, RETRY_AFTER)
        self._is_closing = False

    def method(self, endpoint: Endpoint, door: Transport) -> Method:
        """An endpoint as one door serves it."""
        metrics = self._metrics.method(endpoint.service, endpoint.name, _KINDS[type(endpoint)], door)
        log = call_logger(f"{endpoint.service}/{endpoint.name}", door)
        return Method(self, metrics, log, lasts=not isinstance(endpoint, Unary))

    def place(self) -> AbstractContextManager[None]:
        """A place among the calls that are being answered, or the refusal where there is none. It is asked for when the
        request is there: who never sends one must not keep others out.
        """
        if self._is_closing:
            raise Refusal(Reason.DRAINING, retry_after=BACK_SECONDS)
        return self._calls.one()

    def turn_away(self) -> None:
        """From now on refuses calls, so that their callers know that nothing was done: those that meet the end of the
        server itself can't be told.
        """
        self._is_closing = True


class Method:
    """One endpoint at one door: what its calls report to."""

    __slots__ = ("desk", "lasts", "log", "metrics")

    def __init__(self, desk: Desk, metrics: MethodMetrics, log: CallLogger, *, lasts: bool) -> None:
        self.desk = desk
        self.metrics = metrics
        self.log = log
        self.lasts = lasts
        """Whether its calls are streams, which have no end but one that their callers set."""

    def visit(self, headers: Headers, seconds: float | None) -> Visit:
        """A call that has just arrived. `seconds` are what its caller leaves it; None: as long as is usual."""
        return Visit(self, headers, seconds)


class Visit:
    """One call. Inside of `with` it is running; what is raised there comes out as a `Refusal`, or as a cancellation."""

    __slots__ = ("_bears_several", "_began", "_call", "_is_bounded", "_method", "_trace_id")

    def __init__(self, method: Method, headers: Headers, seconds: float | None) -> None:
        self._method = method
        self._began = time.monotonic()
        self._is_bounded = seconds is not None or not method.lasts
        # No token has a comma, which stands between the values of a header that stands several times.
        self._bears_several = "," in headers.get("authorization", "")
        self._call = Call(
            token=_bearer_token(headers.get("authorization")),
            language=locale(headers.get("accept-language")),
            deadline=self._began + (method.desk.default_deadline if seconds is None else seconds),
        )
        self._trace_id = trace.parse(headers.get(trace.HEADER))

    @property
    def language(self) -> str:
        """The one that the caller reads best of those that we speak."""
        return self._call.language

    def begin(self) -> Call:
        """Lets the call in, or raises its refusal, with which it has ended. For doors that can't use `with`."""
        task = asyncio.current_task()
        if task is not None:
            running = self._method.desk.running
            running.add(task)
            task.add_done_callback(running.discard)
        self._method.metrics.started()
        if self._bears_several:
            raise self._refused(Refusal(Reason.TOKEN_AMBIGUOUS))
        rates = self._method.desk.rates
        if rates is not None:
            try:
                rates.take(self._call.token)
            except Refusal as refusal:
                raise self._refused(refusal) from None
        return self._call

    def end(self, error: BaseException | None) -> Refusal | None:
        """The call has ended, with an error or without. What its caller is to be told, if there is anything to tell and
        anybody to be told.
        """
        match error:
            case None:
                self._ended("OK", None)
                return None
            case asyncio.CancelledError() if _is_cancelled():
                self.left()
                return None
            case Exception() | asyncio.CancelledError():
                refusal = refusal_for(error) if isinstance(error, Exception) else error
                if not isinstance(refusal, Refusal):
                    # A cancellation that nobody asked for is a fault too: the caller would be left without an answer.
                    structlog.get_logger().error("fault", exc_info=error)
                    refusal = Refusal(Reason.INTERNAL_FAULT)
                return self._refused(refusal)
            case _:
                self.left()
                return None

    def left(self) -> None:
        """The call has ended, since the caller has left or has no time left."""
        self._ended("DEADLINE_EXCEEDED" if self._is_bounded and not self._call.remaining else "CANCELLED", None)

    def __enter__(self) -> Call:
        return self.begin()

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        refusal = self.end(error)
        if refusal is not None and refusal is not error:
            raise refusal from error

    def _refused(self, refusal: Refusal) -> Refusal:
        self._ended(ERRORS[refusal.reason].code.name, refusal.reason.value)
        return refusal

    def _ended(self, code: str, reason: str | None) -> None:
        seconds = time.monotonic() - self._began
        self._method.metrics.handled(code, seconds, self._trace_id)
        call = self._call
        self._method.log.ended(
            code,
            seconds,
            seat=call.token_kind or None,
            game=call.game_id or None,
            revision=call.revision or None,
            reason=reason,
            trace_id=self._trace_id,
        )


def _is_cancelled() -> bool:
    """Whether somebody has asked the running task to end."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _bearer_token(value: str | None) -> str | None:
    """The token of an authorization header; something that is no token of ours where the header is of another kind."""
    if value is None:
        return None
    scheme, _, token = value.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
