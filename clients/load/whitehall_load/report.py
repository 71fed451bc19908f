"""What came out: as a table, as JSON, and whether it was good enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.table import Table as Grid

from whitehall_load.measurements import DELAY, DERIVED, MOVE, TURN, Measurements
from whitehall_load.plan import Limits, Plan

PERCENTILES = (50.0, 90.0, 99.0, 99.9)


def short(milliseconds: float) -> str:
    """A latency as it fits in a narrow column; nobody asks for tenths of what takes seconds."""
    return f"{milliseconds:.1f}" if milliseconds < 1000 else f"{milliseconds:.0f}"


@dataclass
class Report:
    """A run, second by second and as a whole. Seconds of the ramp count for the course, not for the whole."""

    plan: Plan
    limits: Limits
    total: Measurements = field(default_factory=Measurements)
    course: list[Measurements] = field(default_factory=list)
    ended: int | None = None
    """The second in which somebody ended it before its time."""
    _within: Counter[str] = field(default_factory=Counter)
    """How many calls of each kind were answered at full load, without what came after its end."""

    def add(self, second: Measurements) -> None:
        """One more second."""
        self.course.append(second)
        if len(self.course) > self.plan.ramp:
            self.total.add(second)
        if self.plan.ramp < len(self.course) < self.plan.ramp + self.seconds + 1:
            self._within.update({kind: second.count(kind) for kind in second.latencies})

    def end(self) -> None:
        """Somebody has seen enough; the rest is what was under way."""
        self.ended = len(self.course)

    @property
    def seconds(self) -> float:
        """How long the load was full."""
        return self.plan.duration if self.ended is None else max(0.0, self.ended - self.plan.ramp)

    def per_second(self, kind: str) -> float:
        """How many calls of a kind were answered in each second at full load."""
        return self._within[kind] / (self.seconds or 1)

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of calls, the most frequent first."""
        return sorted(self.total.latencies, key=self.total.count, reverse=True)

    @property
    def rate(self) -> float:
        """Turns a second at full load."""
        return self.per_second(TURN)

    @property
    def errors(self) -> float:
        """The share of calls that failed."""
        return self.total.failures.total() / max(1, self.total.calls)

    def verdicts(self) -> list[tuple[str, bool]]:
        """Each thing that has to hold, and whether it does."""
        limits, p99 = self.limits, self.total.milliseconds(MOVE, 99.0)
        found = [
            ("every answer was right", not self.total.wrong),
            (f"failed calls {self.errors:.4%} <= {limits.errors:.4%}", self.errors <= limits.errors),
            ("moves were made", self.total.count(MOVE) > 0),
        ]
        if self.plan.watchers:
            found.append(("watchers were told of moves", self.total.count(DELAY) > 0))
        if self.ended is not None:
            found.append((f"it went on for {self.plan.duration:g} s at full load, not {self.seconds:g}", False))
        if limits.p99_ms is not None:
            found.append((f"p99 of moves {p99:.1f} ms <= {limits.p99_ms:g} ms", p99 <= limits.p99_ms))
        if limits.rate is not None:
            found.append((f"turns a second {self.rate:.1f} >= {limits.rate:g}", self.rate >= limits.rate))
        return found

    @property
    def passed(self) -> bool:
        """Whether all of them hold."""
        return all(holds for _, holds in self.verdicts())

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs. Latencies in milliseconds. The operator's key is left out."""
        plan = {name: value for name, value in asdict(self.plan).items() if name != "operator_key"}
        return {
            "plan": plan,
            "passed": self.passed,
            "verdicts": [{"says": says, "holds": holds} for says, holds in self.verdicts()],
            "turns_per_second": self.rate,
            "error_share": self.errors,
            "failures": [
                {"kind": kind, "reason": reason, "count": count}
                for (kind, reason), count in sorted(self.total.failures.items())
            ],
            "wrong_answers": dict(self.total.wrong),
            "latency_ms": {
                kind: {
                    "count": self.total.count(kind),
                    **{f"p{percent:g}": self.total.milliseconds(kind, percent) for percent in (*PERCENTILES, 100.0)},
                }
                for kind in self.kinds
            },
            "course": [
                {"turns": each.count(TURN), "p50": each.milliseconds(TURN, 50), "p99": each.milliseconds(TURN, 99)}
                for each in self.course
            ],
        }

    def grid(self) -> Grid:
        """The table for people."""
        grid = Grid(title=f"{self.rate:.1f} turns a second, {self.errors:.3%} of calls failed; milliseconds")
        grid.add_column("call", no_wrap=True)
        for heading in ("count", "/s", *(f"p{percent:g}" for percent in PERCENTILES), "max"):
            grid.add_column(heading, justify="right")
        for kind in self.kinds:
            count = self.total.count(kind)
            latencies = [short(self.total.milliseconds(kind, percent)) for percent in (*PERCENTILES, 100.0)]
            name = f"[italic]{kind}[/]" if kind in DERIVED else kind
            grid.add_row(name, str(count), f"{self.per_second(kind):.1f}", *latencies)
        return grid

    def lines(self) -> list[str]:
        """What has to be told beside the table."""
        failures = [f"{count} x {kind}: {reason}" for (kind, reason), count in self.total.failures.most_common()]
        wrong = [f"{count} x wrong: {words}" for words, count in self.total.wrong.most_common()]
        return [*failures, *wrong, *(f"{'ok  ' if holds else 'FAIL'} {says}" for says, holds in self.verdicts())]
