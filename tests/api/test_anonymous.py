"""What anybody may ask without a token is read as carefully as everything else."""

from __future__ import annotations

import grpc
import pytest
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.logbook import faults
from tests.api.messages import messages
from tests.api.raw import outcome
from tests.api.service import Service

METHODS: dict[str, type[Message]] = {
    "/grpc.health.v1.Health/Check": health_pb2.HealthCheckRequest,
    "/grpc.health.v1.Health/Watch": health_pb2.HealthCheckRequest,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": reflection_pb2.ServerReflectionRequest,
}


@pytest.mark.parametrize("path", METHODS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_bytes_that_are_no_message_are_malformed_and_no_others_are_a_fault(
    service: Service, path: str, data: st.DataObject
) -> None:
    kind = METHODS[path]
    sent = data.draw(
        st.just(b"\xff") | st.binary(max_size=20) | messages(kind).map(lambda sent: sent.SerializeToString())
    )
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        refusal = await outcome(channel, path, sent)
    try:
        kind.FromString(sent)
    except DecodeError:
        assert refusal is not None
        assert (refusal.reason, refusal.metadata) == ("MALFORMED_REQUEST", {"type": kind.DESCRIPTOR.name})
    else:
        # Of services that there are not health has a word of its own.
        assert refusal is None or refusal.code is grpc.StatusCode.NOT_FOUND
    assert faults(service.log) == []
