"""Lost answers and haste: a repeated call is carried out once, and of two at once each learns what became of it."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import grpc
import pytest

from tests.api.refusals import Refused, refused
from tests.api.table import WAITING, Table, Yard, bearing
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, service_pb2

RING = 8
"""Requests of one seat that are remembered."""


async def a_move(table: Table, seat: int) -> str:
    """Some legal move."""
    return (await table.harmless(seat))[0]


async def mover(table: Table) -> int:
    """A seat that is to move."""
    return (await table.get()).info.to_move[0]


async def test_a_repeated_move_is_answered_again_and_made_once(table: Table) -> None:
    """TS-13: the answer was lost, and the client asks again."""
    request_id, move = str(uuid4()), await a_move(table, 0)
    first = await table.play(0, move, request_id=request_id)
    assert not first.replayed
    for _ in range(2):
        again = await table.play(0, move, request_id=request_id)
        assert again.replayed
        assert again.update.revision == first.update.revision
        assert again.update.game.view == first.update.game.view
    game = await table.get(table.mr_x)
    assert game.info.revision == 2
    assert len(game.view.log) == 1


async def test_a_repeated_move_is_answered_with_its_own_revision_and_the_present_game(table: Table) -> None:
    """Also when it would now be illegal: Mr X has moved, and it is not his turn."""
    request_id, move = str(uuid4()), await a_move(table, 0)
    first = await table.play(0, move, request_id=request_id)
    await table.play_on(3)
    with refused("ILLEGAL_MOVE"):
        await table.play(0, move, request_id=str(uuid4()))
    again = await table.play(0, move, request_id=request_id)
    assert again.replayed
    assert again.update.revision == first.update.revision
    assert again.update.game.info.revision == 5
    assert again.update.game.view == (await table.get(table.mr_x)).view


async def test_a_repeated_move_is_answered_after_the_end_of_the_game(table: Table) -> None:
    request_id, move = str(uuid4()), await a_move(table, 0)
    first = await table.play(0, move, request_id=request_id)
    await table.abandon()
    again = await table.play(0, move, request_id=request_id)
    assert (again.replayed, again.update.revision) == (True, first.update.revision)
    assert again.update.game.info.status == common_pb2.GAME_STATUS_ABANDONED


async def test_a_repeated_move_is_answered_with_what_the_seat_may_see(table: Table) -> None:
    await table.play(0, await a_move(table, 0))
    request_id, move = str(uuid4()), await a_move(table, 1)
    first = await table.play(1, move, request_id=request_id)
    again = await table.play(1, move, request_id=request_id)
    assert again.update.revision == first.update.revision
    assert again.update.game.view.seat == 1
    assert not again.update.game.view.mr_x.HasField("station")


async def test_a_request_id_in_capitals_is_the_same(table: Table) -> None:
    request_id, move = str(uuid4()), await a_move(table, 0)
    await table.play(0, move, request_id=request_id)
    assert (await table.play(0, move, request_id=request_id.upper())).replayed


async def test_without_a_request_id_nothing_is_repeated(table: Table) -> None:
    move = await a_move(table, 0)
    await table.play(0, move)
    with refused("ILLEGAL_MOVE"):
        await table.play(0, move)


async def test_the_same_request_id_for_another_move_is_refused(table: Table) -> None:
    """Whether that move is legal now or not, and however it differs."""
    texts = await table.harmless(0)
    request_id = str(uuid4())
    await table.play(0, texts[0], request_id=request_id)
    for move, expected in ((texts[1], None), ("taxi 199", None), (texts[0], 1), (texts[0], 99)):
        with refused("REQUEST_ID_REUSED", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
            await table.play(0, move, request_id=request_id, expected_revision=expected)
        assert refusal.metadata == {"field": "request_id"}
    await table.play_on(2)
    assert (await table.get()).info.revision == 4


async def test_the_same_request_id_is_refused_for_another_move_that_is_legal(table: Table) -> None:
    """The store itself says so: the move passes the rules, and meets its own number at the writing."""
    await table.play(0, await a_move(table, 0))
    red = (await table.harmless(1, "red"))[0]
    bobby = next(move for move in await table.harmless(1, "bobby1") if move.split()[-1] != red.split()[-1])
    request_id = str(uuid4())
    await table.play(1, red, request_id=request_id)
    with refused("REQUEST_ID_REUSED"):
        await table.play(1, bobby, request_id=request_id)
    assert (await table.get()).info.revision == 3


async def test_a_refused_request_leaves_its_id_free(table: Table) -> None:
    request_id = str(uuid4())
    with refused("ILLEGAL_MOVE"):
        await table.play(0, "taxi 199", request_id=request_id)
    assert not (await table.play(0, await a_move(table, 0), request_id=request_id)).replayed


async def test_request_ids_of_two_seats_and_of_two_methods_do_not_collide(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    request_id = str(uuid4())
    tokens = [(await table.rotate(token, request_id=request_id)).token for token in table.seats]
    assert len(set(tokens)) == 3
    table.seats = tokens
    assert not (await table.start(request_id)).replayed
    assert not (await table.play(0, await a_move(table, 0), request_id=request_id)).replayed
    assert not (await table.play(1, await a_move(table, 1), request_id=request_id)).replayed
    assert not (await table.abandon(request_id)).replayed
    assert (await table.get()).info.revision == 8


async def test_request_ids_of_two_games_do_not_collide(yard: Yard) -> None:
    request_id = str(uuid4())
    for _ in range(2):
        table = await yard.table(3)
        assert not (await table.play(0, await a_move(table, 0), request_id=request_id)).replayed


async def test_the_last_eight_requests_of_a_seat_are_remembered(yard: Yard) -> None:
    """And those of other seats do not count."""
    table = await yard.table(2)
    played: list[tuple[str, str, game_pb2.Revision]] = []
    while len(played) < RING + 1:
        seat = await mover(table)
        move, request_id = await a_move(table, seat), str(uuid4())
        answer = await table.play(seat, move, request_id=request_id)
        if seat == 1:
            played.append((move, request_id, answer.update.revision))
    (oldest_move, oldest_id, _), *remembered = played
    for move, request_id, revision in remembered:
        again = await table.play(1, move, request_id=request_id)
        assert (again.replayed, again.update.revision) == (True, revision)
    with refused("ILLEGAL_MOVE"):
        await table.play(1, oldest_move, request_id=oldest_id)


async def test_a_repeated_start_is_answered_again_and_deals_once(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    request_id = str(uuid4())
    first = await table.start(request_id)
    again = await table.start(request_id)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.update.revision == first.update.revision
    await table.play_on(1)
    assert (await table.start(request_id)).update.revision == first.update.revision
    with refused("GAME_ALREADY_STARTED"):
        await table.start(str(uuid4()))
    assert (await table.get()).info.revision == 3


async def test_a_repeated_abandoning_is_answered_again(table: Table) -> None:
    request_id = str(uuid4())
    first = await table.abandon(request_id)
    again = await table.abandon(request_id)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.update.revision == first.update.revision
    with refused("GAME_ENDED"):
        await table.abandon(str(uuid4()))
    assert (await table.get()).info.revision == 2


async def test_a_repeated_creation_answers_the_same_game_and_its_first_tokens(yard: Yard) -> None:
    request_id = str(uuid4())
    first = await yard.table(3, request_id=request_id, client_seed="heads", allow_spectators=True)
    await first.play_on(2)
    again = await yard.table(3, request_id=request_id.upper(), client_seed="heads", allow_spectators=True)
    assert (first.created.replayed, again.created.replayed) == (False, True)
    assert again.game_id == first.game_id
    assert (again.host, again.seats, again.spectator) == (first.host, first.seats, first.spectator)
    assert again.created.game.info.revision == 3, "the game as it is now"
    assert again.created.game.info.commitment == first.created.game.info.commitment


async def test_a_creation_with_a_used_request_id_and_another_body_is_refused(yard: Yard) -> None:
    request_id = str(uuid4())
    await yard.table(3, request_id=request_id)
    for changed in ({"players": 4}, {"client_seed": "tails"}, {"allow_spectators": True}, {"start_mode": WAITING}):
        with refused("REQUEST_ID_REUSED"):
            await yard.table(**{"players": 3} | changed, request_id=request_id)


async def test_creations_without_a_request_id_are_all_new(yard: Yard) -> None:
    assert len({(await yard.table(3)).game_id for _ in range(5)}) == 5


async def test_creations_with_one_request_id_at_once_make_one_game(yard: Yard) -> None:
    request_id = str(uuid4())
    tables = await asyncio.gather(*(yard.table(3, request_id=request_id) for _ in range(8)))
    assert len({table.game_id for table in tables}) == 1
    assert sorted(table.created.replayed for table in tables) == [False] + [True] * 7


async def test_the_same_move_sent_several_times_at_once_is_made_once(yard: Yard) -> None:
    for _ in range(10):
        table = await yard.table(3)
        move, request_id = await a_move(table, 0), str(uuid4())
        answers = await asyncio.gather(*(table.play(0, move, request_id=request_id) for _ in range(6)))
        assert sorted(answer.replayed for answer in answers) == [False] + [True] * 5
        assert len({answer.update.revision.SerializeToString() for answer in answers}) == 1
        assert (await table.get()).info.revision == 2


async def test_a_move_on_a_revision_that_is_past_is_told_the_present_one(table: Table) -> None:
    """TS-13: a new request id with an old revision."""
    move = await a_move(table, 0)
    await table.play(0, move, expected_revision=1)
    for expected in (1, 3, 2**31 - 1):
        with refused("STALE_REVISION", grpc.StatusCode.ABORTED) as refusal:
            await table.play(1, await a_move(table, 1), request_id=str(uuid4()), expected_revision=expected)
        assert refusal.metadata == {"revision": "2"}
    await table.play(1, await a_move(table, 1), expected_revision=2)


async def test_a_repeated_move_is_answered_although_its_expected_revision_is_past(table: Table) -> None:
    request_id, move = str(uuid4()), await a_move(table, 0)
    first = await table.play(0, move, request_id=request_id, expected_revision=1)
    await table.play_on(1)
    again = await table.play(0, move, request_id=request_id, expected_revision=1)
    assert (again.replayed, again.update.revision) == (True, first.update.revision)


async def test_of_two_moves_on_one_revision_one_is_made_and_the_other_told(yard: Yard) -> None:
    """TS-01: the loser learns the present revision, and its move counts when it is sent again."""

    async def attempt(table: Table, seat: int, move: str, revision: int | None) -> int | Refused:
        try:
            return (await table.play(seat, move, expected_revision=revision)).update.revision.revision
        except grpc.RpcError as error:
            return Refused(error)

    for _ in range(20):
        table = await yard.table(4)
        await table.play(0, await a_move(table, 0))
        own = {1: (await table.harmless(1, "red"))[0], 2: (await table.harmless(2, "blue"))[-1]}
        results = await asyncio.gather(*(attempt(table, seat, move, 2) for seat, move in own.items()))
        (made,) = [result for result in results if isinstance(result, int)]
        (refusal,) = [result for result in results if isinstance(result, Refused)]
        assert made == 3
        assert (refusal.code, refusal.metadata) == (grpc.StatusCode.ABORTED, {"revision": "3"})
        loser = 2 if results[0] == made else 1
        again = await attempt(table, loser, own[loser], 3)
        # Sent again it counts while it is still legal; the winner may have taken the station.
        assert again == 4 or (isinstance(again, Refused) and again.metadata["rule"] == "SY-MOVE-04")


async def test_moves_of_three_seats_at_once_without_expectations_are_all_made(yard: Yard) -> None:
    for _ in range(20):
        table = await yard.table(4)
        await table.play(0, await a_move(table, 0))
        own: dict[int, str] = {}
        for seat, piece in ((1, "red"), (2, "blue"), (3, "green")):
            taken = [move.split()[-1] for move in own.values()]
            own[seat] = next(move for move in await table.harmless(seat, piece) if move.split()[-1] not in taken)
        answers = await asyncio.gather(*(table.play(seat, move) for seat, move in own.items()))
        assert sorted(answer.update.revision.revision for answer in answers) == [3, 4, 5]


async def test_two_hundred_changes_of_one_game_at_once_are_all_made(yard: Yard) -> None:
    """None of them is turned down only because the others were faster."""
    table = await yard.table(3)
    answers = await asyncio.gather(*(table.rotate(table.host, seat=1) for _ in range(200)))
    assert sorted(answer.revision for answer in answers) == list(range(2, 202))
    assert len({answer.token for answer in answers}) == 200


async def test_a_deletion_may_be_repeated(table: Table) -> None:
    await table.delete()
    await table.delete()
    with refused("GAME_NOT_FOUND"):
        await table.get()


@pytest.mark.parametrize("call", ["PlayMove", "AbandonGame", "StartGame", "RotateToken"])
async def test_a_repeated_call_to_a_game_that_is_gone_finds_none(yard: Yard, call: str) -> None:
    """TS-11: never an endless demand for another token."""
    table = await yard.table(3)
    request_id = str(uuid4())
    await table.abandon(request_id)
    await table.delete()
    method = getattr(table.calls, call)
    request = getattr(service_pb2, f"{call}Request")(game_id=table.game_id, request_id=request_id)
    if call == "PlayMove":
        request.moves.add(text="taxi 46")
    token = table.mr_x if call == "PlayMove" else table.host
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await method(request, metadata=bearing(token))
