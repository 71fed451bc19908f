"""What somebody gets who installs the wheel on a machine that has never seen this repository."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.toolchain.building import EXT_SUFFIX, ROOT, build_wheel, clean_environment, run
from tools.compile import MODULES, can_compile

PACKAGE = ROOT / "service" / "whitehall"

# Building and installing is quick where the packages are in pip's cache, and takes a minute where they are not.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh environment with nothing in it but the wheel and what it depends on."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", environment, cwd=wheel.parent)
    programs = environment / "bin"
    run(programs / "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel, cwd=wheel.parent)
    return programs


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    compiled = {"whitehall/compiled__mypyc", *(module.removesuffix(".py") for module in MODULES)}
    extensions = {module + EXT_SUFFIX for module in compiled} if can_compile() else set()
    assert packed == sources | extensions


def test_without_a_compiler_the_wheel_is_its_sources_and_says_so(tmp_path: Path) -> None:
    said = build_wheel(tmp_path, CC="/nowhere/cc")
    assert "Whitehall stays pure Python" in said
    (wheel,) = tmp_path.glob("*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".so", ".c"))]


def test_the_wheel_carries_the_licence_and_the_notice(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.split(".dist-info/")[1] for name in archive.namelist() if ".dist-info/" in name}
    assert {"licenses/LICENSE", "licenses/NOTICE"} <= names


def test_generated_code_takes_no_top_level_name_but_our_own(installed: Path, tmp_path: Path) -> None:
    """Importing every generated module loads `google` from its own packages, and never a `buf` or a stray `*_pb2`."""
    script = """if True:
        import importlib, json, pathlib, sys
        import whitehall
        package = pathlib.Path(whitehall.__file__).parent
        modules = sorted((package / "gen").rglob("*_pb2*.py"))
        for path in modules:
            importlib.import_module(".".join(path.relative_to(package.parent).with_suffix("").parts))
        loaded = {name.partition(".")[0] for name in sys.modules}
        print(json.dumps({"modules": len(modules), "loaded": sorted(loaded)}))
    """
    answer = json.loads(run(installed / "python", "-c", script, cwd=tmp_path))
    assert answer["modules"] > 0
    assert "buf" not in answer["loaded"]
    assert not [name for name in answer["loaded"] if "_pb2" in name]


def test_the_installed_service_becomes_ready_and_stops_when_told(installed: Path, tmp_path: Path) -> None:
    """`whitehall serve` on an empty folder answers /readyz with 200 and ends with code 0 on SIGTERM."""
    admin = f"127.0.0.1:{free_port()}"
    addresses = ["--grpc-address", "127.0.0.1:0", "--http-address", "127.0.0.1:0", "--admin-address", admin]
    output = tmp_path / "output"
    with output.open("wb") as sink:
        service = subprocess.Popen(
            [installed / "whitehall", "serve", *addresses, "--data-dir", tmp_path / "data"],
            cwd=tmp_path,
            env=clean_environment(),
            stdout=sink,
            stderr=subprocess.STDOUT,
        )
    try:
        for answer in answers(f"http://{admin}/readyz", seconds=60):
            if answer == 200:
                break
            assert service.poll() is None, f"ended by itself with {service.returncode}:\n{output.read_text()}"
        else:
            pytest.fail(f"not ready after a minute:\n{output.read_text()}")
        service.send_signal(signal.SIGTERM)
        assert service.wait(timeout=60) == 0, output.read_text()
    finally:
        service.kill()
        service.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def answers(url: str, seconds: float) -> Iterator[int | None]:
    """The status of one request after another, None where nobody listens, until the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                yield response.status
        except urllib.error.HTTPError as refusal:
            refusal.close()
            yield refusal.code
        except OSError:
            yield None
        time.sleep(0.05)
