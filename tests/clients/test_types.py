"""What a strict type checker finds in programs on the Python client."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.docs.page import Page
from tests.toolchain.building import ROOT

CLIENT = ROOT / "clients" / "python"


def test_what_the_readme_shows_is_typed(tmp_path: Path) -> None:
    snippets = [block.text for block in Page(CLIENT / "README.md").blocks if block.language == "python"]
    names = [f"snippet{number}.py" for number in range(len(snippets))]
    for name, snippet in zip(names, snippets, strict=True):
        (tmp_path / name).write_text(snippet)
    options = ["--strict", "--cache-dir", str(tmp_path / "cache")]
    said = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *names],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(CLIENT)},
        capture_output=True,
        check=False,
        text=True,
    )
    # What it finds in the client itself, which is not its caller's, is said of installed packages to nobody.
    assert [line for line in said.stdout.splitlines() if line.startswith("snippet")] == []
    assert said.stdout
    assert not said.stderr
    assert len(snippets) == 3
