"""Every refusal that a caller can bring about: each door tells it with the code, the details and the words of gRPC."""

from __future__ import annotations

import pytest

from tests.api.provoked import provocations
from tests.api.refusals import refused
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
    told: dict[str, tuple[object, ...]] = {}
    for reason, provocation in (await provocations(yard, language)).items():
        with refused(reason) as refusal:
            await provocation()
        told[reason] = refusal.said  # Two games have two ids, so these must not be in it.
    return told
