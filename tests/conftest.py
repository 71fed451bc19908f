"""What every test may use: external programs that are skipped by name at home and demanded in CI; no added boards."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.lacking import left_out
from tools.languages import Language
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

    Where it is not installed, the test is left out by the program's name.
    """

    def find(name: str) -> Path:
        found = shutil.which(name)
        if found is None:
            left_out(f"{name} is not installed")
        return Path(found)

    return find


@pytest.fixture(scope="session")
def language() -> Callable[[Language], None]:
    """`language(GO)` is asked for by tests that need what builds and runs Go; they are left out by what is lacking."""

    def need(wanted: Language) -> None:
        if lacking := wanted.lacking():
            left_out(lacking)

    return need


@pytest.fixture
def nobody_elses_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are added to a process for good; the test begins without any and leaves none."""
    for game in (cluedo, scotland_yard):
        monkeypatch.setattr(game.shelf, "_added", {})
