"""Clients that leave, and a service that does: nobody keeps a place, and nobody is left without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tests.api.live import until
from tests.api.provoked import a_puzzling_game
from tests.api.service import Service
from tests.api.table import Table, Yard, bearing
from tests.api.watcher import Watcher
from tests.doors.connect import END, envelope, envelopes
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.http import answer, asked, connected, head
from tests.doors.speech import BUILD_INFO, SERVICE, WATCH_GAME
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

JSON = [("content-type", "application/json")]


async def test_a_watcher_that_leaves_gives_its_place_back(service: Service, yard: Yard, door_yard: Yard) -> None:
    before = service.metric("whitehall_watchers")
    table = await yard.table(3)
    table.move_to(door_yard)
    watchers = [Watcher(table, table.seats[seat]) for seat in range(3)]
    for watcher in watchers:
        await watcher.update()
    assert service.metric("whitehall_watchers") == before + 3
    for watcher in watchers:
        watcher.leave()
    await until(lambda: service.metric("whitehall_watchers") == before)
    cancelled = service.metric("grpc_server_handled_total", grpc_method="WatchGame", grpc_code="CANCELLED")
    assert cancelled >= 3


async def test_a_long_answer_that_nobody_waits_for_is_given_up(service: Service, yard: Yard) -> None:
    """A deduction over a history that leaves much open takes a while; its client does not wait for it."""
    table = await a_puzzling_game(yard)
    body = b'{"gameId":"' + table.game_id.encode() + b'","hindsight":true}'
    headers = [*JSON, *bearing(table.seats[1]), ("content-length", str(len(body)))]
    method = {"grpc_method": "GetDeductions", "transport": "connect"}
    for _ in range(10):
        async with connected(service.http) as (_, writer):
            writer.write(head("POST", f"{SERVICE}/GetDeductions", headers) + body)
            await writer.drain()

    def all_have_ended() -> bool:
        started = service.metric("grpc_server_started_total", **method)
        return started > 0 and service.metric("grpc_server_handled_total", **method) == started

    await until(all_have_ended, 60)
    await until(lambda: service.metric("whitehall_long_answers") == 0, 60)
    assert service.metric("grpc_server_handled_total", **method, grpc_code="INTERNAL") == 0


@pytest.mark.parametrize("name", ["connect-json", "grpc-web"])
async def test_a_drained_service_ends_its_streams_with_a_word(start_service: Callable[..., Service], name: str) -> None:
    """`reconnect`, and then the end that the protocol has for a stream that went well."""
    service = start_service("--drain-seconds", "0", "--grace-seconds", "20")
    channel: Yard = Yard(DoorChannel(DOORS[name](service.http)))  # type: ignore[arg-type]
    table = await channel.table(3)
    watcher = Watcher(table, table.seats[1])
    await watcher.update()
    service.terminate()
    *_, last = await watcher.to_the_end()
    assert last.WhichOneof("kind") == "reconnect"
    assert await asyncio.to_thread(service.wait) == 0


async def test_while_it_drains_calls_are_answered_then_refused_and_connections_end(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("--drain-seconds", "2", "--grace-seconds", "20")
    async with connected(service.http) as (reader, writer):
        writer.write(head("POST", BUILD_INFO, [*JSON, ("content-length", "2")]) + b"{}")
        first = await answer(reader)
        await first.body()
        assert (first.status, first.headers.get("connection")) == (200, None)
        service.terminate()
        statuses = set()
        async with asyncio.timeout(30):
            while 503 not in statuses:
                try:
                    async with asked(service.http, "POST", BUILD_INFO, JSON, b"{}") as told:
                        closing = told.headers.get("connection") == "close"
                        statuses.add(told.status)
                        if told.status == 503:
                            assert told.headers["retry-after"] == "1"
                            assert b'"unavailable"' in await told.body()
                            assert closing
                except (OSError, asyncio.IncompleteReadError):
                    break
        assert 200 in statuses
        assert statuses <= {200, 503}
    assert await asyncio.to_thread(service.wait) == 0


async def test_a_stream_is_not_held_back_until_it_is_long_enough(service: Service, yard: Yard) -> None:
    """Every update is there as soon as it has happened."""
    table = await yard.table(3)
    body = envelope(0, service_pb2.WatchGameRequest(game_id=table.game_id).SerializeToString())
    headers = [("content-type", "application/connect+proto"), *bearing(table.seats[1])]
    async with asked(service.http, "POST", WATCH_GAME, headers, body) as stream, asyncio.timeout(30):
        messages = envelopes(stream.chunks())
        for revision in (1, 2, 3):
            flags, data = await anext(messages)
            assert not flags & END
            heard = service_pb2.WatchGameResponse.FromString(data)
            assert heard.update.revision.revision == revision
            await _one_move(table)


async def _one_move(table: Table) -> None:
    seat = (await table.get()).info.to_move[0]
    await table.play(seat, (await table.harmless(seat))[0])
