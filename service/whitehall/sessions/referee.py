"""The referee: everything that can be done with a game in play, judged by its rules and kept by the store."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import structlog

from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.fault import BoardUnavailable
from whitehall.games.core.game import Game
from whitehall.games.core.rule import Violation
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.sessions.cache import SessionCache
from whitehall.sessions.codec import Codec
from whitehall.sessions.fairness import SEED_BYTES, ClientSeed, CommittedChance
from whitehall.sessions.patience import Patience
from whitehall.sessions.refusal import Reason, Refusal, illegal, invalid_field
from whitehall.sessions.session import (
    FIRST_SEAT,
    SPECTATORS,
    Entry,
    Happening,
    LoggedEntry,
    Session,
    SessionEvent,
    Status,
    seat_of,
)
from whitehall.sessions.store import (
    Accepted,
    Caller,
    Conflict,
    Created,
    Duplicate,
    RequestKey,
    RequestReused,
    Revoked,
    SessionStore,
    Stored,
    Version,
    Write,
    new_write_id,
)
from whitehall.sessions.wire import decode_entry, decode_session, encode_entry, encode_session

GENERATION_BYTES = 3
"""Of the first generation of a game's tokens. Each new token of a holder counts one up from it."""

MOST_REVISIONS = 1000
"""Revisions after which tokens are no longer exchanged: far more than any game needs, and a bound to its log."""

MOST_MISSED = 500
"""Revisions that a watcher may be behind and still be told one by one; more than a game has in which nobody plays with
its tokens. Beyond that a watcher begins anew, lest one that reads slowly or comes late be told a log without end.
"""

ELSEWHERE_SECONDS = 1.0
"""After how long a call on a game whose board is not here may be tried again, on another replica at best."""

ATTEMPTS = 32
"""How often a change is judged anew because others were faster, before the caller is asked to come again."""


class HostedGame(NamedTuple):
    """A game that can be played here: its rules, and how to keep its values."""

    rules: Game[Any, Any, Any, Any, Any, Any]
    codec: Codec


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long the store keeps a game after the last change, in seconds."""

    active: int
    ended: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a host asks for. `digest` tells this creation from another one under the same game id."""

    game_id: str
    game: str
    options: Any
    seat_names: tuple[str, ...]
    waits: bool
    client_seed: str
    spectators: bool
    digest: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """A change that stands in the log, and the session as it is now. `ended`: this call has ended the game."""

    session: Session
    logged: LoggedEntry
    replayed: bool
    ended: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """What a watcher is told: the session now, and the revisions that led to it.

    `reset` says that `entries` do not join up with what the watcher knew. Without entries it is a sign of life.
    """

    session: Session
    entries: tuple[LoggedEntry, ...]
    reset: bool = False


class _Change(NamedTuple):
    session: Session
    entry: Entry


Decide = Callable[[Session, int], _Change]
"""Judges a change on a session at a time (ms since 1970) and makes it, or raises `Refusal`."""


class Referee:
    """The use cases. Stateless but for a cache: any number of referees may share one store."""

    def __init__(
        self,
        store: SessionStore,
        games: Mapping[str, HostedGame],
        clock_ms: Callable[[], int],
        entropy: Callable[[int], bytes],
        lifetimes: Lifetimes,
        cache_limit: int,
    ) -> None:
        """`clock_ms` tells the time (ms since 1970), `entropy` gives so many bytes that nobody can foresee."""
        self._store = store
        self._games = games
        self._codecs = {name: hosted.codec for name, hosted in games.items()}
        self._clock_ms = clock_ms
        self._entropy = entropy
        self._lifetimes = lifetimes
        self._cache = SessionCache(cache_limit)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._boards_missed: set[str] = set()

    # --- making and reading ---------------------------------------------------------------------------------------

    async def create(self, new: NewGame, patience: Patience) -> Done:
        """Makes a game, or finds it where this very creation had been done before.

        The first generation of its tokens is drawn, and told with its first event: a game that was deleted may be made
        again under the same id, and the tokens of the old one must not be good for the new one.
        """
        now = self._clock_ms()
        client_seeds = (ClientSeed(-1, new.client_seed),) if new.client_seed else ()
        generation = int.from_bytes(self._entropy(GENERATION_BYTES), "big")
        session = Session(
            game_id=new.game_id,
            game=new.game,
            ruleset=self._games[new.game].rules.ruleset,
            version=Version(1, new_write_id(self._entropy)),
            generations=(generation,) * (FIRST_SEAT + len(new.seat_names)),
            status=Status.WAITING,
            options=new.options,
            state=None,
            seat_names=new.seat_names,
            claimed=(False,) * len(new.seat_names),
            spectators=new.spectators,
            server_seed=self._entropy(SEED_BYTES),
            client_seeds=client_seeds,
            draws=0,
            created_ms=now,
            last_move_ms=0,
        )
        entry = Entry(None, now, (SessionEvent(Happening.GAME_CREATED, None, generation),))
        if not new.waits:
            session, dealt = self._deal(session, now)
            entry = replace(dealt, session_events=entry.session_events + dealt.session_events)
        codec = self._games[new.game].codec
        created = await self._store.create(
            session.game_id,
            session.version.write_id,
            encode_session(session, codec),
            [encode_entry(entry, session.created_ms, codec)],
            session.generations,
            self._lifetimes.active,
            new.digest,
            timeout=patience.left,
        )
        if isinstance(created, Created):
            session = replace(session, version=created.version, expires_ms=self._in(self._lifetimes.active))
            self._cache.put(session)
            return Done(session, LoggedEntry(created.version, entry), replayed=False)
        if not created.same_body:
            raise Refusal(Reason.REQUEST_ID_REUSED, metadata={"field": "request_id"})
        session = self._decode(new.game_id, created.stored)
        _must_be_readable(session)
        return await self._done_before(session, 1, patience)

    async def open(self, game_id: str, game: str, caller: Caller, patience: Patience) -> Session:
        """The session as the store has it, for a caller whose token is good. Refused where its board is not here."""
        session = await self._read(game_id, patience)
        _admit(session, game, caller)
        _must_be_readable(session)
        return session

    async def history(
        self, session: Session, seen: Version | None, count: int, patience: Patience
    ) -> list[LoggedEntry]:
        """Up to `count` revisions after the one that was `seen`, or from the first on; none beyond the session's own.

        Refused where the game has never been at `seen`.
        """
        if seen is None:
            return await self._entries(session, 1, min(count, session.revision), patience)
        count = min(count, session.revision - seen.revision)
        entries = await self._entries(session, seen.revision, count + 1, patience) if count >= 0 else []
        if not entries or entries[0].version != seen:
            raise invalid_field("page_token", Text("is no cursor of this game", "n'est pas un curseur de cette partie"))
        return entries[1:]

    # --- changing -------------------------------------------------------------------------------------------------

    async def play(
        self,
        game_id: str,
        game: str,
        caller: Caller,
        seat: Seat,
        request: RequestKey | None,
        read_move: Callable[[Session], Any],
        expected_revision: int | None,
        patience: Patience,
    ) -> Done:
        """Plays the move that `read_move` makes of the caller's request once the options are known, for its `seat`."""

        def decide(session: Session, now: int) -> _Change:
            _must_be_readable(session)
            _must_be_playable(session)
            if expected_revision is not None and expected_revision != session.revision:
                raise Refusal(Reason.STALE_REVISION, metadata={"revision": session.revision})
            rules = self._games[session.game].rules
            move = read_move(session)
            violation = rules.check(session.state, seat, move)
            if violation is not None:
                raise illegal(violation)
            chance = RecordedChance(CommittedChance(session.server_seed, session.client_seeds, session.draws))
            state, events = rules.apply(session.state, seat, move, chance)
            draws = chance.draws
            after = replace(
                session,
                state=state,
                status=Status.ACTIVE if rules.outcome(state) is None else Status.ENDED,
                draws=session.draws + len(draws),
                last_move_ms=now,
            )
            return _Change(after, Entry(seat, now, move=move, events=events, draws=draws))

        return await self._change(game_id, game, caller, request, decide, patience)

    async def judge(self, session: Session, seat: Seat, move: Any) -> tuple[Violation, ...]:
        """Every rule that forbids the move, on what the seat may know."""
        _must_be_playable(session)
        return tuple(self._games[session.game].rules.violations(session.state, seat, move))

    async def start(
        self, game_id: str, game: str, caller: Caller, request: RequestKey | None, patience: Patience
    ) -> Done:
        """Deals the start cards of a waiting game."""

        def decide(session: Session, now: int) -> _Change:
            if session.status.is_over:
                raise Refusal(Reason.GAME_ENDED)
            if session.status is not Status.WAITING:
                raise Refusal(Reason.GAME_ALREADY_STARTED)
            _must_be_readable(session)
            return _Change(*self._deal(session, now))

        return await self._change(game_id, game, caller, request, decide, patience)

    async def abandon(
        self, game_id: str, game: str, caller: Caller, request: RequestKey | None, patience: Patience
    ) -> Done:
        """Ends a game for all, even one whose board is not here."""

        def decide(session: Session, now: int) -> _Change:
            if session.status.is_over:
                raise Refusal(Reason.GAME_ENDED)
            abandoned = SessionEvent(Happening.GAME_ABANDONED)
            return _Change(replace(session, status=Status.ABANDONED), Entry(None, now, (abandoned,)))

        return await self._change(game_id, game, caller, request, decide, patience)

    async def rotate(
        self,
        game_id: str,
        game: str,
        caller: Caller,
        request: RequestKey | None,
        target: int,
        client_seed: str,
        patience: Patience,
    ) -> Done:
        """Ends the token of the holder `target` and begins its next generation; by a seat itself, that is its claim.

        The game's board need not be here.
        """

        def decide(session: Session, now: int) -> _Change:
            if target >= len(session.generations):
                last = len(session.seat_names) - 1
                raise invalid_field(
                    "seat", Text(f"the game has seats 0 to {last}", f"la partie a les places 0 à {last}")
                )
            if target == SPECTATORS and not session.spectators:
                unseen = Text("the game was made without spectators", "la partie a été créée sans spectateurs")
                raise invalid_field("spectators", unseen)
            if session.status.is_over:
                raise Refusal(Reason.GAME_ENDED)
            if session.revision >= MOST_REVISIONS:
                raise Refusal(Reason.TOO_MANY_ROTATIONS, metadata={"limit": MOST_REVISIONS})
            generation = session.generations[target] + 1
            generations = (*session.generations[:target], generation, *session.generations[target + 1 :])
            after = replace(session, generations=generations)
            seat = seat_of(target)
            if seat is None:
                rotated = SessionEvent(Happening.TOKEN_ROTATED, None, generation)
                return _Change(after, Entry(None, now, (rotated,)))
            claims = target == caller.holder
            claimed = (*session.claimed[:seat], claims, *session.claimed[seat + 1 :])
            after = replace(after, claimed=claimed)
            if claims and client_seed and session.status is Status.WAITING:
                # One for each seat, lest somebody who claims it again and again make the game grow without end.
                others = tuple(given for given in session.client_seeds if given.seat != seat)
                after = replace(after, client_seeds=(*others, ClientSeed(seat, client_seed)))
            kind = Happening.SEAT_CLAIMED if claims else Happening.SEAT_REISSUED
            return _Change(after, Entry(seat if claims else None, now, (SessionEvent(kind, seat, generation),)))

        own = target == caller.holder
        return await self._change(game_id, game, caller, request, decide, patience, replays_revoked=own)

    async def delete(self, game_id: str, game: str, caller: Caller, patience: Patience) -> None:
        """Deletes a game with all that is kept of it; its board need not be here. Deleting it again is no error."""
        stored = await self._store.read(game_id, timeout=patience.left)
        if stored is None:
            return
        _admit(self._decode(game_id, stored), game, caller)
        self._cache.drop(game_id)
        if isinstance(await self._store.delete(game_id, caller, timeout=patience.left), Revoked):
            raise Refusal(Reason.TOKEN_REVOKED)

    # --- watching -------------------------------------------------------------------------------------------------

    async def watch(
        self, game_id: str, game: str, caller: Caller, seen: Version | None, heartbeat: float, seconds: float
    ) -> AsyncGenerator[News]:
        """The news of a game from `seen` on, or from now on; ends after the news that the game is over.

        Every reading starts from the store, so a notice that got lost costs time (until the next heartbeat), never a
        revision. `seconds` bound each reading; raises `Refusal` when the game is deleted or the token revoked.
        """
        async with self._store.subscribe(game_id) as subscription:
            known = seen
            while True:
                patience = Patience(seconds)
                session = await self.open(game_id, game, caller, patience)
                news = await self._news(session, known, patience)
                if news is not None:
                    known = session.version
                    yield news
                if session.status.is_over:
                    return
                if not await subscription.wait(heartbeat):
                    yield News(session, ())

    async def _news(self, session: Session, known: Version | None, patience: Patience) -> News | None:
        if known == session.version:
            return None
        if known is None:
            # A newcomer gets the last revision, so that there is a cursor and an event to begin with.
            return News(session, tuple(await self._entries(session, session.revision, 1, patience)))
        if known.revision < session.revision <= known.revision + MOST_MISSED:
            entries = await self._entries(session, known.revision, session.revision - known.revision + 1, patience)
            if entries and entries[0].version == known and entries[-1].version == session.version:
                return News(session, tuple(entries[1:]))
        last = await self._entries(session, session.revision, 1, patience)
        return News(session, tuple(last), reset=True)

    # --- the one way in which a game changes ----------------------------------------------------------------------

    async def _change(
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
        cached = self._cache.get(game_id)
        if cached is not None and not _is_current(cached, caller):
            # Callers with ended tokens wait for nobody's turn, lest those who may change the game wait for theirs.
            try:
                _admit(await self._read(game_id, patience), game, caller)
            except Refusal as refusal:
                return await self._answer_refused(game_id, caller, request, refusal, replays_revoked, patience)
        # Changes that meet in this process take turns, since all but one would only come back from the store.
        async with self._turns.setdefault(game_id, asyncio.Lock()):
            session = self._cache.get(game_id)
            fresh = session is None
            if session is None:
                session = await self._read(game_id, patience)
            for _ in range(ATTEMPTS):
                try:
                    _admit(session, game, caller)
                    change = decide(session, self._clock_ms())
                except Refusal as refusal:
                    if not fresh:
                        session = await self._read(game_id, patience)
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
        change: _Change,
        caller: Caller,
        request: RequestKey | None,
        replays_revoked: bool,
        patience: Patience,
    ) -> Done | Session:
        codec = self._games[session.game].codec
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
                after = replace(after, version=version, expires_ms=self._in(lifetime))
                self._cache.put(after)
                ended = after.status.is_over and not session.status.is_over
                return Done(after, LoggedEntry(version, change.entry), replayed=False, ended=ended)
            case Duplicate(revision):
                return await self._replayed(session.game_id, caller, revision, replays_revoked, patience)
            case RequestReused():
                raise Refusal(Reason.REQUEST_ID_REUSED, metadata={"field": "request_id"})
            case Conflict(stored) | Revoked(stored):
                return self._decode(session.game_id, stored)
            case _:
                self._cache.drop(session.game_id)
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
        session = await self._read(game_id, patience)
        if not replays_revoked:
            _admit(session, session.game, caller)
        return await self._done_before(session, revision, patience)

    async def _done_before(self, session: Session, revision: int, patience: Patience) -> Done:
        """What the log says of a revision that was made before."""
        entries = await self._entries(session, revision, 1, patience)
        if not entries:
            raise Refusal(Reason.STORE_UNAVAILABLE, retry_after=0.1)
        return Done(session, entries[0], replayed=True)

    # --- the store's bytes ----------------------------------------------------------------------------------------

    async def _read(self, game_id: str, patience: Patience) -> Session:
        stored = await self._store.read(game_id, timeout=patience.left)
        if stored is None:
            self._cache.drop(game_id)
            raise Refusal(Reason.GAME_NOT_FOUND)
        return self._decode(game_id, stored)

    def _decode(self, game_id: str, stored: Stored) -> Session:
        session = self._cache.get(game_id)
        if session is None or session.version != stored.version:
            session = decode_session(game_id, stored, self._codecs)
            if session.sealed is not None:
                self._miss(session.sealed.fault)
        session = replace(session, expires_ms=self._in(stored.ttl))
        self._cache.put(session)
        return session

    def _miss(self, fault: BoardUnavailable) -> None:
        """Tells the operator, once for each board: there may be many games on it."""
        if fault.board not in self._boards_missed:
            self._boards_missed.add(fault.board)
            structlog.get_logger().warning("board unavailable", board=fault.board, why=fault.reason)

    def _in(self, seconds: float) -> int:
        """The time (ms) so many seconds from now."""
        return self._clock_ms() + round(seconds * 1000)

    async def _entries(self, session: Session, first: int, count: int, patience: Patience) -> list[LoggedEntry]:
        codec = self._games[session.game].codec
        logged = await self._store.read_log(session.game_id, first, count, timeout=patience.left)
        return [
            LoggedEntry(Version(entry.revision, entry.write_id), decode_entry(entry.entry, session.created_ms, codec))
            for entry in logged
        ]

    def _deal(self, session: Session, now: int) -> tuple[Session, Entry]:
        rules = self._games[session.game].rules
        chance = RecordedChance(CommittedChance(session.server_seed, session.client_seeds))
        state, events = rules.setup(session.options, chance)
        dealt = replace(
            session,
            state=state,
            status=Status.ACTIVE if rules.outcome(state) is None else Status.ENDED,
            draws=len(chance.draws),
        )
        started = SessionEvent(Happening.GAME_STARTED)
        return dealt, Entry(None, now, (started,), events=events, draws=chance.draws)


def _admit(session: Session, game: str, caller: Caller) -> None:
    """Lets a caller in whose token is of the newest generation, and who asked at the door of the right game."""
    if session.game != game:
        raise Refusal(Reason.GAME_NOT_FOUND)
    if not _is_current(session, caller):
        raise Refusal(Reason.TOKEN_REVOKED)


def _is_current(session: Session, caller: Caller) -> bool:
    return caller.holder < len(session.generations) and session.generations[caller.holder] == caller.generation


def _must_be_readable(session: Session) -> None:
    if session.sealed is not None:
        board = session.sealed.fault.board
        raise Refusal(Reason.BOARD_UNAVAILABLE, metadata={"board": board}, retry_after=ELSEWHERE_SECONDS)


def _must_be_playable(session: Session) -> None:
    if session.status is Status.WAITING:
        raise Refusal(Reason.GAME_NOT_STARTED)
    if session.status is Status.ABANDONED:
        raise Refusal(Reason.GAME_ENDED)
