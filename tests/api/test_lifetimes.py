"""How long a game is kept: both its keys as long as each other, renewed by every change and by nothing else."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import grpc
import pytest

from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.staging import staged
from tests.api.table import WAITING, Table, Yard, bearing
from tests.api.watcher import Watcher
from tests.games.scotland_yard.scenario import scene
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2

ACTIVE = 30 * 86_400
ENDED = 7 * 86_400


class Clocks:
    """The remaining times of one game's keys, in seconds."""

    def __init__(self, service: Service, table: Table) -> None:
        self._service = service
        self._keys = [f"wh:{{{table.game_id}}}:{part}" for part in "gl"]

    def read(self) -> list[float]:
        with self._service.store() as store:
            assert sorted(key.decode() for key in store.scan_iter(f"{self._keys[0][:-1]}*")) == self._keys
            return [store.pttl(key) / 1000 for key in self._keys]

    def wind(self, seconds: int) -> None:
        with self._service.store() as store:
            for key in self._keys:
                store.expire(key, seconds)

    def are_at(self, seconds: int) -> bool:
        """Both within a second of each other, and of this time, with what a slow machine may take."""
        game, log = self.read()
        return abs(game - log) < 1 and all(seconds - 20 < clock <= seconds for clock in (game, log))


async def watch_once(table: Table) -> None:
    """Follows the game until the first news of it."""
    watcher = Watcher(table, table.seats[1])
    await watcher.update()
    watcher.leave()


CHANGES: dict[str, tuple[Callable[[Table], Awaitable[object]], int]] = {
    "a claim": (lambda table: table.rotate(table.seats[1]), ACTIVE),
    "a reissue": (lambda table: table.rotate(table.host, seat=1), ACTIVE),
    "the start": (lambda table: table.start(), ACTIVE),
    "the end": (lambda table: table.abandon(), ENDED),
}

READINGS: dict[str, Callable[[Table], Awaitable[object]]] = {
    "GetGame": lambda table: table.get(),
    "ListLegalMoves": lambda table: table.legal(0),
    "ValidateMove": lambda table: table.validate(0, "taxi 46"),
    "ListEvents": lambda table: table.events(table.mr_x),
    "GetDeductions": lambda table: table.calls.GetDeductions(
        service_pb2.GetDeductionsRequest(game_id=table.game_id), metadata=bearing(table.mr_x)
    ),
    "WatchGame": watch_once,
}


async def test_a_new_game_is_kept_for_thirty_days(yard: Yard, service: Service) -> None:
    for table in (await yard.table(3), await yard.table(3, start_mode=WAITING)):
        assert Clocks(service, table).are_at(ACTIVE)


@pytest.mark.parametrize("change", CHANGES)
async def test_every_change_winds_both_clocks_again(yard: Yard, service: Service, change: str) -> None:
    """OP-05."""
    call, kept = CHANGES[change]
    table = await yard.table(3, start_mode=WAITING)
    clocks = Clocks(service, table)
    clocks.wind(1000)
    await call(table)
    assert clocks.are_at(kept)


async def test_every_move_winds_both_clocks_again(table: Table, service: Service) -> None:
    clocks = Clocks(service, table)
    for _ in range(5):
        clocks.wind(1000)
        await table.play_on(1)
        assert clocks.are_at(ACTIVE)


@pytest.mark.parametrize("reading", READINGS)
async def test_reading_leaves_the_clocks_alone(table: Table, service: Service, reading: str) -> None:
    clocks = Clocks(service, table)
    clocks.wind(1000)
    await READINGS[reading](table)
    assert clocks.are_at(1000)


async def test_reading_the_record_of_a_game_leaves_the_clocks_alone(table: Table, service: Service) -> None:
    await table.abandon()
    clocks = Clocks(service, table)
    clocks.wind(1000)
    await table.record()
    assert clocks.are_at(1000)


async def test_a_refused_or_repeated_call_leaves_the_clocks_running(table: Table, service: Service) -> None:
    """Whatever it does to them, they neither stop nor fall apart."""
    clocks = Clocks(service, table)
    move = (await table.harmless(0))[0]
    request_id = "0b0a0c5e-6d0f-4c56-9f0e-2f6f0d3c1a11"
    await table.play(0, move, request_id=request_id)
    clocks.wind(1000)
    assert (await table.play(0, move, request_id=request_id)).replayed
    assert clocks.are_at(1000)


async def test_a_game_tells_when_it_will_be_forgotten(table: Table, service: Service) -> None:
    Clocks(service, table).wind(1000)
    expires = (await table.get()).info.expire_time.ToNanoseconds() / 1e9
    assert abs(expires - time.time() - 1000) < 20
    answer = await table.play(0, (await table.harmless(0))[0])
    assert abs(answer.update.game.info.expire_time.ToNanoseconds() / 1e9 - time.time() - ACTIVE) < 20


async def test_a_game_is_told_to_expire_at_one_time_for_as_long_as_nothing_happens(
    table: Table, service: Service
) -> None:
    """What is told under one ETag is one text, whoever tells it."""
    await table.play(0, (await table.harmless(0))[0])
    with service.store() as store:
        kept = store.pexpiretime(f"wh:{{{table.game_id}}}:g")
    for _ in range(5):
        assert (await table.get()).info.expire_time.ToMilliseconds() == kept


async def test_a_game_that_has_ended_by_its_rules_is_kept_for_seven_days(yard: Yard, service: Service) -> None:
    table = await staged(yard, service, scene(3, "hunters", "mr_x 116, red 104, blue 130, bobby1 140, bobby2 150"))
    await table.play(1, "red taxi 116")
    clocks = Clocks(service, table)
    assert clocks.are_at(ENDED)
    clocks.wind(1000)
    with refused("GAME_ENDED"):
        await table.rotate(table.seats[1])
    with refused("ILLEGAL_MOVE"):
        await table.play(0, "taxi 46")
    assert clocks.are_at(1000), "nothing makes a game that has ended last longer"


async def test_the_keepers_times_can_be_set(start_service: Callable[..., Service]) -> None:
    service = start_service("--active-ttl-days", "2", "--ended-ttl-days", "1", "--drain-seconds", "0")
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Yard(channel).table(3)
        clocks = Clocks(service, table)
        assert clocks.are_at(2 * 86_400)
        await table.abandon()
        assert clocks.are_at(86_400)
