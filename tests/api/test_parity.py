"""The contract and the service say the same: no method without an answer, no answer without a method."""

from __future__ import annotations

from inspect import signature
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from tests.api.contract import contract
from tests.api.raw import exchange, outcome
from tests.api.table import Yard
from whitehall.api.catalog import CatalogServicer
from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, Unary
from whitehall.api.hosted import hosted_games
from whitehall.api.positions import PositionServicer
from whitehall.api.servicer import GameServicer
from whitehall.api.streams import Streams
from whitehall.api.tokens import Tokens
from whitehall.api.workshop import Workshop
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2


def endpoints() -> dict[str, Endpoint]:
    """Every endpoint that the servicers offer, by its full name."""
    offered = CatalogServicer({}).endpoints()
    for game in hosted_games().values():
        offered += PositionServicer(game.wire, Tokens([], {}), Streams(1, 1, 1), Workshop(1, 1)).endpoints()
        # What else a servicer needs, it needs only when it is called.
        absent: dict[str, Any] = dict.fromkeys(signature(GameServicer).parameters)
        offered += GameServicer(**absent | {"wire": game.wire, "tokens": Tokens([], {})}).endpoints()
    return {f"{endpoint.service}.{endpoint.name}": endpoint for endpoint in offered}


def test_every_method_of_the_contract_has_an_endpoint_and_every_endpoint_a_method() -> None:
    assert contract().keys() == endpoints().keys()
    assert len(contract()) > 20


def test_every_endpoint_reads_the_method_s_request_and_streams_as_it_does() -> None:
    methods = contract()
    for name, endpoint in endpoints().items():
        method = methods[name]
        kind = {(False, False): Unary, (False, True): ServerStream, (True, True): Duplex}
        assert type(endpoint) is kind[method.client_streaming, method.server_streaming], name
        assert endpoint.request.DESCRIPTOR is method.input_type, name


@pytest.mark.parametrize("name", contract())
async def test_every_method_is_answered(yard: Yard, name: str) -> None:
    """With an answer or a refusal of ours for an empty request: anything but UNIMPLEMENTED."""
    service, _, method = name.rpartition(".")
    refusal = await outcome(yard.channel, f"/{service}/{method}", b"")
    assert refusal is None or refusal.reason in ("INVALID_FIELD", "TOKEN_MISSING")


async def test_a_method_that_the_contract_lacks_is_unimplemented(yard: Yard) -> None:
    for path in ("/whitehall.scotlandyard.v1.ScotlandYardService/UndoMove", "/whitehall.Nothing/GetGame"):
        # Not as a stream: a client that is still sending when the refusal comes reports its own failure to send.
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = yard.channel.unary_unary(path)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call(b"")
        assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_every_rule_of_every_game_is_in_the_catalog_word_for_word(yard: Yard) -> None:
    for name, game in hosted_games().items():
        listed = (await yard.catalog.ListRules(catalog_pb2.ListRulesRequest(game=name))).rules
        said = {(rule.id, rule.sentence_en, rule.sentence_fr, rule.source) for rule in listed}
        assert said == {(rule.id, rule.en, rule.fr, rule.source) for rule in game.wire.rules.rules}
        assert len(listed) == len(said)


async def test_every_service_is_told_of_by_reflection_and_by_health(yard: Yard) -> None:
    services = {name.rpartition(".")[0] for name in contract()}
    for service in ("", *services):
        question = health_pb2.HealthCheckRequest(service=service).SerializeToString()
        answer = health_pb2.HealthCheckResponse.FromString(
            await exchange(yard.channel, "/grpc.health.v1.Health/Check", question)
        )
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    listing = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    told = reflection_pb2.ServerReflectionResponse.FromString(
        await exchange(yard.channel, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", listing)
    )
    assert services <= {service.name for service in told.list_services_response.service}
