"""What was measured: latencies by kind of call, failures, and answers that should not have been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hdrh.histogram import HdrHistogram

LONGEST_US = 120_000_000
DIGITS = 3
"""Significant digits of a latency."""
NOTED = 20
"""Wrong answers that are told in words; more are only counted."""


def histogram() -> HdrHistogram:
    """An empty histogram of microseconds."""
    return HdrHistogram(1, LONGEST_US, DIGITS)


@dataclass
class Measurements:
    """Of one stretch of time, or of all of them together."""

    latencies: dict[str, HdrHistogram] = field(default_factory=dict)
    """In microseconds, by kind of call, of those that were answered."""
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Calls that failed, by kind and reason."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Answers that should not have been, in words."""

    def answered(self, kind: str, seconds: float) -> None:
        """A call was answered after so many seconds."""
        if kind not in self.latencies:
            self.latencies[kind] = histogram()
        self.latencies[kind].record_value(min(LONGEST_US, max(1, round(seconds * 1e6))))

    def failed(self, kind: str, reason: str, times: int = 1) -> None:
        """A call failed, once or more often."""
        self.failures[kind, reason] += times

    def objected(self, words: str) -> None:
        """An answer should not have been."""
        self.wrong[words if len(self.wrong) < NOTED or words in self.wrong else "more of other kinds"] += 1

    def add(self, other: Measurements) -> None:
        """Takes over what another stretch has measured."""
        for kind, latencies in other.latencies.items():
            self.latencies.setdefault(kind, histogram()).add(latencies)
        self.failures += other.failures
        self.wrong += other.wrong

    def count(self, kind: str) -> int:
        """How many calls of a kind were answered."""
        return int(self.latencies[kind].get_total_count()) if kind in self.latencies else 0

    def milliseconds(self, kind: str, percentile: float) -> float:
        """The latency that so many percent of the answered calls of a kind do not exceed; 0 where there are none."""
        return self.latencies[kind].get_value_at_percentile(percentile) / 1000 if self.count(kind) else 0.0

    @property
    def calls(self) -> int:
        """All calls, answered or not. A turn is no call of its own."""
        return sum(self.count(kind) for kind in self.latencies if kind not in DERIVED) + self.failures.total()

    def packed(self) -> Packed:
        """As it travels from process to process."""
        latencies = {kind: found.encode() for kind, found in self.latencies.items()}
        return Packed(latencies, dict(self.failures), dict(self.wrong))


MOVE = "move"
"""The kind of calls that limits are about."""
TURN, DELAY = "turn", "watch delay"
"""A whole turn from its intended start, and how long a watcher waits for a move from the moment it is sent."""
DERIVED = (TURN, DELAY)


@dataclass(frozen=True)
class Packed:
    """Measurements that can be pickled."""

    latencies: Mapping[str, bytes]
    failures: Mapping[tuple[str, str], int]
    wrong: Mapping[str, int]

    def unpacked(self) -> Measurements:
        latencies = {kind: HdrHistogram.decode(data) for kind, data in self.latencies.items()}
        return Measurements(latencies, Counter(self.failures), Counter(self.wrong))
