"""The TypeScript client in a real browser, on a page of another origin, as one file of the size that is promised."""

from __future__ import annotations

import asyncio
import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.service import Service
from tests.doors.test_web import BROWSERS, page_server
from tests.toolchain.building import run
from tools.languages import TYPESCRIPT, build_typescript

LACKING = TYPESCRIPT.lacking()
pytestmark = [pytest.mark.skipif(bool(LACKING), reason=LACKING), pytest.mark.timeout(300)]

SECONDS = 90.0
"""How long the browser may take to start and play."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page and its only script."""
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
    browser = next(filter(None, map(shutil.which, BROWSERS)), None) or external_program(BROWSERS[0])
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    async with page_server(site, told) as origin:
        service = Service(tmp_path, "--drain-seconds", "0", "--cors-origins", origin)
        await asyncio.to_thread(service.start)
        try:
            process = await asyncio.create_subprocess_exec(
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
                *(f"--user-data-dir={tmp_path / 'profile'}", "--remote-debugging-port=0"),
                f"{origin}/page.html?service=http://{service.http}",
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                async with asyncio.timeout(SECONDS):
                    outcome = await told
            finally:
                process.terminate()
                await process.wait()
        finally:
            await asyncio.to_thread(service.stop)
    assert "error" not in outcome, outcome["error"]
    assert set(outcome) == {"connect", "connect-json", "grpc-web"}
    for game in outcome.values():
        first, second = game["told"]
        assert second == first + 1 == game["revision"]
        assert game["listed"] > 0
        assert not game["seesMrX"]
        assert game["rule"].startswith("SY-")
