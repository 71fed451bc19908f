"""Contests: two sides take turns, round by round, and their ratio within a round is what counts."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from tests.bench.load import Side, Slice, percentile


class Spread(NamedTuple):
    """A median, and the lowest and the highest of what it is the median of."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))


class Round(NamedTuple):
    """One turn of each side; the rival's is None where nothing is compared."""

    subject: Slice
    rival: Slice | None


@dataclass(slots=True)
class Contest:
    """What is measured, and mostly what it is measured against."""

    name: str
    subject: Side
    rival: Side | None
    seconds: float
    """How long a turn lasts."""
    often: int = 1
    """How many rounds it has for each one of the others: more where the difference is less than a round's noise."""
    rounds: list[Round] = field(default_factory=list)

    async def play_round(self, number: int) -> None:
        """Its rounds in one of the whole run's. That one's round 0 warms up, and does not count."""
        for _ in range(self.often):
            played = await self._round()
            if number:
                self.rounds.append(played)

    async def _round(self) -> Round:
        """Two turns for each side, ours first and last, so that a drift falls on both."""
        subject = await self._turn(self.subject)
        rival = None
        if self.rival is not None:
            rival = await self._turn(self.rival) + await self._turn(self.rival)
        subject += await self._turn(self.subject)
        return Round(subject, rival)

    async def _turn(self, side: Side) -> Slice:
        await side.prepare()
        return await side.turn(self.seconds)

    def of_subject(self, value: Callable[[Slice], float]) -> Spread:
        """A value of the subject's turns."""
        return Spread.of([value(each.subject) for each in self.rounds])

    def of_rival(self, value: Callable[[Slice], float]) -> Spread:
        """The same of the rival's."""
        return Spread.of([value(each.rival) for each in self.rounds if each.rival is not None])

    def ratio(self, value: Callable[[Slice], float]) -> Spread:
        """The subject's value as a share of the rival's, round by round."""
        return Spread.of([value(each.subject) / value(each.rival) for each in self.rounds if each.rival is not None])

    def latency_ratio(self, share: float) -> float:
        """The same of a percentile, over all rounds: one round has too few answers for a high one."""
        subject, rival = self.latencies()
        return percentile(subject, share) / percentile(rival, share)

    def latencies(self) -> tuple[list[float], list[float]]:
        """Those of all the subject's answers, and of the rival's."""
        return (
            list(chain.from_iterable(each.subject.latencies for each in self.rounds)),
            list(chain.from_iterable(each.rival.latencies for each in self.rounds if each.rival is not None)),
        )
