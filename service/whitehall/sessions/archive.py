"""The archive: sessions and their logs as the store has them, made of its bytes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import structlog

from whitehall.games.core.fault import BoardUnavailable
from whitehall.games.core.game import Game
from whitehall.sessions.admission import admit, must_be_readable
from whitehall.sessions.cache import SessionCache
from whitehall.sessions.codec import Codec
from whitehall.sessions.patience import Patience
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import LoggedEntry, Session
from whitehall.sessions.store import Caller, SessionStore, Stored, Version
from whitehall.sessions.wire import decode_entry, decode_session


class HostedGame(NamedTuple):
    """A game that can be played here: its rules, and how to keep its values."""

    rules: Game[Any, Any, Any, Any, Any, Any]
    codec: Codec


class Archive:
    """What the store has, with a cache of the sessions seen last. The cache only proposes: see `SessionCache`."""

    def __init__(
        self, store: SessionStore, games: Mapping[str, HostedGame], clock_ms: Callable[[], int], cache_limit: int
    ) -> None:
        """`clock_ms` tells the time (ms since 1970)."""
        self._store = store
        self._codecs = {name: hosted.codec for name, hosted in games.items()}
        self._clock_ms = clock_ms
        self._cache = SessionCache(cache_limit)
        self._boards_missed: set[str] = set()

    def codec_of(self, session: Session) -> Codec:
        """What makes bytes of the game's values, and values of its bytes."""
        return self._codecs[session.game]

    def cached(self, game_id: str) -> Session | None:
        """The session as it was last seen here, which may be out of date."""
        return self._cache.get(game_id)

    def remember(self, session: Session, seconds: float) -> Session:
        """A session that the store has just confirmed, and keeps for so long from now on."""
        return self._keep(session, self._clock_ms() + round(seconds * 1000))

    def _keep(self, session: Session, expires_ms: int) -> Session:
        session = replace(session, expires_ms=expires_ms)
        self._cache.put(session)
        return session

    def forget(self, game_id: str) -> None:
        """The store has no such game any more."""
        self._cache.drop(game_id)

    async def open(self, game_id: str, game: str, caller: Caller, patience: Patience) -> Session:
        """The session as the store has it, for a caller whose token is good. Refused where its board is not here."""
        session = await self.read(game_id, patience)
        admit(session, game, caller)
        must_be_readable(session)
        return session

    async def read(self, game_id: str, patience: Patience) -> Session:
        """The session as the store has it now. Refused where there is none."""
        stored = await self._store.read(game_id, timeout=patience.left)
        if stored is None:
            self._cache.drop(game_id)
            raise Refusal(Reason.GAME_NOT_FOUND)
        return self.decode(game_id, stored)

    def decode(self, game_id: str, stored: Stored) -> Session:
        """The session that the store has told."""
        session = self._cache.get(game_id)
        if session is None or session.version != stored.version:
            session = decode_session(game_id, stored, self._codecs)
            if session.sealed is not None:
                self._miss(session.sealed.fault)
        return self._keep(session, stored.expires_ms)

    def _miss(self, fault: BoardUnavailable) -> None:
        """Tells the operator, once for each board: there may be many games on it."""
        if fault.board not in self._boards_missed:
            self._boards_missed.add(fault.board)
            structlog.get_logger().warning("board unavailable", board=fault.board, why=fault.reason)

    async def entries(self, session: Session, first: int, count: int, patience: Patience) -> list[LoggedEntry]:
        """Up to `count` revisions from the `first` on."""
        codec = self.codec_of(session)
        logged = await self._store.read_log(session.game_id, first, count, timeout=patience.left)
        return [
            LoggedEntry(Version(entry.revision, entry.write_id), decode_entry(entry.entry, session.created_ms, codec))
            for entry in logged
        ]
