"""Watching a game: the present state first, then every revision once and in order, until the game is over."""

from __future__ import annotations

import asyncio
from random import Random

import grpc
import pytest

from tests.api.quiet import play_on
from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.table import WAITING, Table, Yard, move_texts
from tests.api.watcher import Watcher, revisions
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2

MADE_UP = "0123456789abcdef"
"""A write id that no write has."""


async def test_a_newcomer_gets_the_present_state_first(yard: Yard) -> None:
    table = await yard.table(3, allow_spectators=True)
    await play_on(table, 7)
    for token in (*table.seats, table.spectator):
        watcher = Watcher(table, token)
        message = await watcher.read()
        watcher.leave()
        assert message is not None
        assert not message.reset
        assert message.update.revision == (await table.history(token))[-1]
        assert message.update.game.info.revision == message.update.revision.revision
        assert message.update.game.view == (await table.get(token)).view


async def test_six_clients_that_play_by_their_streams_get_every_revision_once_and_in_order(service: Service) -> None:
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Yard(channel).table(6, allow_spectators=True)
        spectator = Watcher(table, table.spectator)
        clients = [asyncio.create_task(_play_by_the_stream(service, table, seat)) for seat in range(6)]
        seen = [message.update for message in await spectator.to_the_end()]
        assert revisions(seen) == list(range(1, len(seen) + 1))
        for seat, updates in enumerate(await asyncio.gather(*clients)):
            assert revisions(updates) == list(range(revisions(updates)[0], len(seen) + 1))
            told = [update.revision for update in updates]
            assert told == (await table.history(table.seats[seat]))[-len(told) :]
            assert updates[-1].game.view == (await table.get(table.seats[seat])).view
            assert updates[-1].game.info.status == common_pb2.GAME_STATUS_ENDED


async def _play_by_the_stream(service: Service, table: Table, seat: int) -> list[game_pb2.Update]:
    """A client with a connection of its own. It moves when its stream says that it may; others may be faster."""
    chance, seen = Random(seat), []
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        own = Table(Yard(channel), table.created)
        watcher = Watcher(own, own.seats[seat])
        while (message := await watcher.read()) is not None:
            seen.append(message.update)
            if seat in message.update.game.info.to_move and (texts := move_texts((await own.legal(seat)).moves)):
                try:
                    await own.play(seat, chance.choice(texts))
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                        raise
    return seen


async def test_only_the_newest_revision_comes_with_the_game(yard: Yard) -> None:
    table = await yard.table(3)
    cursor = (await table.get()).info.cursor
    await play_on(table, 5)
    updates = await Watcher(table, table.seats[1], cursor).updates(5)
    assert [update.HasField("game") for update in updates] == [False] * 4 + [True]


async def test_a_watcher_of_a_waiting_game_sees_the_claims_and_the_start(yard: Yard) -> None:
    table = await yard.table(2, start_mode=WAITING)
    watcher = Watcher(table, table.seats[1])
    assert not (await watcher.update()).game.HasField("view")
    await table.claim(0)
    claimed = await watcher.update()
    assert claimed.revision.events[0].session.WhichOneof("kind") == "seat_claimed"
    assert not claimed.game.HasField("view")
    await table.start()
    started = await watcher.update()
    assert started.revision.events[0].session.WhichOneof("kind") == "game_started"
    assert started.game.HasField("view")


async def test_the_stream_ends_well_after_the_end_of_the_game(yard: Yard) -> None:
    """For watchers that saw it end, for those that come later, and for those that come back knowing it."""
    table = await yard.table(2)
    watcher = Watcher(table, table.seats[1])
    ended = await table.play_at_random(Random(3))
    assert ended.info.status == common_pb2.GAME_STATUS_ENDED
    seen = await watcher.to_the_end()
    assert [message.update.revision.revision for message in seen] == list(range(1, ended.info.revision + 1))
    assert seen[-1].update.game.view.outcome == ended.view.outcome
    late = await Watcher(table, table.seats[1]).to_the_end()
    assert [message.update.game.view for message in late] == [seen[-1].update.game.view]
    assert await Watcher(table, table.seats[1], watcher.cursor).to_the_end() == []


# --- coming back ------------------------------------------------------------------------------------------------------


async def test_ts11_whoever_comes_back_with_a_cursor_gets_what_came_after_it_once_and_in_order(yard: Yard) -> None:
    table = await yard.table(3)
    watcher = Watcher(table, table.seats[1])
    await watcher.update()
    await play_on(table, 4)
    await watcher.updates(4)
    watcher.leave()
    await play_on(table, 3)
    again = Watcher(table, table.seats[1], watcher.cursor)
    assert revisions(await again.updates(3)) == [6, 7, 8]
    await play_on(table, 1)
    assert revisions(await again.updates(1)) == [9]
    again.leave()


async def test_ts11_coming_back_works_before_the_service_has_noticed_the_loss(service: Service) -> None:
    """The first stream stays open and is not read any more, as on a line that is dead but not closed."""
    async with grpc.aio.insecure_channel(service.grpc) as dead, grpc.aio.insecure_channel(service.grpc) as channel:
        table = await Yard(dead).table(3)
        lost = Watcher(table, table.seats[1])
        await lost.update()
        live = Table(Yard(channel), table.created)
        await play_on(live, 3)
        assert revisions(await Watcher(live, live.seats[1], lost.cursor).updates(3)) == [2, 3, 4]


async def test_whoever_comes_back_knowing_everything_hears_of_what_comes_next(yard: Yard) -> None:
    table = await yard.table(3)
    watcher = Watcher(table, table.seats[1], (await table.get()).info.cursor)
    coming = asyncio.create_task(watcher.update())
    await play_on(table, 1)
    assert (await coming).revision.revision == 2
    watcher.leave()


@pytest.mark.parametrize(
    ("revision", "why"),
    [(5, "another write made the newest revision"), (3, "another write made an earlier one"), (99, "too high")],
)
async def test_a_cursor_that_the_game_does_not_know_gets_the_present_state_with_reset(
    yard: Yard, revision: int, why: str
) -> None:
    table = await yard.table(3)
    await play_on(table, 4)
    watcher = Watcher(table, table.seats[1], f"{revision}-{MADE_UP}")
    message = await watcher.read()
    assert message is not None
    assert message.reset, why
    assert message.update.game.view == (await table.get(table.seats[1])).view
    assert message.update.revision.revision == 5
    await play_on(table, 1)
    message = await watcher.read()
    assert message is not None
    assert (message.update.revision.revision, message.reset) == (6, False)
    watcher.leave()


async def test_another_games_cursor_is_one_that_the_game_does_not_know(yard: Yard) -> None:
    table, other = await yard.table(3), await yard.table(3)
    message = await Watcher(table, table.seats[1], (await other.get()).info.cursor).read()
    assert message is not None
    assert message.reset


@pytest.mark.parametrize(
    "cursor",
    [
        "1",
        "-",
        "0-0123456789abcdef",
        "1-0123456789ABCDEF",
        "1-0123456789abcde",
        "-1-0123456789abcdef",
        " 1-0123456789abcdef",
        "1-0123456789abcdef\n",
        "\u0661-0123456789abcdef",
        "1000000000-0123456789abcdef",
    ],
)
async def test_what_is_no_cursor_is_refused(yard: Yard, cursor: str) -> None:
    table = await yard.table(3)
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await Watcher(table, table.seats[1], cursor).read()
    assert refusal.fields == ["cursor"]


# --- being turned out -------------------------------------------------------------------------------------------------


async def test_a_stream_ends_when_the_host_reissues_the_seat_and_the_others_are_told(yard: Yard) -> None:
    table = await yard.table(3)
    out, stays = Watcher(table, table.seats[1]), Watcher(table, table.seats[2])
    await out.update()
    await stays.update()
    await table.rotate(table.host, seat=1)
    with refused("TOKEN_REVOKED", grpc.StatusCode.UNAUTHENTICATED):
        await out.read()
    told = await stays.update()
    assert told.revision.events[0].session.seat_reissued.seat == 1
    stays.leave()


async def test_a_stream_on_an_invitation_ends_with_the_claim(yard: Yard) -> None:
    table = await yard.table(3)
    invited = Watcher(table, table.seats[1])
    await invited.update()
    claimed = await table.claim(1)
    with refused("TOKEN_REVOKED", grpc.StatusCode.UNAUTHENTICATED):
        await invited.read()
    holder = Watcher(table, claimed, invited.cursor)
    assert revisions([await holder.update()]) == [2]
    holder.leave()


async def test_a_stream_ends_when_the_game_is_deleted_and_cannot_be_opened_again(yard: Yard) -> None:
    table = await yard.table(3)
    watcher = Watcher(table, table.seats[1])
    await watcher.update()
    await table.delete()
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await watcher.read()
    with refused("GAME_NOT_FOUND", grpc.StatusCode.NOT_FOUND):
        await Watcher(table, table.seats[1], watcher.cursor).read()


async def test_the_host_does_not_watch(yard: Yard) -> None:
    table = await yard.table(3)
    with refused("WRONG_TOKEN_KIND", grpc.StatusCode.PERMISSION_DENIED):
        await Watcher(table, table.host).read()
