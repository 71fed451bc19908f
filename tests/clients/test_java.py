"""The Java client: its own tests, its examples, and what it stands."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.api.service import Service
from tests.clients.cable import Cable
from tests.clients.driver import (
    Driver,
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
from tools import java
from tools.languages import JAVA, Language
from whitehall_client import aio

# On a fresh machine Maven fetches what it needs first.
pytestmark = pytest.mark.timeout(600)

ONLY_JAVA = re.compile(r"(META-INF/.*|example/|example/whitehall/.*)")


@pytest.fixture(scope="module", autouse=True)
def _built(language: Callable[[Language], None]) -> None:
    language(JAVA)
    java.build()


JVM = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Quick to start, as tests are short."""


def in_java(*arguments: str | Path) -> Driver:
    """A program on the Java client."""
    return (*JVM, "-cp", java.classpath(java.TARGET / "test-classes"), *arguments)


def driver(*addresses: str) -> Driver:
    return in_java("example.whitehall.client.Driver", ",".join(addresses))


def test_its_own_tests_pass() -> None:
    shutil.rmtree(java.TARGET / "surefire-reports", ignore_errors=True)
    java.maven("surefire:test")
    reports = list((java.TARGET / "surefire-reports").glob("*.txt"))
    assert len(reports) == len(list((JAVA.folder / "src" / "test").rglob("*Test.java")))
    for report in reports:
        assert re.search(r"Tests run: [1-9]\d*, Failures: 0, Errors: 0, Skipped: 0,", report.read_text())


def test_the_jar_has_nothing_of_others_and_no_protos_of_the_service() -> None:
    with zipfile.ZipFile(java.jar()) as archive:
        names = archive.namelist()
    assert [name for name in names if not ONLY_JAVA.fullmatch(name)] == []
    assert "META-INF/LICENSE" in names
    for module in (java.TARGET / "generated-sources").rglob("*.java"):
        code = module.read_text()
        assert "buf.validate" not in code
        assert "com.google.api" not in code
        assert "store" not in module.parts


def test_what_the_readme_shows_is_what_happens(service: Service, tmp_path: Path) -> None:
    """With the jar and what its pom asks for."""
    page = Page(JAVA.folder / "README.md")
    sources = [block.text for block in page.blocks if block.language == "java"]
    shown = [block.text for block in page.blocks if not block.language]
    libraries = f"{java.jar()}:{java.TARGET / 'libraries'}/*"
    for number, (source, excerpt) in enumerate(zip(sources, shown, strict=True)):
        program = tmp_path / f"Snippet{number}.java"
        program.write_text(source.replace("localhost:50051", service.grpc))
        said = run(*JVM, "-cp", libraries, program, cwd=tmp_path)
        assert pattern(excerpt).search(said), f"the page shows\n{excerpt}\nand what happens is\n{said}"
    assert len(sources) == 2


@pytest.mark.parametrize("preset", ["new", pytest.param("classic", marks=pytest.mark.slow), "master"])
def test_the_example_plays_a_whole_game_of_scotland_yard(preset: str, service: Service, tmp_path: Path) -> None:
    said = run(*in_java("ScotlandYardGame", service.grpc, preset), cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


def test_the_example_plays_a_whole_game_of_cluedo(service: Service, tmp_path: Path) -> None:
    said = run(*in_java("CluedoGame", service.grpc), cwd=tmp_path)
    assert "won by" in said.splitlines()[-1], said


async def test_a_move_whose_answer_is_lost_is_made_once(cable: Cable, client: aio.Service) -> None:
    await plays_once(driver(cable.address), cable, client)


async def test_a_watcher_misses_nothing_over_killed_connections(cable: Cable, client: aio.Service) -> None:
    await misses_nothing(driver(cable.address), cable, client)


async def test_the_catalog_and_positions_are_served_while_the_store_is_away(storeless_service: Service) -> None:
    await needs_no_store(driver(storeless_service.grpc))


async def test_an_answer_of_more_than_four_mebibytes_is_taken() -> None:
    async with large_records() as address:
        await takes_large_answers(driver(address), LARGE)


@pytest.mark.slow
async def test_the_connection_of_a_silent_watcher_lives_on(cable: Cable, client: aio.Service) -> None:
    await outlives_silence(driver(cable.address), cable, client, 100)


def test_the_libraries_of_protobuf_that_a_consumer_gets_are_of_one_version() -> None:
    """What a test alone needs would win over an older one in the bill and at our side, and not at the consumer's."""
    pom = ElementTree.parse(JAVA.folder / "pom.xml")
    spaces = {"m": "http://maven.apache.org/POM/4.0.0"}
    asked = pom.findall("m:dependencies/m:dependency", spaces)
    scopes = {one.findtext("m:artifactId", "", spaces): one.findtext("m:scope", "compile", spaces) for one in asked}
    found = [path.name for path in (java.TARGET / "libraries").glob("protobuf-java*.jar")]
    versions = {
        name.removesuffix(".jar").rsplit("-", 1)[0]: name.removesuffix(".jar").rsplit("-", 1)[1] for name in found
    }
    assert set(versions) == {"protobuf-java", "protobuf-java-util"}
    assert len(set(versions.values())) == 1
    assert all(scopes[library] in ("compile", "runtime") for library in versions)


async def test_every_vector_holds(service: Service) -> None:
    async with program(*driver(service.grpc), "execute") as executor:
        await run_all(executor)


@pytest.mark.parametrize("rounds", [1, pytest.param(6, marks=SIX_ROUNDS)])
async def test_no_call_fails_while_both_replicas_are_restarted(rounds: int, replicas: Replicas) -> None:
    await plays_through_restarts(driver(*replicas.addresses), replicas, rounds)
