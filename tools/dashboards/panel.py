"""What a dashboard is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Panel:
    """One panel: what it is about, in which unit, and its queries by the legend of what they give."""

    title: str
    about: str
    unit: str
    queries: Mapping[str, str]
    kind: Literal["timeseries", "stat", "heatmap"] = "timeseries"
    limit: float | None = None
    """Where the line is drawn that should not be crossed."""


@dataclass(frozen=True)
class Dashboard:
    """One page of panels, in rows with a title."""

    name: str
    title: str
    about: str
    rows: Mapping[str, Sequence[Panel]]
