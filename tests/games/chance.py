"""Chance for tests: seeded, or read from a script."""

from collections.abc import Iterable
from random import Random

from whitehall.games.core.chance import DrawMismatch


class SeededChance:
    """Draws that a seed decides: the same seed gives the same draws."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def draw(self, label: str, bound: int) -> int:
        return self._random.randrange(bound)


class ScriptedChance:
    """Draws from a list, whatever they are called; a test that uses it says what it expects them to decide."""

    def __init__(self, values: Iterable[int]) -> None:
        self._values = iter(values)

    def draw(self, label: str, bound: int) -> int:
        value = next(self._values)
        assert value in range(bound), f"{label}: {value} is scripted, but only {bound} results are possible"
        return value


class NoChance:
    """For moves that need no draw: any question is an error."""

    def draw(self, label: str, bound: int) -> int:
        raise DrawMismatch(label)
