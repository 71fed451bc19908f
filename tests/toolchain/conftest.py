"""The wheel, built once for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lacking import left_out
from tests.toolchain.building import build_wheel
from tools.compile import can_compile


@pytest.fixture(scope="session")
def compiler() -> None:
    """Some tests need a compiler and Python's headers. A machine may do without, as everything else runs there too."""
    if not can_compile():
        left_out("no C compiler with Python's headers: nothing to compare with the pure modules")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as this machine can build it."""
    target = tmp_path_factory.mktemp("wheel")
    build_wheel(target)
    (built,) = target.glob("*.whl")
    return built
