"""Pictures of the dashboards' main panels, from a real Prometheus beside a real service under `whitehall-load`.

They are drawn from the panels' own queries, without Grafana. With `PICTURES` in the environment, as `make pictures` has
it, they go to that folder.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.api.service import Service
from tests.operations.prometheus import Prometheus
from tools.dashboards.games import GAMES
from tools.dashboards.overview import OVERVIEW
from tools.dashboards.panel import Dashboard, Panel
from tools.dashboards.runtime import RUNTIME
from tools.dashboards.store import STORE
from tools.pictures.chart import drawn

SHOWN: dict[str, tuple[Dashboard, str]] = {
    "calls": (OVERVIEW, "Calls"),
    "how-long-calls-take": (OVERVIEW, "How long calls take"),
    "moves-played": (GAMES, "Moves played"),
    "store-operations": (STORE, "Operations"),
    "processor": (RUNTIME, "Processor"),
}
WINDOW = "10s"
LOAD_SECONDS = 45


def panel(dashboard: Dashboard, title: str) -> Panel:
    """The panel of that title."""
    (found,) = [panel for row in dashboard.rows.values() for panel in row if panel.title == title]
    return found


def test_a_chart_has_a_line_for_each_of_its_rows_and_fits_its_highest_value() -> None:
    chart = drawn("A < B", "s", {"one": [(0.0, 0.0), (10.0, 0.04)], "two": [(0.0, 0.01), (10.0, 0.02)]})
    lines = [each for each in ElementTree.fromstring(chart).iter() if each.tag.endswith("polyline")]
    tops = [min(float(point.split(",")[1]) for point in line.attrib["points"].split()) for line in lines]
    assert len(lines) == 2
    assert tops[0] < tops[1], "the higher one comes first"
    assert "50 ms" in chart, "the next round number above the highest value"
    assert "A &lt; B" in chart


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_the_main_panels_show_a_service_under_load(
    start_service: Callable[..., Service], external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    service = start_service("--drain-seconds", "0")
    prometheus = Prometheus(external_program("prometheus"), tmp_path / "prometheus", service.admin)
    prometheus.start()
    began = time.time()
    load = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("whitehall-load")),
        *(service.grpc, "--duration", str(LOAD_SECONDS), "--ramp", "5", "--tables", "4"),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        assert await load.wait() == 0
        folder = Path(os.environ.get("PICTURES", tmp_path))
        for name, (dashboard, title) in SHOWN.items():
            shown = panel(dashboard, title)
            lines: dict[str, list[tuple[float, float]]] = {}
            for legend, query in shown.queries.items():
                asked = query.replace("$__rate_interval", WINDOW).replace("$job", ".*")
                lines |= await asyncio.to_thread(prometheus.history, asked, legend, began, time.time())
            assert any(value > 0 for line in lines.values() for _, value in line), title
            (folder / f"{name}.svg").write_text(drawn(title, shown.unit, lines))
    finally:
        prometheus.stop()
