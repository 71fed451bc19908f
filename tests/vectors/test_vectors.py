"""Every vector holds: in the service's own process, through each door, and through the Python client."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

from tests.api.live import store_at
from tests.api.service import Service
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.sessions.servers import Server
from tests.vectors import runner
from tests.vectors.executors import python_client
from tests.vectors.executors.in_process import in_process
from tests.vectors.executors.over_channel import OverChannel
from tests.vectors.executors.program import program
from tests.vectors.runner import FOLDER, Executor, Mismatch
from whitehall.games.cluedo.rulebook import RULES as CLUEDO_RULES
from whitehall.games.scotland_yard.rulebook import RULES
from whitehall.sessions.embedded import server_binary

VECTORS = list(runner.vectors())
ENCODINGS = {"connect-get", "grpc-web-text"}
"""Doors that carry another one's messages in Base64. What is their own, tests/doors asks of them in the gate."""


async def run_all(executor: Executor) -> None:
    """All mismatches at once, so that one look tells what they have in common."""
    mismatches = []
    for vector in VECTORS:
        try:
            await runner.run(vector, executor)
        except Mismatch as mismatch:
            mismatches.append(str(mismatch))
    assert not mismatches, f"{len(mismatches)} of {len(VECTORS)} vectors:\n\n" + "\n\n".join(mismatches[:20])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


@pytest.mark.usefixtures("nobody_elses_boards")
async def test_every_vector_holds_in_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(server_binary(), tmp_path)
    server.start()
    try:
        async with store_at(server.url) as store, in_process(store, monkeypatch) as executor:
            await run_all(executor)
    finally:
        server.kill()


async def test_every_vector_holds_over_grpc(service: Service) -> None:
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        await run_all(OverChannel(channel))


@pytest.mark.parametrize("door", [pytest.param(door, marks=[pytest.mark.slow] * (door in ENCODINGS)) for door in DOORS])
async def test_every_vector_holds_through_every_other_door(door: str, service: Service) -> None:
    await run_all(OverChannel(DoorChannel(DOORS[door](service.http))))


async def test_every_vector_holds_through_the_python_client(service: Service) -> None:
    async with program(sys.executable, python_client.__file__, service.grpc) as executor:
        await run_all(executor)


def test_every_file_is_the_message_that_vector_proto_says(tmp_path: Path) -> None:
    """A field that the format does not have, or a value of another kind, is an error."""
    image = tmp_path / "vector.binpb"
    arguments = [
        "protoc",
        f"--proto_path={FOLDER}",
        f"--descriptor_set_out={image}",
        "--include_imports",
        "vector.proto",
    ]
    assert protoc.main([*arguments, f"--proto_path={Path(protoc.__file__).parent / '_proto'}"]) == 0
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes()).file:
        pool.Add(file)
    described = pool.FindMessageTypeByName("whitehall.conformance.v1.VectorFile")
    for path in FOLDER.glob("*/*.json"):
        json_format.Parse(path.read_text(encoding="utf-8"), message_factory.GetMessageClass(described)())


def test_there_are_hundreds_each_with_an_id_of_its_own_and_rules_that_exist() -> None:
    ids = Counter(vector["id"] for vector in VECTORS)
    assert [name for name, times in ids.items() if times > 1] == []
    assert len(ids) > 500
    known = {rule.id for rule in (*RULES, *CLUEDO_RULES)}
    assert {rule for vector in VECTORS for rule in vector.get("rules", ())} <= known
    assert all(vector["description"] and vector["steps"] for vector in VECTORS)


class Parrot:
    """An executor that always says the same."""

    def __init__(self, outcome: dict[str, Any]) -> None:
        self.outcome = outcome
        self.asked: list[tuple[str, str, Any]] = []

    async def execute(self, call: str, token: str, request: Any) -> dict[str, Any]:
        self.asked.append((call, token, request))
        return self.outcome


@pytest.mark.parametrize(
    ("expected", "outcome", "difference"),
    [
        ({"answer": {"a": 1}}, {"answer": {"a": 1, "b": 2}}, None),
        ({"answer": {"a": 1}}, {"answer": {"a": 2}}, ".answer.a is 2, not 1"),
        ({"answer": {"a": False}}, {"answer": {"a": 0}}, ".answer.a is 0, not false"),
        ({"answer": {"a": None}}, {"answer": {}}, None),
        ({"answer": {"a": None}}, {"answer": {"a": {}}}, ".answer.a is {}, not null"),
        ({"answer": {"a": [1, 2]}}, {"answer": {"a": [1]}}, ".answer.a is [1], not [1, 2]"),
        ({"answer": {"a": [{"b": 1}]}}, {"answer": {"a": [{"b": 2}]}}, ".answer.a[0].b is 2, not 1"),
        ({"answer": {}}, {"refusal": {"reason": "X"}}, ".answer is absent, not {}"),
        ({"refusal": {"reason": "X"}}, {"refusal": {"reason": "Y"}}, '.refusal.reason is "Y", not "X"'),
    ],
)
def test_the_comparison_can_fail(expected: Any, outcome: Any, difference: str | None) -> None:
    vector = {"id": "v", "description": "d", "steps": [{"call": "s/M", "request": {}, **expected}]}
    if difference is None:
        asyncio.run(runner.run(vector, Parrot(outcome)))
    else:
        with pytest.raises(Mismatch, match=re.escape(difference)):
            asyncio.run(runner.run(vector, Parrot(outcome)))


async def test_what_a_step_captures_is_filled_in_later() -> None:
    steps = [
        {"call": "s/A", "request": {}, "answer": {}, "capture": {"game": "game.id", "token": "seats.0.token"}},
        {"call": "s/B", "token": "${token}", "request": {"game": "${game}", "list": ["x${game}"]}, "answer": {}},
    ]
    parrot = Parrot({"answer": {"game": {"id": 7}, "seats": [{"token": "t"}]}})
    await runner.run({"id": "v", "description": "d", "steps": json.loads(json.dumps(steps))}, parrot)
    assert parrot.asked[1] == ("s/B", "t", {"game": "7", "list": ["x7"]})
