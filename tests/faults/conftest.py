"""Where scenarios get their seed from, and where they say what they went through."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

SEED = "FAULTS_SEED"


@pytest.fixture
def seed() -> int:
    """From the environment, or always the same; the kills then fall at the same counts, but time adds its own."""
    return int(os.environ.get(SEED, "1983"))


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """`report(text)` writes a line that is seen whether the test passes or fails."""
    plugins = request.config.pluginmanager
    terminal, capture = plugins.getplugin("terminalreporter"), plugins.getplugin("capturemanager")

    def write(text: str) -> None:
        with capture.global_and_fixture_disabled():
            terminal.ensure_newline()
            terminal.write_line(f"{request.node.name}: {text}")

    return write
