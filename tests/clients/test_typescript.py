"""The TypeScript client: its own tests, its examples, and what it stands, over each way in which it can speak."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.clients.cable import Cable
from tests.clients.driver import (
    Driver,
    misses_nothing,
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
from tools.languages import TYPESCRIPT, Language, build_typescript, pack_typescript
from whitehall_client import aio

pytestmark = pytest.mark.timeout(300)

BUILD = TYPESCRIPT.folder / "build"
BY_FETCH = ["fetch/connect", "fetch/connect-json", "fetch/grpc-web"]
BY_NODE = ["node/grpc", "node/connect", "node/grpc-web"]


@pytest.fixture(scope="module", autouse=True)
def _built(language: Callable[[Language], None]) -> None:
    language(TYPESCRIPT)
    build_typescript()


def driver(way: str, *addresses: str) -> Driver:
    return ("node", BUILD / "test" / "driver.js", way, ",".join(f"http://{address}" for address in addresses))


def address(way: str, service: Service) -> str:
    return service.grpc if way == "node/grpc" else service.http


def test_its_own_tests_pass() -> None:
    assert "# fail 0" in run("npm", "test", "--silent", cwd=TYPESCRIPT.folder)


def test_what_the_readme_shows_is_what_happens(service: Service, tmp_path: Path) -> None:
    """In an empty folder, with the package as it is published, and with all that a strict compiler finds."""
    run("npm", "install", "--prefer-offline", "--silent", pack_typescript(tmp_path), cwd=tmp_path)
    page = Page(TYPESCRIPT.folder / "README.md")
    snippets = [block.text for block in page.blocks if block.language == "ts"]
    shown = [block.text for block in page.blocks if not block.language]
    for number, snippet in enumerate(snippets):
        here = snippet.replace("localhost:8080", service.http).replace("localhost:50051", service.grpc)
        (tmp_path / f"snippet{number}.mts").write_text(here)
    modules = TYPESCRIPT.folder / "node_modules"
    options = ("--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "--types", "node")
    sources = [f"snippet{number}.mts" for number in range(len(snippets))]
    run(modules / ".bin" / "tsc", *options, "--typeRoots", modules / "@types", *sources, cwd=tmp_path)
    for number, excerpt in enumerate(shown):
        said = run("node", f"snippet{number}.mjs", cwd=tmp_path)
        assert pattern(excerpt).search(said), f"the page shows\n{excerpt}\nand what happens is\n{said}"
    assert len(snippets) == len(shown) == 3


def test_the_code_is_formatted_and_a_browser_gets_no_more_of_it_than_is_promised() -> None:
    run("npm", "run", "check", "--silent", cwd=TYPESCRIPT.folder)
    assert "are promised" in run("npm", "run", "size", "--silent", cwd=TYPESCRIPT.folder)


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (TYPESCRIPT.folder / "package-lock.json").read_text()


def test_the_generated_code_needs_no_protos_of_others() -> None:
    for module in (TYPESCRIPT.folder / "src" / "gen").rglob("*.ts"):
        assert "buf/validate" not in module.read_text()
        assert "google_api" not in module.read_text()


@pytest.mark.parametrize("preset", ["new", pytest.param("classic", marks=pytest.mark.slow), "master"])
def test_the_example_plays_a_whole_game_of_scotland_yard(preset: str, service: Service, tmp_path: Path) -> None:
    said = run("node", BUILD / "examples" / "scotland-yard.js", f"http://{service.grpc}", preset, cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


def test_the_example_plays_a_whole_game_of_cluedo(service: Service, tmp_path: Path) -> None:
    said = run("node", BUILD / "examples" / "cluedo.js", f"http://{service.http}", cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


@pytest.mark.parametrize("way", [*BY_FETCH, *BY_NODE])
async def test_a_move_whose_answer_is_lost_is_made_once(way: str, service: Service, client: aio.Service) -> None:
    async with Cable(address(way, service)) as cable:
        await plays_once(driver(way, cable.address), cable, client)


@pytest.mark.parametrize("way", [*BY_FETCH, *BY_NODE])
async def test_a_watcher_misses_nothing_over_killed_connections(
    way: str, service: Service, client: aio.Service
) -> None:
    async with Cable(address(way, service)) as cable:
        await misses_nothing(driver(way, cable.address), cable, client)


async def test_an_answer_of_more_than_four_mebibytes_is_taken() -> None:
    async with large_records() as address:
        await takes_large_answers(driver("node/grpc", address), LARGE)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["fetch/connect", "node/grpc"])
async def test_the_connection_of_a_silent_watcher_lives_on(way: str, service: Service, client: aio.Service) -> None:
    async with Cable(address(way, service)) as cable:
        await outlives_silence(driver(way, cable.address), cable, client, 100)


@pytest.mark.parametrize("way", ["fetch/connect-json", pytest.param("node/grpc", marks=pytest.mark.slow)])
async def test_every_vector_holds(way: str, service: Service) -> None:
    async with program(*driver(way, address(way, service)), "execute") as executor:
        await run_all(executor)


@pytest.mark.parametrize(
    ("way", "rounds"),
    [
        ("fetch/connect", 1),
        pytest.param("node/grpc", 1, marks=pytest.mark.slow),
        pytest.param("fetch/connect", 6, marks=SIX_ROUNDS),
        pytest.param("node/grpc", 6, marks=SIX_ROUNDS),
    ],
)
async def test_no_call_fails_while_both_replicas_are_restarted(way: str, rounds: int, replicas: Replicas) -> None:
    addresses = replicas.addresses if way == "node/grpc" else replicas.http_addresses
    await plays_through_restarts(driver(way, *addresses), replicas, rounds)
