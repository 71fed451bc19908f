"""News: what a watcher is told of a game, as it changes."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from whitehall.sessions.archive import Archive
from whitehall.sessions.patience import Patience
from whitehall.sessions.session import LoggedEntry, Session
from whitehall.sessions.store import Caller, SessionStore, Version

MOST_MISSED = 500
"""Revisions that a watcher may be behind and still be told one by one; more than a game has in which nobody plays with
its tokens. Beyond that a watcher begins anew, lest one that reads slowly or comes late be told a log without end.
"""


@dataclass(frozen=True, slots=True)
class News:
    """What a watcher is told: the session now, and the revisions that led to it.

    `reset` says that `entries` do not join up with what the watcher knew. Without entries it is a sign of life.
    """

    session: Session
    entries: tuple[LoggedEntry, ...]
    reset: bool = False


async def watch(
    store: SessionStore,
    archive: Archive,
    game_id: str,
    game: str,
    caller: Caller,
    seen: Version | None,
    heartbeat: float,
    seconds: float,
) -> AsyncGenerator[News]:
    """The news of a game from `seen` on, or from now on; ends after the news that the game is over.

    Every reading starts from the store, so a notice that got lost costs time (until the next heartbeat), never a
    revision. `seconds` bound each reading; raises `Refusal` when the game is deleted or the token revoked.
    """
    async with store.subscribe(game_id) as subscription:
        known = seen
        while True:
            patience = Patience(seconds)
            session = await archive.open(game_id, game, caller, patience)
            news = await _news(archive, session, known, patience)
            if news is not None:
                known = session.version
                yield news
            if session.status.is_over:
                return
            if not await subscription.wait(heartbeat):
                yield News(session, ())


async def _news(archive: Archive, session: Session, known: Version | None, patience: Patience) -> News | None:
    if known == session.version:
        return None
    if known is None:
        # A newcomer gets the last revision, so that there is a cursor and an event to begin with.
        return News(session, tuple(await archive.entries(session, session.revision, 1, patience)))
    if known.revision < session.revision <= known.revision + MOST_MISSED:
        entries = await archive.entries(session, known.revision, session.revision - known.revision + 1, patience)
        if entries and entries[0].version == known and entries[-1].version == session.version:
            return News(session, tuple(entries[1:]))
    last = await archive.entries(session, session.revision, 1, patience)
    return News(session, tuple(last), reset=True)
