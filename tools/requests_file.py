"""`docs/requests.http`: requests that are ready to be sent, in the form that editors' REST clients read.

    ### A title
    # @name created
    POST {{host}}/v1/scotland-yard/games?a=b
    Content-Type: application/json

    {"preset": "new"}

What stands in double braces is filled in: a variable of the file (`@host = ...`), `$guid` for a new UUID, or a place in
an earlier answer, `created.response.body.$.game.info.gameId`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PATH: Final = Path(__file__).resolve().parent.parent / "docs" / "requests.http"

_HOLE = re.compile(r"\{\{([^{}]+)\}\}")
_STEP = re.compile(r"\.?(\w+)|\[(\d+)\]")
_ANSWER: Final = ".response.body.$"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of the file, its holes still open."""

    title: str
    name: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class RequestsFile:
    """The file: its variables and its requests, in order."""

    variables: Mapping[str, str]
    requests: Sequence[Asked]

    @staticmethod
    def read(path: Path = PATH) -> RequestsFile:
        """The file as it is."""
        head, *parts = re.split(r"^### *", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        variables = dict(re.findall(r"^@(\w+) *= *(.+)$", head, re.MULTILINE))
        return RequestsFile(variables, [_asked(part) for part in parts])


def _asked(part: str) -> Asked:
    title, _, rest = part.partition("\n")
    top, _, body = rest.strip().partition("\n\n")
    lines = top.splitlines()
    named = [line.removeprefix("# @name ") for line in lines if line.startswith("# @name ")]
    first, *headers = [line for line in lines if not line.startswith("#")]
    method, _, url = first.partition(" ")
    pairs = [header.partition(": ") for header in headers]
    sent = {name.lower(): value for name, _, value in pairs}
    return Asked(title.strip(), "".join(named), method, url, sent, body.strip())


def filled(text: str, value_of: Callable[[str], str]) -> str:
    """The text with its holes filled, and those that the fillings have."""
    while _HOLE.search(text):
        text = _HOLE.sub(lambda hole: value_of(hole[1].strip()), text)
    return text


def within(answers: Mapping[str, Any], place: str) -> str:
    """What stands at a place of an earlier answer."""
    name, found, path = place.partition(_ANSWER)
    if not found or name not in answers:
        raise KeyError(place)
    value = answers[name]
    for key, index in _STEP.findall(path):
        value = value[int(index)] if index else value[key]
    return str(value)
