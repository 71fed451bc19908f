"""Tables: games that are played on and on. When one is over, the next is made."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from contextlib import suppress
from itertools import cycle, islice
from random import Random
from typing import Any

from whitehall_client import WhitehallError
from whitehall_client.aio import Service
from whitehall_load.checks import Order, cluedo_leaks, yard_leaks
from whitehall_load.measurements import MOVE
from whitehall_load.plan import GAMES, Plan
from whitehall_load.stopwatch import Stopwatch
from whitehall_load.watching import Departures, Leaks, watch

PLAYERS = (2, 3, 4, 6)
FAREWELL = 5.0
"""Seconds that the watchers of a game have to hear of its last moves; what they have not heard by then is a failure."""
DOUBLES = 0.1
"""How often a double move or a flight is made where there is one; there are hundreds of them."""
ACCUSES = 0.02
"""How often a seat of Cluedo accuses where it may, so that games come to an end."""


class Table(ABC):
    """One game after another, with all its players and watchers."""

    leaks: Leaks

    def __init__(self, service: Service, plan: Plan, random: Random, stopwatch: Stopwatch) -> None:
        self.random = random
        self.stopwatch = stopwatch
        self._service = service
        self._plan = plan
        self._game: Any = None
        self._in_doubt = False
        """Whether a call has failed, so that nobody knows how the game stands. It is left then."""
        self._seats: list[Any] = []
        self._host: Any = None
        self._watchers: list[asyncio.Task[None]] = []
        self._endings: set[asyncio.Task[None]] = set()

    async def prepare(self) -> None:
        """Makes the next game where none is being played."""
        if self._game is not None and self._game.info.to_move and not self._in_doubt:
            return
        if self._game is not None:
            ending = asyncio.create_task(self._end())
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)
            self._game = None
            self._in_doubt = False
        games = self.games()
        made = await self.stopwatch.time("create game", self.create(self.random.choice(PLAYERS)))
        self._seats = [await self.stopwatch.time("claim", games.claim(invited)) for invited in made.seats.values()]
        self._host = games.host(made.game_id, made.host_token)
        game = await self.stopwatch.time("get game", self._host.game())
        self._order = Order(game.info.revision)
        self._departures = Departures(self.stopwatch)
        spectator = games.spectator(made.game_id, made.spectator_token)
        viewers = [(spectator, None), *((seat, number) for number, seat in enumerate(self._seats))]
        leaks = type(self).leaks
        self._watchers = [
            asyncio.create_task(watch(viewer.watch(), seat, leaks, self._departures.ear(), self.stopwatch))
            for viewer, seat in islice(cycle(viewers), self._plan.watchers)
        ]
        self._game = game

    async def turn(self, since: float) -> None:
        """One turn from the intended moment on: a move mostly, deductions now and then. `prepare` comes first."""
        try:
            await self._play(since)
        except WhitehallError:
            self._in_doubt = True
            raise

    async def _play(self, since: float) -> None:
        number = self.random.choice(list(self._game.info.to_move))
        seat = self._seats[number]
        if self.random.random() < self._plan.deductions:
            await self.stopwatch.time("deductions", seat.deductions(), since)
            return
        legal = await self.stopwatch.time("legal moves", seat.legal_moves(), since)
        if legal.revision != self._order.revision:
            self.stopwatch.object("legal moves of another revision")
        sent = time.monotonic()
        played = await self.stopwatch.time(MOVE, seat.play(self.choose(legal.moves, self._game.view)))
        revision = played.update.revision.revision
        self._departures.sent(revision, sent)
        if not self._order.follows(revision):
            self.stopwatch.object("a move made another revision than the next")
        self._game = played.update.game
        for leak in type(self).leaks(self._game.view, number):
            self.stopwatch.object(f"a player saw {leak}")

    async def leave(self) -> None:
        """Ends the game, whatever its state, and whatever is left of earlier ones."""
        if self._game is not None:
            await self._end()
            self._game = None
        if self._endings:
            await asyncio.wait(self._endings)

    def _end(self) -> Coroutine[Any, Any, None]:
        """What takes the present game down, whichever comes next."""
        return self._take_down(self._host, self._watchers, None if self._in_doubt else self._departures)

    async def _take_down(self, host: Any, watchers: list[asyncio.Task[None]], departures: Departures | None) -> None:
        """The last news may still be on its way. Of a game in doubt, without departures, nothing is to be expected."""
        if departures is not None:
            await departures.settle(FAREWELL)
            if departures.unheard:
                self.stopwatch.fail("watch", "UNHEARD", departures.unheard)
        for watcher in watchers:
            watcher.cancel()
        with suppress(WhitehallError):
            await self.stopwatch.time("delete game", host.delete())

    @abstractmethod
    def games(self) -> Any:
        """The games of this kind."""

    @abstractmethod
    async def create(self, players: int) -> Any:
        """A new game."""

    @abstractmethod
    def choose(self, moves: Any, view: Any) -> str:
        """A legal move."""


class YardTable(Table):
    """Scotland Yard by one preset."""

    leaks = staticmethod(yard_leaks)

    def __init__(self, preset: str, service: Service, plan: Plan, random: Random, stopwatch: Stopwatch) -> None:
        super().__init__(service, plan, random, stopwatch)
        self._preset = preset

    def games(self) -> Any:
        return self._service.scotland_yard

    async def create(self, players: int) -> Any:
        return await self._service.scotland_yard.create_game(self._preset, players=players, allow_spectators=True)

    def choose(self, moves: Any, view: Any) -> str:
        if moves.actions and self.random.random() < 0.5:
            return str(self.random.choice(moves.actions).text)
        if not moves.pieces:
            return str(self.random.choice(moves.actions).text)
        piece = self.random.choice(moves.pieces)
        if self.random.random() < DOUBLES or not piece.rides:
            if piece.doubles:
                group = self.random.choice(piece.doubles)
                if group.seconds:
                    return f"{group.first.text} {self.random.choice(group.seconds).text}"
            if piece.flights:
                return f"helicopter {self.random.choice(piece.flights)}"
        if piece.starts:
            return f"{piece.start_text} {self.random.choice(piece.starts)}"
        return str(self.random.choice(piece.rides).text if piece.rides else piece.pass_text)


class CluedoTable(Table):
    """Cluedo James Bond."""

    leaks = staticmethod(cluedo_leaks)

    def games(self) -> Any:
        return self._service.cluedo

    async def create(self, players: int) -> Any:
        return await self._service.cluedo.create_game(players=players, allow_spectators=True)

    def choose(self, moves: Any, view: Any) -> str:
        if moves.may_accuse and self.random.random() < ACCUSES:
            return f"accuse {self._any(view, 'S')} {self._any(view, 'W')} {self._any(view, 'L')}"
        if moves.suggest_in:
            return f"suggest {self._any(view, 'S')} {self._any(view, 'W')} {moves.suggest_in}"
        rooms = [place for place in moves.destinations if place.place.HasField("room")]
        choices = [*(rooms or moves.destinations), *moves.shows, *moves.passages]
        if moves.HasField("roll"):
            choices.append(moves.roll)
        if not choices and moves.HasField("end"):
            choices.append(moves.end)
        return str(self.random.choice(choices).text)

    def _any(self, view: Any, kind: str) -> str:
        return str(self.random.choice([card.card for card in view.cards if card.card.startswith(kind)]))


def lay(service: Service, plan: Plan, stopwatch: Stopwatch) -> list[Table]:
    """The tables of a plan, with nobody at them yet."""
    mix = plan.mix or dict.fromkeys(GAMES, 1.0)
    kinds = Random(plan.seed).choices(list(mix), list(mix.values()), k=plan.tables)
    return [_table(kind, service, plan, Random(f"{plan.seed} {n}"), stopwatch) for n, kind in enumerate(kinds)]


def _table(kind: str, service: Service, plan: Plan, random: Random, stopwatch: Stopwatch) -> Table:
    if kind == "cluedo":
        return CluedoTable(service, plan, random, stopwatch)
    return YardTable(kind, service, plan, random, stopwatch)
