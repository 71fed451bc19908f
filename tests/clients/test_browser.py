"""The TypeScript client in a real browser, on a page of another origin, as one file of the size that is promised."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.service import Service
from tests.doors.browser import browser_of, outcome, page_server
from tests.toolchain.building import run
from tools.languages import TYPESCRIPT, Language, build_typescript

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def site(language: Callable[[Language], None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page and its only script."""
    language(TYPESCRIPT)
    build_typescript()
    folder = tmp_path_factory.mktemp("site")
    options = ("--bundle", "--minify", "--format=esm", "--platform=browser", "--target=es2022", "--log-level=warning")
    esbuild = TYPESCRIPT.folder / "node_modules" / ".bin" / "esbuild"
    page = TYPESCRIPT.folder / "build" / "test" / "page.js"
    run(esbuild, page, *options, f"--outfile={folder / 'page.js'}", cwd=TYPESCRIPT.folder)
    (folder / "page.html").write_text(
        '<!doctype html><title>A game</title><script type="module" src="page.js"></script>'
    )
    return folder


def test_the_page_loads_no_more_than_is_promised(site: Path) -> None:
    """Its own code included, which is small."""
    promised = re.search(r"at most (\d+) KiB", (TYPESCRIPT.folder / "README.md").read_text())
    assert promised is not None
    assert len(gzip.compress((site / "page.js").read_bytes(), 9)) <= int(promised[1]) * 1024


async def test_a_page_of_another_origin_plays_by_the_client(
    site: Path, tmp_path: Path, external_program: Callable[[str], Path]
) -> None:
    """It makes a game, claims seats, lists moves, plays, watches and is refused, in each way in which a browser can."""
    browser = browser_of(external_program)
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    async with page_server(site, told) as origin:
        service = Service(tmp_path, "--drain-seconds", "0", "--cors-origins", origin)
        await asyncio.to_thread(service.start)
        try:
            address = f"{origin}/page.html?service=http://{service.http}"
            found = await outcome(browser, tmp_path / "profile", address, told)
        finally:
            await asyncio.to_thread(service.stop)
    assert "error" not in found, found["error"]
    assert set(found) == {"connect", "connect-json", "grpc-web"}
    for game in found.values():
        first, second = game["told"]
        assert second == first + 1 == game["revision"]
        assert game["listed"] > 0
        assert not game["seesMrX"]
        assert game["rule"].startswith("SY-")
