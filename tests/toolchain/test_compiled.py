"""The compiled modules say what the pure ones say: their sources, word for word, are the oracle."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.toolchain.building import EXT_SUFFIX, ROOT, run

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("compiler")]

RULES = ("test_reference.py", "test_position.py", "test_encoded_moves.py")
"""Tests of the rules that know the right answers from elsewhere."""


@pytest.fixture(scope="module")
def compiled(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as the wheel holds it."""
    folder = tmp_path_factory.mktemp("compiled")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_compiled_and_pure_modules_say_the_same_of_the_same_games_and_positions(compiled: Path) -> None:
    """Whole random games of every preset, refusals with their reasons, positions right and wrong, bytes of answers."""
    told = {source: told_by(source) for source in (compiled, ROOT / "service")}
    fast, pure = told.values()
    assert fast[0].endswith(EXT_SUFFIX)
    assert pure[0].endswith(".py")
    assert len(pure) > 5000
    assert fast[1:] == pure[1:]


def test_compiled_modules_pass_the_tests_of_the_rules(compiled: Path) -> None:
    """Perft counts against an engine that shares no code with ours, and what no position may be."""
    folder = ROOT / "tests" / "games" / "scotland_yard"
    options = ("-q", "-p", "no:cacheprovider", "-k", "not whole_random_games")
    run(
        sys.executable, "-m", "pytest", *options, *(folder / name for name in RULES), cwd=ROOT, PYTHONPATH=str(compiled)
    )


def told_by(source: Path) -> list[str]:
    """What the package in that folder says."""
    return run(sys.executable, "-m", "tests.toolchain.testimony", cwd=ROOT, PYTHONPATH=str(source)).splitlines()
