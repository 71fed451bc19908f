"""The referee: everything that can be done with a game in play, judged by its rules and kept by the store."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.rule import Violation
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text
from whitehall.sessions.admission import admit, must_be_playable, must_be_readable
from whitehall.sessions.archive import Archive, HostedGame
from whitehall.sessions.change import Change, Changes, Done, Lifetimes
from whitehall.sessions.fairness import SEED_BYTES, ClientSeed, CommittedChance
from whitehall.sessions.news import News, watch
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
    Caller,
    Created,
    RequestKey,
    Revoked,
    SessionStore,
    Version,
    new_write_id,
)
from whitehall.sessions.wire import encode_entry, encode_session

GENERATION_BYTES = 3
"""Of the first generation of a game's tokens. Each new token of a holder counts one up from it."""

MOST_REVISIONS = 1000
"""Revisions after which tokens are no longer exchanged: far more than any game needs, and a bound to its log."""


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
        self._clock_ms = clock_ms
        self._entropy = entropy
        self._lifetimes = lifetimes
        self._archive = Archive(store, games, clock_ms, cache_limit)
        self._changes = Changes(store, self._archive, clock_ms, entropy, lifetimes)

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
            session = self._archive.remember(replace(session, version=created.version), self._lifetimes.active)
            return Done(session, LoggedEntry(created.version, entry), replayed=False)
        if not created.same_body:
            raise Refusal(Reason.REQUEST_ID_REUSED, metadata={"field": "request_id"})
        session = self._archive.decode(new.game_id, created.stored)
        must_be_readable(session)
        return await self._changes.done_before(session, 1, patience)

    async def open(self, game_id: str, game: str, caller: Caller, patience: Patience) -> Session:
        """The session as the store has it, for a caller whose token is good. Refused where its board is not here."""
        return await self._archive.open(game_id, game, caller, patience)

    async def history(
        self, session: Session, seen: Version | None, count: int, patience: Patience
    ) -> list[LoggedEntry]:
        """Up to `count` revisions after the one that was `seen`, or from the first on; none beyond the session's own.

        Refused where the game has never been at `seen`.
        """
        if seen is None:
            return await self._archive.entries(session, 1, min(count, session.revision), patience)
        count = min(count, session.revision - seen.revision)
        entries = await self._archive.entries(session, seen.revision, count + 1, patience) if count >= 0 else []
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

        def decide(session: Session, now: int) -> Change:
            must_be_readable(session)
            must_be_playable(session)
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
            return Change(after, Entry(seat, now, move=move, events=events, draws=draws))

        return await self._changes.make(game_id, game, caller, request, decide, patience)

    async def judge(self, session: Session, seat: Seat, move: Any) -> tuple[Violation, ...]:
        """Every rule that forbids the move, on what the seat may know."""
        must_be_playable(session)
        return tuple(self._games[session.game].rules.violations(session.state, seat, move))

    async def start(
        self, game_id: str, game: str, caller: Caller, request: RequestKey | None, patience: Patience
    ) -> Done:
        """Begins a waiting game: deals what there is to deal."""

        def decide(session: Session, now: int) -> Change:
            if session.status.is_over:
                raise Refusal(Reason.GAME_ENDED)
            if session.status is not Status.WAITING:
                raise Refusal(Reason.GAME_ALREADY_STARTED)
            must_be_readable(session)
            return Change(*self._deal(session, now))

        return await self._changes.make(game_id, game, caller, request, decide, patience)

    async def abandon(
        self, game_id: str, game: str, caller: Caller, request: RequestKey | None, patience: Patience
    ) -> Done:
        """Ends a game for all, even one whose board is not here."""

        def decide(session: Session, now: int) -> Change:
            if session.status.is_over:
                raise Refusal(Reason.GAME_ENDED)
            abandoned = SessionEvent(Happening.GAME_ABANDONED)
            return Change(replace(session, status=Status.ABANDONED), Entry(None, now, (abandoned,)))

        return await self._changes.make(game_id, game, caller, request, decide, patience)

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

        def decide(session: Session, now: int) -> Change:
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
                return Change(after, Entry(None, now, (rotated,)))
            claims = target == caller.holder
            claimed = (*session.claimed[:seat], claims, *session.claimed[seat + 1 :])
            after = replace(after, claimed=claimed)
            if claims and client_seed and session.status is Status.WAITING:
                # One for each seat, lest somebody who claims it again and again make the game grow without end.
                others = tuple(given for given in session.client_seeds if given.seat != seat)
                after = replace(after, client_seeds=(*others, ClientSeed(seat, client_seed)))
            kind = Happening.SEAT_CLAIMED if claims else Happening.SEAT_REISSUED
            return Change(after, Entry(seat if claims else None, now, (SessionEvent(kind, seat, generation),)))

        own = target == caller.holder
        return await self._changes.make(game_id, game, caller, request, decide, patience, replays_revoked=own)

    async def delete(self, game_id: str, game: str, caller: Caller, patience: Patience) -> None:
        """Deletes a game with all that is kept of it; its board need not be here. Deleting it again is no error."""
        stored = await self._store.read(game_id, timeout=patience.left)
        if stored is None:
            return
        admit(self._archive.decode(game_id, stored), game, caller)
        self._archive.forget(game_id)
        if isinstance(await self._store.delete(game_id, caller, timeout=patience.left), Revoked):
            raise Refusal(Reason.TOKEN_REVOKED)

    # --- watching -------------------------------------------------------------------------------------------------

    def watch(
        self, game_id: str, game: str, caller: Caller, seen: Version | None, heartbeat: float, seconds: float
    ) -> AsyncGenerator[News]:
        """The news of a game, as `news.watch` tells them."""
        return watch(self._store, self._archive, game_id, game, caller, seen, heartbeat, seconds)

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
