"""Tables: one game with all its people, from its creation to its end and to what is left of it then."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any, cast

import redis.asyncio
from redis.asyncio.cluster import ClusterNode

from tests.faults.client import Client, Connections, Errand
from tests.faults.games import SCOTLAND_YARD, Played
from tests.faults.history import STARTED, Answer, Ending, History, Request, Watch
from tests.faults.player import Player
from tests.faults.tally import Count, Tally
from tests.faults.watcher import Watcher
from whitehall.api.wire import Wire
from whitehall.games.core.seat import PUBLIC, Seat, Viewer
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.sessions import cluster_url, layout
from whitehall.sessions.session import LoggedEntry, Session
from whitehall.sessions.store import Version
from whitehall.sessions.wire import decode_entry, decode_session

PAGE = 30
"""Revisions on a page of ListEvents."""


class Table:
    """One game. Everything about it follows from `random`, but for what the service draws and what time does."""

    def __init__(self, addresses: Sequence[str], random: Random, tally: Tally, played: Played = SCOTLAND_YARD) -> None:
        self._played = played
        self.history: History
        self._addresses = addresses
        self._random = random
        self._tally = tally
        self._clients: list[tuple[Viewer, Client]] = []

    async def play(self) -> None:
        """Make a game and play it to its end, watched by its players and by two spectators."""
        async with AsyncExitStack() as people:
            host = self._client(people)
            created = await self._create(host)
            host.token = created.host_token
            self.history = History(created.game.info.game_id, created.game.info.commitment, played=self._played)
            seats = [self._client(people, invitation.token) for invitation in created.invitations]
            players = [Player(client, number, self.history) for number, client in enumerate(seats)]
            spectators = [self._client(people, created.spectator_token) for _ in range(2)]
            self._clients = [(PUBLIC, host), (PUBLIC, spectators[0]), *((Seat(n), c) for n, c in enumerate(seats))]
            async with asyncio.TaskGroup() as group:
                group.create_task(self._watcher(spectators[0], PUBLIC, created.game).follow())
                await asyncio.gather(*(player.claim() for player in players))
                if created.game.info.status == common_pb2.GAME_STATUS_WAITING:
                    await self._start(host)
                for number, (player, client) in enumerate(zip(players, seats, strict=True)):
                    watcher = self._watcher(client, Seat(number), created.game)
                    group.create_task(watcher.follow())
                    group.create_task(player.play(watcher))
                group.create_task(self._watcher(spectators[1], PUBLIC, created.game).follow())
        self._tally.count(Count.FINISHED)

    async def ending(self, store_url: str) -> Ending:
        """What there is of the game at the end: by each token, and in the store."""
        async with AsyncExitStack() as people:
            connections = self._connections(people)
            for _, client in self._clients:
                client.connections = connections
            record = await self._clients[0][1].ask(
                lambda stub: stub.GetRecord, self._played.wire.requests.GetRecordRequest(game_id=self.history.game_id)
            )
            session, log = await _kept(store_url, self.history.game_id, self._played.wire)
            return Ending(
                record=record.record,
                games=[(viewer, await self._game(client)) for viewer, client in self._clients],
                pages=[(viewer, await self._events(client)) for viewer, client in self._clients],
                session=session,
                log=log,
            )

    # --- people ---------------------------------------------------------------------------------------------------

    def _connections(self, people: AsyncExitStack) -> Connections:
        connections = Connections(self._addresses, self._random, self._played)
        people.push_async_callback(connections.close)
        return connections

    def _client(self, people: AsyncExitStack, token: str = "") -> Client:
        return Client(self._connections(people), Random(self._random.getrandbits(64)), self._tally, token)

    def _watcher(self, client: Client, viewer: Viewer, game: Any) -> Watcher:
        watch = Watch(viewer)
        self.history.watches.append(watch)
        return Watcher(client, game, watch)

    # --- the host -------------------------------------------------------------------------------------------------

    async def _create(self, host: Client) -> Any:
        """Make a game by asking for it twice at once, which has to give one game with the same tokens."""
        message = self._played.creation(self._random)
        message.request_id = host.new_id()
        message.start_mode = self._random.choice([common_pb2.START_MODE_WAITING, common_pb2.START_MODE_IMMEDIATE])
        message.client_seed = "seed of the host"
        message.allow_spectators = True
        created, again = await asyncio.gather(*(host.ask(lambda stub: stub.CreateGame, message) for _ in range(2)))
        assert _promised(created) == _promised(again), "one creation was answered in two ways"
        assert created.replayed or again.replayed, "one creation was carried out twice"
        return created

    async def _start(self, host: Client) -> None:
        request = Request(host.new_id(), None, (STARTED,))
        self.history.requests.append(request)
        message = self._played.wire.requests.StartGameRequest(
            game_id=self.history.game_id, request_id=request.request_id
        )
        errand = Errand(
            lambda stub: stub.StartGame,
            message,
            request,
            lambda response: Answer(response.update.revision.revision, response.update.revision),
        )
        assert await host.change(errand) is not None, request.refusals

    # --- at the end -----------------------------------------------------------------------------------------------

    async def _game(self, client: Client) -> Any:
        message = self._played.wire.requests.GetGameRequest(game_id=self.history.game_id)
        return (await client.ask(lambda stub: stub.GetGame, message)).game

    async def _events(self, client: Client) -> list[Any]:
        revisions: list[Any] = []
        message = self._played.wire.requests.ListEventsRequest(game_id=self.history.game_id, page_size=PAGE)
        while True:
            page = await client.ask(lambda stub: stub.ListEvents, message)
            revisions += page.revisions
            if not page.next_page_token:
                return revisions
            message.page_token = page.next_page_token


def _client_of(store_url: str) -> Any:
    """The library's own client of a store."""
    if not store_url.startswith(cluster_url.SCHEMES):
        return redis.asyncio.Redis.from_url(store_url)
    nodes = [ClusterNode(host, port) for host, port in cluster_url.parse(store_url).addresses]
    return redis.asyncio.RedisCluster(startup_nodes=nodes)


async def _kept(store_url: str, game_id: str, wire: Wire) -> tuple[Session, list[LoggedEntry]]:
    """A game's snapshot and its log, read behind the service's back."""
    async with _client_of(store_url) as store:
        game, log = layout.game_key(game_id), layout.log_key(game_id)
        version, snapshot, generations = cast("list[bytes]", await store.hmget(game, "v", "s", "g"))
        stored = layout.unpack_stored(version, snapshot, generations, await store.pexpiretime(game))
        items = cast("list[bytes]", await store.lrange(log, 0, -1))
    session = decode_session(game_id, stored, {wire.rules.name: wire})
    entries = [layout.unpack_entry(revision, item) for revision, item in enumerate(items, 1)]
    return session, [
        LoggedEntry(Version(entry.revision, entry.write_id), decode_entry(entry.entry, session.created_ms, wire))
        for entry in entries
    ]


def _promised(created: Any) -> tuple[object, ...]:
    """What every answer to one creation has in common."""
    info = created.game.info
    tokens = [invitation.token for invitation in created.invitations]
    return info.game_id, info.commitment, created.host_token, tokens, created.spectator_token
