"""Which calls may be repeated, and when: never one that could be carried out twice."""

from __future__ import annotations

from random import random
from uuid import uuid4

from google.protobuf import descriptor_pb2
from google.protobuf.message import Message

from whitehall_client.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_position_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2
from whitehall_client.refusals import WhitehallError

FIRST_ATTEMPT_SECONDS = 3.0
"""How long the first attempt at a change may take before it is made again: it is safe, and seldom takes long."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
PATIENCE_SECONDS = 60.0
"""For how long a watcher goes on looking for a service that is not there."""

_IDEMPOTENT = {
    method.input_type.full_name
    for protos in (catalog_pb2, service_pb2, position_pb2, cluedo_pb2, cluedo_position_pb2)
    for service in protos.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if method.GetOptions().idempotency_level != descriptor_pb2.MethodOptions.IDEMPOTENCY_UNKNOWN
}
"""Requests of methods that change nothing, or nothing more the second time: the contract says so of each."""


def new_request_id() -> str:
    """An id by which the service knows a repeated request."""
    return str(uuid4())


def is_known_again(request: Message) -> bool:
    """Whether the request carries an id by which the service knows it."""
    return bool(getattr(request, "request_id", ""))


def may_repeat(request: Message) -> bool:
    """Whether sending this once more can't carry it out twice."""
    return is_known_again(request) or request.DESCRIPTOR.full_name in _IDEMPOTENT


def attempt_seconds(request: Message, attempt: int) -> float:
    """How long attempt number `attempt`, counted from 1, may take: each at a change twice as long as the one before, so
    that a service which takes its time for once comes to answer.
    """
    return FIRST_ATTEMPT_SECONDS * 2.0 ** min(attempt - 1, 10) if is_known_again(request) else float("inf")


def pause(attempt: int, failure: WhitehallError) -> float:
    """Seconds before attempt number `attempt`, the first repetition being 1: what the service asks for, else at random
    below a bound that doubles, so that many clients don't come back all at once.
    """
    grown = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt, 10))
    return max(failure.retry_after or 0.0, grown * (0.5 + random() / 2))
