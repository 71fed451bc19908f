"""Who may not make games is told that, and not what is wrong with the game: at every door alike."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from tests.api.live import live
from tests.api.refusals import refused
from tests.api.table import Yard, bearing
from tests.doors.door import DoorChannel
from tests.doors.doors import DOORS
from tests.doors.speech import CREATE_GAME, asked_for, post
from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2
from whitehall.sessions.redis_store import RedisStore

KEYS: dict[str, object] = {"operator_keys": "ci:a-secret-of-the-tests"}
OPERATOR = bearing("wh_operator_ci_a-secret-of-the-tests")


@pytest.mark.parametrize("name", ["grpc", *DOORS])
async def test_a_faulty_request_of_a_stranger_is_told_of_the_stranger(name: str, store: RedisStore) -> None:
    faulty = service_pb2.CreateGameRequest(preset="new", players=99)
    async with live(store, KEYS) as service:
        channel: Any = None if name == "grpc" else DoorChannel(DOORS[name](service.http))
        games = service.yard.games if channel is None else Yard(channel).games
        with refused("TOKEN_MISSING", grpc.StatusCode.UNAUTHENTICATED):
            await games.CreateGame(faulty)
        with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT):
            await games.CreateGame(faulty, metadata=OPERATOR)


async def test_so_is_one_that_no_message_can_be_made_of(store: RedisStore) -> None:
    async with live(store, KEYS) as service:
        for path in (CREATE_GAME, "/v1/scotland-yard/games"):
            refusal = await post(service.http, path, "application/json", b'{"nothing": 1')
            assert refusal is not None
            assert refusal.reason == "TOKEN_MISSING", path
        refusal = await asked_for(service.http, "POST", "/v1/scotland-yard/games", OPERATOR, b"{}")
        assert refusal is not None
        assert refusal.metadata["what"] == "content type"
