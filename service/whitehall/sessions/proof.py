"""The proof that a store suits: asked for until it is given, as servers may come later than the service does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

import structlog

from whitehall.sessions.durability import StoreUnsuitable
from whitehall.sessions.listening import Listening
from whitehall.sessions.store import StoreUnavailable

_NOT_YET: Final = "the store has not answered yet"
_UNSUITABLE: Final = "the store does not suit, and the log tells why"


class Proof:
    """What is known of a store. Where nothing is said against it, it may be used."""

    def __init__(self, prove: Callable[[], Awaitable[None]]) -> None:
        """`prove` calls `given` as soon as the store may be used, and returns once all of it suits. It raises
        `StoreUnsuitable`, or gives up with `StoreUnavailable` after some time.
        """
        self._prove = prove
        self.objection: str | None = None
        """Why the store must not be used, in words for everybody."""
        self._told: str | None = None
        """What the log has been told last."""
        self._away: Mapping[str, str | None] = {}
        self._proving: asyncio.Task[None] | None = None

    def demand(self) -> None:
        """From now on the store may only be used once it has been proved."""
        self.objection = _NOT_YET

    def given(self, away: Mapping[str, str | None]) -> None:
        """It may be used, but for those of its servers that are `away`: why, for the log alone, by where they are."""
        if away and away != self._away:
            structlog.get_logger().warning("some primaries are away, and their games wait", away=dict(away))
        elif self._away and not away:
            structlog.get_logger().info("all primaries have shown that they suit")
        self._away = away
        self.objection = self._told = None

    def refuted(self) -> None:
        """The store does not suit. That may change too: it is an operator's to see to."""
        self.objection = _UNSUITABLE

    def begin(self) -> asyncio.Task[None]:
        """Have it tried in passing, for the time that it takes. Whoever asks next is told of the same attempt."""
        if self._proving is None or self._proving.done():
            self._proving = asyncio.create_task(self._try())
        return self._proving

    async def ask(self, seconds: float) -> None:
        """Wait so long for the proof. Raises `StoreUnavailable` where it is not given by then."""
        with suppress(TimeoutError):
            async with Listening(seconds):
                await asyncio.wait({self.begin()})
        if self.objection is not None:
            raise StoreUnavailable(self.objection)

    async def close(self) -> None:
        """Ask no longer."""
        if self._proving is not None:
            self._proving.cancel()
            await asyncio.wait({self._proving})

    async def _try(self) -> None:
        try:
            await self._prove()
        except StoreUnavailable as unavailable:
            if self.objection is not None:
                self.objection = unavailable.reason
        except StoreUnsuitable as error:
            if str(error) != self._told:
                self._told = str(error)
                structlog.get_logger().error("the store does not suit", why=self._told)
