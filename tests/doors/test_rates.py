"""How often the bearer of one token may call: a bucket for each, that time fills again."""

from __future__ import annotations

import asyncio

import pytest
from google.rpc import error_details_pb2

from tests.api.live import live
from tests.api.refusals import refused
from tests.api.table import Yard, bearing
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.http import asked
from tests.doors.speech import GET_GAME
from whitehall.api import rates as module
from whitehall.api.rates import Rates
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.refusal import Reason, Refusal

SEAT, OTHER, OPERATOR = "wh_seat_0_1_" + "0" * 32, "wh_host_1_" + "0" * 32, "wh_operator_main_secret"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def granted(rates: Rates, token: str | None, calls: int) -> int:
    """How many of so many calls at once go through."""
    through = 0
    for _ in range(calls):
        try:
            rates.take(token)
        except Refusal:
            continue
        through += 1
    return through


def test_a_bearer_may_make_the_calls_of_two_seconds_at_once_and_then_as_many_as_time_allows() -> None:
    clock = Clock()
    rates = Rates(5, 0, clock)
    assert granted(rates, SEAT, 100) == 10
    for _ in range(20):
        clock.now += 1
        assert granted(rates, SEAT, 100) == 5
    clock.now += 3600
    assert granted(rates, SEAT, 100) == 10, "what is not used is not saved up"


def test_bearers_do_not_take_from_each_other_and_operators_have_a_rate_of_their_own() -> None:
    rates = Rates(1, 10, Clock())
    assert granted(rates, SEAT, 100) == 2
    assert granted(rates, OTHER, 100) == 2
    assert granted(rates, OPERATOR, 100) == 20
    assert granted(rates, None, 100) == 100, "a call without a token is refused elsewhere, or asks for none"
    assert granted(Rates(0, 10, Clock()), SEAT, 100) == 100, "0 means any number"


def test_a_rate_below_one_call_a_second_lets_single_calls_through() -> None:
    clock = Clock()
    rates = Rates(0.1, 0, clock)
    assert granted(rates, SEAT, 5) == 1
    clock.now += 9.9
    assert granted(rates, SEAT, 5) == 0
    clock.now += 0.1
    assert granted(rates, SEAT, 5) == 1


def test_the_refusal_says_when_the_next_call_goes_through() -> None:
    clock = Clock()
    rates = Rates(4, 0, clock)
    granted(rates, SEAT, 8)
    with pytest.raises(Refusal) as refusal:
        rates.take(SEAT)
    assert refusal.value.reason is Reason.TOO_MANY_REQUESTS
    assert refusal.value.metadata == {"limit": "4"}
    assert refusal.value.retry_after is not None
    clock.now += refusal.value.retry_after - 0.001
    assert granted(rates, SEAT, 1) == 0
    clock.now += 0.001
    assert granted(rates, SEAT, 1) == 1


def test_no_number_of_tokens_takes_memory_without_end_and_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BEARERS", 100)
    rates = Rates(1, 1, Clock())
    for number in range(1000):
        rates.take(f"wh_seat_0_{number}_")
    assert len(rates._buckets) == 100
    assert not any(b"wh_" in key for key in rates._buckets)


async def test_who_calls_too_often_is_told_when_to_come_again_through_every_door(store: RedisStore) -> None:
    """One bucket for all doors: who is refused at one of them is refused at the next."""
    async with live(store, {"max_calls_per_token": 1, "max_calls_per_operator_key": 1}) as service:
        table = await service.yard.table(3)
        async with asyncio.timeout(30):
            with refused("TOO_MANY_REQUESTS") as over_grpc:
                while True:
                    await table.get(table.mr_x)
        retry = over_grpc.detail(error_details_pb2.RetryInfo)
        assert retry is not None
        assert 0 < retry.retry_delay.ToTimedelta().total_seconds() <= 1
        for door in DOORS.values():
            channel = DoorChannel(door(service.http))
            table.move_to(Yard(channel))
            async with asyncio.timeout(30):
                with refused("TOO_MANY_REQUESTS") as refusal:
                    while True:
                        await table.get(table.mr_x)
            assert (refusal.code, refusal.metadata) == (over_grpc.code, over_grpc.metadata)
        body = b'{"gameId":"' + table.game_id.encode() + b'"}'
        headers = [("content-type", "application/json"), *bearing(table.mr_x)]
        answered, retry_after = 200, ""
        while answered == 200:
            async with asked(service.http, "POST", GET_GAME, headers, body) as answer:
                answered, retry_after = answer.status, answer.headers.get("retry-after", "")
        assert (answered, retry_after) == (429, "1")
        await service.yard.catalog.ListRules(catalog_pb2.ListRulesRequest())
