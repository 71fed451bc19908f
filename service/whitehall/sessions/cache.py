"""The sessions that this process has seen last, decoded. It only proposes: the store decides."""

from collections import OrderedDict

from whitehall.sessions.session import Session


class SessionCache:
    """Up to `limit` sessions, the least recently used forgotten first.

    What it holds may be out of date. A move judged on it is written only if the store still agrees, and no refusal
    may leave on its word alone.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def get(self, game_id: str) -> Session | None:
        """The session as it was last seen here, if it is remembered."""
        session = self._sessions.get(game_id)
        if session is not None:
            self._sessions.move_to_end(game_id)
        return session

    def put(self, session: Session) -> None:
        """Remember a session that the store has just confirmed."""
        self._sessions[session.game_id] = session
        self._sessions.move_to_end(session.game_id)
        if len(self._sessions) > self._limit:
            self._sessions.popitem(last=False)

    def drop(self, game_id: str) -> None:
        """Forget a game that is gone."""
        self._sessions.pop(game_id, None)
