"""How a game ended."""

from dataclasses import dataclass

from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """The seats that won (none, where everybody lost) and the rule that ended the game."""

    winners: tuple[Seat, ...]
    rule: Rule
