"""Series of two kinds that the library of Prometheus does not have: of a closed set of values, and asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from prometheus_client import Counter, Histogram
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector

OTHER: Final = "other"
"""Stands for a value that is not in the set, so that a fault elsewhere can't add series without end."""

SeriesT = TypeVar("SeriesT", Counter, Histogram)


class ClosedSet(Generic[SeriesT]):
    """The series of one metric whose last label has a value from a closed set, made when they are first needed."""

    def __init__(self, metric: SeriesT, labels: tuple[str, ...], values: Iterable[str]) -> None:
        self._metric: SeriesT = metric
        self._labels = labels
        self._values = frozenset(values)
        self._series: dict[str, SeriesT] = {}

    def at(self, value: str) -> SeriesT:
        """The series of that value, or that of `OTHER`."""
        series = self._series.get(value)
        if series is None:
            known = value if value in self._values else OTHER
            series = self._series[known] = self._metric.labels(*self._labels, known)
        return series


class Asked(Collector):
    """A counter that somebody else keeps, and that is asked at each scrape. Until it is known whom to ask it says 0."""

    def __init__(self, name: str, meaning: str) -> None:
        self._name = name
        self._meaning = meaning
        self.ask: Callable[[], int] = lambda: 0

    def collect(self) -> Iterable[CounterMetricFamily]:
        """What it comes to now."""
        yield CounterMetricFamily(self._name, self._meaning, value=self.ask())
