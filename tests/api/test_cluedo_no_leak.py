"""The law of no leak in Cluedo: worlds that a caller can't tell apart give it the same bytes.

Each pair of worlds is the same game in all that is public. Other is a card that somebody showed, or two cards lie in
other hands, or one of them in the envelope. Everything that those get hold of who do not know is kept after every move.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from tests.api.cluedo import Mansion, Table, as_move
from tests.api.ear import Ear, Heard
from tests.api.live import Live
from tests.api.timeless import Clock, Stacked, timeless, what_was_logged
from tests.games.cluedo.worlds import pairs
from tests.games.worlds import Pair, World
from whitehall.games.cluedo import notation
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.wire import wire
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

Moment = dict[str, object]
"""Everything that was heard at one revision, by who asked for what."""

REQUEST_ID = "5eed5eed-5eed-4eed-8eed-0000000000{:02}"


def a_pair(kind: str) -> Pair:
    """Worlds of a game that is not too long, in which a card was shown, or dealt, otherwise."""
    for seed in count():
        for pair in pairs(seed, 3 + seed % 3, wanted=6):
            shown = pair.one.moves != pair.other.moves
            enclosed = [draw.value for draw in pair.one.draws[:3]] != [draw.value for draw in pair.other.draws[:3]]
            found = "shown" if shown else "enclosed" if enclosed else "held"
            if found == kind and len(pair.one.moves) < 60:
                return pair
    raise AssertionError("there is no such pair")


def requests(game_id: str) -> Iterator[tuple[str, Message]]:
    """Every question that can be asked about a game, and changes that are refused. By method."""
    yield "ListEvents", service_pb2.ListEventsRequest(game_id=game_id, page_size=200)
    yield "GetRecord", service_pb2.GetRecordRequest(game_id=game_id)
    yield "StartGame", service_pb2.StartGameRequest(game_id=game_id)
    yield "ListLegalMoves", service_pb2.ListLegalMovesRequest(game_id=game_id)
    explain = [
        deduction_pb2.Conclusion(card="S1", seat=0),
        deduction_pb2.Conclusion(card="W2", envelope=True, denied=True),
    ]
    yield "GetDeductions", service_pb2.GetDeductionsRequest(game_id=game_id, explain=explain)
    guesses = [
        "show S1",
        "show W1",
        "show L9",
        "pass",
        "S2 show W2",
        "roll",
        "end",
        "walk 7,4",
        "enter L3",
        "passage L6",
    ]
    guesses += ["suggest S4 W2 L3", "accuse S4 W2 L3"]
    for text in guesses:
        yield "ValidateMove", service_pb2.ValidateMoveRequest(game_id=game_id, move=as_move(text))
        # Of a revision that never is: legal or not, it changes nothing.
        late = service_pb2.PlayMoveRequest(game_id=game_id, move=as_move(text), expected_revision=9999)
        yield "PlayMove", late


class Listener:
    """Those who cannot tell two worlds apart, in one of them."""

    def __init__(self, service: Live, table: Table, blind: Sequence[int]) -> None:
        channel = service.yard.channel
        self._game_id = table.game_id
        self._bearers = {f"seat {seat}": Ear(channel, table.seats[seat], wire.service) for seat in blind}
        self._bearers["spectators"] = Ear(channel, table.spectator, wire.service)
        watch = service_pb2.WatchGameRequest(game_id=table.game_id)
        self._streams = {who: ear.watch(watch) for who, ear in self._bearers.items()}
        self._bearers["host"] = Ear(channel, table.host, wire.service)

    async def hear(self, number: int) -> Moment:
        """All that can be heard after so many moves: all look, and one of them in turn asks all there is to ask."""
        moment: Moment = {f"{who} WatchGame": await stream.read() for who, stream in self._streams.items()}
        for who, ear in self._bearers.items():
            moment[f"{who} GetGame"] = await ear.ask("GetGame", service_pb2.GetGameRequest(game_id=self._game_id))
        asking = list(self._bearers)[number % len(self._bearers)]
        for question, (method, request) in enumerate(requests(self._game_id)):
            moment[f"{asking} {question} {method}"] = await self._bearers[asking].ask(method, request)
        return moment


async def everything_heard(
    world: World, blind: Sequence[int], store: RedisStore, log: io.StringIO
) -> tuple[Any, bytes]:
    """One world, played through the service: what was heard at each revision, and the record that opens at the end."""
    clock = Clock()
    async with timeless("cluedo", Stacked(game, world), store, log, clock) as service:
        players = len(world.options.seats)
        mansion = Mansion(service.yard.channel)
        table = await mansion.table(players, request_id=REQUEST_ID.format(players), allow_spectators=True)
        listener = Listener(service, table, blind)
        heard = [await listener.hear(0)]
        for number, (seat, move) in enumerate(world.moves, 1):
            clock.now_ms += 1000
            request = service_pb2.PlayMoveRequest(game_id=table.game_id, move=as_move(notation.text(move)))
            played = await Ear(service.yard.channel, table.seats[seat], wire.service).ask("PlayMove", request)
            assert played.code is grpc.StatusCode.OK, played
            heard.append(await listener.hear(number))
            if seat in blind:
                heard[-1][f"seat {seat} PlayMove"] = played
        heard.append({"log": what_was_logged(log)})
        host = Ear(service.yard.channel, table.host, wire.service)
        await host.ask("AbandonGame", service_pb2.AbandonGameRequest(game_id=table.game_id))
        record = await host.ask("GetRecord", service_pb2.GetRecordRequest(game_id=table.game_id))
        await host.ask("DeleteGame", service_pb2.DeleteGameRequest(game_id=table.game_id))
    assert record.answer is not None
    return heard, record.answer


@pytest.mark.parametrize("kind", ["shown", "held", "enclosed"])
async def test_who_cannot_tell_two_worlds_apart_hears_the_same_bytes_in_both(
    kind: str, store: RedisStore, log: io.StringIO
) -> None:
    pair = a_pair(kind)
    blind = [seat for seat in pair.blind if seat is not None]
    one, one_record = await everything_heard(pair.one, blind, store, log)
    other, other_record = await everything_heard(pair.other, blind, store, log)
    for revision, (heard, heard_elsewhere) in enumerate(zip(one, other, strict=True), 1):
        assert heard == heard_elsewhere, f"revision {revision}"
    codes = {answer.code for heard in one for answer in heard.values() if isinstance(answer, Heard)}
    assert grpc.StatusCode.INTERNAL not in codes
    assert {grpc.StatusCode.OK, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED} <= codes
    assert one_record != other_record, "the worlds were the same, or nothing was heard at all"
