"""The ledger: the metrics of several processes as one, which stay true when some of them end and others begin.

Each process reports its own numbers; the newest report of each is kept. What can only grow is added to the past when a
process ends, so that sums never fall. What is so now, such as the number of watchers, ends with its process. Calls that
it had open are counted as ended then, as whoever made them has lost them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add
from typing import Any, Final, NamedTuple

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from prometheus_client.samples import Exemplar

Report = Sequence[Any]
"""The metrics of one process, of nothing but lists, strings, numbers and dictionaries, as JSON can carry them."""

_LASTING: Final = ("counter", "histogram")
"""The kinds that only grow."""

_STARTED: Final = "grpc_server_started"
_HANDLED: Final = "grpc_server_handled"
_CODE: Final = "grpc_code"
_CUT: Final = "UNAVAILABLE"
"""What callers are told, by their own side of the connection, when a process ends in the middle of their calls."""

_NOT_ADDED: Final[Mapping[str, Callable[[float, float], float]]] = {
    "whitehall_ready": max,
    "whitehall_build_info": max,
    "process_open_fds": max,
    "process_max_fds": max,
    "process_start_time_seconds": min,
}
"""Of these one value stands for all: of open files that of the process that is nearest to its limit. The service has
started when the first of its processes did."""


def report(registry: CollectorRegistry) -> Report:
    """What a process has to report."""
    return [
        (
            metric.name,
            metric.type,
            metric.documentation,
            [
                (
                    sample.name,
                    sample.labels,
                    sample.value,
                    sample.exemplar and (sample.exemplar.labels, sample.exemplar.value, sample.exemplar.timestamp),
                )
                for sample in metric.samples
            ],
        )
        for metric in registry.collect()
    ]


class Ledger:
    """The reports of the processes of one service, each known by a number of its own that is never used again."""

    def __init__(self) -> None:
        self._past: dict[str, _Family] = {}
        self._present: dict[int, Report] = {}

    def heard(self, process: int, report: Report) -> None:
        """The newest report of a process."""
        self._present[process] = report

    def gone(self, process: int) -> None:
        """A process has ended, and what it reported last is the last that is known of it."""
        last = self._present.pop(process, ())
        _add(self._past, (family for family in last if family[1] in _LASTING))
        _add(self._past, _cut(last))
        for past in self._past.values():
            past.forget_exemplars()

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """All metrics as text, and its content type, as `Metrics.exposition` gives them for one process."""
        registry = CollectorRegistry()
        registry.register(_Sums(self._sums()))
        encode, content_type = choose_encoder(accept)
        return encode(registry), content_type

    def _sums(self) -> dict[str, _Family]:
        sums: dict[str, _Family] = {}
        for name, past in self._past.items():
            sums[name] = past.copy()
        for present in self._present.values():
            _add(sums, present)
        return sums


class _Total(NamedTuple):
    value: float
    exemplar: tuple[dict[str, str], float, float | None] | None


class _Family:
    """One metric, as far as it has been added up. Its samples stay in the order in which a process gives them."""

    def __init__(self, name: str, kind: str, documentation: str) -> None:
        self._name = name
        self._kind = kind
        self._documentation = documentation
        self._together: Callable[[float, float], float] = _NOT_ADDED.get(name, add)
        self._totals: dict[tuple[str, tuple[tuple[str, str], ...]], _Total] = {}

    def add(self, samples: Iterable[Any]) -> None:
        for name, labels, value, exemplar in samples:
            key = (name, tuple(labels.items()))
            total = self._totals.get(key)
            if total is None:
                self._totals[key] = _Total(value, exemplar)
            else:
                self._totals[key] = _Total(self._together(total.value, value), exemplar or total.exemplar)

    def copy(self) -> _Family:
        family = _Family(self._name, self._kind, self._documentation)
        family._totals = dict(self._totals)
        return family

    def forget_exemplars(self) -> None:
        self._totals = {key: _Total(total.value, None) for key, total in self._totals.items()}

    def metric(self) -> Metric:
        metric = Metric(self._name, self._documentation, self._kind)
        for (name, labels), (value, exemplar) in self._totals.items():
            metric.add_sample(name, dict(labels), value, exemplar=exemplar and Exemplar(*exemplar))
        return metric


def _add(sums: dict[str, _Family], report: Iterable[Any]) -> None:
    for name, kind, documentation, samples in report:
        if name not in sums:
            sums[name] = _Family(name, kind, documentation)
        sums[name].add(samples)


def _cut(last: Report) -> Report:
    """The ends that a process did not live to count: one for each call that was open when it reported last."""
    still_open = Counter[tuple[tuple[str, str], ...]]()
    handled = ""
    for name, _, documentation, samples in last:
        if name not in (_STARTED, _HANDLED):
            continue
        if name == _HANDLED:
            handled = documentation
        for _, labels, value, _ in samples:
            method = tuple(pair for pair in labels.items() if pair[0] != _CODE)
            still_open[method] += round(value) if name == _STARTED else -round(value)
    cut = [
        (f"{_HANDLED}_total", {**dict(method), _CODE: _CUT}, float(number), None)
        for method, number in still_open.items()
        if number > 0
    ]
    return [(_HANDLED, "counter", handled, cut)] if cut else []


class _Sums(Collector):
    """Sums in the form that the library writes out."""

    def __init__(self, sums: dict[str, _Family]) -> None:
        self._sums = sums

    def collect(self) -> Iterable[Metric]:
        for family in self._sums.values():
            yield family.metric()
