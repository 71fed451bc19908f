"""Renews the tables of `docs/scaling.md`.

- `python -m tools.capacity` takes what `docs/benchmarks.md` says now, and what the page itself says of the store;
- `python -m tools.capacity --measure` measures the store first, which takes some seconds;
- `python -m tools.capacity --check` compares instead, and ends with exit code 1 when a table differs.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tools.capacity.costs import BENCHMARKS, Costs, measure_store, measured
from tools.capacity.hot_games import Town, watch
from tools.capacity.model import Load, needs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"

LOADS = (
    Load(1_000, 10, 3),
    Load(100_000, 10, 3),
    Load(1_000_000, 20, 3),
    Load(10_000_000, 60, 3),
    Load(10_000_000, 10, 6),
)

TOWNS = tuple(
    Town(games=1_000, seconds_per_move=10, processes=processes, spectators=spectators, seconds=60)
    for processes, spectators in ((1, 0), (2, 0), (2, 1_000), (2, 10_000), (4, 10_000))
)

WRITE, READ = "the store's share of a write", "the store's share of a read"


def with_tables(page: str, costs: Costs) -> str:
    """The page with its tables made anew."""
    page = _replaced(page, "costs", _costs(costs))
    page = _replaced(page, "needs", _needs(costs))
    return _replaced(page, "hot", _hot(costs))


def _costs(costs: Costs) -> str:
    rows = [
        ("a move played", f"{costs.play:,.0f} us"),
        ("legal moves listed", f"{costs.legal_moves:,.0f} us"),
        ("one follower told of a move", f"{costs.follow:,.0f} us"),
        (WRITE, f"{costs.store_write:,.1f} us"),
        (READ, f"{costs.store_read:,.1f} us"),
        ("a game in the store", f"{costs.game_bytes / 1024:,.1f} KiB"),
        ("a process", f"{costs.process_bytes / 2**20:,.0f} MiB"),
    ]
    return table(("what", "takes"), rows)


def _needs(costs: Costs) -> str:
    rows = []
    for load in LOADS:
        need = needs(load, costs)
        rows.append(
            (
                f"{load.games:,}",
                f"{load.seconds_per_move:g} s",
                f"{load.followers:g}",
                f"{load.moves:,.0f}",
                f"{need.cores:,}",
                f"{need.memory / 2**30:,.1f} GiB",
                f"{need.store_commands:,.0f}",
                f"{need.primaries_for_commands:,}",
                f"{need.store_memory / 2**30:,.1f} GiB",
                f"{need.primaries_for_memory:,}",
                f"{needs(replace(load, ended_days=1), costs).primaries_for_memory:,}",
            )
        )
    head = ("games", "a move every", "followers", "moves/s", "cores", "memory", "commands/s", "primaries")
    return table((*head, "in the store after 7 days", "primaries for that", "for 1 day of it"), rows)


def _hot(costs: Costs) -> str:
    rows = []
    for town in TOWNS:
        seen = watch(town, costs)
        rows.append(
            (
                f"{town.processes}",
                f"{town.spectators:,}",
                f"{seen.followers}",
                f"{seen.turned_away:,}",
                f"{seen.average:.0%}",
                f"{seen.busiest:.0%}",
                f"{seen.median * 1000:,.0f} ms",
                f"{seen.p99 * 1000:,.0f} ms",
            )
        )
    head = ("processes", "spectators", "followers of the hottest game", "turned away", "load", "of the busiest")
    return table((*head, "told within: half", "99 of 100"), rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _replaced(page: str, name: str, table: str) -> str:
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}{table}{end}{after}"


def told(page: str, what: str) -> float:
    """What the page says that something takes."""
    row = re.search(rf"^\| {re.escape(what)} \| ([\d.,]+) us", page, re.MULTILINE)
    if row is None:
        sys.exit(f"docs/scaling.md does not say what {what} takes: python -m tools.capacity --measure")
    return float(row[1].replace(",", ""))


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    wanted = parser.add_mutually_exclusive_group()
    wanted.add_argument("--measure", action="store_true", help="measure the store first")
    wanted.add_argument("--check", action="store_true", help="compare the tables with fresh ones")
    arguments = parser.parse_args()
    page = PAGE.read_text()
    store = asyncio.run(measure_store()) if arguments.measure else (told(page, WRITE), told(page, READ))
    costs = measured(BENCHMARKS.read_text(), *(round(each, 1) for each in store))
    fresh = with_tables(page, costs)
    if not arguments.check:
        PAGE.write_text(fresh)
    elif fresh != page:
        sys.exit("The tables of docs/scaling.md do not follow from docs/benchmarks.md (make generate)")


if __name__ == "__main__":
    main()
