"""Worlds: games written down as draws and moves, and pairs of them that nobody but one seat can tell apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from whitehall.games.core.chance import Draw, ReplayedChance
from whitehall.games.core.game import Game
from whitehall.games.core.seat import Seat, Viewer


@dataclass(frozen=True)
class World:
    """A whole game so far: its options, what chance gave, and who moved how."""

    options: Any
    draws: tuple[Draw, ...]
    moves: tuple[tuple[Seat, Any], ...]

    def play(self, game: Game[Any, Any, Any, Any, Any, Any]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """The state and the events after the set-up and after each move."""
        chance = ReplayedChance(self.draws)
        state, events = game.setup(self.options, chance)
        yield state, events
        for seat, move in self.moves:
            state, events = game.apply(state, seat, move, chance)
            yield state, events


@dataclass(frozen=True)
class Pair:
    """Two worlds, move for move alike to all `blind` viewers, though they differ in what is hidden from them."""

    one: World
    other: World
    blind: tuple[Viewer, ...]
