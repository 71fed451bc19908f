"""The program itself, and one service that the games of these tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.service import Service


@pytest.fixture(scope="session")
def program() -> Path:
    """The command as it is installed beside this Python."""
    return Path(sys.executable).with_name("whitehall")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service without operator keys answers."""
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service.grpc
    service.stop()


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own settings and language have no say here."""
    for name in os.environ:
        if name.startswith(("WHITEHALL_", "LC_")) or name in ("LANG", "NO_COLOR"):
            monkeypatch.delenv(name)
