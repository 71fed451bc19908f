"""A call: what a handler knows of it apart from its request, and what it tells the log."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Call:
    """One call from its arrival to its answer. `deadline` is on the clock of `time.monotonic`."""

    token: str | None = field(repr=False)
    language: str
    deadline: float
    # What the log line says once the call is done. All of it is public.
    seat_kind: str = ""
    game_id: str = ""
    revision: int = 0

    @property
    def timeout(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self.deadline - time.monotonic())
