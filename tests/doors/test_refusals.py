"""Every refusal that a caller can bring about: each door tells it with the code, the details and the words of gRPC."""

from __future__ import annotations

from operator import itemgetter

import pytest
from google.protobuf import json_format

from tests.api.provoked import provocations
from tests.api.refusals import Refused, refused
from tests.api.table import Yard

OVER_GRPC: dict[str | None, dict[str, tuple[object, ...]]] = {}
"""What gRPC says, by language and reason: asked once, for all doors."""


@pytest.mark.parametrize("language", [None, "fr"])
async def test_every_refusal_says_the_same_through_every_door(
    yard: Yard, door_yard: Yard, language: str | None
) -> None:
    if language not in OVER_GRPC:
        OVER_GRPC[language] = await _told(yard, language)
    over_grpc, through_door = OVER_GRPC[language], await _told(door_yard, language)
    assert through_door.keys() == over_grpc.keys()
    for reason, said in over_grpc.items():
        assert through_door[reason] == said, reason


async def _told(yard: Yard, language: str | None) -> dict[str, tuple[object, ...]]:
    """What each refusal says, by reason."""
    told = {}
    for reason, provocation in (await provocations(yard, language)).items():
        with refused(reason) as refusal:
            await provocation()
        told[reason] = _public(refusal)
    return told


def _public(refusal: Refused) -> tuple[object, ...]:
    """All that it says. Two games have two ids, so these must not be in it."""
    # Not by their bytes, in which a map's entries may stand in any order.
    details = sorted(map(json_format.MessageToDict, refusal.status.details), key=itemgetter("@type"))
    return refusal.code, refusal.message, details
