"""Who may do what: tokens of every kind, their claims, and their ends."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import grpc
import pytest

from tests.api.contract import contract
from tests.api.live import Tampered, live
from tests.api.provoked import SERVICE
from tests.api.raw import outcome
from tests.api.refusals import Refused, refused
from tests.api.table import WAITING, Table, Yard, bearing
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

MAY_CALL = {
    "RotateToken": {"seat", "host"},
    "StartGame": {"host"},
    "GetGame": {"seat", "spectator", "host"},
    "ListLegalMoves": {"seat"},
    "ValidateMove": {"seat"},
    "PlayMove": {"seat"},
    "GetDeductions": {"seat", "spectator", "host"},
    "ListEvents": {"seat", "spectator", "host"},
    "WatchGame": {"seat", "spectator"},
    "GetRecord": {"seat", "spectator", "host"},
    "AbandonGame": {"host"},
    "DeleteGame": {"host"},
}
"""By method: the kinds of tokens that may call it."""

NONSENSE = (
    "",
    "x",
    "wh_seat_0_0_",
    "wh_host_0_" + "0" * 32,
    "wh_seat_0_" + "0" * 32,
    "wh_operator_team_0123456789abcdef",
    "wh_seat_99_999999999_" + "f" * 32,
    "wh_seat_999_0_" + "f" * 32,
    "wh_seat_-1_0_" + "f" * 32,
    "wh_host_0_" + "f" * 64,
)


def request_of(table: Table, method: str) -> bytes:
    """A request about this game that is well formed."""
    moves = [move_pb2.Move(text="mr_x taxi 46")]
    match method:
        case "PlayMove":
            return service_pb2.PlayMoveRequest(game_id=table.game_id, moves=moves).SerializeToString()
        case "ValidateMove":
            return service_pb2.ValidateMoveRequest(game_id=table.game_id, moves=moves).SerializeToString()
        case _:
            # The game's id is the first field of every request.
            return service_pb2.GetGameRequest(game_id=table.game_id).SerializeToString()


async def called(table: Table, method: str, token: str | None) -> Refused | None:
    """What comes of a call with this token."""
    return await outcome(table.yard.channel, f"{SERVICE}/{method}", request_of(table, method), bearing(token))


def test_the_table_of_kinds_names_every_method_that_bears_a_game_s_token() -> None:
    methods = {method.name for name, method in contract().items() if ".ScotlandYardService." in name}
    assert methods - MAY_CALL.keys() == {"CreateGame"}


@pytest.mark.parametrize("method", MAY_CALL)
async def test_every_method_of_a_game_asks_for_a_token_of_that_game(yard: Yard, table: Table, method: str) -> None:
    other = await yard.table(3)
    refusal = await called(table, method, None)
    assert refusal is not None
    assert refusal.reason == "TOKEN_MISSING"
    for token in (*NONSENSE, other.host, *other.seats, table.host + "0", table.host[:-1], table.host.upper()):
        refusal = await called(table, method, token)
        assert refusal is not None
        assert refusal.reason == "TOKEN_INVALID"


@pytest.mark.parametrize("method", MAY_CALL)
@pytest.mark.parametrize("kind", ["seat", "spectator", "host"])
async def test_every_method_is_open_to_the_kinds_of_tokens_that_the_contract_names(
    yard: Yard, method: str, kind: str
) -> None:
    table = await yard.table(3, allow_spectators=True)
    token = {"seat": table.mr_x, "spectator": table.spectator, "host": table.host}[kind]
    refusal = await called(table, method, token)
    if kind in MAY_CALL[method]:
        assert refusal is None or refusal.code is grpc.StatusCode.FAILED_PRECONDITION
    else:
        assert refusal is not None
        assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
        assert refusal.reason == "WRONG_TOKEN_KIND"
        assert not set(refusal.metadata["allowed"].split(", ")) - MAY_CALL[method]


@pytest.mark.parametrize("method", MAY_CALL)
async def test_no_method_is_open_to_a_token_that_has_been_replaced(yard: Yard, method: str) -> None:
    table = await yard.table(3, allow_spectators=True)
    old = {"seat": table.mr_x, "host": table.host, "spectator": table.spectator}
    await table.claim(0)
    table.host = (await table.rotate(table.host)).token
    await table.rotate(table.host, spectators=True)
    for kind in MAY_CALL[method]:
        refusal = await called(table, method, old[kind])
        assert refusal is not None
        assert refusal.code is grpc.StatusCode.UNAUTHENTICATED
        assert refusal.reason == "TOKEN_REVOKED"


async def test_a_token_cannot_be_made_from_another_one(table: Table) -> None:
    """The seat, the generation and the kind are all signed, and there is one way to write a token."""
    claimed = await table.claim(1)
    _, _, seat, generation, mac = claimed.split("_")
    assert seat == "1"
    for forged in (
        f"wh_seat_0_{generation}_{mac}",
        f"wh_seat_1_{int(generation) - 1}_{mac}",
        f"wh_seat_1_{int(generation) + 1}_{mac}",
        f"wh_host_{generation}_{mac}",
        f"wh_spectator_{generation}_{mac}",
        f"wh_seat_01_{generation}_{mac}",
        f"wh_seat_1_0{generation}_{mac}",
        f"wh_seat_1_{generation}_{mac[::-1]}",
        f"wh_seat_1_{generation}_{mac.upper()}",
        f"wh_seat_1_{generation}_{mac} x",
    ):
        with refused("TOKEN_INVALID"):
            await table.get(forged)
    assert (await table.get(claimed)).view.seat == 1


async def test_tokens_of_one_game_are_all_different_and_none_is_in_another_s_view(yard: Yard) -> None:
    table = await yard.table(6, allow_spectators=True)
    tokens = [table.host, table.spectator, *table.seats]
    assert len(set(tokens)) == 8
    for token in tokens:
        seen = str(await table.get(token)) + str(await table.events(token))
        assert not [other for other in tokens if other in seen]


async def test_the_first_rotation_by_a_seat_is_its_claim_and_ends_the_host_s_copy(table: Table) -> None:
    invitation = table.seats[1]
    assert [seat.claimed for seat in (await table.get()).info.seats] == [False, False, False]
    answer = await table.rotate(invitation)
    assert (answer.seat, answer.replayed) == (1, False)
    with refused("TOKEN_REVOKED"):
        await table.get(invitation)
    game = await table.get(answer.token)
    assert game.view.seat == 1
    assert game.info.revision == answer.revision == 2
    assert [seat.claimed for seat in game.info.seats] == [False, True, False]
    assert await session_events(table, table.seats[2]) == ["game_created", "game_started", "seat_claimed"]


async def test_a_seat_may_exchange_its_token_again(table: Table) -> None:
    first = await table.claim(1)
    second = await table.claim(1)
    assert first != second
    with refused("TOKEN_REVOKED"):
        await table.get(first)
    assert (await table.get(second)).info.seats[1].claimed


async def test_an_invitation_that_nobody_has_claimed_plays(table: Table) -> None:
    ride = (await table.legal(0)).moves.pieces[0].rides[0].text
    assert (await table.play(0, ride)).update.game.view.seat == 0


async def test_six_claims_at_once_for_six_seats_lose_none_and_double_none(yard: Yard) -> None:
    """TS-03, two hundred times over."""

    async def claim_all() -> None:
        table = await yard.table(6)
        invitations = list(table.seats)
        answers = await asyncio.gather(*(table.rotate(token) for token in invitations))
        assert [answer.seat for answer in answers] == [0, 1, 2, 3, 4, 5]
        assert sorted(answer.revision for answer in answers) == [2, 3, 4, 5, 6, 7]
        game = await table.get()
        assert all(seat.claimed for seat in game.info.seats)
        assert game.info.revision == 7
        for seat, answer in enumerate(answers):
            assert (await table.get(answer.token)).view.seat == seat

    for _ in range(20):
        await asyncio.gather(*(claim_all() for _ in range(10)))


async def test_of_two_claims_of_one_seat_one_wins_and_the_other_is_refused(yard: Yard) -> None:
    """TS-03, two hundred times over."""

    async def claim(table: Table) -> str | Refused:
        try:
            return (await table.rotate(table.seats[1])).token
        except grpc.RpcError as error:
            return Refused(error)

    for _ in range(200):
        table = await yard.table(3)
        answers = await asyncio.gather(claim(table), claim(table))
        (token,) = [answer for answer in answers if isinstance(answer, str)]
        (refusal,) = [answer for answer in answers if isinstance(answer, Refused)]
        assert refusal.reason == "TOKEN_REVOKED"
        assert (await table.get(token)).info.revision == 2


async def test_a_host_may_reissue_a_seat_and_everybody_sees_it(table: Table) -> None:
    holder = await table.claim(1)
    answer = await table.rotate(table.host, seat=1)
    assert answer.seat == 1
    with refused("TOKEN_REVOKED"):
        await table.get(holder)
    game = await table.get(answer.token)
    assert game.view.seat == 1
    assert not game.info.seats[1].claimed
    for token in (table.mr_x, answer.token, table.host):
        assert (await session_events(table, token))[-2:] == ["seat_claimed", "seat_reissued"]
    reissued = (await table.history(table.mr_x))[-1]
    assert reissued.events[0].session.seat_reissued.seat == 1
    assert not reissued.HasField("seat"), "the host did it, and the host has no seat"


async def test_a_reissued_seat_is_claimed_like_a_new_one(table: Table) -> None:
    await table.claim(1)
    invitation = (await table.rotate(table.host, seat=1)).token
    table.seats[1] = invitation
    await table.claim(1)
    with refused("TOKEN_REVOKED"):
        await table.get(invitation)
    assert (await table.get()).info.seats[1].claimed


async def test_only_the_host_takes_what_is_not_its_own(yard: Yard) -> None:
    table = await yard.table(3, allow_spectators=True)
    for token in (table.seats[1], table.spectator):
        for target in ({"seat": 0}, {"spectators": True}):
            with refused("WRONG_TOKEN_KIND"):
                await table.rotate(token, **target)
    with refused("WRONG_TOKEN_KIND"):
        await table.rotate(table.spectator)
    assert (await table.get()).info.revision == 1
    assert (await table.rotate(table.seats[1], seat=1)).seat == 1, "its own seat by number is its own"


async def test_a_host_may_exchange_its_own_token(table: Table) -> None:
    answer = await table.rotate(table.host)
    assert not answer.HasField("seat")
    with refused("TOKEN_REVOKED"):
        await table.get()
    table.host = answer.token
    assert (await session_events(table, table.host))[-1] == "token_rotated"
    await table.abandon()


async def test_a_repeated_rotation_answers_the_same_token(table: Table) -> None:
    """Also to the old token, which it has ended itself: else a lost answer would lock the seat out."""
    request_id = str(uuid4())
    first = await table.rotate(table.seats[1], request_id=request_id)
    for _ in range(2):
        again = await table.rotate(table.seats[1], request_id=request_id)
        assert again.replayed
        assert (again.token, again.revision, again.seat) == (first.token, first.revision, first.seat)
    again = await table.rotate(first.token, request_id=request_id)
    assert (again.replayed, again.token) == (True, first.token)
    assert (await table.get()).info.revision == 2
    with refused("TOKEN_REVOKED"):
        await table.rotate(table.seats[1], request_id=str(uuid4()))
    with refused("TOKEN_REVOKED"):
        await table.get(table.seats[1])


async def test_a_host_that_repeats_an_old_reissue_never_gets_the_token_of_the_claim_after_it(table: Table) -> None:
    request_id = str(uuid4())
    reissued = await table.rotate(table.host, request_id=request_id, seat=1)
    table.seats[1] = reissued.token
    claimed = await table.claim(1)
    again = await table.rotate(table.host, request_id=request_id, seat=1)
    assert again.replayed
    assert again.token == reissued.token != claimed
    with refused("TOKEN_REVOKED"):
        await table.get(again.token)
    assert (await table.get(claimed)).view.seat == 1


async def test_a_host_that_repeats_the_creation_never_gets_the_token_of_a_claim(yard: Yard) -> None:
    request_id = str(uuid4())
    table = await yard.table(3, request_id=request_id)
    claimed = await table.claim(1)
    again = await yard.table(3, request_id=request_id)
    assert again.game_id == table.game_id
    assert again.seats[1] != claimed
    with refused("TOKEN_REVOKED"):
        await table.get(again.seats[1])


async def test_the_tokens_of_a_deleted_game_are_not_good_for_one_that_is_made_again_under_its_id(yard: Yard) -> None:
    """The same request id makes the same game id, and nothing else is the same."""
    request_id = str(uuid4())
    old = await yard.table(3, request_id=request_id)
    tokens = [old.host, *old.seats]
    for seat in range(3):
        tokens.append(await old.claim(seat))
    await old.delete()
    new = await yard.table(3, request_id=request_id)
    assert not new.created.replayed
    assert new.game_id == old.game_id
    for seat in range(3):
        await new.claim(seat)
    assert not set(tokens) & {new.host, *new.seats}
    for token in tokens:
        with refused("TOKEN_REVOKED"):
            await new.get(token)
        with refused("TOKEN_REVOKED"):
            await new.events(token)
    assert (await new.get()).info.revision == 4


async def test_spectators_see_what_is_public_and_the_host_may_end_their_token(yard: Yard) -> None:
    table = await yard.table(3, allow_spectators=True)
    watched = await table.get(table.spectator)
    assert not watched.view.HasField("seat")
    assert not watched.view.mr_x.HasField("station")
    assert watched.view == (await table.get()).view, "the host sees no more"
    answer = await table.rotate(table.host, spectators=True)
    assert not answer.HasField("seat")
    with refused("TOKEN_REVOKED"):
        await table.get(table.spectator)
    assert (await table.get(answer.token)).view == watched.view


async def test_a_game_without_spectators_has_no_token_for_them(table: Table) -> None:
    assert not table.spectator
    assert not (await table.get()).info.allows_spectators
    with refused("INVALID_FIELD"):
        await table.rotate(table.host, spectators=True)


async def test_a_seat_of_a_waiting_game_is_claimed_before_the_start(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    for seat in range(3):
        await table.claim(seat)
    await table.start()
    game = await table.get(table.mr_x)
    assert game.info.status == common_pb2.GAME_STATUS_ACTIVE
    assert game.view.mr_x.HasField("station")


async def test_a_piece_of_another_seat_is_refused_the_same_way_wherever_it_stands(yard: Yard) -> None:
    """SY-20: a detective's questions about Mr X get the same refusal, byte for byte, with a right and a wrong guess."""
    statuses = set()
    for _ in range(4):
        table = await yard.table(3)
        legal = [ride.text for ride in (await table.legal(0)).moves.pieces[0].rides]
        for text in (legal[0], legal[-1], "taxi 199", "black 108", "double taxi 1 taxi 2", "pass"):
            with refused("NOT_YOUR_PIECE", grpc.StatusCode.PERMISSION_DENIED) as refusal:
                await table.play(1, f"mr_x {text}")
            statuses.add(refusal.status.SerializeToString())
            judged = await table.validate(1, f"mr_x {text}")
            assert not judged.legal
            assert judged.violations[0].rule.id == "SY-SEAT-01"
        with refused("NOT_YOUR_PIECE", grpc.StatusCode.PERMISSION_DENIED):
            await table.legal(1, piece=move_pb2.PIECE_MR_X)
    assert len(statuses) == 1


async def session_events(table: Table, token: str) -> list[str]:
    """The kinds of what has happened to the game as a session, as a token's bearer sees it."""
    happened: list[game_pb2.Event] = [event for page in await table.history(token) for event in page.events]
    return [event.session.WhichOneof("kind") or "" for event in happened if event.HasField("session")]


@pytest.mark.parametrize("target", [{"seat": 1}, {"spectators": True}])
async def test_a_revoked_host_learns_nothing_by_repeating_what_it_did_while_it_was_good(
    yard: Yard, target: dict[str, Any]
) -> None:
    """Only a token's own exchange is answered to the old token; a seat's or the spectators' is the present host's."""
    table = await yard.table(3, allow_spectators=True)
    request_id = str(uuid4())
    await table.rotate(table.host, request_id=request_id, **target)
    await table.rotate(table.host)
    with refused("TOKEN_REVOKED"):
        await table.rotate(table.host, request_id=request_id, **target)


async def test_tokens_stay_as_they_are_once_the_game_is_over(table: Table) -> None:
    await table.abandon()
    exchanges: list[tuple[str, dict[str, Any]]] = [(table.seats[1], {}), (table.host, {}), (table.host, {"seat": 1})]
    for token, target in exchanges:
        with refused("GAME_ENDED"):
            await table.rotate(token, **target)


async def test_exchanging_tokens_does_not_make_a_game_grow_without_end(yard: Yard) -> None:
    """After a thousand revisions no more are taken, and the game is played on with the tokens there are."""
    table = await yard.table(3)
    for _ in range(999):
        table.seats[1] = (await table.rotate(table.seats[1])).token
    for token in (table.seats[1], table.host):
        with refused("TOO_MANY_ROTATIONS", grpc.StatusCode.RESOURCE_EXHAUSTED) as refusal:
            await table.rotate(token)
        assert refusal.metadata == {"limit": "1000"}
    first = (await table.legal(0)).moves.pieces[0].rides[0].text
    assert (await table.play(0, first)).update.revision.revision == 1001


async def test_callers_with_ended_tokens_do_not_wait_for_a_turn_nor_make_others_wait(store: RedisStore) -> None:
    """Changes of one game take turns. Here one holds its turn, and all who were good once are refused meanwhile."""
    gate, writing = asyncio.Event(), asyncio.Event()

    async def write(*arguments: Any, **options: Any) -> Any:
        writing.set()
        await gate.wait()
        return await store.write(*arguments, **options)

    slow: Any = Tampered(store, {"write": write})
    async with live(store) as first:
        table = await first.yard.table(3)
        ended = {seat: table.seats[seat] for seat in range(3)}
        host = table.host
        for seat in range(3):
            await table.claim(seat)
        table.host = (await table.rotate(host)).token
    async with live(slow) as service:
        table.move_to(service.yard)
        await table.legal(0)
        held = asyncio.ensure_future(table.play_on(1))
        await writing.wait()
        for method in ("PlayMove", "RotateToken", "StartGame", "AbandonGame"):
            for token in (host,) if method in ("StartGame", "AbandonGame") else ended.values():
                async with asyncio.timeout(10):
                    refusal = await outcome(
                        service.yard.channel, f"{SERVICE}/{method}", request_of(table, method), bearing(token)
                    )
                assert refusal is not None
                assert refusal.reason == "TOKEN_REVOKED"
        assert not held.done()
        gate.set()
        await held
