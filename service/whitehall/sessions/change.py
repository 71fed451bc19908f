"""Changes: the one way in which a game changes, whatever it is that changes it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple
from weakref import WeakValueDictionary

from whitehall.sessions.admission import admit, is_current
from whitehall.sessions.archive import Archive
from whitehall.sessions.patience import Patience
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import Entry, LoggedEntry, Session
from whitehall.sessions.store import (
    Accepted,
    Caller,
    Conflict,
    Duplicate,
    RequestKey,
    RequestReused,
    Revoked,
    SessionStore,
    Write,
    new_write_id,
)
from whitehall.sessions.wire import encode_entry, encode_session

ATTEMPTS = 32
"""How often a change is judged anew because others were faster, before the caller is asked to come again."""


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long the store keeps a game after the last change, in seconds."""

    active: int
    ended: int


@dataclass(frozen=True, slots=True)
class Done:
    """A change that stands in the log, and the session as it is now. `ended`: this call has ended the game."""

    session: Session
    logged: LoggedEntry
    replayed: bool
    ended: bool = False


class Change(NamedTuple):
    """A session as a change leaves it, and what the log says of the change."""

    session: Session
    entry: Entry


Decide = Callable[[Session, int], Change]
"""Judges a change on a session at a time (ms since 1970) and makes it, or raises `Refusal`."""


class Changes:
    """Judges changes, and has them written. Those of one game that meet in this process take turns."""

    def __init__(
        self,
        store: SessionStore,
        archive: Archive,
        clock_ms: Callable[[], int],
        entropy: Callable[[int], bytes],
        lifetimes: Lifetimes,
    ) -> None:
        self._store = store
        self._archive = archive
        self._clock_ms = clock_ms
        self._entropy = entropy
        self._lifetimes = lifetimes
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def make(
        self,
        game_id: str,
        game: str,
        caller: Caller,
        request: RequestKey | None,
        decide: Decide,
        patience: Patience,
        *,
        replays_revoked: bool = False,
    ) -> Done:
        """Judges a change, and writes it if nobody was faster; else judges it again on what the game has become.

        An acceptance may rest on the cache, since the store compares versions. A refusal may not: it is repeated on
        what the store says, and a request that was carried out before is answered instead of refused.
        """
        cached = self._archive.cached(game_id)
        if cached is not None and not is_current(cached, caller):
            # Callers with ended tokens wait for nobody's turn, lest those who may change the game wait for theirs.
            try:
                admit(await self._archive.read(game_id, patience), game, caller)
            except Refusal as refusal:
                return await self._answer_refused(game_id, caller, request, refusal, replays_revoked, patience)
        # Changes that meet in this process take turns, since all but one would only come back from the store.
        async with self._turns.setdefault(game_id, asyncio.Lock()):
            session = self._archive.cached(game_id)
            fresh = session is None
            if session is None:
                session = await self._archive.read(game_id, patience)
            for _ in range(ATTEMPTS):
                try:
                    admit(session, game, caller)
                    change = decide(session, self._clock_ms())
                except Refusal as refusal:
                    if not fresh:
                        session = await self._archive.read(game_id, patience)
                        fresh = True
                        continue
                    return await self._answer_refused(game_id, caller, request, refusal, replays_revoked, patience)
                outcome = await self._write(session, change, caller, request, replays_revoked, patience)
                if isinstance(outcome, Done):
                    return outcome
                session, fresh = outcome, True
            raise Refusal(Reason.STALE_REVISION, metadata={"revision": session.revision}, retry_after=0.1)

    async def _write(
        self,
        session: Session,
        change: Change,
        caller: Caller,
        request: RequestKey | None,
        replays_revoked: bool,
        patience: Patience,
    ) -> Done | Session:
        codec = self._archive.codec_of(session)
        after = change.session
        lifetime = self._lifetimes.ended if after.status.is_over else self._lifetimes.active
        write = Write(
            game_id=session.game_id,
            expected=session.version,
            write_id=new_write_id(self._entropy),
            snapshot=encode_session(after, codec),
            entry=encode_entry(change.entry, session.created_ms, codec),
            caller=caller,
            ttl=lifetime,
            request=request,
            generations=after.generations if after.generations != session.generations else None,
            replays_revoked=replays_revoked,
        )
        result = await self._store.write(write, timeout=patience.left)
        match result:
            case Accepted(version):
                after = self._archive.remember(replace(after, version=version), lifetime)
                ended = after.status.is_over and not session.status.is_over
                return Done(after, LoggedEntry(version, change.entry), replayed=False, ended=ended)
            case Duplicate(revision):
                return await self._replayed(session.game_id, caller, revision, replays_revoked, patience)
            case RequestReused():
                raise Refusal(Reason.REQUEST_ID_REUSED, metadata={"field": "request_id"})
            case Conflict(stored) | Revoked(stored):
                return self._archive.decode(session.game_id, stored)
            case _:
                self._archive.forget(session.game_id)
                raise Refusal(Reason.GAME_NOT_FOUND)

    async def _answer_refused(
        self,
        game_id: str,
        caller: Caller,
        request: RequestKey | None,
        refusal: Refusal,
        replays_revoked: bool,
        patience: Patience,
    ) -> Done:
        """The answer to a refused request that was carried out before. Raises the refusal of a new one."""
        if request is None or (refusal.reason is Reason.TOKEN_REVOKED and not replays_revoked):
            raise refusal
        if refusal.reason is Reason.BOARD_UNAVAILABLE:
            raise refusal  # the answer would have to show the game
        match await self._store.recall(game_id, caller.holder, request, timeout=patience.left):
            case Duplicate(revision):
                return await self._replayed(game_id, caller, revision, replays_revoked, patience)
            case RequestReused():
                raise Refusal(Reason.REQUEST_ID_REUSED, metadata={"field": "request_id"})
            case _:
                raise refusal

    async def _replayed(
        self, game_id: str, caller: Caller, revision: int, replays_revoked: bool, patience: Patience
    ) -> Done:
        """What the revision was, and what the game is now. The latter is not for a token that has been revoked since;
        the answer to a rotation does not show it.
        """
        session = await self._archive.read(game_id, patience)
        if not replays_revoked:
            admit(session, session.game, caller)
        return await self.done_before(session, revision, patience)

    async def done_before(self, session: Session, revision: int, patience: Patience) -> Done:
        """What the log says of a revision that was made before."""
        entries = await self._archive.entries(session, revision, 1, patience)
        if not entries:
            raise Refusal(Reason.STORE_UNAVAILABLE, retry_after=0.1)
        return Done(session, entries[0], replayed=True)
