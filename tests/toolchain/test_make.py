"""`make run`, as somebody starts it who will not press Ctrl-C: a script, or what looks after processes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.toolchain.building import ROOT

SECONDS = 60
"""Longer than the service takes to end, the embedded store with it."""


def test_whoever_ends_make_ends_the_service_and_its_store(tmp_path: Path) -> None:
    addresses = {f"WHITEHALL_{door}_ADDRESS": "127.0.0.1:0" for door in ("GRPC", "HTTP", "ADMIN")}
    make = subprocess.Popen(
        # As if all had been set up and copied, and from the sources.
        ["make", "--old-file=fast", "run", f"FAST={ROOT / 'service'}"],
        cwd=ROOT,
        env={**os.environ, **addresses, "WHITEHALL_DATA_DIR": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert make.stdout is not None
    try:
        assert any("a first call" in line for line in make.stdout)
    finally:
        make.terminate()
    # It ends when everybody who could write to it has: make, the service, the store.
    make.communicate(timeout=SECONDS)
