"""Every metric of the service: its name, its labels, and the values that they may have.

A label value comes from a set that is known when the process has started, never from a caller. Whoever counts asks once
for the object of its method, game or store operation, and keeps it: finding the series is what costs.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple, Protocol, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder

from whitehall import __version__
from whitehall.telemetry.ledger import Report, report
from whitehall.telemetry.log import SERIOUS
from whitehall.telemetry.series import Asked, ClosedSet

MethodKind = Literal["unary", "server_stream", "bidi_stream"]
Transport = Literal["grpc", "rest", "connect", "grpc_web"]
StoreOutcome = Literal["ok", "conflict", "duplicate", "refused", "missing", "unavailable", "cancelled", "fault"]

CODES: Final = (
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
)
"""The names of gRPC's status codes, in the order of their numbers."""

ABANDONED: Final = "abandoned"
"""`ended_by` of a game that its host ended."""

_CALL_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_STORE_BUCKETS: Final = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_POSSIBILITY_BUCKETS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_LAG_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Described(NamedTuple):
    """What a metric is, for the documentation and for whoever checks what dashboards and alerts ask for."""

    name: str
    """As queries name it, that is with `_total` where it is a counter; of a histogram without `_bucket`."""
    kind: Literal["counter", "gauge", "histogram"]
    labels: tuple[str, ...]
    meaning: str


class StoreTraffic(Protocol):
    """What goes on between the process and its store."""

    limit: int
    under_way: int
    waiting: int
    repeats: int
    connections: int


# When a series was born would be one more series for each.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one process, in a registry of their own.

    Names and labels of the calls are those of the gRPC middlewares for Prometheus, with the transport besides.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._described: list[Described] = []
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)

        of_method = ("grpc_type", "grpc_service", "grpc_method", "transport")
        self._started = self._counter("grpc_server_started_total", "Calls that have begun.", *of_method)
        self._handled = self._counter(
            "grpc_server_handled_total", "Calls that have ended, by status code.", *of_method, "grpc_code"
        )
        self._handling = self._histogram(
            "grpc_server_handling_seconds", "How long calls took.", _CALL_BUCKETS, *of_method
        )
        self._created = self._counter("whitehall_games_created_total", "Games that were made.", "game")
        self._finished = self._counter(
            "whitehall_games_finished_total",
            f"Games that have ended, by the rule that ended them or `{ABANDONED}`.",
            "game",
            "ended_by",
        )
        self._accepted = self._counter("whitehall_moves_accepted_total", "Moves that were played.", "game")
        self._refused = self._counter(
            "whitehall_moves_refused_total", "Moves that a rule forbade, by rule.", "game", "rule"
        )
        self._deduction = self._histogram(
            "whitehall_deduction_seconds", "How long deductions of games in play took.", _CALL_BUCKETS, "game"
        )
        self._possibilities = self._histogram(
            "whitehall_deduction_possibilities",
            "How many stations, or solutions, such a deduction left possible.",
            _POSSIBILITY_BUCKETS,
            "game",
        )
        self._watchers = self._gauge("whitehall_watchers", "Streams that follow a game now.", "game")
        self._long_answers = self._gauge(
            "whitehall_long_answers", "Answers that are worked out in threads of their own now, or wait for one."
        )
        self._long_answer_places = self._gauge(
            "whitehall_long_answer_places", "How many such answers there may be: half of them for games in play."
        )
        self._long_answers_refused = self._asked(
            "whitehall_long_answers_refused_total", "Calls that were refused since no such place was free."
        )
        self._store_operation = self._histogram(
            "whitehall_store_operation_seconds",
            "How long the store took, by operation and outcome.",
            _STORE_BUCKETS,
            "operation",
            "outcome",
        )
        self.store_conflicts = self._counter(
            "whitehall_store_conflicts_total", "Writes that met a game that had moved on, and were judged again."
        )
        self.duplicate_requests = self._counter(
            "whitehall_duplicate_requests_total", "Repeated requests that were answered from the first one's result."
        )
        self.event_loop_lag = self._histogram(
            "whitehall_event_loop_lag_seconds", "How much later than due the event loop woke a sampler.", _LAG_BUCKETS
        )
        self._store_connections = self._gauge(
            "whitehall_store_connections", "Connections to the store that the process may have for calls."
        )
        self._store_calls = self._gauge("whitehall_store_calls", "Calls to the store that are under way now.")
        self._store_waiting = self._gauge(
            "whitehall_store_calls_waiting", "Calls to the store that wait for a connection now."
        )
        self._store_repeats = self._asked(
            "whitehall_store_repeats_total",
            "Attempts at the store that were repeated, since it did not answer or was not able to.",
        )
        self._store_connects = self._asked(
            "whitehall_store_connects_total", "Connections to the store that were made, the first ones and again."
        )
        self._log_lines_dropped = self._asked(
            "whitehall_log_lines_dropped_total", "Lines of the log that were dropped, since nobody read it fast enough."
        )
        self.workers = self._gauge("whitehall_workers", "Processes that serve.")
        self.worker_restarts = self._counter(
            "whitehall_worker_restarts_total", "Workers that have ended by themselves and were replaced."
        )
        self._ready = self._gauge("whitehall_ready", "1 while the process takes calls, else 0.")
        self._gauge("whitehall_build_info", "1, with what is running as labels.", "version", "python").labels(
            __version__, platform.python_version()
        ).set(1)

    def method(self, service: str, method: str, kind: MethodKind, transport: Transport = "grpc") -> MethodMetrics:
        """What one method of one service reports to. `service` is its full name in the proto."""
        labels = (kind, service, method, transport)
        handled = ClosedSet(self._handled, labels, CODES)
        for code in ("OK", *SERIOUS):
            # Alerts look at the increase, and the first error of a series that was not there before is none.
            handled.at(code)
        # A histogram is many series, which there are not before there is something in them: most methods are called by
        # one or two of the transports, if at all. The first call is missed by `rate`, and shares of buckets stay right.
        return MethodMetrics(self._started.labels(*labels), handled, lambda: self._handling.labels(*labels))

    def game(self, name: str, rules: Iterable[str]) -> GameMetrics:
        """What one game reports to; `rules` are the ids of all its rules."""
        ids = frozenset(rules)
        return GameMetrics(
            self._created.labels(name),
            ClosedSet(self._finished, (name,), ids | {ABANDONED}),
            self._accepted.labels(name),
            ClosedSet(self._refused, (name,), ids),
            self._watchers.labels(name),
            self._deduction.labels(name),
            self._possibilities.labels(name),
        )

    def store_operation(self, operation: str) -> StoreOperationMetrics:
        """What one kind of store operation, such as `read` or `write`, reports to."""
        seconds = ClosedSet(self._store_operation, (operation,), get_args(StoreOutcome))
        for outcome in ("ok", "unavailable", "fault"):
            seconds.at(outcome)
        return StoreOperationMetrics(seconds)

    def ready_is(self, ready: Callable[[], bool]) -> None:
        """From now on each scrape asks this whether the process is ready. Until then it says 0."""
        self._ready.set_function(lambda: float(ready()))

    def long_answers_are(self, taken: Callable[[], int], places: Callable[[], int], refused: Callable[[], int]) -> None:
        """From now on each scrape asks these how many answers are worked out in such threads or wait for one, how many
        there may be, and how many were refused.
        """
        self._long_answers.set_function(taken)
        self._long_answer_places.set_function(places)
        self._long_answers_refused.ask = refused

    def store_traffic_is(self, traffic: StoreTraffic) -> None:
        """From now on each scrape asks this what goes on between the process and its store."""
        self._store_connections.set_function(lambda: traffic.limit)
        self._store_calls.set_function(lambda: traffic.under_way)
        self._store_waiting.set_function(lambda: traffic.waiting)
        self._store_repeats.ask = lambda: traffic.repeats
        self._store_connects.ask = lambda: traffic.connections

    def log_lines_dropped_is(self, dropped: Callable[[], int]) -> None:
        """From now on each scrape asks this how many lines of the log were dropped."""
        self._log_lines_dropped.ask = dropped

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """All metrics as text, and its content type: OpenMetrics, with exemplars, where `accept` asks for it."""
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type

    @property
    def described(self) -> tuple[Described, ...]:
        """Every metric of ours, in order. The libraries' own ones on the process and its memory are not among them."""
        return tuple(self._described)

    async def scrape(self, accept: str) -> tuple[bytes, str]:
        """The same, for whoever is ready to wait."""
        return self.exposition(accept)

    def report(self) -> Report:
        """All metrics, for a ledger that has those of other processes too."""
        return report(self._registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        self._described.append(Described(name, "counter", labels, meaning))
        return Counter(name, meaning, labels, registry=self._registry)

    def _gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        self._described.append(Described(name, "gauge", labels, meaning))
        return Gauge(name, meaning, labels, registry=self._registry)

    def _histogram(self, name: str, meaning: str, buckets: Sequence[float], *labels: str) -> Histogram:
        self._described.append(Described(name, "histogram", labels, meaning))
        return Histogram(name, meaning, labels, registry=self._registry, buckets=buckets)

    def _asked(self, name: str, meaning: str) -> Asked:
        self._described.append(Described(name, "counter", (), meaning))
        asked = Asked(name, meaning)
        self._registry.register(asked)
        return asked


class MethodMetrics:
    """Counts the calls of one method, by one transport."""

    __slots__ = ("_handled", "_handling", "_make_handling", "_started")

    def __init__(self, started: Counter, handled: ClosedSet[Counter], make_handling: Callable[[], Histogram]) -> None:
        """`make_handling` is asked once, when the first call has ended."""
        self._started = started
        self._handled = handled
        self._make_handling = make_handling
        self._handling: Histogram | None = None

    def started(self) -> None:
        """A call has begun."""
        self._started.inc()

    def handled(self, code: str, seconds: float, trace_id: str | None = None) -> None:
        """A call has ended with the status code of that name. A trace id makes it an example of its duration."""
        self._handled.at(code).inc()
        if self._handling is None:
            self._handling = self._make_handling()
        self._handling.observe(seconds, None if trace_id is None else {"trace_id": trace_id})


class GameMetrics:
    """Counts what happens in the games of one kind."""

    __slots__ = ("_accepted", "_created", "_deduction", "_finished", "_possibilities", "_refused", "_watchers")

    def __init__(
        self,
        created: Counter,
        finished: ClosedSet[Counter],
        accepted: Counter,
        refused: ClosedSet[Counter],
        watchers: Gauge,
        deduction: Histogram,
        possibilities: Histogram,
    ) -> None:
        self._created = created
        self._finished = finished
        self._accepted = accepted
        self._refused = refused
        self._watchers = watchers
        self._deduction = deduction
        self._possibilities = possibilities

    def created(self) -> None:
        """A game was made. A repeated request makes none."""
        self._created.inc()

    def finished(self, ended_by: str) -> None:
        """A game has ended by the rule of that id, or `ABANDONED`."""
        self._finished.at(ended_by).inc()

    def accepted(self, moves: int = 1) -> None:
        """Moves were played."""
        self._accepted.inc(moves)

    def refused(self, rule: str) -> None:
        """A move was refused by the rule of that id."""
        self._refused.at(rule).inc()

    def deduced(self, seconds: float, possibilities: int) -> None:
        """A deduction was answered after so many seconds, and left so many stations or solutions possible."""
        self._deduction.observe(seconds)
        self._possibilities.observe(possibilities)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Counts a watcher for as long as the block lasts, however it ends."""
        self._watchers.inc()
        try:
            yield
        finally:
            self._watchers.dec()


class StoreOperationMetrics:
    """Times one kind of store operation."""

    __slots__ = ("_seconds",)

    def __init__(self, seconds: ClosedSet[Histogram]) -> None:
        self._seconds = seconds

    def observe(self, outcome: StoreOutcome, seconds: float) -> None:
        """An operation has ended after so many seconds, retries included."""
        self._seconds.at(outcome).observe(seconds)
