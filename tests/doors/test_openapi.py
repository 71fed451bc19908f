"""The OpenAPI document is valid, complete and true: a program that knows nothing else finds the service as it says."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.api.contract import contract
from tests.api.service import Service
from tests.api.table import Table, Yard, bearing
from tests.doors.http import asked
from whitehall.api.rest.pages import openapi_text
from whitehall.api.rest.routes import bindings
from whitehall.sessions.refusal import Reason

DOCUMENT = json.loads(openapi_text())

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
)
"""What schemathesis checks. Not whether everything is accepted that the schema allows, for no schema knows the rules of
a game; nor whether all else is refused, for null stands for what is absent, as protobuf has it.
"""


def test_the_document_is_valid_openapi() -> None:
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def test_every_path_of_the_contract_is_in_the_document() -> None:
    expected = {
        (verb.lower(), template.text)
        for method in contract().values()
        if not method.client_streaming
        for verb, template, _ in bindings(method)
    }
    found = {(verb, path) for path, operations in DOCUMENT["paths"].items() for verb in operations}
    assert found == expected


def test_everything_in_the_document_is_described() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert all(parameter["description"] for parameter in operation["parameters"]), path
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema["description"], name
        for field, inner in schema.get("properties", {}).items():
            assert field == "@type" or inner.get("description"), (name, field)


def test_the_document_lists_every_reason() -> None:
    info = DOCUMENT["components"]["schemas"]["google.rpc.ErrorInfo"]
    assert info["properties"]["reason"]["enum"] == [reason.value for reason in Reason]
    told = "".join(response["description"] for response in DOCUMENT["components"]["responses"].values())
    assert all(f"`{reason}`" in told for reason in Reason)


def test_a_path_with_a_stream_tells_all_that_the_stream_takes_and_answers() -> None:
    operation = DOCUMENT["paths"]["/v1/scotland-yard/games/{game_id}/events"]["get"]
    watch = DOCUMENT["paths"]["/v1/scotland-yard/games/{game_id}/events:watch"]["get"]
    for described in (operation, watch):
        named = {(parameter["in"], parameter["name"]) for parameter in described["parameters"]}
        assert {("header", "Last-Event-ID"), ("query", "cursor")} <= named
        assert {"200", "204"} <= described["responses"].keys()
        assert "text/event-stream" in described["responses"]["200"]["content"]


def test_if_match_takes_strong_etags_only() -> None:
    (pattern,) = {
        parameter["schema"]["pattern"]
        for operations in DOCUMENT["paths"].values()
        for operation in operations.values()
        for parameter in operation["parameters"]
        if parameter["name"] == "If-Match"
    }
    assert [bool(re.match(pattern, etag)) for etag in ('"1"', "*", 'W/"1"', "1", '"0"')] == [True, True] + [False] * 3


async def test_a_body_that_nobody_asked_for_is_refused_as_the_document_says(service: Service, yard: Yard) -> None:
    path = "/v1/scotland-yard/games/{game_id}"
    table = await yard.table(2)
    packed = [("content-type", "application/json"), ("content-encoding", "shrink")]
    for verb in ("GET", "DELETE"):
        for headers, body, status in ((packed, b"{}", 415), (packed[:1], b" " * 400_000, 413)):
            asking = [*headers, *bearing(table.host)]
            async with asked(service.http, verb, path.format(game_id=table.game_id), asking, body) as answer:
                assert answer.status == status
            assert str(status) in DOCUMENT["paths"][path][verb.lower()]["responses"]


async def test_two_tokens_are_refused_everywhere_as_the_document_says(service: Service) -> None:
    for path, operations in DOCUMENT["paths"].items():
        for verb, operation in operations.items():
            assert "401" in operation["responses"], (verb, path)
    catalog = [path for path in DOCUMENT["paths"] if path.startswith("/v1/catalog/")]
    assert len(catalog) == 5
    for path in catalog:
        two = [("authorization", "Bearer a"), ("authorization", "Bearer b")]
        async with asked(service.http, "GET", re.sub(r"\{[a-z_]+\}", "new", path), two) as answer:
            assert answer.status == 401, path


async def test_the_service_gives_the_document_and_a_page_that_loads_nothing_from_elsewhere(service: Service) -> None:
    texts, policy = {}, ""
    for path in ("/openapi.json", "/docs", "/docs/start.js", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"):
        async with asked(service.http, "GET", path) as answer:
            assert answer.status == 200, path
            policy = answer.headers["content-security-policy"]
            texts[path] = (await answer.body()).decode()
    assert json.loads(texts["/openapi.json"]) == DOCUMENT
    loaded = re.findall(r'(?:src|href|url)[=:] ?"([^"]+)"', texts["/docs"] + texts["/docs/start.js"])
    assert set(loaded) <= texts.keys()
    assert len(loaded) == 4
    assert "default-src 'none'" in policy
    assert "http" not in policy


async def test_the_bare_address_leads_to_the_page(service: Service) -> None:
    async with asked(service.http, "GET", "/") as answer:
        assert (answer.status, answer.headers["location"]) == (307, "/docs")
        assert await answer.body() == b""


async def test_the_document_is_sent_once_and_then_known_by_its_etag(service: Service) -> None:
    async with asked(service.http, "GET", "/openapi.json", [("accept-encoding", "gzip")]) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        etag = answer.headers["etag"]
    async with asked(service.http, "GET", "/openapi.json", [("if-none-match", etag)]) as answer:
        assert answer.status == 304
    for method, path, status in (("POST", "/docs", 405), ("GET", "/docs/../secret", 404), ("GET", "/docs/x", 404)):
        async with asked(service.http, method, path) as answer:
            assert answer.status == status, path


OPERATIONS = (
    "ScotlandYardService_GetGame",
    "ScotlandYardService_ListLegalMoves",
    "ScotlandYardService_ListEvents",
    "CluedoPositionService_ListReachablePlaces",
    "CatalogService_GetBoard",
)
"""For the gate: one of each kind."""


@pytest.mark.timeout(600)
async def test_a_stranger_finds_the_service_as_the_document_says(yard: Yard, service: Service, tmp_path: Path) -> None:
    chosen = [part for operation in OPERATIONS for part in ("--include-operation-id", operation)]
    options = (*chosen, "--phases", "examples,coverage")
    await asyncio.to_thread(_schemathesis, await yard.table(3), service, tmp_path, *options)


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_a_stranger_finds_all_of_the_service_as_the_document_says(
    yard: Yard, service: Service, tmp_path: Path
) -> None:
    # It would wait for the end of streams.
    chosen = ("--exclude-operation-id-regex", "WatchGame|ValueSuggestions")
    options = (*chosen, "--phases", "examples,coverage,fuzzing", "--max-examples", "30")
    await asyncio.to_thread(_schemathesis, await yard.table(3), service, tmp_path, *options)


def _schemathesis(table: Table, service: Service, folder: Path, *options: str) -> None:
    """Lets schemathesis ask what the document allows and what it does not, as Mr X in a game."""
    config = folder / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.game_id" = "{table.game_id}"\n', encoding="utf-8")
    document = folder / "openapi.json"
    document.write_bytes(openapi_text())
    program = Path(sys.executable).parent / "schemathesis"
    command: list[Any] = [program, "--config-file", config, "run", document, "--url", f"http://{service.http}"]
    command += ["--header", f"Authorization: Bearer {table.mr_x}", "--checks", ",".join(CHECKS)]
    command += ["--warnings", "off", "--seed", "1", "--request-timeout", "30", "--suppress-health-check", "all"]
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    cases = re.search(r"(\d+) generated", done.stdout)
    assert cases is not None, done.stdout
    assert int(cases[1]) > 100
    assert '"INTERNAL_FAULT"' not in service.log.read_text(encoding="utf-8")
