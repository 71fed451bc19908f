"""The report as one page that needs nothing else: tables, and plots as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from whitehall_load.measurements import TURN
from whitehall_load.report import PERCENTILES, Report

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 720, 220, 56, 20, 28
LEGEND_COLUMNS = 4
COLOURS = ("#1f6f8b", "#c1440e", "#5b8c2a", "#7b4ea3", "#b8860b", "#4b5563", "#d0447c", "#0f766e")
NINES = (0.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99)
"""The percentiles of the curves, evenly spaced: what is rare gets as much room as what is common."""

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1917}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}"
    "td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto}.fail{color:#b91c1c;font-weight:600}"
)

Series = Mapping[str, Sequence[float]]


def page(report: Report) -> str:
    """The page as HTML."""
    # What came after the end is not part of the load.
    course = report.course[: round(report.plan.ramp + report.seconds)]
    seconds = [str(number) for number in range(1, len(course) + 1)]
    turns = {"turns": [float(each.count(TURN)) for each in course]}
    waits = {f"p{each:g}": [second.milliseconds(TURN, each) for second in course] for each in (50.0, 99.0)}
    curves = {kind: [report.total.milliseconds(kind, each) for each in NINES] for kind in report.kinds[: len(COLOURS)]}
    verdicts = "".join(
        f'<li class="{"ok" if holds else "fail"}">{"ok" if holds else "FAIL"}: {escape(says)}</li>'
        for says, holds in report.verdicts()
    )
    others = "".join(f"<li>{escape(line)}</li>" for line in report.lines()[: -len(report.verdicts())])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Load</title><style>{STYLE}</style>'
        f"<h1>{report.rate:.1f} turns a second</h1><ul>{verdicts}</ul>{_table(report)}"
        f"<h2>Turns in each second</h2>{plot(seconds, turns)}"
        f"<h2>How long turns took from when they were due, in ms, second by second</h2>{plot(seconds, waits)}"
        f"<h2>Latency in ms by percentile</h2>{plot([f'{each:g}' for each in NINES], curves)}"
        f"<h2>Plan</h2>{_plan(report)}<h2>Failures</h2><ul>{others or '<li>none</li>'}</ul></html>"
    )


def _table(report: Report) -> str:
    headings = ("call", "count", *(f"p{each:g} ms" for each in PERCENTILES), "max ms")
    rows = [
        (
            kind,
            report.total.count(kind),
            *(f"{report.total.milliseconds(kind, each):.1f}" for each in (*PERCENTILES, 100)),
        )
        for kind in report.kinds
    ]
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _plan(report: Report) -> str:
    plan = report.as_json()["plan"]
    return (
        "<table>" + "".join(f"<tr><td>{name}</td><td>{escape(str(plan[name]))}</td></tr>" for name in plan) + "</table>"
    )


def plot(ticks: Sequence[str], series: Series) -> str:
    """Lines over evenly spaced ticks, from zero up; with a legend where there are several."""
    highest = max((value for values in series.values() for value in values), default=0) or 1
    step = (WIDTH - LEFT - RIGHT) / max(1, len(ticks) - 1)
    rows = -(-len(series) // LEGEND_COLUMNS) if len(series) > 1 else 0
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT + 18 * rows}" role="img">']
    for quarter in range(5):
        value = highest * quarter / 4
        y = _y(value, highest)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e7e5e4"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" font-size="11" text-anchor="end">{value:.3g}</text>')
    for number in range(0, len(ticks), max(1, len(ticks) // 12)):
        x = LEFT + step * number
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 8}" font-size="11" text-anchor="middle">{ticks[number]}</text>')
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{LEFT + step * at:.1f},{_y(value, highest):.1f}" for at, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        if rows:
            x = LEFT + number % LEGEND_COLUMNS * (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS
            y = HEIGHT + 12 + 18 * (number // LEGEND_COLUMNS)
            parts.append(f'<text x="{x:.0f}" y="{y}" font-size="12" fill="{colour}">{escape(name)}</text>')
    return "".join(parts) + "</svg>"


def _y(value: float, highest: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 10) * value / highest
