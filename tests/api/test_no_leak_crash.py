"""A fault of our own, brought about on purpose: what it tells callers and the log, and that nothing else breaks."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from tests.api.cluedo import Mansion
from tests.api.live import Live, live, tampered, until
from tests.api.positions import a_position
from tests.api.quiet import play_on
from tests.api.refusals import Refused, refused
from tests.api.table import Table, a_request_id, move_texts
from tests.api.watcher import Watcher
from whitehall.api.hosted import hosted_games
from whitehall.games.scotland_yard.events import MrXTravelled
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2
from whitehall.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2
from whitehall.sessions.redis_store import RedisStore

SECRETS = ("55555", "wh_seat_0_0_0123456789abcdef0123456789abcdef", "c0ffee00-0000-4000-8000-000000000000")


class Unspeakable(Exception):
    """Even asking it what it is goes wrong."""

    def __str__(self) -> str:
        raise AssertionError(" ".join(SECRETS))

    __repr__ = __str__


def _nested() -> Exception:
    outer = KeyError(*SECRETS)
    outer.__cause__ = ExceptionGroup(SECRETS[0], [ValueError(*SECRETS), Unspeakable()])
    return outer


FAULTS: list[Callable[[], BaseException]] = [
    lambda: RuntimeError(f"Mr X stands on {SECRETS[0]}, and {SECRETS[1]} asked with {SECRETS[2]}"),
    _nested,
    Unspeakable,
    asyncio.CancelledError,
    lambda: StopAsyncIteration(*SECRETS),
]


def crashing(fault: Callable[[], BaseException]) -> Callable[..., Any]:
    """Something that fails whatever it is asked."""

    def crash(*_: object, **__: object) -> Any:
        raise fault()

    return crash


def _tells_nothing(refusal: Refused) -> None:
    assert refusal.message == "The service has a fault; it has been logged."
    assert refusal.metadata == {}
    assert [packed.TypeName() for packed in refusal.status.details] == [
        error_details_pb2.ErrorInfo.DESCRIPTOR.full_name,
        error_details_pb2.LocalizedMessage.DESCRIPTOR.full_name,
    ]


def _logged(log: io.StringIO) -> Iterator[dict[str, Any]]:
    """The log's lines that tell of faults, after a look at all of them."""
    assert not any(secret in log.getvalue() for secret in SECRETS)
    for line in map(json.loads, log.getvalue().splitlines()):
        if line["level"] == "error":
            yield line


@pytest.mark.parametrize("fault", FAULTS)
async def test_cl10_a_fault_in_a_call_tells_its_caller_and_the_log_no_value(
    store: RedisStore, log: io.StringIO, fault: Callable[[], BaseException]
) -> None:
    async with live(store, games=tampered(legal_moves=crashing(fault))) as service:
        table = await service.yard.table(3)
        with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
            await table.legal(0)
        _tells_nothing(refusal)
        assert (await table.get()).info.revision == 1
    told, ended = _logged(log)
    assert told["event"] == "fault"
    assert "crash" in told["exception"], "the place is told"
    assert (ended["event"], ended["code"], ended["reason"]) == ("call", "INTERNAL", "INTERNAL_FAULT")


@pytest.mark.parametrize("fault", FAULTS)
async def test_cl10_a_fault_in_a_stream_tells_its_watcher_and_the_log_no_value(
    store: RedisStore, other_store: RedisStore, log: io.StringIO, fault: Callable[[], BaseException]
) -> None:
    """One replica can't write what Mr X does; the move is played at another."""
    wire, crash = hosted_games()["scotland-yard"].wire, crashing(fault)

    def write_event(event: Any) -> Any:
        return crash() if isinstance(event, MrXTravelled) else wire.write_event(event)

    async with live(store) as sound, live(other_store, games=tampered(write_event=write_event)) as broken:
        table = await sound.yard.table(3)
        watcher = Watcher(Table(broken.yard, table.created), table.seats[1])
        await watcher.update()
        await play_on(table, 1)
        with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
            await watcher.read()
        _tells_nothing(refusal)
        await until(lambda: _nobody_watches(broken))
        again = Watcher(table, table.seats[1], watcher.cursor)
        assert (await again.update()).revision.revision == 2
        again.leave()
    told, ended = _logged(log)
    assert (told["event"], ended["code"], ended["reason"]) == ("fault", "INTERNAL", "INTERNAL_FAULT")


async def _nobody_watches(service: Live) -> bool:
    return await service.metric('whitehall_watchers{game="scotland-yard"}') == 0


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("fault", FAULTS[2:4])
async def test_cl10_a_fault_in_a_stream_of_questions_tells_nothing_either(
    store: RedisStore, log: io.StringIO, fault: Callable[[], BaseException], plain: bool
) -> None:
    """Whether they are answered from their bytes or as messages."""
    questions = dict.fromkeys(hosted_games()["scotland-yard"].wire.questions, crashing(fault))
    games = tampered(questions=questions, plain_questions=questions if plain else {})
    async with live(store, games=games) as service:
        request = position_pb2.StreamListPositionLegalMovesRequest(positions=[a_position()])
        call: Any = service.yard.positions.StreamListPositionLegalMoves(iter([request]))
        with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
            await call.read()
        _tells_nothing(refusal)
    assert len(list(_logged(log))) == 2


@pytest.mark.parametrize("fault", [*FAULTS[:3], FAULTS[4]])
async def test_cl10_a_fault_in_a_deduction_which_has_a_thread_of_its_own_tells_nothing_either(
    store: RedisStore, log: io.StringIO, fault: Callable[[], BaseException]
) -> None:
    """Whoever is worked for holds a hand, and what works it out knows it."""
    games = tampered(
        "cluedo",
        write_deductions=lambda view, request: crashing(fault),
        questions={"ListPossibleSolutions": lambda question: crashing(fault)},
    )
    async with live(store, games=games) as service:
        mansion = Mansion(service.yard.channel)
        table = await mansion.table(3)
        with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
            await table.deduce(table.seats[0])
        _tells_nothing(refusal)
        request = cluedo_pb2.ListPossibleSolutionsRequest(logs=[deduction_pb2.SuggestionLog(players=3)])
        with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
            await mansion.positions.ListPossibleSolutions(request)
        _tells_nothing(refusal)
        await until(lambda: _is_idle(service))
    assert len(list(_logged(log))) == 4


async def _is_idle(service: Live) -> bool:
    return await service.metric("whitehall_long_answers") == 0


async def test_a_fault_after_a_move_was_written_leaves_it_written_and_the_retry_says_so(
    store: RedisStore, other_store: RedisStore
) -> None:
    broken_wire = tampered(write_view=crashing(RuntimeError))
    async with live(store) as sound, live(other_store, games=broken_wire) as broken:
        table = await sound.yard.table(3)
        move, request_id = move_texts((await table.legal(0)).moves)[0], a_request_id()
        with refused("INTERNAL_FAULT"):
            await Table(broken.yard, table.created).play(0, move, request_id=request_id)
        played = await table.play(0, move, request_id=request_id)
        assert played.replayed
        assert played.update.revision.revision == played.update.game.info.revision == 2
