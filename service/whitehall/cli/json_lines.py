"""Messages from lines of JSON: read and judged as the service reads and judges them, whose sentences they get."""

from typing import TypeVar

from google.protobuf.message import Message

from whitehall.api.json_reading import parse, read_members
from whitehall.api.validity import checked
from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record_tag import RecordError
from whitehall.games.core.text import Text
from whitehall.sessions.refusal import Refusal

M = TypeVar("M", bound=Message)

NO_OBJECT = Text(
    "this is JSON, but no object: those stand in braces",
    "c'est du JSON, mais pas un objet : ceux-ci sont entre accolades",
)
_ENDS = Text("from here on it is no JSON", "à partir d'ici, ce n'est pas du JSON")
_TOO_MUCH = Text(
    "no message has so many brackets in each other, or numbers so long or endless",
    "aucun message n'a autant de crochets les uns dans les autres, ni de nombres si longs ou infinis",
)


def is_json(line: str) -> bool:
    """Whether a line is JSON and no notation, which has no brackets; whether it is an object shows when it is read."""
    return line.lstrip().startswith(("{", "["))


def read_line(line: str, kind: type[M]) -> M:
    """The valid message that a line of JSON holds. Raises `InvalidField`, or another `BadInput` where it is no JSON."""
    return judged(read_unjudged(line, kind), line)


def read_unjudged(line: str, kind: type[M]) -> M:
    """The message that a line of JSON holds, valid or not. Raises `InvalidField`, or another `BadInput` where it is no
    JSON.
    """
    try:
        tree = parse(kind, line.encode())
        if not isinstance(tree, dict):
            raise NotationError(NO_OBJECT, len(line) - len(line.lstrip()) + 1)
        return read_members(kind, tree)
    except Refusal as refusal:
        told = no_json(refusal)
        # All of it is one line.
        raise (NotationError(told.text, told.column) if isinstance(told, RecordError) else told) from refusal


def judged(message: M, line: str) -> M:
    """The message that this line holds, if it is valid. Raises `InvalidField`."""
    try:
        return checked(message, len(line))
    except Refusal as refusal:
        raise InvalidField(refusal.faults[0].field, refusal.faults[0].text) from refusal


def no_json(refusal: Refusal) -> BadInput:
    """What is wrong with a text that is refused as no JSON: a `RecordError` where a place is known."""
    if "line" not in refusal.metadata:
        return BadInput(_TOO_MUCH)
    return RecordError(_ENDS, int(refusal.metadata["line"]), int(refusal.metadata["column"]))
