"""The operator's keys: who may make games, and how the keys that sign tokens are changed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from grpc_health.v1 import health_pb2

from tests.api.contract import contract
from tests.api.positions import a_question
from tests.api.raw import exchange, outcome
from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.table import Table, Yard, bearing

SECRETS = {"team": secrets.token_hex(16), "other.team-2": secrets.token_hex(16)}
TEAM, OTHER = (f"wh_operator_{key_id}_{secret}" for key_id, secret in SECRETS.items())

POSITION_METHODS = [name for name in contract() if "PositionService" in name]
CREATE = next(name for name in contract() if name.endswith("scotlandyard.v1.ScotlandYardService.CreateGame"))
WRONG = {"INVALID_FIELD", "MALFORMED_REQUEST"}
FREE_METHODS = [name for name in contract() if "CatalogService" in name]


@pytest.fixture(scope="module")
def keyed_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with two operator keys."""
    keys = ",".join(f"{key_id}:{secret}" for key_id, secret in SECRETS.items())
    service = Service(tmp_path_factory.mktemp("keyed"), "--drain-seconds", "0", "--operator-keys", keys)
    service.start()
    yield service
    service.stop()


async def test_making_a_game_takes_an_operator_key(keyed_service: Service) -> None:
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        yard = Yard(channel)
        with refused("TOKEN_MISSING"):
            await yard.table()
        for token in (
            TEAM[:-1],
            TEAM + "0",
            TEAM.replace("team", "nobody"),
            TEAM.upper(),
            SECRETS["team"],
            "wh_operator_team_",
        ):
            with refused("TOKEN_INVALID"):
                await yard.table(operator=token)
        table = await yard.table(operator=TEAM)
        with refused("TOKEN_INVALID"):
            await yard.table(operator=table.host)


async def test_a_game_s_calls_take_its_own_tokens_and_no_operator_key(keyed_service: Service) -> None:
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        table = await Yard(channel).table(operator=TEAM)
        await table.claim(0)
        assert (await table.play(0, (await table.legal(0)).moves.pieces[0].rides[0].text)).update.revision.revision == 3
        with refused("TOKEN_INVALID"):
            await table.get(TEAM)


@pytest.mark.parametrize("name", POSITION_METHODS)
async def test_asking_about_positions_takes_an_operator_key(keyed_service: Service, name: str) -> None:
    service, _, method = name.rpartition(".")
    request = a_question(method)
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        for token, reason in ((None, "TOKEN_MISSING"), ("x", "TOKEN_INVALID"), (OTHER, None)):
            refusal = await outcome(channel, f"/{service}/{method}", request.SerializeToString(), bearing(token))
            assert (refusal and refusal.reason) == reason


@pytest.mark.parametrize("name", [*POSITION_METHODS, CREATE])
async def test_who_has_no_operator_key_is_not_told_what_is_wrong_with_a_question(
    keyed_service: Service, name: str
) -> None:
    service, _, method = name.rpartition(".")
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        for wrong in (b"", b"\xff"):
            for token, reasons in ((None, {"TOKEN_MISSING"}), ("x", {"TOKEN_INVALID"}), (TEAM, WRONG)):
                refusal = await outcome(channel, f"/{service}/{method}", wrong, bearing(token))
                assert refusal is not None
                assert refusal.reason in reasons


@pytest.mark.parametrize("name", FREE_METHODS)
async def test_the_catalog_is_open_to_all(keyed_service: Service, name: str) -> None:
    service, _, method = name.rpartition(".")
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        refusal = await outcome(channel, f"/{service}/{method}", b"\x0a\x00")
    assert refusal is None or refusal.reason == "INVALID_FIELD"


async def test_health_is_open_to_all(keyed_service: Service) -> None:
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        answer = await exchange(channel, "/grpc.health.v1.Health/Check", b"")
    assert health_pb2.HealthCheckResponse.FromString(answer).status == health_pb2.HealthCheckResponse.SERVING


async def test_two_operators_do_not_share_request_ids(keyed_service: Service) -> None:
    request_id = str(uuid4())
    async with grpc.aio.insecure_channel(keyed_service.grpc) as channel:
        yard = Yard(channel)
        ours = await yard.table(operator=TEAM, request_id=request_id)
        theirs = await yard.table(operator=OTHER, request_id=request_id)
        again = await yard.table(operator=TEAM, request_id=request_id)
    assert ours.game_id == again.game_id != theirs.game_id
    assert again.created.replayed
    assert not theirs.created.replayed


async def test_token_keys_are_changed_without_ending_the_tokens_of_the_old_one(tmp_path: Path) -> None:
    old, new = secrets.token_hex(32), secrets.token_hex(32)
    service = Service(tmp_path, "--drain-seconds", "0", "--token-keys", old)

    def restart(*keys: str) -> None:
        service.stop()
        service.flags = ("--drain-seconds", "0", "--token-keys", ",".join(keys))
        service.start()

    service.start()
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        created = (await Yard(channel).table()).created
    restart(new, old)
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = Table(Yard(channel), created)
        assert (await table.get(table.mr_x)).view.seat == 0
        claimed = await table.claim(1)
    restart(new)
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = Table(Yard(channel), created)
        with refused("TOKEN_INVALID"):
            await table.get(table.mr_x)
        assert (await table.get(claimed)).view.seat == 1, "the first of the keys signs"
    service.stop()
