"""What a store of games promises: the values that go in and out, and the protocol that every store keeps.

Bytes in, bytes out. A store knows a game as a snapshot, a log and a list of token generations; what is in the bytes is
none of its business. Nothing here does any input or output.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

WRITE_ID_BYTES = 8
"""Length of every write id."""


def new_write_id(entropy: Callable[[int], bytes] = secrets.token_bytes) -> bytes:
    """A fresh name for one write; it is what tells our write from any other that got the same revision."""
    return entropy(WRITE_ID_BYTES)


class StoreUnavailable(Exception):
    """The store gave no answer in time; what was asked for may or may not have happened.

    Its text is a short reason that may be shown to anybody: no key, no value, no address. Asking again is safe: writes
    that carry a request key, creations, secrets and deletions are recognised by the store.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Version:
    """One state of one game. Two versions are the same only if revision *and* write id agree.

    After a failover that lost the newest writes a revision may be used a second time, but never with the same write id.
    """

    revision: int
    """Length of the log, 1 or more."""
    write_id: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as the store holds it now."""

    version: Version
    snapshot: bytes = field(repr=False)
    generations: tuple[int, ...]
    """The valid token generation of each holder: 0 the host, 1 the spectators, from 2 the seats."""
    expires_ms: int
    """When the game expires, in milliseconds since 1970 by the store's clock. Who reads a version is told one time."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What one write added to the log."""

    revision: int
    write_id: bytes
    entry: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Caller:
    """The token that asks: whose it is, and how often that holder's token had been rotated when it was made."""

    holder: int
    """Index into the generations of the game."""
    generation: int


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes a repeated request known: 8 bytes that name it, 8 bytes that tell its body from another one."""

    key: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Write:
    """A proposal to turn the expected version of a game into the next one."""

    game_id: str
    expected: Version
    write_id: bytes
    """From `new_write_id()`. The same write sent again must carry the same one."""
    snapshot: bytes = field(repr=False)
    entry: bytes = field(repr=False)
    """What is appended to the log."""
    caller: Caller
    ttl: int
    """Seconds that the game is to live from now on, 1 or more."""
    request: RequestKey | None = None
    generations: tuple[int, ...] | None = None
    """The new generations, if this write rotates a token."""
    replays_revoked: bool = False
    """A repeated request is recognised even from a revoked token.

    Only for the rotation of the caller's own token, which revokes the very token that a retry comes with.
    """


@dataclass(frozen=True, slots=True)
class Accepted:
    """The write is in the store, once, whether by this attempt or by an earlier one whose answer was lost."""

    version: Version


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same request was accepted before, by another write; nothing was changed now."""

    revision: int
    """The revision that the first one made."""


@dataclass(frozen=True, slots=True)
class RequestReused:
    """The request's name was used before with another body; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The game has moved on from the expected version; nothing was changed."""

    stored: Stored


@dataclass(frozen=True, slots=True)
class Revoked:
    """The caller's token is not the holder's newest; nothing was changed."""

    stored: Stored


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such game: never made, expired or deleted."""


@dataclass(frozen=True, slots=True)
class Created:
    """The game was made by this call, or by an earlier attempt of it whose answer was lost."""

    version: Version


@dataclass(frozen=True, slots=True)
class Exists:
    """There was a game of this name already; nothing was changed."""

    stored: Stored
    same_body: bool
    """Whether it was created with the same digest, so that this call is a repetition."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """Snapshot, log and request records are gone, and watchers have been told."""


WriteResult = Accepted | Duplicate | RequestReused | Conflict | Revoked | Missing
CreateResult = Created | Exists
DeleteResult = Deleted | Revoked | Missing


class Subscription(Protocol):
    """Attention to one game."""

    async def wait(self, timeout: float) -> bool:
        """True as soon as the game may have changed since the last call, False after `timeout` seconds without a sign.

        Many changes may give one True; a True without a change is possible; a change without a True is not. The first
        call returns True at once, and so does the first one after a lost connection was made good.
        """


class SessionStore(Protocol):
    """Where games live.

    Each call takes the seconds it may last and either answers or raises `StoreUnavailable` within them. Every call may
    be repeated after `StoreUnavailable`, and may be cancelled at any time.
    """

    async def create(
        self,
        game_id: str,
        write_id: bytes,
        snapshot: bytes,
        entries: Sequence[bytes],
        generations: tuple[int, ...],
        ttl: int,
        digest: bytes,
        *,
        timeout: float | None = None,
    ) -> CreateResult:
        """Make a game with a log of one or more entries; its revision is their number.

        `digest` is 8 bytes that tell this creation from any other one under the same name, `ttl` is in seconds.
        """

    async def read(self, game_id: str, *, timeout: float | None = None) -> Stored | None:
        """The game as it is now, None if there is none."""

    async def read_log(
        self, game_id: str, first_revision: int, count: int, *, timeout: float | None = None
    ) -> list[LogEntry]:
        """Up to `count` entries of the log from `first_revision` on (1 is the first); fewer where the log ends."""

    async def recall(
        self, game_id: str, holder: int, request: RequestKey, *, timeout: float | None = None
    ) -> Duplicate | RequestReused | None:
        """What is remembered of a holder's request, None for a new one; for a call that would else be refused."""

    async def write(self, write: Write, *, timeout: float | None = None) -> WriteResult:
        """Carry out a write if the game still is what it expects. All of it happens, or nothing."""

    async def delete(self, game_id: str, caller: Caller, *, timeout: float | None = None) -> DeleteResult:
        """Remove every trace of a game."""

    async def secret(self, name: str, make: Callable[[], bytes], *, timeout: float | None = None) -> bytes:
        """The secret of that name, made by `make` if there is none. All who ask get the same one. It never expires."""

    def subscribe(self, game_id: str) -> AbstractAsyncContextManager[Subscription]:
        """Attend to a game; entering raises `StoreUnavailable` if the store can't be reached."""

    async def check(self) -> None:
        """Prove that the store takes writes, or raise `StoreUnavailable`; within 250 ms, as far as this process gets to
        hear of it.
        """

    async def close(self) -> None:
        """Give up every connection; every waiting subscription returns."""
