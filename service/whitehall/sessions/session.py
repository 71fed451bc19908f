"""A session: one game in play with everything that belongs to it but the board's own rules."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from whitehall.games.core.chance import Draw
from whitehall.games.core.fault import BoardUnavailable
from whitehall.games.core.seat import Seat
from whitehall.sessions.fairness import ClientSeed
from whitehall.sessions.store import Version


class Status(IntEnum):
    """How far a game has come. The numbers are those of the wire and of stored games."""

    WAITING = 1
    ACTIVE = 2
    ENDED = 3
    ABANDONED = 4

    @property
    def is_over(self) -> bool:
        """True once nothing more can be played, and the record is open."""
        return self >= Status.ENDED


HOST = 0
"""The host's place among the holders of a game's tokens."""
SPECTATORS = 1
"""The spectators' place."""
FIRST_SEAT = 2
"""The place of seat 0; the other seats follow."""


def holder_of(seat: Seat) -> int:
    """A seat's place among the holders of a game's tokens."""
    return FIRST_SEAT + seat


def seat_of(holder: int) -> Seat | None:
    """The seat of a holder; None for the host and the spectators."""
    return Seat(holder - FIRST_SEAT) if holder >= FIRST_SEAT else None


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the store keeps of a game whose board is not here: nobody can read it, and it is kept as it is."""

    fault: BoardUnavailable
    min_reader: int
    options: bytes = field(repr=False)
    state: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Session:
    """The whole truth about one game in play. It never leaves the service, and never shows itself in a log."""

    game_id: str
    game: str
    ruleset: int
    version: Version
    generations: tuple[int, ...]
    """Per holder: the generation of the token that is good now."""
    status: Status
    options: Any = field(repr=False)
    state: Any = field(repr=False)
    """None while the game waits for its start, and where it is sealed."""
    seat_names: tuple[str, ...]
    claimed: tuple[bool, ...]
    spectators: bool
    server_seed: bytes = field(repr=False)
    client_seeds: tuple[ClientSeed, ...] = field(repr=False)
    draws: int
    """Draws taken so far."""
    created_ms: int
    """When the game was made, in milliseconds since 1970."""
    last_move_ms: int
    """When the last move was made; 0 before the first."""
    expires_ms: int = 0
    """When the store will forget the game; set by whoever has it from there."""
    sealed: Sealed | None = None
    """Where the game's board is not here; options and state are None then."""

    @property
    def revision(self) -> int:
        """How many things have happened to the game."""
        return self.version.revision


class Happening(IntEnum):
    """What can happen to a game as a session. The numbers are those of the wire and of stored games."""

    GAME_CREATED = 1
    SEAT_CLAIMED = 2
    SEAT_REISSUED = 3
    GAME_STARTED = 4
    GAME_ABANDONED = 5
    TOKEN_ROTATED = 6


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """Something that happened to the game as a session. Everybody sees it, but for the generation."""

    kind: Happening
    seat: Seat | None = None
    generation: int = 0
    """Of the token that it made, so that a repeated call answers the same one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One revision in the log: who acted, when, what was tried, and what happened."""

    actor: Seat | None
    """None for the host."""
    time_ms: int
    session_events: tuple[SessionEvent, ...] = ()
    move: Any = field(default=None, repr=False)
    events: tuple[Any, ...] = field(default=(), repr=False)
    draws: tuple[Draw, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry with its place in the log."""

    version: Version
    entry: Entry
