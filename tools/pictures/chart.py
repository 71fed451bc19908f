"""A chart as SVG: lines over time, with an axis, a legend and a title. Only what a panel needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Line = Sequence[tuple[float, float]]
"""Points of time, in seconds, with a value each."""

WIDTH, HEIGHT = 480, 220
_LEFT, _RIGHT, _TOP, _FOOT = 58, 12, 34, 58
_COLOURS = ("#3b78c2", "#d9822b", "#4a9e5c", "#a0569b", "#c0433f", "#6b7280")
_MOST_LINES = len(_COLOURS)


def drawn(title: str, unit: str, lines: Mapping[str, Line]) -> str:
    """The chart; of more lines than there are colours the highest ones."""
    drawable = [(name, line) for name, line in lines.items() if line]
    chosen = sorted(drawable, key=lambda item: -max(value for _, value in item[1]))[:_MOST_LINES]
    points = [point for _, line in chosen for point in line]
    first, last = min(at for at, _ in points), max(at for at, _ in points)
    top = _round_up(max(value for _, value in points))
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _FOOT

    def place(point: tuple[float, float]) -> str:
        x = _LEFT + width * (point[0] - first) / (last - first or 1)
        return f"{x:.1f},{_TOP + height * (1 - point[1] / top):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="10" y="20" font-size="13" font-weight="bold">{escape(title)}</text>',
    ]
    for share in (0, 0.5, 1):
        y = _TOP + height * (1 - share)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(_right(_LEFT - 4, y + 4, _told(top * share, unit)))
    parts.append(_right(WIDTH - _RIGHT, _TOP + height + 13, f"{last - first:.0f} s"))
    for number, (name, line) in enumerate(chosen):
        path = " ".join(map(place, line))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{_COLOURS[number]}" stroke-width="1.5"/>')
        x, y = _LEFT + (number % 3) * width // 3, HEIGHT - 26 + 16 * (number // 3)
        parts.append(f'<rect x="{x}" y="{y - 8}" width="9" height="9" fill="{_COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 13}" y="{y}" font-size="10">{escape(name[:24])}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _right(x: float, y: float, text: str) -> str:
    """Small text that ends at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="10" text-anchor="end">{escape(text)}</text>'


def _round_up(value: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    step = 1e-6
    while step < value:
        for factor in (2, 2.5, 2):
            if step >= value:
                break
            step *= factor
    return step


def _told(value: float, unit: str) -> str:
    """A value with its unit, as Grafana calls it."""
    match unit:
        case "s":
            return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
        case "percentunit":
            return f"{100 * value:.3g} %"
        case "bytes":
            return f"{value / 2**20:.3g} MiB"
        case "reqps" | "ops":
            return f"{value:.3g}/s"
        case _:
            return f"{value:.3g}"
