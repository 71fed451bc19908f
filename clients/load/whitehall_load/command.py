"""The command: `whitehall load`, and `whitehall-load` where the service is not installed."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from whitehall_client import WhitehallError, aio
from whitehall_load.measurements import TURN, Measurements
from whitehall_load.page import page
from whitehall_load.plan import GAMES, Limits, Plan
from whitehall_load.report import Report
from whitehall_load.worker import WorkerLost, Workers

FAILED, UNREACHABLE = 1, 3
PLAIN_EVERY = 5
"""Seconds between two lines where nobody watches a terminal."""


def read_mix(_: click.Context, __: click.Parameter, words: str | None) -> dict[str, float] | None:
    """`new=4,cluedo=1` as weights."""
    if words is None:
        return None
    mix = {}
    for part in words.split(","):
        name, _equals, weight = part.partition("=")
        if name not in GAMES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(GAMES)}")
        try:
            mix[name] = float(weight or 1)
        except ValueError:
            raise click.BadParameter(f"{weight!r} is no number") from None
    if min(mix.values()) < 0 or not sum(mix.values()):
        raise click.BadParameter("weights are positive numbers")
    return mix


@click.command()
@click.argument("target", default="localhost:50051")
@click.option(
    "--duration", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds at full load."
)
@click.option("--ramp", type=click.FloatRange(min=0), default=5.0, show_default=True, help="Seconds in which it grows.")
@click.option(
    "--rate", type=click.FloatRange(min=0.01), help="Turns a second, whatever becomes of earlier ones (open loop)."
)
@click.option(
    "--tables", type=click.IntRange(min=1), default=20, show_default=True, help="Games played at the same time."
)
@click.option(
    "--think", type=click.FloatRange(min=0), default=0.0, help="Seconds between turns of a table (closed loop)."
)
@click.option(
    "--watchers", type=click.IntRange(min=0), default=1, show_default=True, help="Streams that follow each game."
)
@click.option("--mix", callback=read_mix, help=f"Weights of games, such as new=4,cluedo=1. Of {', '.join(GAMES)}.")
@click.option(
    "--positions", type=click.FloatRange(0, 1), default=0.1, show_default=True, help="Share of position calls."
)
@click.option("--deductions", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Share of deductions.")
@click.option(
    "--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that make the load."
)
@click.option(
    "--operator-key", envvar="WHITEHALL_LOAD_OPERATOR_KEY", default="", help="id:secret, where one is needed."
)
@click.option("--seed", type=int, default=0, help="Another seed plays other games.")
@click.option(
    "--errors", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="Limit: share of failed calls."
)
@click.option("--p99", type=click.FloatRange(min=0), help="Limit: milliseconds of 99 in 100 moves.")
@click.option("--min-rate", type=click.FloatRange(min=0), help="Limit: turns a second that are reached.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the report as JSON.")
@click.option("--html", "html_file", type=click.Path(path_type=Path), help="Write the report as a page with plots.")
def load(
    target: str,
    duration: float,
    ramp: float,
    rate: float | None,
    tables: int,
    think: float,
    watchers: int,
    mix: dict[str, float] | None,
    positions: float,
    deductions: float,
    processes: int,
    operator_key: str,
    seed: int,
    errors: float,
    p99: float | None,
    min_rate: float | None,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Play many games at once at the service on TARGET, check every answer, and tell how long it took.

    Without --rate each table goes on as soon as it is answered. With it, turns are due at fixed moments, and what
    comes late counts from when it was due.

    Exit code 1: a limit was missed, or an answer was wrong. 3: the service can't be reached.
    """
    plan = Plan(target, duration, ramp, rate, tables, think, watchers, mix, positions, deductions, operator_key, seed)
    report = Report(plan, Limits(errors, p99, min_rate))
    console = Console()
    try:
        asyncio.run(_run(report, processes, console))
    except (WhitehallError, WorkerLost) as failure:
        click.echo(f"Error: {failure}", err=True)
        sys.exit(UNREACHABLE)
    if json_file is not None:
        json_file.write_text(json.dumps(report.as_json(), indent=2) + "\n", encoding="utf-8")
    if html_file is not None:
        html_file.write_text(page(report), encoding="utf-8")
    console.print(report.grid())
    for line in report.lines():
        click.echo(line)
    sys.exit(0 if report.passed else FAILED)


async def _run(report: Report, processes: int, console: Console) -> None:
    plan = report.plan
    async with aio.connect(plan.target, operator_key=plan.operator_key, timeout=5) as service:
        await service.catalog.build_info()
    workers = Workers(plan.share(processes))
    try:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            async for second in workers.seconds():
                report.add(second)
                line = progress(report, second)
                if console.is_terminal:
                    live.update(Text(line), refresh=True)
                elif len(report.course) % PLAIN_EVERY == 0:
                    click.echo(line)
    finally:
        workers.stop()


def progress(report: Report, second: Measurements) -> str:
    """One line about the second that has just passed."""
    waits = "  ".join(f"p{each:g} {second.milliseconds(TURN, each):.1f} ms" for each in (50.0, 99.0))
    failed = report.total.failures.total()
    phase = "ramp" if len(report.course) <= report.plan.ramp else "load"
    wrong = f"  WRONG {report.total.wrong.total()}" if report.total.wrong else ""
    return f"{len(report.course):4} s {phase}  {second.count(TURN):6} turns/s  {waits}  failed {failed}{wrong}"
