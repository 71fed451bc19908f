"""The law of no leak: worlds that a caller can't tell apart give it the same bytes.

Each pair of worlds is the same game in all that is public: tickets, surfacings, hunters. Mr X's start and his hidden
stations are others. Both are played through a running service with the same clock and the same entropy, and everything
that anybody but Mr X can get hold of is kept after every revision; in the app game, where the detectives were answered
differently, everything that spectators and the host can get hold of.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

import grpc
import pytest
from google.protobuf.message import Message

from tests.api.ear import Ear, Heard
from tests.api.live import Live
from tests.api.table import Table, as_move
from tests.api.timeless import Clock, Stacked, timeless, what_was_logged
from tests.games.scotland_yard.app_worlds import app_pairs
from tests.games.scotland_yard.worlds import pairs, world_start
from tests.games.worlds import Pair, World
from whitehall.games.core.seat import Seat, Viewer
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.findings import Interrogated
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import Travel
from whitehall.games.scotland_yard.options import StartBy
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, options_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

Moment = dict[str, object]
"""Everything that was heard at one revision, by who asked for what."""

REQUEST_ID = "5eed5eed-5eed-4eed-8eed-00000000000{}"
TIMED = ("_seconds", "process_", "python_", "event_loop_lag", "whitehall_store_operation")
"""What is in the names of series that tell how long something took, or depend on when it was done."""


CODES = {
    grpc.StatusCode.OK,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.PERMISSION_DENIED,
}
"""What is answered; never a fault of ours."""

CODES_OF_WATCHERS = CODES - {grpc.StatusCode.ABORTED}
"""What is answered to those who may not move."""


class Tries(NamedTuple):
    """What hunters may try at one revision so as to find Mr X, in notation; the same in both worlds of a pair."""

    refused: list[list[str]]
    """Moves that no hunter may make, wherever he is. His own next one in either world is among them: a right guess in
    that world. So are batches that would catch him in one of the worlds, but for a fault at their end.
    """
    judged: list[list[str]]
    """Moves that hunters may make, for dry runs."""
    catching: bool
    """Whether one of these would catch him in one of the worlds."""


def tries(pair: Pair) -> list[Tries]:
    """What may be tried, revision by revision."""
    worlds = [[state for state, _ in world.play(game)] for world in (pair.one, pair.other)]
    found = []
    for number, states in enumerate(zip(*worlds, strict=True)):
        refused = [["mr_x taxi 1"], ["mr_x black 115"], ["mr_x double bus 52 black 13"], ["red taxi 200"]]
        for world in (pair.one, pair.other):
            refused += [[notation.text(move)] for seat, move in world.moves[number:] if seat == 0][:1]
        seats = game.to_move(states[0])
        moves = [move for seat in seats if seat for move in game.legal_moves(states[0], seat)]
        hideouts = {state.mr_x for state in states}
        catches = {notation.text(move) for move in moves if isinstance(move, Travel) and move.station in hideouts}
        refused += [[text, text] for text in sorted(catches)]
        judged = sorted({*catches, *map(notation.text, moves[:2])})
        found.append(Tries(refused, [[text] for text in judged], bool(catches) and len(hideouts) > 1))
    return found


def a_pair(players: int, start_by: StartBy) -> Pair:
    """Worlds of a game that is not too long, in which Mr X starts elsewhere and is elsewhere when hunters are near."""
    for pair in chain.from_iterable(pairs(seed, players, 1, start_by) for seed in count()):
        if (
            world_start(pair.one) != world_start(pair.other)
            and 12 <= len(pair.one.moves) < 30
            and any(each.catching for each in tries(pair))
        ):
            return pair
    raise AssertionError("there is no such pair")


def an_app_pair(players: int, *, told: bool) -> Pair:
    """Worlds of an app game in which an Interrogation was answered; `told`: the detectives were answered alike in both,
    whatever they asked. Else the landmarks with a question mark are none, one or several, and not as many in both.
    """
    for pair in chain.from_iterable(app_pairs(seed, players, 6) for seed in count()):
        marks = [[len(answer.landmarks or ()) for answer in interrogations(world)] for world in (pair.one, pair.other)]
        if any(marks) and len(pair.one.moves) < 45 and (Seat(1) in pair.blind if told else marks[0] != marks[1]):
            return pair
    raise AssertionError("there is no such pair")


def interrogations(world: World) -> list[Interrogated]:
    """What was answered."""
    return [event for _, events in world.play(game) for event in events if isinstance(event, Interrogated)]


def requests(game_id: str, tries: Tries) -> Iterator[tuple[str, Message]]:
    """Every question that can be asked about a game, and every change that is refused. By method."""
    yield "ListEvents", service_pb2.ListEventsRequest(game_id=game_id, page_size=200)
    yield "GetRecord", service_pb2.GetRecordRequest(game_id=game_id)
    yield "StartGame", service_pb2.StartGameRequest(game_id=game_id)
    yield "ListLegalMoves", service_pb2.ListLegalMovesRequest(game_id=game_id)
    for hindsight in (False, True):
        yield "GetDeductions", service_pb2.GetDeductionsRequest(game_id=game_id, hindsight=hindsight)
    for piece in (move_pb2.PIECE_MR_X, move_pb2.PIECE_RED, move_pb2.PIECE_BOBBY1):
        yield "ListLegalMoves", service_pb2.ListLegalMovesRequest(game_id=game_id, piece=piece)
    after = move_pb2.Ride(ticket=move_pb2.TICKET_TAXI, station=1)
    yield "ListLegalMoves", service_pb2.ListLegalMovesRequest(game_id=game_id, after=after)
    for texts in (*tries.refused, *tries.judged):
        moves = [as_move(text) for text in texts]
        yield "ValidateMove", service_pb2.ValidateMoveRequest(game_id=game_id, moves=moves)
        # Of a revision that never is: legal or not, it changes nothing.
        yield "PlayMove", service_pb2.PlayMoveRequest(game_id=game_id, moves=moves, expected_revision=9999)
    for texts in tries.refused:
        yield "PlayMove", service_pb2.PlayMoveRequest(game_id=game_id, moves=map(as_move, texts))


class Listener:
    """Everybody to whom a pair of worlds is the same, in one of them.

    All look at the game after each revision, and one of them in turn asks everything there is to ask; all do so when
    a hunter is near.
    """

    def __init__(self, service: Live, table: Table, blind: tuple[Viewer, ...]) -> None:
        channel = service.yard.channel
        self._service = service
        self._game_id = table.game_id
        self._bearers = {f"seat {seat}": Ear(channel, token) for seat, token in enumerate(table.seats) if seat in blind}
        self._bearers["spectators"] = Ear(channel, table.spectator)
        self._streams = {who: ear.watch(self._watch()) for who, ear in self._bearers.items()}
        self._bearers["host"] = Ear(channel, table.host)

    async def hear(self, number: int, tries: Tries) -> Moment:
        """All that can be heard after the revision of this number."""
        moment: Moment = {f"{who} WatchGame": await stream.read() for who, stream in self._streams.items()}
        for who, ear in self._bearers.items():
            moment[f"{who} GetGame"] = await ear.ask("GetGame", service_pb2.GetGameRequest(game_id=self._game_id))
        asking = list(self._bearers)
        for who in asking if tries.catching else [asking[number % len(asking)]]:
            for question, (method, request) in enumerate(requests(self._game_id, tries)):
                moment[f"{who} {question} {method}"] = await self._bearers[who].ask(method, request)
        if tries.catching:
            moment["metrics"] = await self.metrics()
        return moment

    async def metrics(self) -> list[str]:
        """What an operator sees, apart from times."""
        lines = (await self._service.admin_page("/metrics")).splitlines()
        return [line for line in lines if not any(word in line for word in TIMED)]

    async def hear_again(self, cursor: str, revisions: int) -> Moment:
        """What those are told who come back to all that has happened since a cursor."""
        moment: Moment = {}
        for who in self._streams:
            stream = self._bearers[who].watch(self._watch(cursor))
            moment[f"{who} again"] = [await stream.read() for _ in range(revisions)]
        return moment

    async def record(self) -> object:
        """What the host gets for the record."""
        return await self._bearers["host"].ask("GetRecord", service_pb2.GetRecordRequest(game_id=self._game_id))

    def _watch(self, cursor: str = "") -> service_pb2.WatchGameRequest:
        return service_pb2.WatchGameRequest(game_id=self._game_id, cursor=cursor)


async def everything_heard(
    world: World, blind: tuple[Viewer, ...], asked: list[Tries], store: RedisStore, log: io.StringIO
) -> tuple[list[Moment], object]:
    """One world, played through the service: what was heard at each revision, and the record that opens at the end."""
    clock = Clock()
    async with timeless("scotland-yard", Stacked(game, world), store, log, clock) as service:
        players = len(world.options.seats)
        overrides = options_pb2.Options(start_by=options_pb2.StartBy.ValueType(world.options.start_by))
        table = await service.yard.table(
            players,
            preset=world.options.preset,
            request_id=REQUEST_ID.format(players),
            allow_spectators=True,
            overrides=overrides,
        )
        listener = Listener(service, table, blind)
        heard = [await listener.hear(0, asked[0])]
        for number, (seat, move) in enumerate(world.moves, 1):
            clock.now_ms += 1000
            request = service_pb2.PlayMoveRequest(game_id=table.game_id, moves=[as_move(notation.text(move))])
            played = await Ear(service.yard.channel, table.seats[seat]).ask("PlayMove", request)
            assert played.code is grpc.StatusCode.OK
            heard.append(await listener.hear(number, asked[number]))
            if seat in blind:
                heard[-1][f"seat {seat} PlayMove"] = played
        heard.append({"log": what_was_logged(log), "metrics": await listener.metrics()})
        heard.append(await listener.hear_again(table.created.game.info.cursor, len(world.moves)))
        await table.abandon()
        record = await listener.record()
        await table.delete()
    return heard, record


@pytest.mark.parametrize(
    ("players", "start_by"),
    [(2, StartBy.CARDS), (4, StartBy.CARDS), (2, StartBy.CHOICE), (4, StartBy.CHOICE), (3, StartBy.DISTRIBUTION)],
)
async def test_sy16_who_cannot_tell_two_worlds_apart_hears_the_same_bytes_in_both(
    players: int, start_by: StartBy, store: RedisStore, log: io.StringIO
) -> None:
    assert await codes_heard_in_both(a_pair(players, start_by), store, log) == CODES


@pytest.mark.parametrize("players", [2, 4])
async def test_sy16_who_is_answered_alike_by_the_app_hears_the_same_bytes_in_both(
    players: int, store: RedisStore, log: io.StringIO
) -> None:
    assert await codes_heard_in_both(an_app_pair(players, told=True), store, log) == CODES


@pytest.mark.parametrize("players", [2, 4])
async def test_sy16_spectators_and_the_host_hear_the_same_bytes_whatever_the_app_answers(
    players: int, store: RedisStore, log: io.StringIO
) -> None:
    pair = an_app_pair(players, told=False)
    assert await codes_heard_in_both(pair, store, log) == CODES_OF_WATCHERS


async def codes_heard_in_both(pair: Pair, store: RedisStore, log: io.StringIO) -> set[grpc.StatusCode]:
    """Plays both worlds of a pair, and compares what was heard; with which codes."""
    asked = tries(pair)
    one, one_record = await everything_heard(pair.one, pair.blind, asked, store, log)
    other, other_record = await everything_heard(pair.other, pair.blind, asked, store, log)
    for revision, (heard, heard_elsewhere) in enumerate(zip(one, other, strict=True), 1):
        assert heard == heard_elsewhere, f"revision {revision}"
    assert one_record != other_record, "the worlds were the same, or nothing was heard at all"
    return {answer.code for heard in one for answer in heard.values() if isinstance(answer, Heard)}
