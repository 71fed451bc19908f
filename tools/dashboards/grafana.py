"""Dashboards as Grafana reads them."""

from __future__ import annotations

import json
from typing import Any

from tools.dashboards.panel import Dashboard, Panel

WIDTH, HEIGHT = 24, 8
"""Of a row and of a panel, in Grafana's units."""


def written(dashboard: Dashboard) -> str:
    """A dashboard as Grafana reads it."""
    panels: list[dict[str, Any]] = []
    y = 0
    for title, row in dashboard.rows.items():
        panels.append(
            {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": _place(0, y, WIDTH, 1)}
        )
        y += 1
        width = WIDTH // min(len(row), 4 if len(row) == 4 else 3)
        for number, panel in enumerate(row):
            column, line = number * width % WIDTH, number * width // WIDTH
            panels.append(_panel(panel, _place(column, y + line * HEIGHT, width, HEIGHT)))
        y += -(-len(row) * width // WIDTH) * HEIGHT
    for number, each in enumerate(panels, 1):
        each["id"] = number
    page = {
        "uid": f"whitehall-{dashboard.name}",
        "title": dashboard.title,
        "description": dashboard.about,
        "tags": ["whitehall"],
        "schemaVersion": 39,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "links": [{"type": "dashboards", "tags": ["whitehall"], "title": "Whitehall", "asDropdown": True}],
        "templating": {"list": VARIABLES},
        "panels": panels,
    }
    return json.dumps(page, indent=2) + "\n"


SOURCE = {"type": "prometheus", "uid": "${source}"}

VARIABLES = [
    {"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"},
    {
        "name": "job",
        "label": "Job",
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": "label_values(whitehall_build_info, job)", "refId": "job"},
        "refresh": 2,
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "current": {"text": "All", "value": "$__all"},
    },
]


def _place(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "w": width, "h": height}


def _panel(panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    custom: dict[str, Any] = {}
    if panel.limit is not None:
        steps.append({"color": "red", "value": panel.limit})
        custom = {"thresholdsStyle": {"mode": "line"}}
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "custom": custom,
                "thresholds": {"mode": "absolute", "steps": steps},
            },
            "overrides": [],
        },
        "targets": [
            {
                "refId": chr(ord("A") + number),
                "expr": query,
                "legendFormat": legend,
                "format": "heatmap" if panel.kind == "heatmap" else "time_series",
            }
            for number, (legend, query) in enumerate(panel.queries.items())
        ],
    }
