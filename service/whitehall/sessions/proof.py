"""The proof that a store suits: asked for until it is given, as the server may come later than the service does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
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
        """`prove` returns once the store suits, after calling `given`. It raises `StoreUnsuitable`, or gives up with
        `StoreUnavailable` after some time.
        """
        self._prove = prove
        self.objection: str | None = None
        """Why the store must not be used, in words for everybody."""
        self._told: str | None = None
        """What the log has been told last."""
        self._proving: asyncio.Task[None] | None = None

    def demand(self) -> None:
        """From now on the store may only be used once it has been proved."""
        self.objection = _NOT_YET

    def given(self) -> None:
        """It is."""
        self.objection = self._told = None

    def refuted(self) -> None:
        """The store does not suit. That may change too: it is an operator's to see to."""
        self.objection = _UNSUITABLE

    async def ask(self, seconds: float) -> None:
        """Wait so long for the proof, which takes the time that it takes: whoever asks next waits for the same one.

        Raises `StoreUnavailable` where it is not given by then.
        """
        if self._proving is None or self._proving.done():
            self._proving = asyncio.create_task(self._try())
        with suppress(TimeoutError):
            async with Listening(seconds):
                await asyncio.wait({self._proving})
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
            self.objection = unavailable.reason
        except StoreUnsuitable as error:
            if str(error) != self._told:
                self._told = str(error)
                structlog.get_logger().error("the store does not suit", why=self._told)
