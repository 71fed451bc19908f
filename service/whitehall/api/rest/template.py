"""Path templates of the contract's `google.api.http` annotations, such as `/v1/cluedo/games/{game_id}/moves:validate`.

    Template  = "/" Segments [ ":" LITERAL ]
    Segments  = Segment { "/" Segment }
    Segment   = "*" | "**" | LITERAL | "{" FieldPath [ "=" Segments ] "}"

A `*` is one segment, a `**` any number of them and the last. Between the slashes a path is percent-decoded; of a
variable that spans segments the slashes within one stay encoded, lest they look like those between two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

_TOKEN = re.compile(r"\{(?P<field>[a-z0-9_.]+)(?:=(?P<inner>[^{}]+))?\}|(?P<literal>[^/{}:]+)|(?P<slash>/)")
_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")

ONE: Final = "*"
MANY: Final = "**"


@dataclass(frozen=True, slots=True)
class Variable:
    """A field of the request that the path holds: its path in the message, and the segments that are its value."""

    field: str
    start: int
    stop: int | None
    """None: up to the end."""


@dataclass(frozen=True, slots=True)
class Template:
    """A path with variables. `segments` are literals, `ONE` or, as the last, `MANY`."""

    text: str
    segments: tuple[str, ...]
    variables: tuple[Variable, ...]
    verb: str

    @staticmethod
    def parse(text: str) -> Template:
        """The template that an annotation spells; raises `ValueError` where it is none."""
        body, verb = text, ""
        colon = text.find(":", max(text.rfind("}"), text.rfind("/"), 0))
        if colon >= 0:
            body, verb = text[:colon], text[colon + 1 :]
        segments: list[str] = []
        variables: list[Variable] = []
        position = 0
        while position < len(body):
            slash = _TOKEN.match(body, position)
            part = _TOKEN.match(body, position + 1) if slash and slash["slash"] else None
            if part is None or part["slash"]:
                raise ValueError(f"{text} is no path template")
            position = part.end()
            if part["literal"]:
                segments.append(part["literal"])
                continue
            start = len(segments)
            segments += (part["inner"] or ONE).split("/")
            variables.append(Variable(part["field"], start, None if segments[-1] == MANY else len(segments)))
        if not segments or MANY in segments[:-1] or (colon >= 0 and not verb):
            raise ValueError(f"{text} is no path template")
        return Template(text, tuple(segments), tuple(variables), verb)

    def values(self, path: Sequence[bytes]) -> Mapping[str, str | None]:
        """The variables' values in a path that this template fits, by field; None where one is not well encoded."""
        return {variable.field: self._value(variable, path) for variable in self.variables}

    def _value(self, variable: Variable, path: Sequence[bytes]) -> str | None:
        parts = path[variable.start : variable.stop]
        if len(parts) == 1:
            return decoded(parts[0])
        # A slash that somebody encoded is part of a segment.
        kept = [re.sub(rb"%2[fF]", b"%252F", part) for part in parts]
        return decoded(b"/".join(kept))


def decoded(part: bytes) -> str | None:
    """A part of a path or a query without its percent signs; None where it is not well encoded."""
    if b"%" not in part:
        return part.decode("ascii") if part.isascii() else None
    if _ESCAPE.search(part):
        return None
    try:
        return unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        return None
