"""Replay, as far as it is the same in every game: a record's moves made by the rules, with its draws."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from whitehall.games.core.chance import Chance, Draw, DrawMismatch, RecordedChance, ReplayedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")


class Fault(NamedTuple):
    """Something in a record that cannot be: its place in words, and why."""

    place: str
    reason: str
    part: int = 0
    """Where several things stand at that place: which, from 0. So it is with the moves of a turn."""


class Unplayable(Exception):
    """Something in a record cannot be, and nothing that comes after it can be played."""

    def __init__(self, place: str, reason: str, part: int = 0) -> None:
        super().__init__(f"{place}: {reason}")
        self.fault = Fault(place, reason, part)


class Ended(Protocol):
    """A result as a record tells it."""

    @property
    def rule(self) -> str: ...


class Player(Generic[StateT, MoveT, EventT]):
    """Plays one record through with the draws that it holds."""

    def __init__(
        self,
        draws: Sequence[Draw],
        apply: Callable[[StateT, Seat, MoveT, Chance], tuple[StateT, tuple[EventT, ...]]],
        text: Callable[[MoveT], str],
    ) -> None:
        self._draws = draws
        self._chance = RecordedChance(ReplayedChance(draws))
        self._apply = apply
        self._text = text

    def begin(self, setup: Callable[[Chance], tuple[StateT, tuple[EventT, ...]]]) -> tuple[StateT, tuple[EventT, ...]]:
        """The position at the start, and what was dealt. Raises `Unplayable`."""
        try:
            state, events = setup(self._chance)
        except DrawMismatch as error:
            raise Unplayable("draws", str(error), len(self._chance.draws)) from error
        return state, events

    def play(self, state: StateT, seat: Seat, move: MoveT, place: str, part: int) -> StateT:
        """The position after a move, which is that part of what stands at that place. Raises `Unplayable`."""
        try:
            state, _ = self._apply(state, seat, move, self._chance)
        except IllegalMove as error:
            rule = error.violation.rule
            raise Unplayable(place, f"{self._text(move)}: {rule.en} ({rule.id})", part) from error
        except DrawMismatch as error:
            raise Unplayable(place, str(error), part) from error
        return state

    def faults_at_end(self, recorded: Ended | None, result: Ended | None) -> Iterator[Fault]:
        """What is wrong once all moves are made: draws that nothing asked for, and another result than the game's."""
        if self._chance.draws != self._draws:
            needed = len(self._chance.draws)
            yield Fault("draws", f"{len(self._draws)} are recorded, and {needed} were needed", needed)
        if recorded != result:
            came_to = "the game is not over" if result is None else f"the game ends by {result.rule}"
            yield Fault("result", f"after these moves {came_to}")

    def replay(self, faults: Iterator[Fault]) -> tuple[Fault, ...]:
        """These faults, looked for in order, up to the first that lets nothing follow."""
        found: list[Fault] = []
        try:
            for fault in faults:
                found.append(fault)
        except Unplayable as error:
            found.append(error.fault)
        return tuple(found)
