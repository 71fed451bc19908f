"""The requests of `docs/requests.http` can be sent as they stand, from top to bottom."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.service import Service
from tests.doors.http import asked
from tools.describe import examples
from tools.requests_file import RequestsFile, filled, within
from whitehall.api.rest.pages import openapi_text

FILE = RequestsFile.read()
EVENTS = "text/event-stream"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service that they are sent to, on another port."""
    service = Service(tmp_path_factory.mktemp("service"), "--drain-seconds", "0")
    service.start()
    yield service
    service.stop()


async def test_every_request_is_answered(service: Service) -> None:
    """Each by 200, and with what later ones say that it has; of streams the first event is enough."""
    answers: dict[str, Any] = {}

    def value_of(hole: str) -> str:
        if hole == "$guid":
            return str(uuid.uuid4())
        return FILE.variables[hole] if hole in FILE.variables else within(answers, hole)

    for request in FILE.requests:
        path = filled(request.url, value_of).removeprefix(FILE.variables["host"])
        headers = [(name, filled(value, value_of)) for name, value in request.headers.items()]
        body = filled(request.body, value_of).encode()
        async with asked(service.http, request.method, path, headers, body) as answer:
            if request.headers.get("accept") == EVENTS:
                assert (answer.status, answer.headers["content-type"]) == (200, EVENTS), request.title
                first = await anext(aiter(answer.chunks()))
                assert re.match(rb"retry: [0-9]+\n\n(event: |data: )", first), request.title
                continue
            text = await answer.body()
            assert answer.status == 200, (request.title, text)
            answers[request.name] = json.loads(text)


def test_every_operation_is_among_the_requests() -> None:
    """And so every operation has an example in the OpenAPI document that is known to work."""
    document = json.loads(openapi_text())
    found = examples()
    assert found.keys() == {
        f"{verb.upper()} {path}" for path, operations in document["paths"].items() for verb in operations
    }
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            shown = found[f"{verb.upper()} {path}"]
            if "requestBody" in operation:
                (content,) = operation["requestBody"]["content"].values()
                assert [each["value"] for each in content["examples"].values()] == [each.body for each in shown]
            else:
                assert [each["source"] for each in operation["x-codeSamples"]] == [each.source for each in shown]
            in_path = [parameter for parameter in operation["parameters"] if parameter["in"] == "path"]
            assert all(parameter["examples"] for parameter in in_path), path
    paths = {re.sub(r"\{\w+\}", "*", path) for path in document["paths"]}
    asked_for = {re.sub(r"\{\{host\}\}|\?.*", "", request.url) for request in FILE.requests}
    plain = {re.sub(r"\{\{.*?\}\}", "*", path).replace("boards/london-2013", "boards/*") for path in asked_for}
    # Each game is watched at one of the two paths of its stream.
    assert {path.removesuffix(":watch") for path in paths} == {path.removesuffix(":watch") for path in plain}
