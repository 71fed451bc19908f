"""Envoy's transcoder as a reference: what a stranger makes of our gRPC by the contract alone is what our REST says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from google.api import annotations_pb2
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from tests.api.contract import contract
from tests.api.live import live, until
from tests.api.timeless import Clock, Entropy, TimelessStore
from tests.doors.http import asked, connected
from tests.doors.test_scenario import KEY
from tests.operations.test_envoy import running
from tests.sessions.servers import free_port
from tools.generate import write_image
from tools.requests_file import Asked, RequestsFile, filled, within
from whitehall.sessions.redis_store import RedisStore

FILE = RequestsFile.read()
HTTP2 = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"
FILTERS = "type.googleapis.com/envoy.extensions.filters"

GAME = "{{host}}/v1/scotland-yard/games/{{app.response.body.$.game.info.gameId}}"
MR_X = {"authorization": "Bearer {{app.response.body.$.invitations[0].token}}"}
RED = {"authorization": "Bearer {{app.response.body.$.invitations[1].token}}"}
JSON = {"content-type": "application/json"}

MORE = [
    Asked("the app game", "app", "POST", "{{host}}/v1/scotland-yard/games", JSON, '{"preset": "master", "players": 4}'),
    Asked("Mr X's view of it", "", "GET", GAME, MR_X, ""),
    Asked("a detective's view of it", "", "GET", GAME, RED, ""),
    Asked("its moves", "", "GET", f"{GAME}/legal-moves", MR_X, ""),
    Asked("what red can tell of it", "", "GET", f"{GAME}/deductions", RED, ""),
    Asked("an illegal move", "", "POST", f"{GAME}/moves", JSON | MR_X, '{"moves": [{"text": "taxi 199"}]}'),
    Asked("nobody's turn", "", "POST", f"{GAME}/moves", JSON | RED, '{"moves": [{"text": "red taxi 1"}]}'),
    Asked("no token", "", "GET", GAME, {}, ""),
    Asked("no such token", "", "GET", GAME, {"authorization": "Bearer wh_seat_0_1"}, ""),
    Asked("in French", "", "GET", f"{GAME}/record", RED | {"accept-language": "fr"}, ""),
    Asked("no such board", "", "GET", "{{host}}/v1/catalog/boards/nowhere", {}, ""),
    Asked("two faults", "", "POST", "{{host}}/v1/scotland-yard/games", JSON, '{"preset": "new", "players": 99}'),
]
"""What the file does not ask: the third game, and refusals."""


def transcoder(upstream: str, port: int, descriptors: Path) -> dict[str, Any]:
    """Envoy's configuration: JSON by the contract's paths at `port`, gRPC at `upstream`."""
    host, _, number = upstream.rpartition(":")
    transcoding = {
        "@type": f"{FILTERS}.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor": str(descriptors),
        "services": services(),
        "print_options": {"always_print_primitive_fields": True},
        "convert_grpc_status": True,
    }
    manager = {
        "@type": f"{FILTERS}.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "transcoder",
        "route_config": {
            "virtual_hosts": [
                {
                    "name": "all",
                    "domains": ["*"],
                    "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "whitehall", "timeout": "60s"}}],
                }
            ]
        },
        "http_filters": [
            {"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": transcoding},
            {
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": f"{FILTERS}.http.router.v3.Router"},
            },
        ],
    }
    place = {"address": {"socket_address": {"address": host, "port_value": int(number)}}}
    return {
        "static_resources": {
            "listeners": [
                {
                    "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
                    "filter_chains": [
                        {"filters": [{"name": "http_connection_manager", "typed_config": manager}]},
                    ],
                }
            ],
            "clusters": [
                {
                    "name": "whitehall",
                    "load_assignment": {
                        "cluster_name": "whitehall",
                        "endpoints": [{"lb_endpoints": [{"endpoint": place}]}],
                    },
                    "typed_extension_protocol_options": {
                        HTTP2: {
                            "@type": f"type.googleapis.com/{HTTP2}",
                            "explicit_http_config": {"http2_protocol_options": {}},
                        }
                    },
                }
            ],
        }
    }


def services() -> list[str]:
    """All that have methods with paths."""
    return sorted({method.containing_service.full_name for method in contract().values()})


def descriptors(folder: Path) -> Path:
    """Our image, and what refusals say, which no method of the contract answers with."""
    image = write_image(folder / "image.binpb")
    for module in (any_pb2, duration_pb2, status_pb2, error_details_pb2):
        if module.DESCRIPTOR.name not in {file.name for file in image.file}:
            image.file.add().ParseFromString(module.DESCRIPTOR.serialized_pb)
    for file in image.file:
        for method in (method for service in file.service for method in service.method):
            if method.server_streaming:
                # One path has pages or a stream, as the client accepts. Envoy knows paths only; it may have the pages.
                method.options.Extensions[annotations_pb2.http].ClearField("additional_bindings")
    path = folder / "whitehall.binpb"
    path.write_bytes(image.SerializeToString())
    return path


@dataclass(frozen=True)
class Said:
    """What was answered to a request."""

    title: str
    status: int
    body: Any


async def told(address: str, requests: list[Asked]) -> list[Said]:
    """What this address answers to all of them, in turn. Streams are left out: Envoy has no events for them."""
    answers: dict[str, Any] = {}
    said = []
    for number, request in enumerate(requests):

        def value_of(hole: str, number: int = number) -> str:
            if hole == "$guid":
                return str(UUID(int=number))
            return FILE.variables[hole] if hole in FILE.variables else within(answers, hole)

        if request.headers.get("accept") == "text/event-stream":
            continue
        path = filled(request.url, value_of).removeprefix(FILE.variables["host"])
        headers = {name: filled(value, value_of) for name, value in request.headers.items()}
        body = filled(request.body, value_of)
        # The contract knows these as fields only; that headers say the same is REST's own.
        fields = {"requestId": headers.pop("idempotency-key", None)}
        if "if-match" in headers:
            fields["expectedRevision"] = headers.pop("if-match").strip('"')
        if body:
            body = json.dumps(json.loads(body) | {name: value for name, value in fields.items() if value is not None})
        async with asked(address, request.method, path, list(headers.items()), body.encode()) as answer:
            text = await answer.body()
        said.append(Said(request.title, answer.status, json.loads(text)))
        answers[request.name] = said[-1].body
    return said


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_envoy_makes_the_same_json_of_our_grpc_as_our_rest(
    external_program: Callable[[str], Path], store: RedisStore, tmp_path: Path
) -> None:
    """All the requests of `docs/requests.http`, which call every method, in two worlds that are alike."""
    envoy, port = external_program("envoy"), free_port()
    requests = [*FILE.requests, *MORE]
    worlds = []
    for through_envoy in (False, True):
        async with live(TimelessStore(store), dict(KEY), clock_ms=Clock(), entropy=Entropy()) as service:
            if not through_envoy:
                worlds.append(await told(service.http, requests))
                continue
            with running(envoy, transcoder(service.grpc, port, descriptors(tmp_path)), tmp_path):
                await until(lambda: listens(port), 30)
                worlds.append(await told(f"127.0.0.1:{port}", requests))
    ours, envoys = worlds
    assert sum(each.status == 200 for each in ours) > 40
    for our, envoy_s in zip(ours, envoys, strict=True):
        assert our == envoy_s


async def listens(port: int) -> bool:
    """Whether somebody answers at this port of the loopback."""
    try:
        async with connected(f"127.0.0.1:{port}"):
            return True
    except OSError:
        return False
