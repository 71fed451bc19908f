"""The log: one line for each call and for whatever else an operator has to know, ours and the libraries' alike.

Every line passes the same processors: exceptions lose their values, objects their content, the line its secrets.
"""

from __future__ import annotations

import atexit
import json
import logging
import re
import sys
from collections.abc import Callable
from typing import Any, Final, Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from whitehall.telemetry.lines import Lines
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

LAST_WORDS_SECONDS: Final = 1.0
"""How long the end of the process waits for lines that nobody has read yet."""

_REPEATERS: Final = ("grpc",)
"""Libraries whose lines repeat what callers send, down to the bytes of a broken header. Of them we only tell that they
said something, and how serious it was.
"""
_NO_NEWS: Final = "Invalid encoding on %s"
"""What gRPC reports, as an error, of each header that is no UTF-8: whoever likes can send as many as they like."""

# asyncio tells of a task by its repr, which holds what the task returned or raised.
_OUTCOME = re.compile(r"\b(result|exception)=.*")


def configure(
    format: LogFormat,  # noqa: A002
    level: LogLevel,
    stream: TextIO | None = None,
    *,
    worker: int | None = None,
) -> None:
    """Set up the log of the whole process, once and before any logger is used.

    Lines go to `stream`, by default stderr: as JSON, or pretty for people; `auto` is pretty on a terminal only. The
    standard library's loggers, and thus other libraries, come out the same way. A thread writes them, and the process
    waits a moment for the last ones at its end. Where there are several processes each line bears the number of its
    `worker`.
    """
    out = sys.stderr if stream is None else stream
    terminal = out.isatty()
    pretty = format == "pretty" or (format == "auto" and terminal)
    render = structlog.dev.ConsoleRenderer(colors=terminal, timestamp_key="time") if pretty else _json
    threshold = logging.getLevelNamesMapping()[level.upper()]
    lines = _written_to(out)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            *([] if worker is None else [_of_worker(worker)]),
            _without_values,
            _redacted(render),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_FromLibraries(structlog.get_logger())], level=threshold, force=True)


def flush(seconds: float = LAST_WORDS_SECONDS) -> bool:
    """Wait until every line so far is written, or so many seconds have passed; whether they are written."""
    return _lines is None or _lines.flush(seconds)


def dropped_lines() -> int:
    """How many lines were never written because whoever reads the log fell too far behind."""
    return 0 if _lines is None else _lines.dropped


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


_lines: Lines | None = None


def _written_to(stream: TextIO) -> Lines:
    """The lines of this process from now on."""
    global _lines  # noqa: PLW0603 - there is one log in a process, as there is one structlog
    if _lines is None:
        atexit.register(flush)
    else:
        _lines.close(LAST_WORDS_SECONDS)
    _lines = Lines(stream)
    return _lines


class _FromLibraries(logging.Handler):
    """Passes the standard library's records on, cut down to what can hold no value of ours."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == _NO_NEWS:
            return
        level = next((level for level in _LEVELS if level <= record.levelno), logging.DEBUG)
        told = "has something to report" if record.name.partition(".")[0] in _REPEATERS else _first_line(record)
        self._log.log(level, told, logger=record.name, exc_info=record.exc_info)


def _first_line(record: logging.LogRecord) -> str:
    try:
        message = record.getMessage()
    except (TypeError, ValueError):
        message = str(record.msg)
    return _OUTCOME.sub(r"\1=...", message.partition("\n")[0])


def _json(_logger: WrappedLogger, _name: str, event_dict: EventDict) -> str:
    """What every line has comes first."""
    first = {key: event_dict.pop(key) for key in ("time", "level", "event")}
    return json.dumps({**first, **event_dict})


def _of_worker(number: int) -> Processor:
    def add(_logger: WrappedLogger, _name: str, event_dict: EventDict) -> EventDict:
        event_dict["worker"] = number
        return event_dict

    return add


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
