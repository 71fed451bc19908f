"""A real browser without a window, on a page that tells what it found."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}
SECONDS = 90.0
"""How long it may take to start and play."""


def browser_of(external_program: Callable[[str], Path]) -> str | Path:
    """The browser of this machine."""
    return next(filter(None, map(shutil.which, BROWSERS)), None) or external_program(BROWSERS[0])


async def outcome(browser: str | Path, profile: Path, address: str, told: asyncio.Future[dict[str, Any]]) -> Any:
    """What the page at this address tells of itself, in a browser that keeps what it needs in a folder of its own."""
    process = await asyncio.create_subprocess_exec(
        *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
        *(f"--user-data-dir={profile}", "--remote-debugging-port=0", address),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(SECONDS):
            return await told
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def page_server(folder: Path, told: asyncio.Future[dict[str, Any]]) -> AsyncIterator[str]:
    """Serves the files of a folder, and hears at `/told` what the page has to tell."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            return writer.close()  # a browser opens connections that it may need
        verb, path, *_ = head.split()
        status, kind, body = "404 Not Found", "text/plain", b""
        file = folder / path.partition("?")[0].lstrip("/")
        if verb == "POST":
            length = next(line for line in head.lower().splitlines() if line.startswith("content-length:"))
            told.set_result(json.loads(await reader.readexactly(int(length.partition(":")[2]))))
            status = "200 OK"
        elif file.is_file():
            status, kind, body = "200 OK", TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes()
        writer.write(f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n".encode())
        writer.write(b"connection: close\r\n\r\n" + body)
        await writer.drain()
        return writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
