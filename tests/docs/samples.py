"""The HTTP requests that a sample in another language makes, read from its source: one after another, each a call of
the sample's own function with method, path, token and body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.vectors.runner import look_up

_EXPRESSION = r"[a-z]\w*(?:\.\w+|\[\d+\])+"
_CSHARP = re.compile(
    r'Call\("(?P<method>[A-Z]+)", \$?"(?P<path>[^"]+)",\s+(?P<token>""|[\w.\[\]]+), '
    r'\$?"(?P<body>(?:\\.|[^"\\])*)",\s+answer => (?P<name>\w+) ='
)
_GODOT = re.compile(
    r'var (?P<name>\w+) = await call_service\("(?P<method>[A-Z]+)", "(?P<path>[^"]+)"'
    r"(?: % (?P<inserted>[\w.\[\]]+))?,\s+"
    r'(?P<token>""|[\w.\[\]]+), (?P<body>null|\{.*\})\)$',
    re.MULTILINE,
)


@dataclass(frozen=True)
class Sent:
    """A request, as it is sent once the answers are known to those before it."""

    name: str
    """By which the sample keeps the answer."""
    method: str
    path: str
    token: str
    body: str


@dataclass(frozen=True)
class Sample:
    """A sample's source, in the language of its block."""

    language: str
    source: str

    def requests(self, answers: Mapping[str, Any]) -> Iterator[Sent]:
        """One after another; whoever sends one puts its answer among `answers` before asking for the next."""
        pattern = {"csharp": _CSHARP, "gdscript": _GODOT}[self.language]
        for found in pattern.finditer(self.source):
            path, body = found["path"], found["body"]
            if self.language == "csharp":
                # Braces are doubled where they are no holes, and quotes have a backslash.
                path = _filled(path, r"\{(EXPRESSION)\}", answers)
                body = _filled(body, r"(?<!\{)\{(EXPRESSION)\}", answers).replace('\\"', '"')
                body = body.replace("{{", "{").replace("}}", "}")
            else:
                path = path.replace("%s", read(answers, found["inserted"])) if found["inserted"] else path
                body = "" if body == "null" else _filled(body, r"(?<=: )(EXPRESSION)", answers, json.dumps)
            token = "" if found["token"] == '""' else read(answers, found["token"])
            yield Sent(found["name"], found["method"], path, token, body)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the sample can send, with what stands in the source of their values."""
        if self.language == "csharp":
            return dict(re.findall(r'SetRequestHeader\("([a-z-]+)", (?:"([^"]*)")?', self.source))
        return dict(re.findall(r'headers\.append\("([a-z-]+): ([^"]*)"', self.source))

    def what_is_read(self, names: Mapping[str, Any]) -> set[str]:
        """Everything that the sample reads from its answers."""
        return {
            expression
            for expression in re.findall(rf"\b{_EXPRESSION}", self.source)
            if expression.partition(".")[0] in names
        }


def read(answers: Mapping[str, Any], expression: str) -> str:
    """What `created.invitations[0].token` is."""
    return look_up(answers, expression.replace("[", ".").replace("]", ""))


def _filled(text: str, hole: str, answers: Mapping[str, Any], spelled: Any = str) -> str:
    pattern = hole.replace("EXPRESSION", _EXPRESSION)
    return re.sub(pattern, lambda found: str(spelled(read(answers, found[1]))), text)
