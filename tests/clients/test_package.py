"""The client's wheel, as somebody gets it who installs it far away from this repository."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.api.service import Service
from tests.toolchain.building import ROOT, run
from whitehall import __version__

CLIENT = ROOT / "clients" / "python"

OLDEST = (
    *("protobuf==6.31.1", "grpcio==1.76.0", "googleapis-common-protos==1.70.0"),
    *("types-protobuf==6.30.2.20250516", "types-grpcio==1.0.0.20250914"),
)
"""What the package says that it can do with."""
NEWEST = ("--constraint", str(ROOT / "constraints.txt"), "protobuf>=7")

PROGRAM = """if True:
    import asyncio, sys, whitehall_client
    async def main():
        # How long a step takes by the clock tells of the machine, which may be busy, and not of the client.
        asyncio.get_running_loop().slow_callback_duration = float("inf")
        async with whitehall_client.aio.connect(sys.argv[1]) as service:
            made = await service.scotland_yard.create_game(players=2)
            mr_x = await service.scotland_yard.claim(made.seats["mr_x"])
            try:
                await mr_x.play("taxi 200")
            except whitehall_client.IllegalMove as refusal:
                print(refusal.rule)
            return made.game_id, mr_x.token, (await mr_x.moves())[0]
    game_id, token, move = asyncio.run(main())
    with whitehall_client.connect(sys.argv[1]) as service:
        update = service.scotland_yard.seat(game_id, token).play(move).update
        print(update.revision.events[0].text.split()[0])
"""

WRONG = """\
import whitehall_client
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2

with whitehall_client.connect() as service:
    made = service.cluedo.create_game(players="three")  # has incompatible type "str"; expected "int"
    made.game.infos  # "Game" has no attribute "infos"
    made.game.info.create_time.ToDatetime().days  # "datetime" has no attribute "days"
    service.cluedo.positions.ListRefuter  # "CluedoPositionServiceStub" has no attribute "ListRefuter"
    asked = position_pb2.ListRefutersRequest()
    service.ask(service.cluedo.positions.ListRefuters, asked).refuter  # "ListRefutersResponse" has no attribute
    for each in service.cluedo.seat("game", "token").watch():
        each.updates  # "WatchGameResponse" has no attribute "updates"
"""
"""What a strict type checker finds in it, line by line."""

# Quick where the packages are in a cache, and a minute where they are not.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", target, CLIENT, cwd=target)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with nothing in it but the client and what it depends on."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    uv = Path(sys.prefix, "bin", "uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, environment, cwd=wheel.parent)
    programs = environment / "bin"
    run(uv, "pip", "install", "--quiet", "--python", programs / "python", wheel, *request.param, cwd=wheel.parent)
    return programs


ends = pytest.mark.parametrize("installed", [OLDEST, NEWEST], ids=["oldest", "newest"], indirect=True)


def test_the_wheel_has_the_services_version_and_one_top_level_name(wheel: Path) -> None:
    """OP-17: no stray `*_pb2`, `google` or `buf` beside the package."""
    assert wheel.name == f"whitehall_client-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(CLIENT).as_posix()
        for path in (CLIENT / "whitehall_client").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == sources


def test_the_generated_code_needs_no_protos_of_others(wheel: Path) -> None:
    """Of `google` nothing but protobuf itself, and what it says of errors; no `buf`, and no version of the service."""
    for module in (CLIENT / "whitehall_client").rglob("*.py"):
        for line in module.read_text().splitlines():
            if line.startswith(("import ", "from ")):
                assert not line.split()[1].startswith(("buf", "google.api", "whitehall.")), f"{module}: {line}"


@ends
def test_what_was_installed_plays_from_any_folder(installed: Path, service: Service, tmp_path: Path) -> None:
    """OP-17: in an empty environment, without a warning."""
    said = run(installed / "python", "-X", "dev", "-W", "error", "-c", PROGRAM, service.grpc, cwd=tmp_path)
    assert said.split() == ["SY-MOVE-01", "mr_x"]


@pytest.mark.slow
@ends
def test_a_strict_type_checker_understands_the_package(installed: Path, tmp_path: Path) -> None:
    """OP-17: what is right passes, without an expression of which it knows nothing, and what is wrong is found. The
    types get through to the user, who has installed nothing for it.
    """
    shutil.copytree(CLIENT / "examples", tmp_path / "examples")
    (tmp_path / "wrong.py").write_text(WRONG)
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", installed / "python")
    run(*mypy, "--disallow-any-expr", "examples", cwd=tmp_path)
    with pytest.raises(AssertionError) as found:
        run(*mypy, "wrong.py", cwd=tmp_path)
    lines = [line for line in str(found.value).splitlines() if line.startswith("wrong.py:")]
    expected = [line.partition("  # ")[2] for line in WRONG.splitlines() if "  # " in line]
    assert len(lines) == len(expected), lines
    for line, words in zip(lines, expected, strict=True):
        assert words in line
