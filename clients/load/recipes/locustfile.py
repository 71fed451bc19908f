"""Games of Scotland Yard and Cluedo by the Python client, for Locust: `locust -f locustfile.py --host localhost:50051`.

A user has a table of its own and goes on with its game from task to task: a list of legal moves and one of them
played, or a question about positions.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import grpc.experimental.gevent
from locust import User, constant, events, task
from locust.exception import RescheduleTask

import whitehall_client
from whitehall_client import WhitehallError
from whitehall_client.gen.whitehall.common.v1 import game_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import deduction_pb2, move_pb2, position_pb2

# Before the first channel: else one call keeps all users waiting.
grpc.experimental.gevent.init_gevent()

OPERATOR_KEY = os.environ.get("WHITEHALL_LOAD_OPERATOR_KEY") or None
P99_MS = float(os.environ.get("P99", "1000"))
PAUSE = float(os.environ.get("THINK", "0"))
"""Seconds between two turns of a user."""
WAITING = game_pb2.START_MODE_WAITING

AnswerT = TypeVar("AnswerT")


class Player(User):
    """Everybody at one table."""

    abstract = True
    kind: str
    """The games that are played here, as the client names them."""
    wait_time = constant(PAUSE)

    def on_start(self) -> None:
        self.service = whitehall_client.connect(self.host, operator_key=OPERATOR_KEY)
        self.games: Any = getattr(self.service, self.kind)
        self.seats: list[Any] = []

    def on_stop(self) -> None:
        with suppress(RescheduleTask):  # Locust has been told of the failure, and there is no next turn to plan.
            if self.seats:
                self.leave()
        self.service.close()

    @task(9)
    def play(self) -> None:
        """A turn: in a new game, where there is none that goes on."""
        if not self.seats:
            self.begin()
        seat = self.seats[self.to_move[0]]
        moves = self.timed("legal moves", seat.moves)
        info = self.timed("move", lambda: seat.play(random.choice(moves))).update.game.info
        self.to_move = list(info.to_move)
        if not self.to_move:
            self.leave()

    @task(1)
    def ask(self) -> None:
        """Where could he be who has ridden by taxi so often? It needs no game."""
        taxi = deduction_pb2.PublicRide(ticket=move_pb2.TICKET_TAXI)
        rounds = [deduction_pb2.PublicRound(rides=[taxi])] * random.randint(1, 6)
        log = deduction_pb2.PublicLog(start=random.sample(range(1, 200), 13), rounds=rounds)
        request = position_pb2.ListPossibleLocationsRequest(logs=[log])
        method = self.service.scotland_yard.positions.ListPossibleLocations
        self.timed("possible locations", lambda: self.service.ask(method, request))

    def begin(self) -> None:
        """Every seat is claimed, then the host starts the game."""
        made = self.timed(
            "create", lambda: self.games.create_game(players=random.choice((3, 4, 6)), start_mode=WAITING)
        )
        self.host_of_game = self.games.host(made.game_id, made.host_token)
        seats = [self.timed("claim", lambda i=invited: self.games.claim(i)) for invited in made.seats.values()]
        self.to_move = list(self.timed("start", self.host_of_game.start).update.game.info.to_move)
        self.seats = seats

    def leave(self) -> None:
        """The host takes the game down."""
        self.seats = []
        self.timed("delete", self.host_of_game.delete)

    def timed(self, name: str, call: Callable[[], AnswerT]) -> AnswerT:
        """The answer of a call, of which Locust is told. Where there is none, the game is left: nobody knows how it
        stands.
        """
        start = time.perf_counter()
        try:
            answer = call()
        except WhitehallError as failure:
            self.tell(name, start, failure)
            self.seats = []
            raise RescheduleTask from failure
        self.tell(name, start)
        return answer

    def tell(self, name: str, start: float, failure: WhitehallError | None = None) -> None:
        """Tells Locust of a call that has begun at `start`."""
        milliseconds = (time.perf_counter() - start) * 1000
        self.environment.events.request.fire(
            request_type="grpc", name=name, response_time=milliseconds, response_length=0, exception=failure
        )


class ScotlandYard(Player):
    """Scotland Yard."""

    kind = "scotland_yard"
    weight = 3


class Cluedo(Player):
    """Cluedo."""

    kind = "cluedo"
    weight = 1


@events.quitting.add_listener
def decide(environment: Any, **_: Any) -> None:
    """The exit code tells whether the limits hold; Locust looks only at failures by itself."""
    moves = environment.stats.get("move", "grpc")
    slow = moves.get_response_time_percentile(0.99) > P99_MS
    environment.process_exit_code = 1 if environment.stats.total.num_failures or not moves.num_requests or slow else 0
