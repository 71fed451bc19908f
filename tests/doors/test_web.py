"""The libraries that browsers use, in Node and in a real browser on a page of another origin."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2
from google.rpc import error_details_pb2

from tests.api.live import live
from tests.doors.browser import browser_of, outcome, page_server
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO
from whitehall.sessions.redis_store import RedisStore

HERE = Path(__file__).parent / "web"
REPOSITORY = HERE.parents[2]
MODES = ("connect-json", "connect-binary", "grpc-web")
SECONDS = 90.0


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
    browser = browser_of(external_program)
    told: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    async with page_server(libraries, told) as origin, live(store, {"cors_origins": origin}) as service:
        found = await outcome(browser, tmp_path, f"{origin}/page.html?service=http://{service.http}", told)
        assert "error" not in found, found["error"]
        is_as_it_should_be(found)
