"""What a run has found: tables for people, in the terminal and in the document, and JSON for programs."""

from __future__ import annotations

import datetime
import statistics
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench import machine
from tests.bench.bars import Bar
from tests.bench.contest import Contest, Spread
from tests.bench.load import Slice, percentile
from tests.bench.run import ROOT, Results

DOCUMENT = ROOT / "docs" / "benchmarks.md"

BARS_HEAD = ("bar", "demanded", "measured", "verdict")
CONTESTS_HEAD = ("contest", "per second", "ratio", "CPU in us", "ratio", "p50 in ms", "p99 in ms")

CHART_WIDTH = 24
"""Characters from nothing to the bar."""
CHART_LIMIT = 2.5
"""What clears its bar by more than this is cut off."""


def tables(results: Results) -> dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """By name, the head and the rows of each table."""
    return {
        "bars": (BARS_HEAD, [(bar.name, bar.demand, bar.shown, bar.verdict) for bar in results.bars]),
        "contests": (CONTESTS_HEAD, [_contest_row(contest) for contest in results.contests]),
    }


def show(results: Results, console: Console) -> None:
    """Prints the tables."""
    for name, (head, rows) in tables(results).items():
        table = Table(*head, title=name)
        for row in rows:
            table.add_row(*row)
        console.print(table)
    for bar in results.bars:
        if bar.note:
            console.print(f"{bar.name}: {bar.note}", markup=False)
    console.print("\n".join(_circumstances(results)), markup=False)


def as_json(results: Results) -> dict[str, Any]:
    """Everything, down to the single turn."""
    return {
        "time": _now(),
        "commit": _commit(),
        "machine": machine.description(),
        "cores_apart": results.apart,
        "bars": [{**bar._asdict(), "verdict": bar.verdict} for bar in results.bars],
        "footprint": {
            **results.footprint._asdict(),
            "games": [game._asdict() for game in results.footprint.games],
        },
        "watched": results.watched._asdict(),
        "contests": [
            {
                "name": contest.name,
                "rounds": [
                    {"subject": _turn(each.subject), "rival": None if each.rival is None else _turn(each.rival)}
                    for each in contest.rounds
                ],
            }
            for contest in results.contests
        ],
    }


def write_document(results: Results) -> None:
    """Renews what stands between the markers in the document."""
    text = DOCUMENT.read_text()
    for name, (head, rows) in tables(results).items():
        text = replaced(text, name, _markdown(head, rows))
    text = replaced(text, "chart", "```text\n" + "\n".join(chart(results.bars)) + "\n```")
    text = replaced(text, "circumstances", "\n".join(f"- {line}" for line in _circumstances(results)))
    DOCUMENT.write_text(text)


def replaced(text: str, name: str, body: str) -> str:
    """The text with a new body between `<!-- name -->` and `<!-- /name -->`. ValueError where it has no such place."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"the document has no place for {name}")
    return f"{before}{begin}\n{body}\n{end}{after}"


def chart(bars: Sequence[Bar]) -> list[str]:
    """How far each bar is cleared: what reaches beyond the line has met it."""
    longest = max(len(bar.name) for bar in bars)
    lines = []
    for bar in bars:
        if bar.cleared is None:
            lines.append(f"{bar.name:<{longest}}  {' ' * CHART_WIDTH}|  {bar.verdict}")
            continue
        full = "#" * round(CHART_WIDTH * min(bar.cleared, CHART_LIMIT))
        short, beyond = full[:CHART_WIDTH], full[CHART_WIDTH:]
        lines.append(
            f"{bar.name:<{longest}}  {short:<{CHART_WIDTH}}|{beyond}{'>' if bar.cleared > CHART_LIMIT else ''}"
        )
    return lines


def _contest_row(contest: Contest) -> tuple[str, ...]:
    def both(value: Callable[[Slice], float], form: str) -> str:
        ours = form.format(contest.of_subject(value).median)
        return ours if contest.rival is None else f"{ours} / {form.format(contest.of_rival(value).median)}"

    def ratio(value: Callable[[Slice], float]) -> str:
        return "" if contest.rival is None else _spread(contest.ratio(value))

    def latency(share: float) -> str:
        return " / ".join(f"{percentile(one, share) * 1000:.2f}" for one in contest.latencies() if one)

    return (
        contest.name,
        both(lambda turn: turn.rate, "{:,.0f}"),
        ratio(lambda turn: turn.rate),
        both(
            lambda turn: turn.cpu_each * 1e6,
            "{:,.1f}" if contest.of_subject(lambda turn: turn.cpu_each).median < 1e-4 else "{:,.0f}",
        ),
        ratio(lambda turn: turn.cpu_each),
        latency(0.5),
        latency(0.99),
    )


def _spread(spread: Spread) -> str:
    return f"{spread.median:.2f} ({spread.low:.2f} to {spread.high:.2f})"


def _turn(turn: Slice) -> dict[str, Any]:
    found: dict[str, Any] = {"done": turn.done, "seconds": turn.seconds, "cpu_seconds": turn.cpu_seconds}
    if turn.latencies:
        found |= {f"p{share * 100:g}": percentile(turn.latencies, share) for share in (0.5, 0.9, 0.99)}
    return found


def _circumstances(results: Results) -> list[str]:
    found = results.footprint
    scrapes = [seconds * 1000 for seconds in results.watched.scrapes]
    games = [game.bytes / 2**10 for game in found.games]
    revisions = max(game.revisions for game in found.games)
    service, store = found.service_bytes / 2**20, found.store_bytes / 2**20
    return [
        f"Run at {_now()} on commit {_commit()}: {machine.description()}.",
        f"Those who asked had {'cores of their own' if results.apart else 'no core of their own'}.",
        f"Medians of {len(results.contests[0].rounds)} rounds, and the ratios' range.",
        f"Ready in {min(found.ready):.2f} to {max(found.ready):.2f} s ({len(found.ready)} starts).",
        f"After {found.calls:,} calls {service:.0f} MiB, and the embedded store {store:.0f} MiB.",
        f"A scrape took {min(scrapes):.0f} to {max(scrapes):.0f} ms ({len(scrapes)} scrapes), and counting "
        f"{results.watched.counting * 1e6:.1f} us of each call.",
        f"{len(games)} complete games of up to {revisions} revisions took {statistics.median(games):.1f} KiB each "
        f"in the store (median), {max(games):.1f} KiB at most.",
    ]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def _commit() -> str:
    command = ("git", "-C", str(ROOT), "describe", "--always", "--dirty")
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
