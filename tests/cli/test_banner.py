"""What the service says once it takes calls: addresses that can be opened, and a first call that can be pasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from whitehall.cli import service
from whitehall.main import Addresses
from whitehall.settings import Settings

ADDRESSES = Addresses("localhost:50051", "localhost:8080", "localhost:9090")
CREATE = "localhost:50051/whitehall.scotlandyard.v1.ScotlandYardService/CreateGame"


@pytest.mark.parametrize(("tls", "scheme"), [(False, "http"), (True, "https")])
def test_the_public_addresses_are_those_of_what_is_spoken_there(
    capsys: pytest.CaptureFixture[str], tls: bool, scheme: str
) -> None:
    files = {"tls_certificate": Path("/a.crt"), "tls_key": Path("/a.key")} if tls else {}
    service.announce(Settings.load(files, {}, None), ADDRESSES)
    told = capsys.readouterr().out
    assert f"HTTP      {scheme}://localhost:8080\n" in told
    assert f"docs      {scheme}://localhost:8080/docs\n" in told
    assert f" {scheme}://{CREATE}" in told
    assert "http://localhost:9090/metrics" in told, "the admin port has no TLS"


def test_a_page_that_is_not_installed_is_not_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "is_installed", lambda: False)
    service.announce(Settings.load({}, {}, None), ADDRESSES)
    assert "/docs" not in capsys.readouterr().out
