"""The pages that are made from the code: complete, and no older than the code."""

from __future__ import annotations

import subprocess
import sys

import pytest
from prometheus_client import CollectorRegistry

from tools.documentation import DOCS, PAGES
from whitehall.settings import Settings
from whitehall.telemetry.metrics import Metrics


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_as_it_would_be_made_now(name: str) -> None:
    assert (DOCS / name).read_text() == PAGES[name]()


def test_every_setting_has_a_row_and_no_row_is_of_anything_else() -> None:
    rows = [line.split("`")[1] for line in (DOCS / "configuration.md").read_text().splitlines() if line[:3] == "| `"]
    assert rows == list(Settings.model_fields)


def test_every_metric_has_a_row() -> None:
    page = (DOCS / "metrics.md").read_text()
    for each in Metrics(CollectorRegistry()).described:
        assert f"| `{each.name}` | {each.kind} |" in page


def test_a_page_that_is_out_of_date_is_named() -> None:
    """The check is what the gate calls; it is tried on a copy of the tool that looks for its pages elsewhere."""
    program = (
        "import sys, pathlib, tempfile\n"
        "from tools import documentation\n"
        "documentation.DOCS = pathlib.Path(tempfile.mkdtemp())\n"
        "sys.argv[1:] = ['--check']\n"
        "documentation.main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=DOCS.parent, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert all(name in ended.stderr for name in PAGES)
