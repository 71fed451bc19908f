"""A service that can't start: one line says why, the code is 1, and no password is shown."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.sessions.servers import Server, free_port
from whitehall.cli import main, service
from whitehall.sessions.embedded import server_binary
from whitehall.settings import Settings

PASSWORD = "swordfish"
ANY_PORT = (*(f"--{listener}-address=127.0.0.1:0" for listener in ("grpc", "http", "admin")), "--log-format=json")


def refused(program: Path, url: str) -> str:
    """The one line with which the program ends on a store's URL."""
    ended = subprocess.run(
        [program, "serve", *ANY_PORT],
        env=os.environ | {"WHITEHALL_REDIS_URL": url},
        capture_output=True,
        check=False,
        text=True,
        timeout=30,
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert PASSWORD not in line
    return line


@pytest.mark.parametrize(
    "path",
    ["/abc", "?foo=1", "?protocol=x", "?max_connections=x", "?socket_timeout=abc", f"?password={PASSWORD}", "#1"],
)
def test_a_url_with_a_part_that_can_not_be_used_is_told_in_one_line(program: Path, path: str) -> None:
    line = refused(program, f"redis://:{PASSWORD}@127.0.0.1:{free_port()}{path}")
    assert "WHITEHALL_REDIS_URL has to be redis://host:port/db" in line


def test_an_option_with_a_value_that_can_not_be_used_is_told_in_one_line(program: Path) -> None:
    url = f"rediss://:{PASSWORD}@127.0.0.1:{free_port()}?ssl_cert_reqs=x"
    assert "part or an option" in refused(program, url)


def test_a_database_that_is_not_there_is_told_in_one_line(program: Path, tmp_path: Path) -> None:
    port = free_port()
    server = Server(server_binary(), tmp_path, "--port", str(port))
    server.start()
    with server.client() as client:
        client.config_set("requirepass", PASSWORD)
    try:
        assert "no database of that number" in refused(program, f"redis://:{PASSWORD}@127.0.0.1:{port}/99")
        assert "credentials" in refused(program, f"redis://:{PASSWORD[::-1]}@127.0.0.1:{port}/0")
    finally:
        server.kill()


@pytest.mark.parametrize("kind", [TypeError, KeyError, RuntimeError, ValueError, ExceptionGroup])
def test_a_fault_that_nobody_has_foreseen_is_told_without_its_text(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: type[Exception]
) -> None:
    fault = ExceptionGroup(PASSWORD, [ValueError(PASSWORD)]) if kind is ExceptionGroup else kind(PASSWORD)

    async def serve(_settings: Settings, _started: object) -> None:
        raise fault

    monkeypatch.setattr(service, "serve", serve)
    result: Result = CliRunner().invoke(main, ["serve", *ANY_PORT, "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    assert f"by a fault of its own ({kind.__name__})" in result.output
    assert "Traceback" not in result.output
    assert PASSWORD not in result.output
