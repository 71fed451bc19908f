"""Replay, as far as it is the same in every game: a record's moves made by the rules, with its draws."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from whitehall.games.core.chance import Chance, Draw, DrawMismatch, RecordedChance, ReplayedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat
from whitehall.games.core.text import Text

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")


NEVER_DEALT = Text("a game that was never dealt has none", "une partie sans donne n'en a pas")
"""What is wrong with a result where nothing was drawn and nothing played."""

_STILL_GOING = Text("after these moves the game is not over", "après ces coups, la partie n'est pas finie")


def _ends_by(rule: str) -> Text:
    return Text(f"after these moves the game ends by {rule}", f"après ces coups, la partie finit par {rule}")


class Fault(NamedTuple):
    """Something in a record that cannot be: its place in words, and why, for people."""

    place: str
    text: Text
    part: int = 0
    """Where several things stand at that place: which, from 0. So it is with the moves of a turn."""


class Unplayable(Exception):
    """Something in a record cannot be, and nothing that comes after it can be played."""

    def __init__(self, place: str, text: Text, part: int = 0) -> None:
        super().__init__(text.at(place).en)
        self.fault = Fault(place, text, part)


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
            raise Unplayable("draws", error.text, len(self._chance.draws)) from error
        return state, events

    def play(self, state: StateT, seat: Seat, move: MoveT, place: str, part: int) -> StateT:
        """The position after a move, which is that part of what stands at that place. Raises `Unplayable`."""
        try:
            state, _ = self._apply(state, seat, move, self._chance)
        except IllegalMove as error:
            rule = error.violation.rule
            raise Unplayable(place, rule.text.by(rule.id).at(self._text(move)), part) from error
        except DrawMismatch as error:
            raise Unplayable(place, error.text, part) from error
        return state

    def faults_at_end(self, recorded: Ended | None, result: Ended | None) -> Iterator[Fault]:
        """What is wrong once all moves are made: draws that nothing asked for, and another result than the game's."""
        if self._chance.draws != self._draws:
            noted, needed = len(self._draws), len(self._chance.draws)
            draws = Text(
                f"{noted} are recorded, and {needed} were needed", f"{noted} sont notés, il en fallait {needed}"
            )
            yield Fault("draws", draws, needed)
        if recorded != result:
            yield Fault("result", _STILL_GOING if result is None else _ends_by(result.rule))

    def replay(self, faults: Iterator[Fault]) -> tuple[Fault, ...]:
        """These faults, looked for in order, up to the first that lets nothing follow."""
        found: list[Fault] = []
        try:
            for fault in faults:
                found.append(fault)
        except Unplayable as error:
            found.append(error.fault)
        return tuple(found)
