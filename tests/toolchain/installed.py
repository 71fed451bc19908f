"""What was installed somewhere else, far from this repository: environments with nothing else in them, and the service
that runs there.
"""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.sessions.servers import free_port
from tests.toolchain.building import ROOT, clean_environment, run

STARTS_WITHIN = 60.0


def environment(folder: Path, *requirements: str | Path) -> Path:
    """The bin folder of a new environment with these installed, at the versions that we test with."""
    uv, where = Path(sys.prefix, "bin", "uv"), folder / "venv"
    run(uv, "venv", "--quiet", "--python", sys.executable, where, cwd=folder)
    install = (uv, "pip", "install", "--quiet", "--python", where / "bin" / "python")
    run(*install, "--constraint", ROOT / "constraints.txt", *requirements, cwd=folder)
    return where / "bin"


@contextmanager
def serving(programs: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """The addresses of gRPC and HTTP of an installed service, with its data below a folder."""
    grpc, http, admin = (f"127.0.0.1:{free_port()}" for _ in range(3))
    addresses = ("--grpc-address", grpc, "--http-address", http, "--admin-address", admin)
    output = folder / "output"
    with output.open("wb") as sink:
        service = subprocess.Popen(
            [programs / "whitehall", "serve", *addresses, "--drain-seconds", "0", "--data-dir", folder / "data"],
            cwd=folder,
            env=clean_environment(),
            stdout=sink,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + STARTS_WITHIN
        while not _is_ready(admin):
            assert service.poll() is None, f"ended by itself with {service.returncode}:\n{output.read_text()}"
            assert time.monotonic() < deadline, f"not ready after a minute:\n{output.read_text()}"
            time.sleep(0.05)  # between two questions; what is waited for is the service's own word
        yield grpc, http
    finally:
        service.terminate()
        service.wait(STARTS_WITHIN)


def _is_ready(admin: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{admin}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as refusal:
        refusal.close()
    except OSError:
        pass
    return False
