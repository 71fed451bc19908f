"""What every test may use: external programs that are skipped by name at home and demanded in CI; no added boards."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from whitehall.games.cluedo import boards as cluedo
from whitehall.games.scotland_yard import boards as scotland_yard

# How long an example takes says more about the machine than about the code.
settings.register_profile("whitehall", deadline=None)
settings.load_profile("whitehall")

# Whoever starts the tests in the background, as scripts do, lets them ignore Ctrl-C, and so all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def external_program() -> Callable[[str], Path]:
    """`external_program("redis-server")` is the path of that program.

    Where it is not installed, the test is skipped by the program's name; with `CI=true` in the environment it fails,
    because there nothing may be left out.
    """

    def find(name: str) -> Path:
        found = shutil.which(name)
        if found is None:
            if os.environ.get("CI") == "true":
                pytest.fail(f"{name} is not installed, and in CI no test is left out", pytrace=False)
            pytest.skip(f"{name} is not installed")
        return Path(found)

    return find


@pytest.fixture
def nobody_elses_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are added to a process for good; the test begins without any and leaves none."""
    for game in (cluedo, scotland_yard):
        monkeypatch.setattr(game.shelf, "_added", {})
