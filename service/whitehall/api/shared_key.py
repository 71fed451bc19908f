"""The token key that all replicas share by way of the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from whitehall.sessions.store import SessionStore

_NAME: Final = "token-key"


class SharedKey:
    """What the store holds as the token key. A store that has lost it, with all games, gets back the one last seen.

    So replicas that were running do not part from those that start afterwards, who would else agree on another key.
    """

    def __init__(self, store: SessionStore, make: Callable[[], bytes]) -> None:
        self._store = store
        self._make = make

    async def look(self, timeout: float | None = None) -> bytes:
        """The key that all share now; made by `make` the first time, if nobody has. Raises `StoreUnavailable`, after
        `timeout` seconds at the latest.
        """
        key = await self._store.secret(_NAME, self._make, timeout=timeout)
        self._make = lambda: key
        return key
