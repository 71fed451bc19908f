"""Rates: how many calls the bearer of one token may make in the long run, and how many at once."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Final

from whitehall.sessions.refusal import Reason, Refusal

BURST_SECONDS: Final = 2.0
"""A bearer may make the calls of so many seconds at once."""
MOST_BEARERS: Final = 50_000
"""Bearers that are remembered. Of those beyond, the ones longest known are forgotten and start anew."""
_OPERATOR: Final = "wh_operator_"


class Rates:
    """A bucket for each token: every call takes something out, and time puts it back. Calls without a token count for
    nobody. `per_token` and `per_operator_key` are calls a second, 0: as many as they like.
    """

    def __init__(self, per_token: float, per_operator_key: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_token = per_token
        self._per_operator_key = per_operator_key
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._buckets: dict[bytes, tuple[float, float]] = {}
        """By digest of the token: how many calls are left, and at what time they were."""

    @property
    def limited(self) -> bool:
        """Whether there is anything to count."""
        return self._per_token > 0 or self._per_operator_key > 0

    def take(self, token: str | None) -> None:
        """One call of this token's bearer, or the refusal of one that comes too soon."""
        if not token:
            return
        rate = self._per_operator_key if token.startswith(_OPERATOR) else self._per_token
        if rate <= 0:
            return
        # No token is kept, not even here.
        bearer = hashlib.blake2b(token.encode(), digest_size=16, salt=self._salt).digest()
        now = self._clock()
        most = max(1.0, rate * BURST_SECONDS)
        left, then = self._buckets.pop(bearer, (most, now))
        left = min(most, left + (now - then) * rate)
        granted = left >= 1.0
        self._buckets[bearer] = (left - 1.0 if granted else left, now)
        if len(self._buckets) > MOST_BEARERS:
            del self._buckets[next(iter(self._buckets))]
        if not granted:
            raise Refusal(Reason.TOO_MANY_REQUESTS, metadata={"limit": f"{rate:g}"}, retry_after=(1.0 - left) / rate)
