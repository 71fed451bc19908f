"""Games from their making to their deletion, over gRPC."""

from __future__ import annotations

from random import Random

import pytest

from tests.api.refusals import refused
from tests.api.service import Service
from tests.api.table import WAITING, Table, Yard, move_texts
from whitehall.games.core.chance import Draw, ReplayedChance
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game as rules
from whitehall.games.scotland_yard.moves import Move, Pass, Together, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, record_pb2
from whitehall.gen.whitehall.scotlandyard.v1.service_pb2 import SeatSetup


async def test_a_game_that_starts_at_once_is_dealt_with_its_first_revision(table: Table) -> None:
    game = await table.get(table.mr_x)
    assert game.info.status == common_pb2.GAME_STATUS_ACTIVE
    assert game.info.revision == 1
    assert list(game.info.to_move) == [0]
    assert not game.info.HasField("last_move_time")
    (first,) = await table.history(table.mr_x)
    assert not first.HasField("seat")
    assert [event.session.WhichOneof("kind") for event in first.events[:2]] == ["game_created", "game_started"]
    placed = {event.placed.piece: event.placed.station for event in first.events[2:]}
    assert placed[move_pb2.PIECE_MR_X] == game.view.mr_x.station == game.view.mr_x.start
    assert [placed[hunter.piece] for hunter in game.view.hunters] == [h.station for h in game.view.hunters]
    (public,) = await table.history(table.host)
    hidden = [event.placed for event in public.events if event.placed.piece == move_pb2.PIECE_MR_X]
    assert [placed.HasField("station") for placed in hidden] == [False]


async def test_a_waiting_game_has_no_board_until_its_host_starts_it(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    for token in (table.host, *table.seats):
        game = await table.get(token)
        assert game.info.status == common_pb2.GAME_STATUS_WAITING
        assert game.info.revision == 1
        assert not game.HasField("view")
        assert not game.info.to_move
    for call in (table.legal(0), table.play(0, "taxi 46"), table.validate(0, "taxi 46")):
        with refused("GAME_NOT_STARTED"):
            await call
    started = await table.start()
    assert started.update.game.info.status == common_pb2.GAME_STATUS_ACTIVE
    assert started.update.revision.revision == 2
    assert not started.update.game.view.mr_x.HasField("station"), "the host is not told"
    assert (await table.get(table.mr_x)).view.mr_x.station
    with refused("GAME_ALREADY_STARTED"):
        await table.start()


async def test_seats_are_as_the_host_gives_them(yard: Yard) -> None:
    """Three people at a table for six: one of them plays four detectives."""
    seats = [
        SeatSetup(name="Moriarty", pieces=[move_pb2.PIECE_MR_X]),
        SeatSetup(pieces=[move_pb2.PIECE_GREEN]),
        SeatSetup(pieces=[move_pb2.PIECE_PURPLE, move_pb2.PIECE_RED, move_pb2.PIECE_BLUE, move_pb2.PIECE_YELLOW]),
    ]
    table = await yard.table(6, seats=seats)
    assert [invitation.name for invitation in table.created.invitations] == ["Moriarty", "green", "detectives"]
    game = await table.get()
    assert [list(seat.pieces) for seat in game.view.seats] == [list(seat.pieces) for seat in seats]
    await table.play(0, move_texts((await table.legal(0)).moves)[0])
    for seat, owned in enumerate(seats):
        assert {piece.piece for piece in (await table.legal(seat)).moves.pieces} <= set(owned.pieces)
    with refused("NOT_YOUR_PIECE"):
        await table.play(1, "red taxi 1")


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (2, ["mr_x", "detectives"]),
        (3, ["mr_x", "red", "blue"]),
        (4, ["mr_x", "red", "blue", "green"]),
        (5, ["mr_x", "red", "blue", "green", "yellow"]),
        (6, ["mr_x", "red", "blue", "green", "yellow", "purple"]),
    ],
)
async def test_each_player_has_a_seat_named_after_its_piece(yard: Yard, players: int, seats: list[str]) -> None:
    table = await yard.table(players)
    assert [seat.name for seat in (await table.get()).info.seats] == seats


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
async def test_a_whole_game_is_played_to_its_end_and_opened(yard: Yard, players: int) -> None:
    table = await yard.table(players, allow_spectators=True)
    for token in (table.mr_x, table.host, table.spectator):
        with refused("GAME_NOT_ENDED"):
            await table.record(token)
    game = await table.play_at_random(Random(players))

    assert game.info.status == common_pb2.GAME_STATUS_ENDED
    assert game.view.phase == game_pb2.PHASE_OVER
    assert not game.info.to_move
    hunters = list(range(1, len(table.seats)))
    mr_x_has_won = game.view.outcome.rule in ("SY-END-03", "SY-END-04")
    assert list(game.view.outcome.winners) == ([0] if mr_x_has_won else hunters)
    assert game.view.mr_x.HasField("station")
    assert all(field.HasField("station") for field in game.view.log)
    truth = (await table.get(table.mr_x)).view
    truth.ClearField("seat")
    assert truth == game.view, "nothing is hidden any more"

    with refused("ILLEGAL_MOVE") as refusal:
        await table.play(0, "taxi 1")
    assert refusal.metadata["rule"] == "SY-TURN-01"
    assert not (await table.legal(0)).moves.pieces
    for call in (table.abandon(), table.start()):
        with refused("GAME_ENDED"):
            await call

    record, other = await table.record(table.seats[-1]), await table.record(table.spectator)
    for each in (record, other):
        each.info.ClearField("expire_time")
    assert record == other
    check_record(record, game)


def check_record(record: record_pb2.Record, game: game_pb2.Game) -> None:
    """The record leads anybody who has the rules to the very position in which the game ended."""
    assert [revision.revision for revision in record.revisions] == list(range(1, game.info.revision + 1))
    times = [revision.time.ToNanoseconds() for revision in record.revisions]
    assert times == sorted(times)
    assert record.outcome == game.view.outcome
    seats = [[Piece(piece) for piece in seat.pieces] for seat in record.seats]
    options = resolve(record.preset, record.players, seats)
    dealt, *played = record.revisions
    draws = [Draw(draw.label, draw.bound, draw.value) for draw in dealt.draws]
    state, _ = rules.setup(options, ReplayedChance(draws))
    for revision in played:
        moves = [notation.parse(text) for text in revision.moves]
        singles = [move for move in moves if isinstance(move, Travel | Pass)]
        move: Move = moves[0] if len(moves) == 1 else Together(tuple(singles))
        taken = [Draw(draw.label, draw.bound, draw.value) for draw in revision.draws]
        state, _ = rules.apply(state, Seat(revision.seat), move, ReplayedChance(taken))
    assert facts(state) == (
        game.view.mr_x.station,
        [hunter.station for hunter in game.view.hunters],
        [(field.round, field.ticket, field.station) for field in game.view.log],
        game.view.round,
    )
    assert state.outcome is not None
    assert state.outcome.rule.id == record.outcome.rule


def facts(state: ScotlandYardState) -> tuple[object, ...]:
    return state.mr_x, list(state.hunters), [tuple(entry) for entry in state.log], state.round


async def test_an_abandoned_game_opens_its_record_without_an_outcome(table: Table) -> None:
    await table.play_on(5)
    answer = await table.abandon()
    assert answer.update.game.info.status == common_pb2.GAME_STATUS_ABANDONED
    assert [event.session.WhichOneof("kind") for event in answer.update.revision.events] == ["game_abandoned"]
    game = await table.get()
    assert not game.info.to_move
    record = await table.record(table.seats[1])
    assert not record.HasField("outcome")
    assert len(record.revisions) == game.info.revision
    assert [bool(revision.moves) for revision in record.revisions] == [False, *[True] * 5, False]
    for call in (table.play(0, "taxi 1"), table.validate(0, "taxi 1"), table.abandon(), table.start()):
        with refused("GAME_ENDED"):
            await call
    assert not (await table.legal(0)).moves.pieces


async def test_the_views_of_an_abandoned_game_hide_what_they_hid_and_its_record_tells(table: Table) -> None:
    await table.play_on(1)
    before = (await table.get(table.seats[1])).view
    await table.abandon()
    after = (await table.get(table.seats[1])).view
    assert after == before
    assert not after.mr_x.HasField("station")
    assert not after.mr_x.HasField("start")
    assert [field.HasField("station") for field in after.log] == [False]
    record = await table.record(table.seats[1])
    (move,) = record.revisions[1].moves
    assert move.startswith("mr_x ")
    assert "?" not in move


async def test_a_game_that_was_never_started_can_be_abandoned(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    await table.abandon()
    record = await table.record()
    assert [bool(revision.draws) for revision in record.revisions] == [False, False]
    assert len(record.fairness.server_seed) == 64
    with refused("GAME_ENDED"):
        await table.start()


async def test_a_deleted_game_is_gone_for_everybody_with_all_that_was_kept_of_it(yard: Yard, service: Service) -> None:
    table = await yard.table(3, allow_spectators=True)
    await table.claim(0)
    with service.store() as store:
        assert len(list(store.scan_iter(f"*{table.game_id}*"))) == 2
        await table.delete()
        assert list(store.scan_iter(f"*{table.game_id}*")) == []
    for token in (table.host, *table.seats, table.spectator):
        with refused("GAME_NOT_FOUND"):
            await table.get(token)
    await table.delete()


async def test_what_a_move_has_done_is_answered_as_its_seat_may_see_it(table: Table) -> None:
    """TS-07: each log is made for its reader."""
    ride = (await table.legal(0)).moves.pieces[0].rides[0]
    answer = await table.play(0, ride.text)
    assert answer.moves_dropped == 0
    revision = answer.update.revision
    assert (revision.revision, revision.seat) == (2, 0)
    (event,) = revision.events
    assert event.text == f"mr_x {ride.text}"
    assert (event.mr_x_travelled.number, event.mr_x_travelled.station) == (1, ride.station)
    game = answer.update.game
    assert game.info.last_move_time == revision.time
    assert game.info.cursor == revision.cursor
    (seen,) = (await table.history(table.seats[1]))[-1].events
    assert seen.text == f"mr_x {ride.text.split()[0]} ?"
    assert not seen.mr_x_travelled.HasField("station")
    await table.abandon()
    (recorded,) = (await table.record(table.seats[1])).revisions[1].events
    assert recorded == event


async def test_history_is_paged_and_goes_on_where_a_cursor_stands(table: Table) -> None:
    await table.play_on(6)
    whole = (await table.events(table.host, 200)).revisions
    assert [revision.revision for revision in whole] == list(range(1, 8))
    for size in (1, 2, 3, 6, 7):
        pages = [await table.events(table.host, size)]
        while pages[-1].next_page_token:
            pages.append(await table.events(table.host, size, pages[-1].next_page_token))
        assert [revision for page in pages for revision in page.revisions] == list(whole)
        assert all(len(page.revisions) == size for page in pages[:-1])
    now = (await table.get()).info.cursor
    assert now == whole[-1].cursor
    page = await table.events(table.host, 0, now)
    assert not page.revisions
    assert not page.next_page_token
    await table.play_on(1)
    assert [revision.revision for revision in (await table.events(table.host, 0, now)).revisions] == [8]


async def test_a_page_holds_a_hundred_revisions_where_no_number_is_asked_for(table: Table) -> None:
    for _ in range(104):
        table.host = (await table.rotate(table.host)).token
    page = await table.events(table.host)
    assert len(page.revisions) == 100
    assert page.next_page_token == page.revisions[-1].cursor
    assert [revision.revision for revision in (await table.events(table.host, 0, page.next_page_token)).revisions] == [
        101,
        102,
        103,
        104,
        105,
    ]


async def test_history_does_not_go_on_from_where_the_game_has_never_been(yard: Yard, table: Table) -> None:
    """A cursor names its very write: another game's, or one of a write that a failover has lost, would leave a gap."""
    other = await yard.table(3)
    here, there = (await table.get()).info.cursor, (await other.get()).info.cursor
    for cursor in (there, "1-0000000000000000", "9-" + here.partition("-")[2], here + "0", "nonsense"):
        with refused("INVALID_FIELD") as refusal:
            await table.events(table.mr_x, page_token=cursor)
        assert refusal.fields == ["page_token"]
    assert not (await table.events(table.mr_x, page_token=here)).revisions


@pytest.mark.parametrize("name", [" ", "red ", " red", "r\ned", "re\x1bd", "red\x00", "r\u202eed", "x" * 41])
async def test_a_seat_s_name_can_be_shown_to_everybody(yard: Yard, name: str) -> None:
    with refused("INVALID_FIELD") as refusal:
        await yard.table(
            2,
            seats=[
                SeatSetup(pieces=[move_pb2.PIECE_MR_X]),
                SeatSetup(name=name, pieces=[move_pb2.PIECE_RED, move_pb2.PIECE_BLUE]),
            ],
        )
    assert refusal.fields == ["seats[1].name"]


async def test_a_seat_s_name_may_be_of_any_script(yard: Yard) -> None:
    name = "Zoë 李 d'Arc"
    table = await yard.table(
        2,
        seats=[
            SeatSetup(pieces=[move_pb2.PIECE_MR_X]),
            SeatSetup(name=name, pieces=[move_pb2.PIECE_RED, move_pb2.PIECE_BLUE]),
        ],
    )
    assert [seat.name for seat in (await table.get()).info.seats] == ["mr_x", name]
