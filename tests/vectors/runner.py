"""Runs vectors: fills in what earlier steps captured, has each call made by an executor, and compares.

An executor only makes calls, in whatever way it is there to prove. All that there is to judge is here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

FOLDER = Path(__file__).parent

_PLACEHOLDER = re.compile(r"\$\{(\w+)\}")

Json = Any


class Executor(Protocol):
    """Makes one call. The outcome is `{"answer": ...}` or `{"refusal": {"code", "reason", "metadata"}}`."""

    async def execute(self, call: str, token: str, request: Json) -> Mapping[str, Json]: ...


class Mismatch(AssertionError):
    """What came back is not what has to."""


def vectors() -> Iterator[dict[str, Json]]:
    """Every vector of every file."""
    for path in sorted(FOLDER.glob("*/*.json")):
        yield from json.loads(path.read_text(encoding="utf-8"))["vectors"]


async def run(vector: Mapping[str, Json], executor: Executor) -> None:
    """Raises `Mismatch` at the first step whose outcome is not the expected one."""
    captured: dict[str, str] = {}
    for number, step in enumerate(vector["steps"]):
        request = fill_in(step.get("request", {}), captured)
        outcome = await executor.execute(step["call"], fill_in(step.get("token", ""), captured), request)
        where = f"{vector['id']}, step {number}: {step['call']}"
        expected = {kind: step[kind] for kind in ("answer", "refusal") if kind in step}
        found = list(differences(fill_in(expected, captured), outcome))
        if found:
            raise Mismatch(f"{where}\n{vector['description']}\n" + "\n".join(found))
        for name, path in step.get("capture", {}).items():
            captured[name] = look_up(outcome["answer"], path)


def fill_in(value: Json, captured: Mapping[str, str]) -> Json:
    """The same with every placeholder replaced."""
    match value:
        case str():
            return _PLACEHOLDER.sub(lambda found: captured[found[1]], value)
        case dict():
            return {name: fill_in(each, captured) for name, each in value.items()}
        case list():
            return [fill_in(each, captured) for each in value]
        case _:
            return value


def look_up(value: Json, path: str) -> str:
    """What lies at `invitations.0.token`."""
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return str(value)


def differences(expected: Json, found: Json, path: str = "") -> Iterator[str]:
    """Where `found` does not hold what is expected, one line each."""
    match expected, found:
        case dict(), dict():
            for name, value in expected.items():
                if name in found:
                    yield from differences(value, found[name], f"{path}.{name}")
                elif value is not None:
                    yield f"{path}.{name} is absent, not {json.dumps(value)}"
        case list(), list() if len(expected) == len(found):
            for number, (value, other) in enumerate(zip(expected, found, strict=True)):
                yield from differences(value, other, f"{path}[{number}]")
        case _ if expected != found or isinstance(expected, bool) != isinstance(found, bool):
            yield f"{path} is {json.dumps(found)}, not {json.dumps(expected)}"
