"""What is called on a connection of the Python client that has been closed fails as what cannot be answered."""

from __future__ import annotations

import asyncio

import pytest

import whitehall_client
from tests.api.service import Service
from whitehall_client import Unanswered, aio


def test_a_closed_connection_answers_nothing(service: Service) -> None:
    with whitehall_client.connect(service.grpc) as closing:
        made = closing.cluedo.create_game(players=3)
        seat = closing.cluedo.claim(made.seats["S1"])
        watch = seat.watch()
        next(watch)
    with pytest.raises(Unanswered, match="closed"):
        seat.game()
    with pytest.raises(Unanswered, match="closed"):
        seat.play("roll")
    with pytest.raises(Unanswered, match="closed"):
        next(seat.watch())
    with pytest.raises(Unanswered, match="closed"):
        next(watch)


async def test_a_closed_connection_answers_nothing_to_asyncio_either(service: Service) -> None:
    async with aio.connect(service.grpc) as closing:
        made = await closing.cluedo.create_game(players=3)
        seat = await closing.cluedo.claim(made.seats["S1"])
    with pytest.raises(Unanswered, match="closed"):
        await seat.game()
    with pytest.raises(Unanswered, match="closed"):
        await asyncio.wait_for(anext(seat.watch()), 30)
