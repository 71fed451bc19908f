"""Two replicas on one store: whatever one of them remembers of a game, it is the store's word that counts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc
import pytest

from tests.api.live import live
from tests.api.quiet import play_on
from tests.api.refusals import refused
from tests.api.table import Table, a_request_id, move_texts
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.sessions.redis_store import RedisStore


@dataclass(frozen=True)
class Replicas:
    """The same game at two replicas, both of which remember it as it was made."""

    here: Table
    there: Table


@pytest.fixture
async def replicas(store: RedisStore, other_store: RedisStore) -> AsyncIterator[Replicas]:
    async with live(store) as here, live(other_store) as there:
        table = await here.yard.table(3, allow_spectators=True)
        other = Table(there.yard, table.created)
        # Only a read brings a game to mind that was made elsewhere.
        await other.get()
        yield Replicas(table, other)


async def test_what_one_replica_has_answered_the_other_knows_at_once(replicas: Replicas) -> None:
    for number in range(10):
        played, reader = (replicas.here, replicas.there) if number % 2 else (replicas.there, replicas.here)
        await play_on(played, 1, seed=number)
        assert (await reader.get(reader.mr_x)).view == (await played.get(played.mr_x)).view
        assert (await reader.get()).info.revision == number + 2


async def test_a_legal_move_is_accepted_by_a_replica_that_remembers_the_game_as_it_was_before(
    replicas: Replicas,
) -> None:
    """On what it remembers it is Mr X's turn, so that the hunter's move would be against the rules."""
    for number in range(3):
        while 0 in (await replicas.here.get()).info.to_move:
            await play_on(replicas.here, 1, seed=number)
        game = await replicas.here.get()
        seat = game.info.to_move[0]
        (move, *_) = move_texts((await replicas.here.legal(seat)).moves)
        played = await replicas.there.play(seat, move)
        assert played.update.revision.revision == game.info.revision + 1
        if not played.update.game.info.to_move:
            return
        while 0 not in (await replicas.here.get()).info.to_move:
            await play_on(replicas.here, 1, seed=number)


async def test_an_illegal_move_is_refused_for_the_reason_that_holds_now(replicas: Replicas) -> None:
    """On what the second replica remembers it is Mr X's turn, and the move would be legal."""
    (move, *_) = move_texts((await replicas.here.legal(0)).moves)
    await replicas.here.play(0, move)
    with refused("ILLEGAL_MOVE", grpc.StatusCode.FAILED_PRECONDITION) as refusal:
        await replicas.there.play(0, move)
    assert refusal.metadata["rule"] == "SY-TURN-02"


async def test_the_expected_revision_is_that_of_the_store(replicas: Replicas) -> None:
    (move, *_) = move_texts((await replicas.here.legal(0)).moves)
    await replicas.here.play(0, move)
    game = await replicas.here.get()
    seat = game.info.to_move[0]
    (answer, *_) = move_texts((await replicas.here.legal(seat)).moves)
    with refused("STALE_REVISION", grpc.StatusCode.ABORTED) as refusal:
        await replicas.there.play(seat, answer, expected_revision=1)
    assert refusal.metadata["revision"] == "2"
    assert (await replicas.there.play(seat, answer, expected_revision=2)).update.revision.revision == 3


async def test_a_retry_at_the_other_replica_is_answered_and_not_played_again(replicas: Replicas) -> None:
    (move, *_) = move_texts((await replicas.here.legal(0)).moves)
    request_id = a_request_id()
    first = await replicas.here.play(0, move, request_id=request_id)
    again = await replicas.there.play(0, move, request_id=request_id)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.update.revision == first.update.revision


async def test_tokens_that_were_exchanged_elsewhere_are_dead_and_the_new_ones_good(replicas: Replicas) -> None:
    old = replicas.here.mr_x
    (move, *_) = move_texts((await replicas.here.legal(0)).moves)
    new = await replicas.here.claim(0)
    with refused("TOKEN_REVOKED", grpc.StatusCode.UNAUTHENTICATED):
        await replicas.there.play(0, move)
    with refused("TOKEN_REVOKED", grpc.StatusCode.UNAUTHENTICATED):
        await replicas.there.get(old)
    replicas.there.seats[0] = new
    assert (await replicas.there.play(0, move)).update.revision.revision == 3


async def test_a_game_that_was_abandoned_or_deleted_elsewhere_is_so_here(replicas: Replicas) -> None:
    (move, *_) = move_texts((await replicas.here.legal(0)).moves)
    await replicas.here.abandon()
    assert (await replicas.there.get()).info.status == common_pb2.GAME_STATUS_ABANDONED
    with refused("GAME_ENDED", grpc.StatusCode.FAILED_PRECONDITION):
        await replicas.there.play(0, move)
    await replicas.here.delete()
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await replicas.there.play(0, move)
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await replicas.there.get()
