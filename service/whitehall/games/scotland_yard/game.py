"""The game as the rest of the service knows it: the contract, fulfilled by this folder's functions."""

from collections.abc import Iterator

from whitehall.games.core.chance import Chance
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.rule import Rule, Violation
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.scotland_yard import rulebook, rules
from whitehall.games.scotland_yard import view as views
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.view import ScotlandYardView


class ScotlandYard:
    """Scotland Yard. The contract's own docstrings say what each method promises."""

    name = "scotland-yard"
    ruleset = 1
    rules: tuple[Rule, ...] = rulebook.RULES

    def setup(self, options: ScotlandYardOptions, chance: Chance) -> tuple[ScotlandYardState, tuple[Event, ...]]:
        return rules.setup(options, chance)

    def to_move(self, state: ScotlandYardState) -> tuple[Seat, ...]:
        return rules.to_move(state)

    def legal_moves(self, state: ScotlandYardState, seat: Seat) -> tuple[Move, ...]:
        return rules.legal_moves(state, seat)

    def violations(self, state: ScotlandYardState, seat: Seat, move: Move) -> Iterator[Violation]:
        return rules.violations(state, seat, move)

    def check(self, state: ScotlandYardState, seat: Seat, move: Move) -> Violation | None:
        return rules.check(state, seat, move)

    def apply(
        self, state: ScotlandYardState, seat: Seat, move: Move, chance: Chance
    ) -> tuple[ScotlandYardState, tuple[Event, ...]]:
        return rules.apply(state, seat, move)

    def view(self, state: ScotlandYardState, viewer: Viewer) -> ScotlandYardView:
        return views.view_of(state, viewer)

    def event_view(self, event: Event, viewer: Viewer) -> Event:
        return views.event_view(event, viewer)

    def outcome(self, state: ScotlandYardState) -> Outcome | None:
        return state.outcome


game = ScotlandYard()
