"""Messages from lines of JSON: read and judged as the service reads and judges them, whose sentences they get."""

from typing import TypeVar

from google.protobuf.message import Message

from whitehall.api.json_reading import read_json
from whitehall.api.validity import checked
from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.text import Text
from whitehall.sessions.refusal import Refusal

M = TypeVar("M", bound=Message)

_ENDS = Text("from here on it is no JSON", "à partir d'ici, ce n'est pas du JSON")
_TOO_MUCH = Text(
    "no message has so many brackets in each other, or numbers so long or endless",
    "aucun message n'a autant de crochets les uns dans les autres, ni de nombres si longs ou infinis",
)


def is_json(line: str) -> bool:
    """Whether a line is JSON and no notation."""
    return line.lstrip().startswith("{")


def read_line(line: str, kind: type[M]) -> M:
    """The message that a line of JSON holds. Raises `InvalidField`, or another `BadInput` where it is no JSON."""
    text = line.encode()
    try:
        return checked(read_json(kind, text), len(text))
    except Refusal as refusal:
        raise _told(refusal) from refusal


def _told(refusal: Refusal) -> BadInput:
    if refusal.faults:
        return InvalidField(refusal.faults[0].field, refusal.faults[0].text)
    column = refusal.metadata.get("column")
    return BadInput(_TOO_MUCH) if column is None else NotationError(_ENDS, int(column))
