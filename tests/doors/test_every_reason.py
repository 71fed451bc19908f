"""Every reason there is, also those that only a service in trouble gives: through each door, a call and a stream."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from prometheus_client import CollectorRegistry

from tests.api.refusals import Refused, refused
from tests.api.table import Yard
from tests.api.test_errors import documented
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.http import asked
from tests.doors.speech import BUILD_INFO
from whitehall.api.call import Call
from whitehall.api.connect_app import ConnectApp
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Endpoint, ServerStream, Unary
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.api.http_door import HttpDoor
from whitehall.api.http_limits import ConnectionLimits, HttpLimits
from whitehall.api.rest.app import RestApp
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.telemetry.metrics import Metrics

CATALOG, YARD = "whitehall.catalog.v1.CatalogService", "whitehall.scotlandyard.v1.ScotlandYardService"
ERRORS_PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
WATCH = service_pb2.WatchGameRequest(game_id="a" * 26)
RETRY_SECONDS = 1.25
DOCUMENTED = documented()


class Trouble:
    """Endpoints that refuse whatever they are asked, for one reason after the other."""

    def __init__(self) -> None:
        self.reason = Reason.INTERNAL_FAULT
        self.grpc = ""
        self.http = ""
        self.endpoints: list[Endpoint] = [
            Unary(CATALOG, "GetBuildInfo", catalog_pb2.GetBuildInfoRequest, self._refuse),
            ServerStream(YARD, "WatchGame", service_pb2.WatchGameRequest, self._refuse_stream),
        ]

    @property
    def may_retry(self) -> bool:
        """Whether it makes sense to come again."""
        return DOCUMENTED[self.reason][0] in ("UNAVAILABLE", "RESOURCE_EXHAUSTED")

    async def _refuse(self, _: object, __: Call) -> catalog_pb2.GetBuildInfoResponse:
        if self.reason is Reason.INTERNAL_FAULT:
            raise ZeroDivisionError("a fault of ours, of which no caller hears")
        metadata = DOCUMENTED[self.reason][1].get("metadata", {})
        raise Refusal(self.reason, metadata=metadata, retry_after=RETRY_SECONDS if self.may_retry else None)

    async def _refuse_stream(self, _: object, call: Call) -> AsyncGenerator[service_pb2.WatchGameResponse]:
        await self._refuse(_, call)
        yield service_pb2.WatchGameResponse()


@pytest.fixture
async def trouble() -> AsyncGenerator[Trouble]:
    trouble = Trouble()
    desk = Desk(Metrics(CollectorRegistry()), concurrent_calls=10, default_deadline=60)
    over_http = HttpDoor(
        [ConnectApp(trouble.endpoints, desk, 1000), RestApp(trouble.endpoints, desk, 1000)],
        HttpLimits(ConnectionLimits(connections=10, age=3600), message_bytes=1000),
    )
    over_grpc = GrpcDoor(trouble.endpoints, desk, Limits(1000, 10, 10, 3600, 3600, 10))
    trouble.http = f"127.0.0.1:{await over_http.start('127.0.0.1:0')}"
    trouble.grpc = f"127.0.0.1:{await over_grpc.start('127.0.0.1:0')}"
    yield trouble
    await over_http.close(1)
    await over_grpc.close(1)


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_every_reason_is_told_in_the_same_words_through_every_door(trouble: Trouble, language: str) -> None:
    async with grpc.aio.insecure_channel(trouble.grpc) as channel:
        yards = {"grpc": Yard(channel)}
        yards |= {name: Yard(DoorChannel(door(trouble.http))) for name, door in DOORS.items()}  # type: ignore[arg-type]
        for reason in Reason:
            trouble.reason = reason
            code, example = DOCUMENTED[reason]
            told: object = None
            for name, yard in yards.items():
                # A stream is refused in the words of a call; one language will do to see it.
                for kind in ("call", "stream") if language == "en" else ("call",):
                    refusal = await _refusal(yard, reason, kind, language)
                    assert refusal.metadata == example.get("metadata", {}), (reason, name, kind)
                    assert refusal.code.name == code, (reason, name, kind)
                    assert told in (None, refusal.said), (reason, name, kind)
                    told = refusal.said
                    retry = refusal.detail(error_details_pb2.RetryInfo)
                    assert (retry is not None) == trouble.may_retry, (reason, name, kind)
                    spoken = refusal.detail(error_details_pb2.LocalizedMessage)
                    assert spoken is not None
                    assert (spoken.locale, spoken.message) == (language, refusal.message), (reason, name, kind)
            assert "ZeroDivision" not in str(told)


async def test_every_reason_has_the_status_that_its_page_says_and_the_time_to_come_again(trouble: Trouble) -> None:
    rows = re.findall(r"^\| \[(\w+)\]\(.*?\) \|[^|]*\|[^|]*\|([^|]*)\|", ERRORS_PAGE.read_text(encoding="utf-8"), re.M)
    statuses = {reason: set(map(int, re.findall(r"[0-9]{3}", cell))) for reason, cell in rows}
    assert statuses.keys() == set(Reason)
    json = [("content-type", "application/json")]
    for reason in Reason:
        trouble.reason = reason
        for verb, path, headers in (
            ("GET", "/v1/catalog/build-info", []),
            ("POST", BUILD_INFO, json),
            ("GET", f"/v1/scotland-yard/games/{WATCH.game_id}/events:watch", [("accept", "text/event-stream")]),
        ):
            async with asked(trouble.http, verb, path, headers) as answer:
                assert answer.status in statuses[reason], (reason, path)
                assert answer.headers.get("retry-after") == ("2" if trouble.may_retry else None), (reason, path)


async def _refusal(yard: Yard, reason: Reason, kind: str, language: str) -> Refused:
    spoken = [("accept-language", language)]
    with refused(reason) as refusal:
        if kind == "call":
            await yard.catalog.GetBuildInfo(catalog_pb2.GetBuildInfoRequest(), metadata=spoken)
        else:
            await yard.games.WatchGame(WATCH, metadata=spoken).read()
    return refusal
