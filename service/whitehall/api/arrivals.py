"""Arrivals: calls that have begun, and whose request has yet to come."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from whitehall.api.places import too_many
from whitehall.sessions.refusal import Reason, Refusal

REQUEST_SECONDS: Final = 5.0
"""How long a request may take to arrive after its call has begun. Clients send both at once."""

RETRY_AFTER: Final = 0.2
"""Seconds after which a call that was one too many may try again."""


class Arrivals:
    """Waits for requests. Where too many calls wait for theirs, the one that has waited longest is turned away.

    Whoever begins calls and never sends a request thus pushes out its own calls, and not those whose request comes.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: dict[asyncio.Timeout, None] = {}
        """The longest waiting one first."""

    async def request(self, requests: AsyncIterator[bytes], seconds: float) -> bytes:
        """The first of the requests, or the refusal where there is none, or none within so many seconds."""
        wait = asyncio.timeout(min(seconds, REQUEST_SECONDS))
        try:
            async with wait:
                self._waiting[wait] = None
                if len(self._waiting) > self._limit:
                    self._turn_away(next(iter(self._waiting)))
                request = await anext(requests, None)
        except TimeoutError:
            if wait in self._waiting:
                raise Refusal(Reason.DEADLINE_EXCEEDED) from None
            raise too_many(Reason.TOO_MANY_CALLS, self._limit, RETRY_AFTER) from None
        finally:
            self._waiting.pop(wait, None)
            await close(requests)
        if request is None:
            raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": "none"})
        return request

    def _turn_away(self, wait: asyncio.Timeout) -> None:
        del self._waiting[wait]
        wait.reschedule(asyncio.get_running_loop().time())


async def close(requests: AsyncIterator[bytes]) -> None:
    """Wants no more of them. What gRPC reads them by holds the call and itself, so that the call would last for as long
    as nobody collects such garbage.
    """
    reading: Any = aiter(requests)
    await reading.aclose()
