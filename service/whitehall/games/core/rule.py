"""Rules and their violations: every refusal names the rule that forbids the move."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from whitehall.games.core.text import Text


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of one game, in our own words.

    `id` is stable for ever (`SY-MOVE-04`); `en` and `fr` say the rule in one sentence; `source` is the place in the
    rulebook, or the ruling, that it comes from. `permission` marks the few rules that say who may act at all: they
    are refused as a matter of permission, not as an illegal move.
    """

    id: str
    en: str
    fr: str
    source: str
    permission: bool = False

    @property
    def text(self) -> Text:
        """The rule in both languages."""
        return Text(self.en, self.fr)


@dataclass(frozen=True, slots=True)
class Violation:
    """A move that a rule forbids. `details` holds what the mover may know anyway, as text, by name."""

    rule: Rule
    details: Mapping[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, rule: Rule, **details: object) -> "Violation":
        """A violation of `rule` with its circumstances: `Violation.of(OCCUPIED, station=86)`."""
        return cls(rule, {name: str(value) for name, value in details.items()})


class IllegalMove(Exception):
    """Raised by `apply` for a move that `check` refuses. The state it was tried on is unchanged."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.rule.id)
        self.violation = violation
