"""What the host of a new game gets: the game, its tokens, and an invitation for each seat. Tokens are passwords, and
stay out of what is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from whitehall_client.gen.whitehall.common.v1 import game_pb2

GameT = TypeVar("GameT")


@dataclass(frozen=True)
class Invitation:
    """One seat's invitation. Hand it to the player, who claims the seat with it."""

    game_id: str
    seat: int
    name: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class NewGame(Generic[GameT]):
    """A new game."""

    game_id: str
    game: GameT = field(repr=False)
    """The game as everybody may see it."""
    seats: Mapping[str, Invitation]
    """The invitations, by the names of the seats, in the order of the seats."""
    host_token: str = field(repr=False)
    spectator_token: str = field(repr=False)
    """Empty where no spectators are allowed."""


def by_name(game_id: str, invitations: Iterable[game_pb2.SeatInvitation]) -> dict[str, Invitation]:
    """The invitations of an answer."""
    return {invited.name: Invitation(game_id, invited.seat, invited.name, invited.token) for invited in invitations}
