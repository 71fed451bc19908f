"""Makes the pages of `docs/` that say what the code says already: every setting, every metric.

- `python tools/documentation.py` writes the pages;
- `python tools/documentation.py --check` compares instead, and ends with exit code 1 and a list when one differs.
"""

from __future__ import annotations

import argparse
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry
from pydantic.fields import FieldInfo

from whitehall.api.hosted import hosted_games
from whitehall.settings import Settings
from whitehall.settings.layers import PREFIX
from whitehall.telemetry.metrics import ABANDONED, CODES, MethodKind, Metrics, StoreOutcome, Transport

DOCS = Path(__file__).resolve().parent.parent / "docs"

CONFIGURATION = """\
# Configuration

Every setting has one name everywhere: `grpc_address` in a TOML file (`whitehall serve --config FILE`, or the file that
`{prefix}CONFIG` names), `{prefix}GRPC_ADDRESS` in the environment, `--grpc-address` as a flag. Flags win over the
environment, the environment over the file, the file over the defaults. `whitehall config` prints what is in force and
where each value came from, with secrets masked, and takes the same flags.

A name that is no setting is an error that tells the nearest one, whether it stands in the file, in the environment
(below `{prefix}`) or on the command line; so is a value out of its range. Lists are written with commas; in the file
they may be lists. A variable that is empty counts as not set. The file may have 1 MiB.

| setting | default | what it may be | what it does |
|---|---|---|---|
{rows}

*Made from `service/whitehall/settings` by `make generate`.*
"""

METRICS = """\
# Metrics

`/metrics` on the admin port (`admin_address`) tells all of them, as text, or as OpenMetrics with a trace id as an
example of each duration where `Accept` asks for it, and in gzip where that is accepted. With several
`workers` one scrape tells the sums over all of them; the calls that one of them had open when it was killed are counted
as ended by UNAVAILABLE.

A label's value comes from a set that is known when the process starts, never from a caller: what is not in the set is
counted as `other`. So the number of series has a bound, whoever calls and however often: a process has some 2,000
series after its start, and never more than 8,500, were every method called through every door and every set used to the
full. Several `workers` have as many together as one process.

| metric | kind | labels | what it tells |
|---|---|---|---|
{rows}

Counters of calls, and of the errors that alerts watch, are there from the start, since `rate` only sees what has grown
between two scrapes. `grpc_server_handling_seconds` is there of methods that were called, by transport: its first call
is in no rate, and all others are.

Besides there are the usual `process_...` and `python_gc_...` metrics of the process itself.

| label | values |
|---|---|
{labels}

The calls of gRPC's own health and reflection services are not counted.

*Made from `service/whitehall/telemetry/metrics.py` by `make generate`.*
"""

LABELS: Mapping[str, str] = {
    "grpc_type": ", ".join(f"`{kind}`" for kind in typing.get_args(MethodKind)),
    "grpc_service": "the full names of the services",
    "grpc_method": "the names of their methods",
    "grpc_code": ", ".join(f"`{code}`" for code in CODES),
    "transport": ", ".join(f"`{door}`" for door in typing.get_args(Transport)),
    "game": ", ".join(f"`{game}`" for game in hosted_games()),
    "rule": "the ids of the game's rules, such as `SY-MOVE-04`",
    "ended_by": f"the ids of the game's rules, and `{ABANDONED}`",
    "operation": "what is done with the store: `create`, `read`, `write` and the like",
    "outcome": ", ".join(f"`{outcome}`" for outcome in typing.get_args(StoreOutcome)),
    "version": "the version of the service",
    "python": "the version of Python",
}


def configuration() -> str:
    """The page of all settings."""
    rows = (
        f"| `{name}` | {_default(field)} | {_range(field)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    )
    return CONFIGURATION.format(prefix=PREFIX, rows="\n".join(rows))


def metrics() -> str:
    """The page of all metrics."""
    described = Metrics(CollectorRegistry()).described
    rows = (
        f"| `{each.name}` | {each.kind} | {', '.join(f'`{label}`' for label in each.labels)} | {each.meaning} |"
        for each in described
    )
    used = {label for each in described for label in each.labels}
    labels = (f"| `{label}` | {values} |" for label, values in LABELS.items() if label in used)
    if missing := used - LABELS.keys():
        sys.exit(f"tools/documentation.py does not know the values of {', '.join(sorted(missing))}.")
    return METRICS.format(rows="\n".join(rows), labels="\n".join(labels))


PAGES: Mapping[str, Callable[[], str]] = {"configuration.md": configuration, "metrics.md": metrics}


def _default(field: FieldInfo) -> str:
    match field.default:
        case None | ():
            return ""
        case bool(value):
            return f"`{str(value).lower()}`"
        case float(value):
            return f"`{value:g}`"
        case value:
            return f"`{value}`"


def _range(field: FieldInfo) -> str:
    limits = {
        word: getattr(limit, sign)
        for limit in field.metadata
        for sign, word in (("ge", "from"), ("gt", "above"), ("le", "to"))
        if hasattr(limit, sign)
    }
    if limits:
        return " ".join(f"{word} {value}" for word, value in limits.items())
    path = "a file" if (field.description or "").startswith("File") else "a folder"
    return " or ".join(_kinds(field.annotation, path))


def _kinds(annotation: Any, path: str) -> Iterator[str]:
    """What a value may be, in a word or two; what the description has to say anyway is left to it. `path` is what a
    path leads to.
    """
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        yield from (f"`{value}`" for value in typing.get_args(annotation))
    elif annotation is bool:
        yield from ("`true`", "`false`")
    elif annotation is Path:
        yield path
    elif origin is tuple:
        yield "a list"
    elif origin in (typing.Union, types.UnionType):
        for each in typing.get_args(annotation):
            yield from _kinds(each, path)
    elif origin is typing.Annotated:
        yield from _kinds(typing.get_args(annotation)[0], path)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the pages with fresh ones")
    check = parser.parse_args().check
    stale = []
    for name, make in PAGES.items():
        page, text = DOCS / name, make()
        if check and (not page.exists() or page.read_text() != text):
            stale.append(name)
        elif not check:
            page.write_text(text)
    if stale:
        sys.exit(f"Pages of docs/ do not match the code (make generate): {', '.join(stale)}")


if __name__ == "__main__":
    main()
