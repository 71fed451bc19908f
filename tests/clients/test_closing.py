"""What is called on a connection of the Python client that has been closed, or is closed meanwhile, fails as closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import pytest

import whitehall_client
from tests.api.live import until
from tests.api.service import Service
from tests.clients.cable import Cable
from whitehall_client import Closed, Unanswered, WhitehallError, aio
from whitehall_client.gen.whitehall.catalog.v1 import catalog_pb2, catalog_pb2_grpc
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2, position_pb2_grpc

SOON = 30


def test_a_closed_connection_answers_nothing(service: Service) -> None:
    with whitehall_client.connect(service.grpc) as closing:
        made = closing.cluedo.create_game(players=3)
        seat = closing.cluedo.claim(made.seats["S1"])
        watch = seat.watch()
        next(watch)
    with pytest.raises(Closed, match="closed"):
        seat.game()
    with pytest.raises(Closed, match="closed"):
        seat.play("roll")
    with pytest.raises(Closed, match="closed"):
        next(seat.watch())
    with pytest.raises(Closed, match="closed"):
        next(watch)


async def test_a_closed_connection_answers_nothing_to_asyncio_either(service: Service) -> None:
    async with aio.connect(service.grpc) as closing:
        made = await closing.cluedo.create_game(players=3)
        seat = await closing.cluedo.claim(made.seats["S1"])
    with pytest.raises(Closed, match="closed"):
        await seat.game()
    with pytest.raises(Closed, match="closed"):
        await asyncio.wait_for(anext(seat.watch()), SOON)


def test_closed_is_unanswered_for_good() -> None:
    assert isinstance(Closed(), Unanswered)
    assert not Closed().is_temporary


async def test_whoever_closes_a_connection_ends_what_waits_on_it_in_other_tasks(cable: Cable) -> None:
    """No task is told that it was itself cancelled, which would end its caller without a word."""
    closing = aio.connect(cable.address)
    made = await closing.cluedo.create_game(players=3)
    seat = await closing.cluedo.claim(made.seats["S1"])
    question = catalog_pb2_grpc.CatalogServiceStub(closing.channel).GetBuildInfo

    async def watch() -> None:
        async with aclosing(seat.watch()) as news:
            async for _ in news:
                watching.set()

    async def converse() -> None:
        ask = position_pb2_grpc.CluedoPositionServiceStub(closing.channel).StreamListReachablePlaces
        asked = position_pb2.StreamListReachablePlacesRequest()
        async with aclosing(closing.converse(ask, iter([asked]))) as answers:
            async for _ in answers:
                pass

    watching = asyncio.Event()
    tasks = [asyncio.create_task(watch())]
    await asyncio.wait_for(watching.wait(), SOON)
    cable.is_deaf = True
    waiting: tuple[Callable[[], Awaitable[Any]], ...] = (
        seat.game,
        lambda: seat.play("roll"),
        lambda: closing.ask(question, catalog_pb2.GetBuildInfoRequest()),
        converse,
    )
    tasks += [asyncio.ensure_future(each()) for each in waiting]
    await asyncio.sleep(0.05)  # so that some are under way; those that are not yet end the same way
    await closing.close()
    ended = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), SOON)
    assert [type(each) for each in ended] == [Closed] * 5


async def test_a_task_that_is_cancelled_is_told_so_though_the_connection_is_closed_too(cable: Cable) -> None:
    closing = aio.connect(cable.address)
    cable.is_deaf = True
    asking = asyncio.create_task(closing.catalog.build_info())
    await asyncio.sleep(0.05)  # so that it is under way
    asking.cancel()
    await closing.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert asking.cancelled()


async def test_whoever_closes_a_connection_ends_what_waits_on_it_in_other_threads(cable: Cable) -> None:
    def watch() -> None:
        for _ in seat.watch():
            watching.append(True)

    watching: list[bool] = []
    closing = whitehall_client.connect(cable.address)
    made = await asyncio.to_thread(closing.cluedo.create_game, players=3)
    seat = await asyncio.to_thread(closing.cluedo.claim, made.seats["S1"])
    with ThreadPoolExecutor() as threads:
        ends: list[asyncio.Future[Any]] = [asyncio.wrap_future(threads.submit(watch))]
        await until(lambda: bool(watching), SOON)
        cable.is_deaf = True
        calls: tuple[Callable[[], object], ...] = (seat.game, lambda: seat.play("roll"))
        ends += [asyncio.wrap_future(threads.submit(call)) for call in calls]
        await asyncio.sleep(0.05)  # so that they are under way, most likely
        await asyncio.to_thread(closing.close)
        ended = await asyncio.wait_for(asyncio.gather(*ends, return_exceptions=True), SOON)
    assert [type(each) for each in ended] == [Closed] * 3


def kinds(base: type[WhitehallError]) -> Iterator[type[WhitehallError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_every_kind_of_failure_can_be_had_from_the_package_itself() -> None:
    assert {kind.__name__ for kind in kinds(WhitehallError)} <= set(whitehall_client.__all__)
