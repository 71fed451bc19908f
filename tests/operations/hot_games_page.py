"""`python -m tests.operations.hot_games_page`: plays hot games on a cluster for a minute, and tells of it in
docs/scaling.md, beside what the model and the simulation expect of the same games.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

# Read when gRPC is imported; it would remark on each process that is started beside it.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import click

from tests.bench.load import percentile
from tests.bench.report import replaced
from tests.operations.hot_games import PROCESSES, Run, play
from tools.capacity.__main__ import PAGE, READ, WRITE, table, told
from tools.capacity.costs import BENCHMARKS, Costs, measured
from tools.capacity.hot_games import Town, watch
from tools.capacity.model import READS_PER_FOLLOWER

TOWN = Town(games=24, seconds_per_move=2, processes=PROCESSES, spectators=500, seconds=60)


def with_run(page: str, run: Run, costs: Costs) -> str:
    """The page with what a run has shown."""
    page = replaced(page, "cluster", table(*_beside(run, costs)).rstrip("\n"))
    return replaced(page, "primaries", table(*_primaries(run)).rstrip("\n"))


def _beside(run: Run, costs: Costs) -> tuple[Sequence[str], list[Sequence[str]]]:
    expected = watch(run.town, costs)
    delays, scripts = run.delays, sum(node.scripts for node in run.nodes)
    most = max(len(game.followers) for game in run.games)
    loads = [replica.cpu for replica in run.replicas]
    reckoned = 2 * run.moves + READS_PER_FOLLOWER * run.told
    of_stores = (run.moves * costs.store_write + (reckoned - run.moves) * costs.store_read) / 1e6 / run.seconds
    used = sum(node.cpu for node in run.nodes)
    rows: list[Sequence[str]] = [
        ("followers of the hottest game", f"{expected.followers}", f"{most}"),
        ("turned away", f"{expected.turned_away}", f"{run.turned_away}"),
        ("load of a process", f"{expected.average:.0%}", f"{sum(loads) / len(loads):.0%}"),
        ("of the busiest", f"{expected.busiest:.0%}", f"{max(loads):.0%}"),
        ("told within: half", _ms(expected.median), _ms(percentile(delays, 0.5))),
        ("99 of 100", _ms(expected.p99), _ms(percentile(delays, 0.99))),
        ("reads and writes of the store for each telling", f"{reckoned / run.told:.2f}", f"{scripts / run.told:.2f}"),
        ("load of the three primaries together", f"{of_stores:.1%}", f"{used:.1%}"),
    ]
    return ("", "reckoned", "seen"), rows


def _primaries(run: Run) -> tuple[Sequence[str], list[Sequence[str]]]:
    rows: list[Sequence[str]] = [
        (
            f"{node.games}",
            f"{node.moves:,}",
            f"{node.notices:,}",
            f"{node.listeners}",
            f"{node.scripts:,}",
            f"{node.cpu:.1%}",
        )
        for node in run.nodes
    ]
    return ("games", "moves", "notices given", "listeners", "reads and writes", "load"), rows


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"


async def _run() -> Run:
    # Not in the build folder: the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="whitehall-hot-") as folder:
        return await play(TOWN, Path(folder))


def main() -> None:
    """Plays, prints and renews."""
    run = asyncio.run(_run())
    page = PAGE.read_text()
    costs = measured(BENCHMARKS.read_text(), told(page, WRITE), told(page, READ))
    for head, rows in (_beside(run, costs), _primaries(run)):
        click.echo(table(head, rows))
    click.echo(f"{run.moves:,} moves, {run.told:,} tellings in {run.seconds:.0f} s")
    PAGE.write_text(with_run(page, run, costs))


if __name__ == "__main__":
    main()
