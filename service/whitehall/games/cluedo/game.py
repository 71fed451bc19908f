"""The game as the rest of the service knows it: the contract, fulfilled by this folder's functions."""

from whitehall.games.cluedo import rulebook
from whitehall.games.cluedo import rules as referee
from whitehall.games.cluedo.deduction import possible_solutions
from whitehall.games.cluedo.view import event_view, view_of
from whitehall.games.core.rule import Rule


class Cluedo:
    """Cluedo. The contract's own docstrings say what each method promises."""

    name = "cluedo"
    ruleset = 1
    rules: tuple[Rule, ...] = rulebook.RULES

    setup = staticmethod(referee.setup)
    to_move = staticmethod(referee.to_move)
    legal_moves = staticmethod(referee.legal_moves)
    violations = staticmethod(referee.violations)
    check = staticmethod(referee.check)
    apply = staticmethod(referee.apply)
    view = staticmethod(view_of)
    event_view = staticmethod(event_view)
    deduce = staticmethod(possible_solutions)
    outcome = staticmethod(referee.outcome)


game = Cluedo()
