"""The client's examples, run as its users run them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.toolchain.building import ROOT, run

EXAMPLES = ROOT / "clients" / "python" / "examples"


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("scotland_yard.py", ["new"]),
        pytest.param("scotland_yard.py", ["classic"], marks=pytest.mark.slow),
        ("scotland_yard.py", ["master"]),
        ("cluedo.py", []),
    ],
)
def test_an_example_plays_a_whole_game(program: str, arguments: list[str], service: Service, tmp_path: Path) -> None:
    said = run(sys.executable, EXAMPLES / program, service.grpc, *arguments, cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said
