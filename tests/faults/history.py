"""Histories: what the clients of one game asked for and were told, and what there is of the game when all is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.faults.games import SCOTLAND_YARD, Played
from whitehall.games.core.seat import Viewer
from whitehall.sessions.session import LoggedEntry, Session

CREATED, STARTED, CLAIMED = "game_created", "game_started", "seat_claimed"
"""What the log says of changes that are no moves."""


@dataclass
class Answer:
    """What one delivery of a request was answered."""

    revision: int
    told: Any = None
    """The revision as it was told, where the method tells it."""
    dropped: int = 0
    """How many of the moves were left out."""
    token: str = field(default="", repr=False)


class Refusal(NamedTuple):
    """What one delivery of a request was refused for."""

    reason: str
    revision: int | None = None
    """Where the game is, if the refusal says so."""


@dataclass
class Request:
    """A change that a client asked for under one request id, and the fate of all its deliveries."""

    request_id: str
    actor: int | None
    """The seat; None for the host."""
    words: tuple[str, ...]
    """What the log is to say of it: moves in notation, or one of the words above."""
    expected_revision: int | None = None
    answers: list[Answer] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    lost: int = 0
    """Deliveries without an answer; they may have been carried out or not."""
    in_parallel: bool = False
    """Whether it was ever on its way twice at once."""


class Sighting(NamedTuple):
    """One update of a watcher's stream."""

    revision: Any
    reset: bool


@dataclass
class Watch:
    """What one watcher saw, over all the streams that it had one after another."""

    viewer: Viewer
    sightings: list[Sighting] = field(default_factory=list)


@dataclass
class History:
    """One game as its clients lived it."""

    game_id: str
    commitment: str
    """To the chance, as it was published at the creation."""
    requests: list[Request] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    played: Played = SCOTLAND_YARD
    """Which game it is, and so of which types all messages are."""


@dataclass
class Ending:
    """One game when all is over: as the service shows it, and as the store holds it."""

    record: Any
    games: Sequence[tuple[Viewer, Any]]
    """GetGame with each token."""
    pages: Sequence[tuple[Viewer, Sequence[Any]]]
    """ListEvents with each token, from the beginning."""
    session: Session
    """The store's snapshot."""
    log: Sequence[LoggedEntry]
    """The store's log."""
