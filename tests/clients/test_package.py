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

OLDEST = ("protobuf==6.31.1", "grpcio==1.76.0", "googleapis-common-protos==1.70.0")
"""What the package says that it can do with."""
NEWEST = ("--constraint", str(ROOT / "constraints.txt"), "protobuf>=7")

PROGRAM = """if True:
    import asyncio, sys, whitehall_client
    async def main():
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
@pytest.mark.parametrize("installed", [NEWEST], ids=["newest"], indirect=True)
def test_a_strict_type_checker_understands_the_package(installed: Path, tmp_path: Path) -> None:
    """OP-17: what is right passes, and what is wrong is found. The types get through to the user."""
    shutil.copytree(CLIENT / "examples", tmp_path / "examples")
    wrong = 'import whitehall_client\nwhitehall_client.connect("x").scotland_yard.create_game(players="three")\n'
    (tmp_path / "wrong.py").write_text(wrong)
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", installed / "python")
    run(*mypy, "examples", cwd=tmp_path)
    with pytest.raises(AssertionError, match='has incompatible type "str"; expected "int"'):
        run(*mypy, "wrong.py", cwd=tmp_path)
