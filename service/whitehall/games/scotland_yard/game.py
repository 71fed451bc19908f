"""The game as the rest of the service knows it: the contract, fulfilled by this folder's functions."""

from whitehall.games.core.rule import Rule
from whitehall.games.scotland_yard import rulebook, start
from whitehall.games.scotland_yard import rules as referee
from whitehall.games.scotland_yard.deduction import possible_locations
from whitehall.games.scotland_yard.view import event_view, view_of


class ScotlandYard:
    """Scotland Yard. The contract's own docstrings say what each method promises."""

    name = "scotland-yard"
    ruleset = 1
    rules: tuple[Rule, ...] = rulebook.RULES

    setup = staticmethod(start.setup)
    to_move = staticmethod(referee.to_move)
    legal_moves = staticmethod(referee.legal_moves)
    violations = staticmethod(referee.violations)
    check = staticmethod(referee.check)
    apply = staticmethod(referee.apply)
    view = staticmethod(view_of)
    event_view = staticmethod(event_view)
    deduce = staticmethod(possible_locations)
    outcome = staticmethod(referee.outcome)


game = ScotlandYard()
