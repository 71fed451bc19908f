"""What is to be done: how much, for how long, of which games, and what counts as good enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

GAMES = ("new", "classic", "master", "cluedo")
"""What a table can play: presets of Scotland Yard, and Cluedo."""


@dataclass(frozen=True)
class Plan:
    """The load of one process, or of all together. Times in seconds."""

    target: str
    duration: float
    """At full load; the ramp comes before it."""
    ramp: float = 0.0
    """How long the load grows from nothing."""
    rate: float | None = None
    """Turns a second, whatever becomes of earlier ones (open loop). None: each table goes on as soon as it is answered
    (closed loop).
    """
    tables: int = 10
    """Games that are played at the same time."""
    think: float = 0.0
    """Pause of a table between two turns, in a closed loop."""
    watchers: int = 1
    """Streams that follow each game, beside its players."""
    mix: Mapping[str, float] | None = None
    """Weights of games; None: all alike."""
    positions: float = 0.1
    """The share of turns that ask about positions instead of moving."""
    deductions: float = 0.05
    """The share of turns that ask for deductions instead of moving."""
    operator_key: str | None = None
    seed: int = 0

    def share(self, processes: int) -> list[Plan]:
        """The plans of so many processes, which make this one together."""
        rate = None if self.rate is None else self.rate / processes
        tables = [len(range(number, self.tables, processes)) for number in range(processes)]
        return [
            replace(self, rate=rate, tables=part, seed=self.seed * 1000 + number)
            for number, part in enumerate(tables)
            if part
        ]


@dataclass(frozen=True)
class Limits:
    """What has to hold at the end. None: whatever it is."""

    errors: float = 0.0
    """The largest share of calls that may fail."""
    p99_ms: float | None = None
    """Milliseconds that 99 of 100 moves take at most, from their intended start."""
    rate: float | None = None
    """Turns a second that have to be reached."""
