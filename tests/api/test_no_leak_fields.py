"""Secrets looked for, one by one, in all that leaves the service: Mr X's stations, the seed, tokens and request ids."""

from __future__ import annotations

import io
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from random import Random

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import status_pb2

from tests.api.ear import Ear, Heard
from tests.api.live import Live, live
from tests.api.provoked import provocations
from tests.api.refusals import DETAILS
from tests.api.table import WAITING, Table, a_request_id, as_move, bearing, move_texts
from tests.api.watcher import Watcher
from whitehall.games.scotland_yard.edition import resolve
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, service_pb2
from whitehall.sessions.redis_store import RedisStore

FEWEST = 100
"""Mr X keeps to stations from this one on, so that no revision, round or number of tickets can be taken for one."""
CLIENT_SEED = "a seed that only its player knows"


class Overheard:
    """A game in play, all that anybody but Mr X was sent of it, and what is to be found nowhere in there."""

    def __init__(self, service: Live, table: Table, log: io.StringIO) -> None:
        self.service = service
        self.table = table
        self.log = log
        self.hidden: set[int] = set()
        """Stations that Mr X has been on without showing himself there."""
        self.open: set[int] = set()
        """Stations of which everybody knows."""
        self.answers: list[tuple[str, Message]] = []
        """Who was sent what."""
        self.refusals: list[tuple[str, Heard]] = []
        self.request_ids: list[str] = []

    async def ask(self, who: str, token: str, method: str, request: Message) -> None:
        """One call of somebody's, whose answer is kept."""
        heard = await Ear(self.service.yard.channel, token).ask(method, request)
        if heard.answer is None:
            self.refusals.append((who, heard))
        else:
            self.answers.append((who, getattr(service_pb2, f"{method}Response").FromString(heard.answer)))

    async def everybody_asks(self) -> None:
        """Hunters, spectators and host ask for all that they may ask for, and for some things that they may not."""
        game_id = self.table.game_id
        bearers = {f"seat {seat}": token for seat, token in enumerate(self.table.seats) if seat}
        for who, token in {**bearers, "spectators": self.table.spectator, "host": self.table.host}.items():
            await self.ask(who, token, "GetGame", service_pb2.GetGameRequest(game_id=game_id))
            await self.ask(who, token, "ListEvents", service_pb2.ListEventsRequest(game_id=game_id))
            await self.ask(who, token, "GetRecord", service_pb2.GetRecordRequest(game_id=game_id))
            his = service_pb2.ListLegalMovesRequest(game_id=game_id, piece=move_pb2.PIECE_MR_X)
            await self.ask(who, token, "ListLegalMoves", his)
            guess = [as_move("mr_x taxi 1")]
            await self.ask(who, token, "ValidateMove", service_pb2.ValidateMoveRequest(game_id=game_id, moves=guess))
            play = service_pb2.PlayMoveRequest(game_id=game_id, moves=guess, request_id=self.request_id())
            await self.ask(who, token, "PlayMove", play)

    def request_id(self) -> str:
        """A new one."""
        self.request_ids.append(a_request_id())
        return self.request_ids[-1]

    async def play(self, chance: Random) -> bool:
        """Any move that keeps Mr X's stations apart from all others; False where there is none."""
        game = await self.table.get(self.table.mr_x)
        self.open.update(hunter.station for hunter in game.view.hunters)
        seat = chance.choice(list(game.info.to_move))
        avoided = self.hidden | {game.view.mr_x.station} | (self.open if seat == 0 else set())
        texts = [text for text in move_texts((await self.table.legal(seat)).moves) if "double" not in text]
        moves = [text for text in texts if (station := _station(text)) not in avoided and (seat or station >= FEWEST)]
        if not moves:
            return False
        move = chance.choice(moves)
        request = service_pb2.PlayMoveRequest(
            game_id=self.table.game_id, moves=[as_move(move)], request_id=self.request_id()
        )
        if seat:
            await self.ask(f"seat {seat}", self.table.seats[seat], "PlayMove", request)
        else:
            await self.table.calls.PlayMove(request, metadata=bearing(self.table.mr_x))
        shown = (await self.table.get()).view.mr_x
        if seat == 0:
            (self.open if shown.HasField("station") else self.hidden).add(_station(move))
        return True


def _station(text: str) -> int:
    return int(text.rpartition(" ")[2]) if text[-1].isdigit() else 0


async def _overhear(service: Live, log: io.StringIO, chance: Random) -> Overheard | None:
    """A game with all that is secret in it, a move beyond Mr X's first surfacing; None where it led nowhere."""
    yard = service.yard
    table = await yard.table(3, start_mode=WAITING, allow_spectators=True, client_seed=CLIENT_SEED)
    overheard = Overheard(service, table, log)
    for seat in range(3):
        await table.claim(seat, client_seed=CLIENT_SEED, request_id=overheard.request_id())
    await table.start(overheard.request_id())
    start = (await table.get(table.mr_x)).view.mr_x.station
    if start < FEWEST:
        return None
    overheard.hidden.add(start)
    while len((game := await table.get()).view.log) < 4 or list(game.info.to_move) != [0]:
        if game.info.revision % 3 == 0:
            await overheard.everybody_asks()
        if not await overheard.play(chance):
            return None
    await overheard.everybody_asks()
    for who, token in (("seat 1", table.seats[1]), ("spectators", table.spectator)):
        watcher = Watcher(table, token, table.created.game.info.cursor)
        while watcher.cursor != (await table.get()).info.cursor:
            message = await watcher.read()
            assert message is not None
            overheard.answers.append((who, message))
        watcher.leave()
    return overheard


@pytest.fixture
async def overheard(store: RedisStore, log: io.StringIO) -> AsyncIterator[Overheard]:
    async with live(store) as service:
        found = None
        while found is None:
            log.seek(0)
            log.truncate()
            found = await _overhear(service, log, Random(1))
        yield found


async def secrets_of(overheard: Overheard) -> list[str]:
    """Every token, request id and seed of the game. It is over afterwards, since the record tells the server's seed."""
    table = overheard.table
    tokens = [table.host, table.spectator, *table.seats, *(seat.token for seat in table.created.invitations)]
    await table.abandon()
    return [*tokens, *overheard.request_ids, CLIENT_SEED, (await table.record()).fairness.server_seed]


def leaves(message: Message, path: str = "") -> Iterator[tuple[str, object]]:
    """Every field that is set in a message, down to the last, by its path."""
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            if isinstance(each, Message):
                yield from leaves(each, f"{path}.{field.name}")
            else:
                yield f"{path}.{field.name}", each


def mentions(text: str, station: int) -> bool:
    """Whether a number stands in a text, by itself and not as a part of something longer."""
    return re.search(rf"(?<![0-9A-Za-z.:]){station}(?![0-9A-Za-z])", text) is not None


PRINTED = (".start_cards_mr_x.stations", ".start_cards_hunters.stations")
"""The decks, which are the same in every game of the edition."""


async def test_ts05_no_answer_to_anybody_but_mr_x_tells_a_hidden_station_a_seed_a_draw_or_a_token(
    overheard: Overheard,
) -> None:
    assert len(overheard.hidden) == 4, "his start and three hidden moves"
    secrets = await secrets_of(overheard)
    edition = resolve("new", 3)
    printed = {*edition.start_cards_mr_x, *edition.start_cards_hunters}
    for who, answer in overheard.answers:
        for path, value in leaves(answer):
            if path.endswith(PRINTED):
                assert value in printed
                continue
            assert value not in overheard.hidden, f"{who}: {path}"
            assert not any(mentions(str(value), station) for station in overheard.hidden), f"{who}: {path}"
            assert {"draws", "fairness", "server_seed", "client_seeds"}.isdisjoint(path.split(".")), f"{who}: {path}"
        data = answer.SerializeToString()
        assert not any(secret.encode() in data for secret in secrets), who
        assert bytes.fromhex(secrets[-1]) not in data, who


async def test_ts07_hunters_read_of_a_hidden_move_its_field_and_ticket_and_mr_x_reads_the_station(
    overheard: Overheard,
) -> None:
    table = overheard.table
    own, seen = [_rides(await table.history(table.seats[seat])) for seat in (0, 1)]
    assert [(ride.surfaced, ride.station in overheard.hidden) for ride in own] == [
        (False, True),
        (False, True),
        (True, False),
        (False, True),
    ]
    for ride in own:
        if not ride.surfaced:
            ride.ClearField("station")
    assert seen == own


def _rides(history: list[game_pb2.Revision]) -> list[game_pb2.MrXTravelled]:
    events = [event for revision in history for event in revision.events]
    return [event.mr_x_travelled for event in events if event.HasField("mr_x_travelled")]


async def test_no_refusal_tells_a_secret(overheard: Overheard) -> None:
    secrets = await secrets_of(overheard)
    assert {heard.code for _, heard in overheard.refusals} == {
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.PERMISSION_DENIED,
    }
    for who, heard in overheard.refusals:
        words = f"{heard.message} {_details(heard)} {heard.headers}"
        assert not any(secret in words for secret in secrets), who
        assert not any(mentions(words, station) for station in overheard.hidden), who


def _details(heard: Heard) -> str:
    """The details of a refusal as text."""
    status = status_pb2.Status.FromString(dict(heard.trailers)[DETAILS])
    assert set(dict(heard.trailers)) == {DETAILS}
    return str(status)


async def test_sy20_the_same_refusal_for_right_and_wrong_guesses_at_mr_xs_station(overheard: Overheard) -> None:
    """A right guess names a line that leads from his station, or a whole legal move; a wrong one some other."""
    table = overheard.table
    right = [f"mr_x {text}" for text in move_texts((await table.legal(0)).moves)]
    texts = [*right[:10], *right[-10:], "mr_x taxi 1", "mr_x bus 199", "mr_x double taxi 8 taxi 18"]
    for method, kind in (("PlayMove", service_pb2.PlayMoveRequest), ("ValidateMove", service_pb2.ValidateMoveRequest)):
        ear = Ear(overheard.service.yard.channel, table.seats[1])
        heard = {await ear.ask(method, kind(game_id=table.game_id, moves=[as_move(text)])) for text in texts}
        assert len(heard) == 1
    ears = [Ear(overheard.service.yard.channel, token) for token in table.seats[1:]]
    his = service_pb2.ListLegalMovesRequest(game_id=table.game_id, piece=move_pb2.PIECE_MR_X)
    after = move_pb2.Ride(ticket=move_pb2.TICKET_TAXI, station=1)
    both = service_pb2.ListLegalMovesRequest(game_id=table.game_id, piece=move_pb2.PIECE_MR_X, after=after)
    heard = {await ear.ask("ListLegalMoves", request) for ear in ears for request in (his, both)}
    assert [each.code for each in heard] == [grpc.StatusCode.PERMISSION_DENIED]


async def test_no_line_of_the_log_and_no_metric_tells_a_secret(overheard: Overheard) -> None:
    """Not even at the level of debugging, and not after every kind of refusal there is."""
    for call in (await provocations(overheard.service.yard)).values():
        with suppress(grpc.RpcError):
            await call()
    lines = [json.loads(line) for line in overheard.log.getvalue().splitlines()]
    # Times and addresses are numbers too: 127 is a station.
    numbers = ("time", "milliseconds", "grpc", "http", "admin")
    said = [json.dumps({key: line[key] for key in line if key not in numbers}) for line in lines]
    assert sum('"method"' in line for line in said) > 100
    exposed = re.findall(r"^(\w+(?:{.*?})?) ", await overheard.service.admin_page("/metrics"), re.MULTILINE)
    secrets = await secrets_of(overheard)
    for line in (*said, *exposed):
        assert not any(secret in line for secret in secrets), line
        assert not any(mentions(line, station) for station in overheard.hidden), line
        assert not re.search(r"wh_[a-z]+_[0-9]", line), line
