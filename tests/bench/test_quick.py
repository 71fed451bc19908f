"""The whole benchmark in its short form: every side can be asked, and every bar gets a verdict."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.bench.run import BUILD, ROOT


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_quick_run_judges_every_bar() -> None:
    subprocess.run([sys.executable, "-m", "tests.bench", "--quick"], cwd=ROOT, check=True, timeout=280)
    bars = json.loads((BUILD / "results.json").read_text())["bars"]
    assert len(bars) == 35
    assert all(bar["verdict"] in ("met", "missed") or bar["note"] for bar in bars)
