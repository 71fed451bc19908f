"""How many series there can be: every closed set used to the full, and then nothing adds any."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path
from typing import get_args

import grpc
import pytest
from prometheus_client import CollectorRegistry

from tests.api.live import Live, live
from whitehall import main
from whitehall.sessions.redis_store import RedisStore
from whitehall.telemetry.metrics import (
    ABANDONED,
    CODES,
    GameMetrics,
    MethodKind,
    MethodMetrics,
    Metrics,
    StoreOperationMetrics,
    StoreOutcome,
    Transport,
)

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"
GRPC = "whitehall.scotlandyard.v1.ScotlandYardService"
CALLS = 10_000
REAL_CALLS = 50


class Remembered(Metrics):
    """Metrics that know who was given something to count with, and can have all of it used."""

    def __init__(self, registry: CollectorRegistry) -> None:
        super().__init__(registry)
        self.methods: dict[tuple[str, str, str], MethodMetrics] = {}
        self.games: dict[str, tuple[GameMetrics, list[str]]] = {}
        self.operations: dict[str, StoreOperationMetrics] = {}

    def method(self, service: str, method: str, kind: MethodKind, transport: Transport = "grpc") -> MethodMetrics:
        made = self.methods[service, method, transport] = super().method(service, method, kind, transport)
        return made

    def game(self, name: str, rules: Iterable[str]) -> GameMetrics:
        ids = list(rules)
        made = super().game(name, ids)
        self.games[name] = (made, ids)
        return made

    def store_operation(self, operation: str) -> StoreOperationMetrics:
        made = self.operations[operation] = super().store_operation(operation)
        return made

    def fill(self) -> None:
        """Use every value of every set, and one that is in none."""
        for method in self.methods.values():
            for code in (*CODES, "MADE_UP"):
                method.handled(code, 0.001)
        for game, rules in self.games.values():
            for rule in (*rules, ABANDONED, "made-up"):
                game.refused(rule)
                game.finished(rule)
        for operation in self.operations.values():
            for outcome in (*get_args(StoreOutcome), "made-up"):
                operation.observe(outcome, 0.001)

    def use_at_random(self, chance: random.Random) -> None:
        """One call of any kind, with a value of its caller's own."""
        made_up = f"made-up-{chance.random()}"
        chance.choice([*self.methods.values()]).handled(made_up, chance.random(), made_up)
        game, _ = chance.choice([*self.games.values()])
        game.refused(made_up)
        game.finished(made_up)
        chance.choice([*self.operations.values()]).observe(made_up, chance.random())  # type: ignore[arg-type]

    def series(self) -> Counter[str]:
        """How many series there are, by name."""
        return Counter(sample.name for family in self._registry.collect() for sample in family.samples)


async def call_what_is_not_there(service: Live, chance: random.Random) -> None:
    """Methods, services, paths and verbs that nobody knows, by every door."""

    async def over_grpc() -> None:
        name = f"MadeUp{chance.randrange(10**9)}"
        path = chance.choice([f"/{GRPC}/{name}", f"/made.up.{name}/{name}"])
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = service.yard.channel.unary_unary(path)
        with pytest.raises(grpc.RpcError):
            await call(b"", timeout=10)

    def over_http() -> None:
        name = f"made-up-{chance.randrange(10**9)}"
        connection = HTTPConnection(service.http, timeout=10)
        path = chance.choice([f"/v1/{name}", f"/{GRPC}/{name}", f"/v1/scotland-yard/games/{name}", f"/{name}"])
        kind = chance.choice(["application/json", "application/proto", "application/grpc-web+proto", name])
        connection.request(chance.choice(["GET", "POST", "PUT", "PROPFIND"]), path, b"{}", {"content-type": kind})
        assert connection.getresponse().read() is not None
        connection.close()

    for _ in range(REAL_CALLS):
        await over_grpc()
        await asyncio.to_thread(over_http)


async def test_no_call_adds_a_series_beyond_what_the_closed_sets_hold(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Remembered] = []

    def remembered(registry: CollectorRegistry) -> Remembered:
        made.append(Remembered(registry))
        return made[-1]

    monkeypatch.setattr(main, "Metrics", remembered)
    chance = random.Random(10)
    async with live(store) as service:
        (metrics,) = made
        at_the_start = metrics.series().total()
        metrics.fill()
        most = metrics.series()
        for _ in range(CALLS):
            metrics.use_at_random(chance)
        await call_what_is_not_there(service, chance)
        assert metrics.series() == most

    rules = [len(ids) for _, ids in metrics.games.values()]
    assert most["grpc_server_started_total"] == len(metrics.methods)
    assert most["grpc_server_handled_total"] == len(metrics.methods) * (len(CODES) + 1)
    assert most["grpc_server_handling_seconds_count"] == len(metrics.methods)
    assert most["whitehall_moves_refused_total"] == sum(rules) + len(rules)
    assert most["whitehall_games_finished_total"] == sum(rules) + 2 * len(rules)
    outcomes = len(get_args(StoreOutcome)) + 1
    assert most["whitehall_store_operation_seconds_count"] == len(metrics.operations) * outcomes

    found = re.search(
        r"some ([\d,]+) series after its start, and never more than ([\d,]+)", " ".join(PAGE.read_text().split())
    )
    assert found is not None
    told_start, told_most = (int(number.replace(",", "")) for number in found.groups())
    assert at_the_start == pytest.approx(told_start, rel=0.1)
    assert 0.9 * told_most < most.total() <= told_most
