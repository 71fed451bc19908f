"""Admission: what has to be true of a session before a caller is let near it."""

from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import Session, Status
from whitehall.sessions.store import Caller

ELSEWHERE_SECONDS = 1.0
"""After how long a call on a game whose board is not here may be tried again, on another replica at best."""


def admit(session: Session, game: str, caller: Caller) -> None:
    """Lets a caller in whose token is of the newest generation, and who asked at the door of the right game."""
    if session.game != game:
        raise Refusal(Reason.GAME_NOT_FOUND)
    if not is_current(session, caller):
        raise Refusal(Reason.TOKEN_REVOKED)


def is_current(session: Session, caller: Caller) -> bool:
    """Whether the caller's token is of the newest generation."""
    return caller.holder < len(session.generations) and session.generations[caller.holder] == caller.generation


def must_be_readable(session: Session) -> None:
    """Refuses a game whose board is not here."""
    if session.sealed is not None:
        board = session.sealed.fault.board
        raise Refusal(Reason.BOARD_UNAVAILABLE, metadata={"board": board}, retry_after=ELSEWHERE_SECONDS)


def must_be_playable(session: Session) -> None:
    """Refuses a game that has not begun, or was abandoned."""
    if session.status is Status.WAITING:
        raise Refusal(Reason.GAME_NOT_STARTED)
    if session.status is Status.ABANDONED:
        raise Refusal(Reason.GAME_ENDED)
