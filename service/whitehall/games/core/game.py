"""The contract that every game fulfils: total, deterministic functions over frozen values."""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from whitehall.games.core.chance import Chance
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import Rule, Violation
from whitehall.games.core.seat import Seat, Viewer

OptionsT = TypeVar("OptionsT", contravariant=True)
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT")
DeductionsT = TypeVar("DeductionsT", covariant=True)


class Game(Protocol[OptionsT, StateT, MoveT, EventT, ViewT, DeductionsT]):
    """One game's rules.

    A *state* knows everything; a *view* holds what one viewer may know, built up from nothing. A *move* is what a
    seat tries; an *event* is what happened. Nothing here reads a clock, draws unrecorded chance or keeps anything
    between calls but caches of pure results.
    """

    @property
    def name(self) -> str:
        """The game's name as it stands in paths and game ids, such as `scotland-yard`."""
        ...

    @property
    def ruleset(self) -> int:
        """Counts up whenever the same moves could lead to another result than before."""
        ...

    @property
    def rules(self) -> Sequence[Rule]:
        """Every rule that this game can cite."""
        ...

    def setup(self, options: OptionsT, chance: Chance) -> tuple[StateT, tuple[EventT, ...]]:
        """The position at the start, and what was dealt."""
        ...

    def to_move(self, state: StateT) -> tuple[Seat, ...]:
        """The seats that may move now; none once the game is over."""
        ...

    def legal_moves(self, state: StateT, seat: Seat) -> Sequence[MoveT]:
        """Every single move that `seat` may make now, in a fixed order; empty when it is not to move."""
        ...

    def violations(self, state: StateT, seat: Seat, move: MoveT) -> Iterator[Violation]:
        """Every rule that forbids the move, most telling first; judged on what `seat` may know, and nothing else."""
        ...

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Violation | None:
        """The first of `violations`, or None for a legal move."""
        ...

    def apply(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> tuple[StateT, tuple[EventT, ...]]:
        """The state after a legal move and what happened, forced passes included. Raises `IllegalMove`."""
        ...

    def view(self, state: StateT, viewer: Viewer) -> ViewT:
        """What `viewer` may know of the position."""
        ...

    def event_view(self, event: EventT, viewer: Viewer) -> EventT | None:
        """The event as `viewer` may know it: with what is hidden left out, or None where even its happening is."""
        ...

    def deduce(self, view: ViewT) -> DeductionsT:
        """What follows about the hidden from a view, and from nothing else."""
        ...

    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...
