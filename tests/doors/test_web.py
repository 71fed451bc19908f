"""The libraries that browsers use, in Node and in a real browser on a page of another origin."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2
from google.rpc import error_details_pb2

from tests.api.live import live
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO
from whitehall.sessions.redis_store import RedisStore

HERE = Path(__file__).parent / "web"
REPOSITORY = HERE.parents[2]
MODES = ("connect-json", "connect-binary", "grpc-web")
SECONDS = 90.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TYPES = {".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json"}


@pytest.fixture(scope="module")
def libraries(external_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the libraries, the scenario and the contract's image."""
    for program in ("node", "npm"):
        external_program(program)
    folder = tmp_path_factory.mktemp("web")
    for file in HERE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    quiet = ("--no-audit", "--no-fund", "--ignore-scripts")
    subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True, capture_output=True)
    image = folder / "image.binpb"
    subprocess.run([sys.executable, "tools/generate.py", "--image", str(image)], cwd=REPOSITORY, check=True)
    # The details of refusals are google's messages, which a frontend makes code for beside ours.
    contract = descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes())
    error_details_pb2.DESCRIPTOR.CopyToProto(contract.file.add())
    image.write_bytes(contract.SerializeToString())
    return folder


def is_as_it_should_be(told: dict[str, Any]) -> None:
    for mode in MODES:
        game = told[mode]
        assert game["revisions"] == [1, 2], mode
        assert game["revision"] == 2
        assert game["refusal"]["code"] == "FailedPrecondition"
        assert game["refusal"]["reason"] == "ILLEGAL_MOVE"
        assert game["refusal"]["rule"].startswith("SY-")
    assert told["event"]["status"] == 200
    assert "data:" in told["event"]["text"]


async def test_connect_web_plays_in_all_its_modes_from_node(store: RedisStore, libraries: Path) -> None:
    async with live(store, {"cors_origins": "*"}) as service:
        process = await asyncio.create_subprocess_exec(
            *("node", "in_node.mjs", f"http://{service.http}", "image.binpb"),
            cwd=libraries,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        told = json.loads(out)
        is_as_it_should_be(told)
        await _is_let_through(service.http, told["needed"])


async def _is_let_through(address: str, needed: dict[str, list[str]]) -> None:
    """What the library says that a page must be able to send and to read."""
    page = [("origin", "https://play.example")]
    async with asked(address, "OPTIONS", BUILD_INFO, [*page, ("access-control-request-method", "POST")]) as answer:
        allowed = answer.headers["access-control-allow-headers"].split(", ")
    async with asked(address, "POST", BUILD_INFO, [*page, ("content-type", "application/json")], b"{}") as answer:
        exposed = answer.headers["access-control-expose-headers"].split(", ")
    assert {name.lower() for name in needed["allowed"]} <= set(allowed)
    assert {name.lower() for name in needed["exposed"]} <= set(exposed)


async def test_a_page_of_another_origin_plays_in_a_real_browser(
    store: RedisStore, libraries: Path, tmp_path: Path, external_program: Callable[[str], Path]
) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None) or external_program(BROWSERS[0])
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    async with page_server(libraries, told) as origin, live(store, {"cors_origins": origin}) as service:
        process = await asyncio.create_subprocess_exec(
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
            *(f"--user-data-dir={tmp_path}", f"{origin}/page.html?service=http://{service.http}"),
            *("--remote-debugging-port=0",),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(SECONDS):
                found = await told
        finally:
            process.terminate()
            await process.wait()
        assert "error" not in found, found["error"]
        is_as_it_should_be(found)


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
