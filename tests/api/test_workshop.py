"""The workshop: long work takes no place from others, and leaves its own as soon as nobody wants what it comes to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from random import Random
from threading import Event, active_count
from time import monotonic
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from tests.api.cluedo import Mansion, heavy_log
from tests.api.live import Live, live, tampered, until
from tests.api.refusals import refused
from tests.games.cluedo.test_movement import widest_room
from whitehall.api import positions
from whitehall.api.workshop import Workshop
from whitehall.games.cluedo.wire.positions import list_reachable_places
from whitehall.games.core.wanted import IsWanted, NoLongerWanted
from whitehall.gen.whitehall.cluedo.v1 import move_pb2, position_pb2
from whitehall.gen.whitehall.cluedo.v1.deduction_pb2 import SuggestionLog, SuggestionValue
from whitehall.gen.whitehall.cluedo.v1.position_pb2 import ValueSuggestionsResponse
from whitehall.sessions.redis_store import RedisStore
from whitehall.sessions.refusal import Reason, Refusal

SOON = 10.0
"""Seconds after which something that should happen at once is taken not to happen at all."""


class Toil:
    """Work that goes on until nobody wants it any more, and then for as long as the test likes."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self.begun, self.ended, self._may_end = Event(), Event(), Event()
        if not stubborn:
            self.let_go()

    def __call__(self, is_wanted: IsWanted) -> bytes:
        self.begun.set()
        pause = Event()
        while is_wanted():
            pause.wait(0.001)
        self._may_end.wait(SOON)
        self.ended.set()
        raise NoLongerWanted

    def let_go(self) -> None:
        self._may_end.set()


async def begun(workshop: Workshop, work: Callable[[IsWanted], Any]) -> asyncio.Task[Any]:
    """Work that is under way, or waits for its thread."""
    taken = workshop.taken
    task = asyncio.ensure_future(workshop.work_out(work))
    await until(lambda: workshop.taken > taken)
    return task


async def given_up(task: asyncio.Task[Any]) -> None:
    """Its caller leaves."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.fixture
async def workshop() -> AsyncIterator[Workshop]:
    """Two threads, and two places before them."""
    workshop = Workshop(threads=2, waiting=2)
    yield workshop
    workshop.close()


async def test_what_work_comes_to_or_raises_is_its_caller_s(workshop: Workshop) -> None:
    assert await workshop.work_out(lambda is_wanted: is_wanted()) is True
    with pytest.raises(ZeroDivisionError):
        await workshop.work_out(lambda _: 1 // 0)
    await until(lambda: workshop.taken == 0)


async def test_work_whose_caller_has_left_ends_and_gives_its_place_back(workshop: Workshop) -> None:
    toils = [Toil(), Toil()]
    tasks = [await begun(workshop, toil) for toil in toils]
    assert workshop.taken == 2
    for task in tasks:
        await given_up(task)
    await until(lambda: workshop.taken == 0)
    assert all(toil.ended.is_set() for toil in toils)


async def test_a_place_is_taken_until_the_work_has_really_ended(workshop: Workshop) -> None:
    toil = Toil(stubborn=True)
    await given_up(await begun(workshop, toil))
    assert workshop.taken == 1
    toil.let_go()
    await until(lambda: workshop.taken == 0)


async def test_who_finds_no_place_is_told_to_come_again(workshop: Workshop) -> None:
    tasks = [await begun(workshop, Toil()) for _ in range(4)]
    with pytest.raises(Refusal) as refusal:
        await workshop.work_out(lambda _: b"")
    assert refusal.value.reason is Reason.TOO_MANY_CALLS
    assert refusal.value.retry_after
    for task in tasks:
        await given_up(task)
    await until(lambda: workshop.taken == 0)
    assert await workshop.work_out(lambda _: b"again") == b"again"


async def test_work_whose_caller_has_left_before_its_turn_never_begins(workshop: Workshop) -> None:
    running = [await begun(workshop, Toil()) for _ in range(2)]
    late = Toil()
    await given_up(await begun(workshop, late))
    assert workshop.taken == 2
    for task in running:
        await given_up(task)
    assert await workshop.work_out(lambda _: b"next") == b"next"
    assert not late.begun.is_set()


async def test_a_workshop_that_closes_wants_nothing_any_more(workshop: Workshop) -> None:
    tasks = [await begun(workshop, Toil()) for _ in range(3)]
    workshop.close()
    for task in tasks:
        with pytest.raises(Refusal, match=Reason.DRAINING.value):
            await task
    with pytest.raises(Refusal, match=Reason.DRAINING.value):
        await workshop.work_out(lambda _: b"")
    await until(lambda: workshop.taken == 0)


async def test_the_threads_that_the_store_uses_stay_free(workshop: Workshop) -> None:
    tasks = [await begun(workshop, Toil(stubborn=True)) for _ in range(4)]
    assert active_count() > 2
    async with asyncio.timeout(SOON):
        assert await asyncio.to_thread(lambda: "free") == "free"
    for task in tasks:
        await given_up(task)


# --- calls --------------------------------------------------------------------------------------------------------


PATIENT: dict[str, object] = {"default_deadline_seconds": 60, "grace_seconds": 61}
"""Settings under which no call runs out of time."""


def a_request() -> position_pb2.ListPossibleSolutionsRequest:
    return position_pb2.ListPossibleSolutionsRequest(logs=[SuggestionLog(players=3)])


FAREWELL = 5.0
"""Seconds, nine tenths of which are kept for the farewell under `long_farewell`."""


@pytest.fixture
def long_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much of a caller's time is kept for the farewell that a busy machine does not use it up."""
    monkeypatch.setattr(positions, "FAREWELL_SHARE", 0.9)


async def are_taken(service: Live, number: int) -> bool:
    """Whether so many places of the workshop are taken."""
    return await service.metric("whitehall_long_answers") == number


async def is_idle(service: Live) -> bool:
    """Whether no place of the workshop is taken."""
    return await are_taken(service, 0)


async def test_a_call_is_told_of_its_deadline_in_time_and_its_thread_ends_soon_after(store: RedisStore) -> None:
    """Four times the heaviest log keep a processor busy for half a minute."""
    async with live(store, {"default_deadline_seconds": 0.5}) as service:
        mansion = Mansion(service.yard.channel)
        request = position_pb2.ListPossibleSolutionsRequest(logs=[heavy_log()] * 4)
        for timeout in (0.4, None):
            began = monotonic()
            with pytest.raises(grpc.RpcError) as error:
                await mansion.positions.ListPossibleSolutions(request, timeout=timeout)
            assert error.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            assert monotonic() - began < SOON
        await until(lambda: is_idle(service))


async def test_calls_that_were_given_up_keep_nobody_waiting(store: RedisStore) -> None:
    """Many more of them than there are threads."""
    async with live(store, PATIENT) as service:
        mansion = Mansion(service.yard.channel)
        heavy = position_pb2.ListPossibleSolutionsRequest(logs=[heavy_log()] * 4)
        calls = [mansion.positions.ListPossibleSolutions(heavy) for _ in range(20)]
        await until(lambda: are_taken(service, 20))
        for call in calls:
            call.cancel()
        answer = await mansion.positions.ListPossibleSolutions(a_request(), timeout=SOON)
        assert len(answer.solutions) == 1
        await until(lambda: is_idle(service))


async def test_a_game_in_play_does_not_wait_for_questions_about_positions(store: RedisStore) -> None:
    async with live(store, PATIENT) as service:
        mansion = Mansion(service.yard.channel)
        table = await mansion.table(6)
        heavy = position_pb2.ListPossibleSolutionsRequest(logs=[heavy_log()] * 16)
        calls = [mansion.positions.ListPossibleSolutions(heavy) for _ in range(6)]
        await until(lambda: are_taken(service, 6))
        async with asyncio.timeout(SOON):
            assert (await table.deduce(table.seats[0])).deals
        assert await are_taken(service, 6)
        for call in calls:
            call.cancel()
        await until(lambda: is_idle(service))


async def test_an_inquiry_says_farewell_even_if_no_thread_is_free_for_its_first_bit(
    store: RedisStore, long_farewell: None
) -> None:
    games = tampered("cluedo", questions={"ListPossibleSolutions": lambda _: Toil()})
    async with live(store, PATIENT, games=games) as service:
        mansion = Mansion(service.yard.channel)
        calls = [mansion.positions.ListPossibleSolutions(a_request()) for _ in range(6)]
        await until(lambda: are_taken(service, 6))
        log = SuggestionLog(players=6, seat=0, hand=["S1", "W1", "L1"])
        request = position_pb2.ValueSuggestionsRequest(log=log, location="L3")
        told = [message async for message in mansion.positions.ValueSuggestions(request, timeout=FAREWELL)]
        assert told == [ValueSuggestionsResponse(total=36)]
        for call in calls:
            call.cancel()


async def test_calls_for_which_there_is_no_place_are_refused_by_name(store: RedisStore) -> None:
    games = tampered("cluedo", questions={"ListPossibleSolutions": lambda _: Toil()})
    few = {"long_answers_at_a_time": 1, "long_answers_waiting": 1}
    async with live(store, PATIENT | few, games=games) as service:
        mansion = Mansion(service.yard.channel)
        calls = [mansion.positions.ListPossibleSolutions(a_request()) for _ in range(2)]
        await until(lambda: are_taken(service, 2))
        with refused("TOO_MANY_CALLS", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
            await mansion.positions.ListPossibleSolutions(a_request())
        assert refusal.detail(error_details_pb2.RetryInfo) is not None
        assert await service.metric("whitehall_long_answers_refused_total") == 1
        assert await service.metric("whitehall_long_answer_places") == 4, "two for games, and two for positions"
        for call in calls:
            call.cancel()
        await until(lambda: is_idle(service))


def test_where_a_roll_leads_is_worked_out_apart_on_a_large_board_and_at_once_on_the_usual_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placement = position_pb2.Placement(place=move_pb2.Place(room="L1"), pips=12)
    usual = list_reachable_places(placement)
    assert isinstance(usual, bytes)
    board = widest_room(Random(3), 1)
    monkeypatch.setattr("whitehall.games.cluedo.wire.positions.boards.board", lambda name: board)
    work = list_reachable_places(placement)
    assert not isinstance(work, bytes)
    found = position_pb2.ReachablePlaces.FromString(work(lambda: True))
    assert len(found.destinations) > 1000


# --- inquiries ----------------------------------------------------------------------------------------------------


class Dawdler:
    """An inquiry that tells so many bits at once, and of which the next one never comes."""

    def __init__(self, quick: int, is_wanted: IsWanted) -> None:
        self._left = quick
        self._is_wanted = is_wanted

    def go_on(self) -> ValueSuggestionsResponse:
        if not self._left:
            Toil()(self._is_wanted)
        self._left -= 1
        return ValueSuggestionsResponse(value=SuggestionValue(suspect="S1"), done=1, total=9)

    def farewell(self, told: ValueSuggestionsResponse | None) -> ValueSuggestionsResponse:
        return ValueSuggestionsResponse(done=0 if told is None else told.done, total=9)


@pytest.mark.parametrize("quick", [0, 1])
async def test_a_bit_that_takes_longer_than_its_caller_waits_does_not_keep_the_farewell_back(
    store: RedisStore, quick: int, long_farewell: None
) -> None:
    games = tampered("cluedo", inquiries={"ValueSuggestions": lambda _, is_wanted: Dawdler(quick, is_wanted)})
    async with live(store, games=games) as service:
        mansion = Mansion(service.yard.channel)
        request = position_pb2.ValueSuggestionsRequest(log=SuggestionLog(players=3))
        told = [message async for message in mansion.positions.ValueSuggestions(request, timeout=FAREWELL)]
        assert [(message.done, message.total, message.HasField("value")) for message in told] == [
            *[(1, 9, True)] * quick,
            (quick, 9, False),
        ]
        await until(lambda: is_idle(service))


async def test_an_inquiry_says_farewell_when_the_process_drains(store: RedisStore) -> None:
    games = tampered("cluedo", inquiries={"ValueSuggestions": lambda _, is_wanted: Dawdler(1, is_wanted)})
    async with AsyncExitStack() as after:
        async with live(store, games=games) as service:
            channel = await after.enter_async_context(grpc.aio.insecure_channel(service.grpc))
            request = position_pb2.ValueSuggestionsRequest(log=SuggestionLog(players=3))
            stream: Any = Mansion(channel).positions.ValueSuggestions(request, timeout=60)
            assert (await stream.read()).HasField("value")
            last = asyncio.ensure_future(stream.read())
        assert await last == ValueSuggestionsResponse(done=1, total=9)
        assert await stream.read() is grpc.aio.EOF
