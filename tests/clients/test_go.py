"""The Go client: its own tests, its examples, and what it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.clients.cable import Cable
from tests.clients.driver import (
    misses_nothing,
    needs_no_store,
    outlives_silence,
    plays_once,
    plays_through_restarts,
    takes_large_answers,
)
from tests.clients.replicas import SIX_ROUNDS, Replicas
from tests.clients.test_channel import LARGE, large_records
from tests.docs.page import Page
from tests.docs.test_snippets import pattern
from tests.toolchain.building import run
from tests.vectors.executors.program import program
from tests.vectors.test_vectors import run_all
from tools.languages import GO, Language, build_go
from whitehall_client import aio

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module", autouse=True)
def _needed(language: Callable[[Language], None]) -> None:
    language(GO)


@pytest.fixture(scope="module")
def programs() -> Path:
    return build_go()


def test_its_own_tests_pass_and_its_code_is_formatted() -> None:
    run("go", "vet", "./...", cwd=GO.folder)
    assert "ok" in run("go", "test", ".", cwd=GO.folder)
    by_hand = [path for path in GO.folder.rglob("*.go") if "gen" not in path.relative_to(GO.folder).parts]
    # Beside Go itself, which may be alone on the path.
    gofmt = Path(run("go", "env", "GOROOT", cwd=GO.folder).strip(), "bin", "gofmt")
    assert run(str(gofmt), "-l", *by_hand, cwd=GO.folder) == ""


def test_the_generated_code_needs_no_protos_of_others() -> None:
    for module in (GO.folder / "gen").rglob("*.go"):
        assert "buf/validate" not in module.read_text()
        assert "googleapis/api" not in module.read_text()


def test_what_the_readme_shows_is_what_happens(service: Service, tmp_path: Path) -> None:
    """In a module of its own, which knows the client as any other would."""
    page = Page(GO.folder / "README.md")
    sources = [block.text for block in page.blocks if block.language == "go"]
    shown = [block.text for block in page.blocks if not block.language]
    module = (GO.folder / "go.mod").read_text()
    for number, (source, excerpt) in enumerate(zip(sources, shown, strict=True)):
        folder = tmp_path / f"snippet{number}"
        folder.mkdir()
        (folder / "main.go").write_text(source.replace("localhost:50051", service.grpc))
        needed = f"require whitehall.example/client v0.0.0\nreplace whitehall.example/client => {GO.folder}\n"
        (folder / "go.mod").write_text(module.replace("module whitehall.example/client", "module game") + needed)
        (folder / "go.sum").write_text((GO.folder / "go.sum").read_text())
        said = run("go", "run", "-mod=mod", ".", cwd=folder)
        assert pattern(excerpt).search(said), f"the page shows\n{excerpt}\nand what happens is\n{said}"
    assert sources


@pytest.mark.parametrize("preset", ["new", pytest.param("classic", marks=pytest.mark.slow), "master"])
def test_the_example_plays_a_whole_game_of_scotland_yard(
    preset: str, service: Service, programs: Path, tmp_path: Path
) -> None:
    said = run(programs / "scotlandyard", service.grpc, preset, cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


def test_the_example_plays_a_whole_game_of_cluedo(service: Service, programs: Path, tmp_path: Path) -> None:
    said = run(programs / "cluedo", service.grpc, cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


async def test_a_move_whose_answer_is_lost_is_made_once(programs: Path, cable: Cable, client: aio.Service) -> None:
    await plays_once((programs / "driver", cable.address), cable, client)


async def test_a_watcher_misses_nothing_over_killed_connections(
    programs: Path, cable: Cable, client: aio.Service
) -> None:
    await misses_nothing((programs / "driver", cable.address), cable, client)


async def test_the_catalog_and_positions_are_served_while_the_store_is_away(
    programs: Path, storeless_service: Service
) -> None:
    await needs_no_store((programs / "driver", storeless_service.grpc))


async def test_an_answer_of_more_than_four_mebibytes_is_taken(programs: Path) -> None:
    async with large_records() as address:
        await takes_large_answers((programs / "driver", address), LARGE)


@pytest.mark.slow
async def test_the_connection_of_a_silent_watcher_lives_on(programs: Path, cable: Cable, client: aio.Service) -> None:
    await outlives_silence((programs / "driver", cable.address), cable, client, 100)


async def test_every_vector_holds(service: Service, programs: Path) -> None:
    async with program(programs / "driver", service.grpc, "execute") as executor:
        await run_all(executor)


@pytest.mark.parametrize("rounds", [1, pytest.param(6, marks=SIX_ROUNDS)])
async def test_no_call_fails_while_both_replicas_are_restarted(rounds: int, programs: Path, replicas: Replicas) -> None:
    await plays_through_restarts((programs / "driver", ",".join(replicas.addresses)), replicas, rounds)
