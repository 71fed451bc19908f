"""Refusals: why a call on a game was turned down. Each door turns them into its own kind of error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from types import MappingProxyType

from whitehall.games.core.rule import Rule, Violation
from whitehall.games.core.text import Text


class Reason(StrEnum):
    """The closed list of reasons; the same names, and their meaning, stand in `whitehall.common.v1.ErrorReason`."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[str]) -> str:
        return name

    MALFORMED_REQUEST = auto()
    INVALID_FIELD = auto()
    REQUEST_ID_REUSED = auto()
    TOKEN_MISSING = auto()
    TOKEN_INVALID = auto()
    TOKEN_AMBIGUOUS = auto()
    TOKEN_REVOKED = auto()
    WRONG_TOKEN_KIND = auto()
    NOT_YOUR_PIECE = auto()
    GAME_NOT_FOUND = auto()
    NOT_IN_CATALOG = auto()
    ILLEGAL_MOVE = auto()
    GAME_NOT_STARTED = auto()
    GAME_ALREADY_STARTED = auto()
    GAME_ENDED = auto()
    GAME_NOT_ENDED = auto()
    STALE_REVISION = auto()
    STORE_UNAVAILABLE = auto()
    GAME_FROM_NEWER_RELEASE = auto()
    BOARD_UNAVAILABLE = auto()
    TOO_MANY_CALLS = auto()
    TOO_MANY_STREAMS = auto()
    TOO_MANY_ROTATIONS = auto()
    TOO_MUCH_WORK = auto()
    REQUEST_TOO_LARGE = auto()
    TOO_MANY_REQUESTS = auto()
    TOO_MANY_CONNECTIONS = auto()
    UNSUPPORTED = auto()
    DEADLINE_EXCEEDED = auto()
    INTERNAL_FAULT = auto()
    DRAINING = auto()


@dataclass(frozen=True, slots=True)
class FieldFault:
    """What is wrong with one field of a request, by its path (`moves[0].travel.station`)."""

    field: str
    text: Text

    @property
    def placed(self) -> Text:
        """What is wrong, behind the path."""
        return self.text.at(self.field)


class Refusal(Exception):
    """A call that is turned down and has changed nothing.

    `metadata` holds public facts by name. `faults` are there for INVALID_FIELD, `violation` for ILLEGAL_MOVE and
    NOT_YOUR_PIECE, `retry_after` (seconds) where trying again makes sense.
    """

    def __init__(
        self,
        reason: Reason,
        *,
        faults: Sequence[FieldFault] = (),
        violation: Violation | None = None,
        retry_after: float | None = None,
        metadata: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.faults = tuple(faults)
        self.violation = violation
        self.retry_after = retry_after
        self.metadata: Mapping[str, str] = {name: str(value) for name, value in metadata.items()}


def invalid_field(field: str, text: Text, rule: Rule | None = None) -> Refusal:
    """The refusal of one field's value, by a rule where one speaks of it."""
    metadata = {"field": field} if rule is None else {"field": field, "rule": rule.id}
    # A bare string, which is in one language only, is no reason to fail while refusing.
    return Refusal(Reason.INVALID_FIELD, faults=[FieldFault(field, Text.of(text))], metadata=metadata)


def illegal(violation: Violation) -> Refusal:
    """The refusal of a move that a rule forbids; a matter of permission where the rule says who may act at all."""
    reason = Reason.NOT_YOUR_PIECE if violation.rule.permission else Reason.ILLEGAL_MOVE
    return Refusal(reason, violation=violation, metadata={"rule": violation.rule.id, **violation.details})
