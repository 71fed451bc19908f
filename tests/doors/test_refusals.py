"""Every refusal that a caller can bring about: each door tells it with the code, the details and the words of gRPC."""

from __future__ import annotations

from operator import itemgetter

import pytest
from google.protobuf import json_format

from tests.api.provoked import provocations
from tests.api.refusals import Refused, refused
from tests.api.table import Yard


@pytest.mark.parametrize("language", [None, "fr"])
async def test_every_refusal_says_the_same_through_every_door(
    yard: Yard, door_yard: Yard, language: str | None
) -> None:
    over_grpc, through_door = await provocations(yard, language), await provocations(door_yard, language)
    assert through_door.keys() == over_grpc.keys()
    for reason in over_grpc:
        told = []
        for provocation in (over_grpc, through_door):
            with refused(reason) as refusal:
                await provocation[reason]()
            told.append(refusal)
        assert _public(told[0]) == _public(told[1]), reason


def _public(refusal: Refused) -> tuple[object, ...]:
    """All that it says. Two games have two ids, so these must not be in it."""
    # Not by their bytes, in which a map's entries may stand in any order.
    details = sorted(map(json_format.MessageToDict, refusal.status.details), key=itemgetter("@type"))
    return refusal.code, refusal.message, details
