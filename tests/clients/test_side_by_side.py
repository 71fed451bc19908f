"""OP-17: the client shares a process with the service, and with code that somebody generated from the same protos."""

from __future__ import annotations

from google.protobuf import descriptor_pool, json_format

from whitehall.gen.whitehall.scotlandyard.v1 import service_pb2 as of_the_service
from whitehall_client import pool
from whitehall_client.gen.whitehall.common.v1 import game_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import service_pb2 as of_the_client


def test_both_kinds_of_messages_say_the_same_bytes() -> None:
    """Each has its own definition: the service's carries the ranges of fields, the client's does not."""
    request = of_the_client.PlayMoveRequest(game_id="g")
    request.moves.add(text="taxi 86")
    assert of_the_service.PlayMoveRequest.FromString(request.SerializeToString()).moves[0].text == "taxi 86"
    assert not isinstance(request, of_the_service.PlayMoveRequest)


def test_nothing_of_the_client_is_in_the_pool_that_others_use() -> None:
    name = of_the_client.DESCRIPTOR.name
    assert pool.Default().FindFileByName(name) is of_the_client.DESCRIPTOR
    assert descriptor_pool.Default().FindFileByName(name) is not of_the_client.DESCRIPTOR


def test_times_behave_as_times() -> None:
    info = game_pb2.GameInfo()
    info.create_time.FromJsonString("2026-11-30T10:00:00Z")
    assert info.create_time.ToDatetime().year == 2026
    assert json_format.Parse(json_format.MessageToJson(info), game_pb2.GameInfo()) == info
