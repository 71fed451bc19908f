"""An address that somebody else has: each door says which one it is and why, and nothing has been opened by then."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from whitehall.main import running
from whitehall.settings import Settings
from whitehall.telemetry.log import configure, flush

ADDRESSES = {"grpc_address": "gRPC ", "http_address": "HTTP ", "admin_address": ""}


@pytest.fixture
def taken() -> Iterator[str]:
    """An address where somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as somebody:
        yield f"127.0.0.1:{somebody.getsockname()[1]}"


@pytest.mark.parametrize(("setting", "door"), ADDRESSES.items())
async def test_whoever_takes_an_address_that_is_taken_is_told_why_it_can_not_be_had(
    setting: str, door: str, taken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure("json", "info")
    free = dict.fromkeys(ADDRESSES, "127.0.0.1:0")
    settings = Settings.load({**free, "data_dir": str(tmp_path), "drain_seconds": 0, setting: taken}, {})
    with pytest.raises(OSError, match="listen") as refusal:
        async with running(settings):
            pass
    assert str(refusal.value) == f"{door}can't listen on {taken}: Address already in use"
    assert flush()
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    assert not [line for line in told if line["event"] in ("draining", "started")]


async def test_an_address_that_this_machine_does_not_have_is_told_of_alike_by_all(tmp_path: Path) -> None:
    for setting, door in ADDRESSES.items():
        free = dict.fromkeys(ADDRESSES, "127.0.0.1:0")
        settings = Settings.load({**free, "data_dir": str(tmp_path), setting: "203.0.113.1:1", "open": True}, {})
        with pytest.raises(OSError, match="listen") as refusal:
            async with running(settings):
                pass
        assert str(refusal.value) == f"{door}can't listen on 203.0.113.1:1: Cannot assign requested address"
