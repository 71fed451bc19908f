"""A call: what a handler knows of it apart from its request, and what it tells the log."""

import time
from dataclasses import dataclass, field
from typing import Final

from whitehall.sessions.patience import Patience

STORE_SHARE: Final = 0.9
"""How much of its time a call may spend waiting for the store. The rest is for telling the caller, before it stops
listening, that the store does not answer.
"""


@dataclass(slots=True)
class Call:
    """One call from its arrival to its answer. `deadline` is on the clock of `time.monotonic`."""

    token: str | None = field(repr=False)
    language: str
    deadline: float
    # What the log line says once the call is done. All of it is public.
    token_kind: str = ""
    game_id: str = ""
    revision: int = 0

    @property
    def remaining(self) -> float:
        """Seconds that are left; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def patience(self) -> Patience:
        """How long the store may take from now on."""
        return Patience(STORE_SHARE * self.remaining)
