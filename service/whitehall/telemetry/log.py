"""The log: one line for each call and for whatever else an operator has to know, ours and the libraries' alike.

Every line passes the same processors: exceptions lose their values, objects their content, the line its secrets.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from whitehall.telemetry.redaction import describe, plain, redact

LogFormat = Literal["auto", "json", "pretty"]
LogLevel = Literal["debug", "info", "warning", "error"]

Renderer = Callable[[WrappedLogger, str, EventDict], str]

_SERIOUS: Final = {
    "UNKNOWN": logging.ERROR,
    "INTERNAL": logging.ERROR,
    "DATA_LOSS": logging.ERROR,
    "DEADLINE_EXCEEDED": logging.WARNING,
    "RESOURCE_EXHAUSTED": logging.WARNING,
    "UNAVAILABLE": logging.WARNING,
}
"""The codes that are no caller's fault."""

_LEVELS: Final = (logging.CRITICAL, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_PLAIN: Final = frozenset({str, int, bool, type(None)})
_LONGEST_GAME_ID: Final = 64

# asyncio tells of a task by its repr, which holds what the task returned or raised.
_OUTCOME = re.compile(r"\b(result|exception)=.*")


def configure(format: LogFormat, level: LogLevel, stream: TextIO | None = None) -> None:  # noqa: A002
    """Set up the log of the whole process, once and before any logger is used.

    Lines go to `stream`, by default stderr: as JSON, or pretty for people; `auto` is pretty on a terminal only. The
    standard library's loggers, and thus other libraries, come out the same way.
    """
    out = sys.stderr if stream is None else stream
    terminal = out.isatty()
    pretty = format == "pretty" or (format == "auto" and terminal)
    render = structlog.dev.ConsoleRenderer(colors=terminal, timestamp_key="time") if pretty else _json
    threshold = logging.getLevelNamesMapping()[level.upper()]
    lines = _Lines(out)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            _without_values,
            _redacted(render),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_FromLibraries(structlog.get_logger())], level=threshold, force=True)


def call_logger(method: str, door: str) -> CallLogger:
    """The logger of one method, called through one door such as `grpc`. Made after `configure`."""
    return CallLogger(structlog.get_logger().bind(method=method, door=door))


class CallLogger:
    """Writes one line for each call of one method."""

    __slots__ = ("_log",)

    def __init__(self, log: FilteringBoundLogger) -> None:
        self._log = log

    def ended(
        self,
        code: str,
        seconds: float,
        *,
        seat: str | None = None,
        game: str | None = None,
        revision: int | None = None,
        reason: str | None = None,
        trace_id: str | None = None,
    ) -> None:
        """A call has ended with the status code of that name.

        `seat` is the kind of its token and never the token, `revision` the game's after the call, `reason` that of the
        refusal. What is None is left out.
        """
        level = _SERIOUS.get(code, logging.INFO)
        log = self._log
        if not log.is_enabled_for(level):
            return
        fields: dict[str, object] = {"code": code, "milliseconds": round(seconds * 1000, 3)}
        if seat is not None:
            fields["seat"] = seat
        if game is not None:
            fields["game"] = game[:_LONGEST_GAME_ID]
        if revision is not None:
            fields["revision"] = revision
        if reason is not None:
            fields["reason"] = reason
        if trace_id is not None:
            fields["trace_id"] = trace_id
        log.log(level, "call", **fields)


class _Lines:
    """Writes lines to a stream whose failure is nobody's: a broken pipe must not turn a move into an error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = Lock()

    def write(self, line: str) -> None:
        with self._lock:
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                pass

    debug = info = warning = error = critical = write


class _FromLibraries(logging.Handler):
    """Passes the standard library's records on, cut down to what can hold no value of ours."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = next((level for level in _LEVELS if level <= record.levelno), logging.DEBUG)
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            message = str(record.msg)
        first_line = _OUTCOME.sub(r"\1=...", message.partition("\n")[0])
        self._log.log(level, first_line, logger=record.name, exc_info=record.exc_info)


def _json(_logger: WrappedLogger, _name: str, event_dict: EventDict) -> str:
    """What every line has comes first."""
    first = {key: event_dict.pop(key) for key in ("time", "level", "event")}
    return json.dumps({**first, **event_dict})


def _redacted(render: Renderer) -> Processor:
    return lambda logger, name, event_dict: redact(render(logger, name, event_dict))


def _without_values(_logger: WrappedLogger, _name: str, event_dict: EventDict) -> EventDict:
    error = _exception(event_dict.pop("exc_info", None))
    for key, value in event_dict.items():
        if type(value) not in _PLAIN:
            event_dict[key] = plain(value)
    if error is not None:
        event_dict["exception"] = describe(error)
    return event_dict


def _exception(exc_info: Any) -> BaseException | None:
    """Of the three things that loggers take: an exception, `sys.exc_info()`, or True for the one being handled."""
    match exc_info:
        case BaseException():
            return exc_info
        case (_, error, _):
            return cast("BaseException | None", error)
        case _:
            return sys.exception() if exc_info else None
