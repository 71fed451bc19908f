"""Chance as a recorded source of draws. The rules never roll dice: they ask for a draw, and the draw is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from whitehall.games.core.text import Text


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw: what it was for, how many results were possible, and the result in `range(bound)`."""

    label: str
    bound: int
    value: int


class Chance(Protocol):
    """A source of uniform draws."""

    def draw(self, label: str, bound: int) -> int:
        """A uniform number in `range(bound)`; `label` says in plain words what it decides. `bound` >= 1."""
        ...


class RecordedChance:
    """Passes draws on from another source and keeps each, in order, for the log."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self._draws: list[Draw] = []

    def draw(self, label: str, bound: int) -> int:
        value = self._source.draw(label, bound)
        self._draws.append(Draw(label, bound, value))
        return value

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, oldest first."""
        return tuple(self._draws)


class ReplayedChance:
    """Gives back recorded draws, and refuses a question that differs from the recorded one."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self._draws = iter(draws)

    def draw(self, label: str, bound: int) -> int:
        recorded = next(self._draws, None)
        if recorded is None or (recorded.label, recorded.bound) != (label, bound):
            raise DrawMismatch(label)
        return recorded.value


class DrawMismatch(Exception):
    """The rules asked for a draw that the record does not hold: the record belongs to other rules or another game."""

    def __init__(self, label: str) -> None:
        self.text = Text(f"no recorded draw for {label!r}", f"aucun tirage noté pour {label!r}")
        super().__init__(self.text.en)
        self.label = label
