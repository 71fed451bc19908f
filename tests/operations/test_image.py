"""What the image starts, started as the image would: by a user who is nobody, on a root that can't be written to.

There is no container engine here. A mount namespace of the test's own takes its place: everything in it is read-only
but for the folders that a container has.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest

from tests.api.live import until
from tests.api.table import Yard
from tests.operations.dockerfile import Dockerfile
from tests.operations.queries import DEPLOY
from tests.sessions.servers import free_port
from whitehall.settings import Settings

PROGRAM = "import sys; from whitehall.cli import main; sys.argv[0] = 'whitehall'; main()"

SETUP = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs {stage}
mkdir {stage}/python {stage}/packages {stage}/service {stage}/data
chmod 755 {stage}
mount --bind {python} {stage}/python
mount --bind {packages} {stage}/packages
mount --bind {service} {stage}/service
chown 65532:65532 {stage}/data
mount -t tmpfs -o mode=700,uid=65532,gid=65532 tmpfs {stage}/data
mount -o remount,bind,ro {stage}
mount -o remount,bind,ro {stage}/python
mount -o remount,bind,ro {stage}/packages
mount -o remount,bind,ro {stage}/service
mount -o remount,bind,ro /
cd /
exec setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs --bounding-set=-all {command}
"""
"""Python may lie in a folder that nobody else can enter, so it is mounted where everybody can."""


class Container:
    """The service as the image starts it."""

    def __init__(self, unshare: Path, stage: Path) -> None:
        image = Dockerfile.read(DEPLOY / "Dockerfile")
        self.address, self.http, self.admin = (f"127.0.0.1:{free_port()}" for _ in range(3))
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/nonexistent",
            "LD_LIBRARY_PATH": f"{stage}/python/lib",
            "PYTHONPATH": f"{stage}/service:{stage}/packages",
            **{name: value for name, value in image.environment.items() if name != "PATH"},
            "WHITEHALL_DATA_DIR": f"{stage}/data",
            "WHITEHALL_GRPC_ADDRESS": self.address,
            "WHITEHALL_HTTP_ADDRESS": self.http,
            "WHITEHALL_ADMIN_ADDRESS": self.admin,
        }
        self._python = [f"{stage}/python/bin/{Path(sys.executable).resolve().name}", "-c", PROGRAM]
        self._health = image.health[1:]
        self._unshare = unshare
        self._stage = stage
        self._process = self._start(image.command[1:])

    def _start(self, arguments: list[str]) -> subprocess.Popen[str]:
        script = SETUP.format(
            stage=self._stage,
            python=sys.base_prefix,
            packages=sysconfig.get_path("purelib"),
            service=DEPLOY.parent / "service",
            command=shlex.join([*self._python, *arguments]),
        )
        return subprocess.Popen(
            [self._unshare, "--mount", "sh", "-c", script],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def is_well(self) -> bool:
        """What the image's own health check says."""
        program = [sys.executable, "-c", PROGRAM, *self._health]
        environment = {name: value for name, value in self.environment.items() if name.startswith("WHITEHALL_")}
        done = subprocess.run(program, env=os.environ | environment, capture_output=True, check=False, timeout=30)
        assert self._process.poll() is None, self._process.communicate()[0]
        return done.returncode == 0

    @property
    def ids(self) -> set[str]:
        """The user and group that it runs as, in all their forms."""
        status = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return {word for line in status if line.startswith(("Uid:", "Gid:")) for word in line.split()[1:]}

    def stop(self) -> tuple[int, str]:
        """End it as an engine does; the exit code, and what it said."""
        self._process.terminate()
        said, _ = self._process.communicate(timeout=30)
        return self._process.returncode, said


@pytest.fixture
def container(external_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """A container that runs."""
    unshare = external_program("unshare")
    # A read-only root and another user need the rights of root, which nobody has to give to tests at home.
    if os.geteuid() != 0:
        pytest.skip("only root may become another user in a namespace of mounts")
    external_program("setpriv")
    # Not below the test's own folder, which nobody else may enter.
    stage = Path("/mnt")
    container = Container(unshare, stage)
    yield container
    container.stop()


async def test_the_image_s_command_serves_as_nobody_on_a_read_only_root(container: Container) -> None:
    """With an embedded store in the only folder that it may write to."""
    await until(container.is_well, 30)
    assert container.ids == {"65532"}
    async with grpc.aio.insecure_channel(container.address) as channel:
        table = await Yard(channel).table(3)
        assert (await table.get()).info.revision == 1
    code, said = container.stop()
    assert code == 0, said
    assert "Read-only file system" not in said
    assert "Permission denied" not in said


def test_the_image_listens_everywhere_and_so_starts_with_keys_only() -> None:
    environment = {
        name: value
        for name, value in Dockerfile.read(DEPLOY / "Dockerfile").environment.items()
        if name.startswith("WHITEHALL_")
    }
    with pytest.raises(Exception, match="operator_keys"):
        Settings.load({}, environment)
    assert Settings.load({}, environment | {"WHITEHALL_OPEN": "true"}).grpc_address == "0.0.0.0:50051"
