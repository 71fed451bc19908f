"""Every query that the dashboards and the rules of `deploy/` ask, and every name in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
RUNBOOKS = DEPLOY.parent / "docs" / "runbooks"
RULES = DEPLOY / "prometheus" / "rules" / "whitehall.yaml"

_NAME = re.compile(r"\b(?:whitehall|grpc|process|python)[a-z0-9_:]*\b(?!\s*[=!]~?=?\s*\")")
_QUOTED = re.compile(r'"[^"]*"')
_LABELS = re.compile(r"(?:by|ignoring|on) ?\(([^)]*)\)|\{([^}]*)\}")
_COMPARED = re.compile(r"(.+?) [<>]=? [0-9.]+")


class Query(NamedTuple):
    """A query, and where it stands."""

    where: str
    text: str

    @property
    def metrics(self) -> set[str]:
        """The metrics that it asks for."""
        bare = re.sub(r"(?:by|ignoring|on) ?\([^)]*\)|\{[^}]*\}", "", _QUOTED.sub('""', self.text))
        return set(_NAME.findall(bare))

    @property
    def labels(self) -> set[str]:
        """The labels that it names."""
        found = set()
        for grouped, selected in _LABELS.findall(_QUOTED.sub('""', self.text)):
            found |= {label.strip() for label in grouped.split(",") if label.strip()}
            found |= {re.split(r"[=!]", matcher.strip())[0] for matcher in selected.split(",") if matcher.strip()}
        return found


def panels() -> Iterator[Query]:
    """Those of all dashboards."""
    for file in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json")):
        for panel in json.loads(file.read_text())["panels"]:
            for target in panel.get("targets", []):
                yield Query(f"{file.stem}: {panel['title']}", target["expr"])


def rules() -> list[dict[str, Any]]:
    """All rules, as they are written."""
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def records() -> list[Query]:
    """Those of the recording rules."""
    return [Query(rule["record"], rule["expr"]) for rule in rules() if "record" in rule]


def alerts() -> list[dict[str, Any]]:
    """The alerts."""
    return [rule for rule in rules() if "alert" in rule]


def compared(alert: dict[str, Any]) -> list[Query]:
    """What an alert holds against its limits; for the one that something is absent, the thing itself."""
    text = alert["expr"]
    if absent := re.fullmatch(r"absent\((.+)\)", text):
        return [Query(alert["alert"], absent[1])]
    parts = [_COMPARED.fullmatch(part) for part in text.split(" and ")]
    return [Query(alert["alert"], part[1]) for part in parts if part is not None]
