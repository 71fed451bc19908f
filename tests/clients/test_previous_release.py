"""Whoever stays at the previous release while others go on: a client of it plays against the service of today, and the
client of today against a service of it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.clients.previous import CLIENT, client_of, newest_tag
from tests.toolchain.building import ROOT, run
from tests.toolchain.installed import environment, serving

GAMES = pytest.mark.parametrize("example", ["scotland_yard.py", "cluedo.py"])
WHEELS = os.environ.get("PREVIOUS_RELEASE", "")
"""A folder with the previous release's wheel of the service, which is in no repository; the first release has none."""


@pytest.fixture(scope="module")
def previous_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return client_of(newest_tag(), tmp_path_factory.mktemp("previous"))


@GAMES
def test_the_client_of_the_previous_release_plays_against_the_service_of_today(
    example: str, previous_client: Path, service: Service, tmp_path: Path
) -> None:
    where = "import whitehall_client.gen as gen; print(gen.__path__)"
    assert str(previous_client) in run(sys.executable, "-c", where, cwd=tmp_path, PYTHONPATH=str(previous_client))
    program = previous_client / "examples" / example
    said = run(sys.executable, program, service.grpc, cwd=tmp_path, PYTHONPATH=str(previous_client))
    assert "won by" in said.splitlines()[-1], said


def test_a_release_is_found_by_its_tag_and_its_client_taken_from_there(
    external_program: Callable[[str], Path], tmp_path: Path
) -> None:
    """In a history of two releases, of which the newer one counts, and of a commit since."""
    git = external_program("git")
    history = tmp_path / "history"
    (history / CLIENT / "whitehall_client").mkdir(parents=True)
    author = ("-c", "user.name=somebody", "-c", "user.email=somebody@whitehall.example", "-c", "commit.gpgsign=false")
    run(git, "init", "--quiet", cwd=history)
    assert newest_tag(history) == ""
    for number, tag in enumerate(("v0.1.0", "v0.2.0", "")):
        (history / CLIENT / "whitehall_client" / "version.py").write_text(f"number = {number}\n")
        run(git, "add", ".", cwd=history)
        run(git, *author, "commit", "--quiet", "--message", "a change", cwd=history)
        if tag:
            run(git, "tag", tag, cwd=history)
    assert newest_tag(history) == "v0.2.0"
    client = client_of("v0.2.0", tmp_path / "previous", history)
    assert (client / "whitehall_client" / "version.py").read_text() == "number = 1\n"


@pytest.fixture(scope="module")
def previous_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the service listens that the wheel has, in an environment of its own."""
    home = tmp_path_factory.mktemp("previous-service")
    (wheel,) = Path(WHEELS).glob("whitehall-*.whl")
    with serving(environment(home, shutil.copy(wheel, home)), home) as (grpc, _):
        yield grpc


@pytest.mark.slow
@pytest.mark.skipif(not WHEELS, reason="PREVIOUS_RELEASE names no folder with the previous release's wheel")
@pytest.mark.timeout(600)
@GAMES
def test_the_client_of_today_plays_against_the_service_of_the_previous_release(
    example: str, previous_service: str, tmp_path: Path
) -> None:
    said = run(sys.executable, ROOT / CLIENT / "examples" / example, previous_service, cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said
