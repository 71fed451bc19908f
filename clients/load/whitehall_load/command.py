"""The command: `whitehall load`, and `whitehall-load` where the service is not installed."""

from __future__ import annotations

import asyncio
import json
import math
import signal
import sys
from collections.abc import Callable
from typing import Any

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from whitehall_client import Unanswered, WhitehallError, aio
from whitehall_client.faults import checked_key, checked_target
from whitehall_load.measurements import TURN, Measurements
from whitehall_load.page import page
from whitehall_load.plan import GAMES, Limits, Plan
from whitehall_load.report import Report
from whitehall_load.worker import WorkerLost, Workers

FAILED, NO_LOAD = 1, 3
PLAIN_EVERY = 5
"""Seconds between two lines where nobody watches a terminal."""


class Finite(click.FloatRange):
    """A number of a range, which `nan` and `inf` are not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def read_checked(check: Callable[[str], str]) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """A word that the client takes, or none; the fault that it finds is one of the command line."""

    def read(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
        try:
            return None if word is None else check(word)
        except ValueError as fault:
            raise click.BadParameter(str(fault)) from None

    return read


def read_writable(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    """A file that can be written, which is found out before the wait for it. What it holds stays until then."""
    try:
        with click.open_file("-" if name is None else name, "a"):
            return name
    except OSError as fault:
        raise click.BadParameter(f"{name!r}: {fault.strerror}") from None


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
    if min(mix.values()) < 0 or not sum(mix.values()) or not math.isfinite(sum(mix.values())):
        raise click.BadParameter("weights are positive numbers, and finite")
    return mix


@click.command()
@click.argument("target", default="localhost:50051", callback=read_checked(checked_target))
@click.option("--duration", type=Finite(min=0.1), default=30.0, show_default=True, help="Seconds at full load.")
@click.option("--ramp", type=Finite(min=0), default=5.0, show_default=True, help="Seconds in which it grows.")
@click.option("--rate", type=Finite(min=0.01), help="Turns a second, whatever becomes of earlier ones (open loop).")
@click.option(
    "--tables", type=click.IntRange(min=1), default=20, show_default=True, help="Games played at the same time."
)
@click.option("--think", type=Finite(min=0), default=0.0, help="Seconds between turns of a table (closed loop).")
@click.option(
    "--watchers", type=click.IntRange(min=0), default=1, show_default=True, help="Streams that follow each game."
)
@click.option("--mix", callback=read_mix, help=f"Weights of games, such as new=4,cluedo=1. Of {', '.join(GAMES)}.")
@click.option("--positions", type=Finite(0, 1), default=0.1, show_default=True, help="Share of position calls.")
@click.option("--deductions", type=Finite(0, 1), default=0.05, show_default=True, help="Share of deductions.")
@click.option(
    "--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that make the load."
)
@click.option(
    "--operator-key",
    envvar="WHITEHALL_LOAD_OPERATOR_KEY",
    show_envvar=True,
    callback=read_checked(checked_key),
    help="id:secret, where one is needed.",
)
@click.option("--seed", type=int, default=0, help="Another seed plays other games.")
@click.option("--errors", type=Finite(0, 1), default=0.0, show_default=True, help="Limit: share of failed calls.")
@click.option("--p99", type=Finite(min=0), help="Limit: milliseconds of 99 in 100 moves.")
@click.option("--min-rate", type=Finite(min=0), help="Limit: turns a second that are reached.")
@click.option("--json", "json_file", metavar="FILE", callback=read_writable, help="Write the report as JSON.")
@click.option(
    "--html", "html_file", metavar="FILE", callback=read_writable, help="Write the report as a page with plots."
)
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
    operator_key: str | None,
    seed: int,
    errors: float,
    p99: float | None,
    min_rate: float | None,
    json_file: str | None,
    html_file: str | None,
) -> None:
    """Play many games at once at the service on TARGET, check every answer, and tell how long it took.

    Without --rate each table goes on as soon as it is answered. With it, turns are due at fixed moments, and what
    comes late counts from when it was due.

    Ctrl-C ends it early, and what was measured is reported; a second one leaves at once.

    Exit code 1: a limit was missed, an answer was wrong, or it ended early. 3: there was no load, as nobody answered
    or the service refused.
    """
    plan = Plan(target, duration, ramp, rate, tables, think, watchers, mix, positions, deductions, operator_key, seed)
    report = Report(plan, Limits(errors, p99, min_rate))
    console = Console()
    try:
        asyncio.run(_run(report, processes, console))
    except (WhitehallError, WorkerLost) as failure:
        click.echo(f"Error: no load at {plan.target}: {why(failure)}", err=True)
        sys.exit(NO_LOAD)
    if json_file is not None:
        write(json_file, json.dumps(report.as_json(), indent=2) + "\n")
    if html_file is not None:
        write(html_file, page(report))
    console.print(report.grid())
    for line in report.lines():
        click.echo(line)
    sys.exit(0 if report.passed else FAILED)


def write(name: str, text: str) -> None:
    """Writes a report in place of an earlier one."""
    with click.open_file(name, "w", encoding="utf-8") as file:
        file.write(text)


def why(failure: Exception) -> str:
    """Why there was no load. Where the service has not said so itself, gRPC tells of the address alone that it tried
    last, of all that a name like localhost has.
    """
    if isinstance(failure, Unanswered) and not failure.reason:
        return (
            "nobody answers gRPC there, at no address of that name. Is it the service's port of gRPC, which is 50051 "
            f"unless told? gRPC's last word: {failure}"
        )
    return str(failure)


async def _run(report: Report, processes: int, console: Console) -> None:
    plan = report.plan
    async with aio.connect(plan.target, operator_key=plan.operator_key, timeout=5) as service:
        await service.catalog.build_info()
    workers = Workers(plan.share(processes))
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        report.end()
        workers.end()

    loop.add_signal_handler(signal.SIGINT, end)
    every = 1 if console.is_terminal else PLAIN_EVERY
    lately = Measurements()
    try:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            async for second in workers.seconds():
                report.add(second)
                lately.add(second)
                if len(report.course) % every:
                    continue
                line = progress(report, lately, every)
                lately = Measurements()
                if console.is_terminal:
                    live.update(Text(line), refresh=True)
                else:
                    click.echo(line)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        workers.stop()


def progress(report: Report, lately: Measurements, seconds: int) -> str:
    """One line about the seconds that have just passed."""
    turns = lately.count(TURN)
    waits = "  ".join(f"p{each:g} {lately.milliseconds(TURN, each):.1f} ms" if turns else "-" for each in (50.0, 99.0))
    failed = report.total.failures.total()
    phase = "ramp" if len(report.course) <= report.plan.ramp else "load"
    wrong = f"  WRONG {report.total.wrong.total()}" if report.total.wrong else ""
    return f"{len(report.course):4} s {phase}  {turns / seconds:6.0f} turns/s  {waits}  failed {failed}{wrong}"


if __name__ == "__main__":
    load()
