"""Cluedo in the terminal: every seat has a pawn of its own, and a person plays one of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from whitehall.cli import cluedo_words as words
from whitehall.cli.client import Client
from whitehall.cli.cluedo_bot import Bot
from whitehall.gen.whitehall.cluedo.v1 import game_pb2, move_pb2, service_pb2
from whitehall.gen.whitehall.cluedo.v1.service_pb2_grpc import CluedoServiceStub

USUAL_SEAT = "S1"


class CluedoFrontend:
    """Cluedo. The protocol's own docstrings say what each part is."""

    game = "cluedo"
    service = "whitehall.cluedo.v1.CluedoService"
    stub = CluedoServiceStub
    requests: Any = service_pb2
    preset = "james-bond"
    help = words.HELP

    table = staticmethod(words.table)
    news = staticmethod(words.news)
    result = staticmethod(words.result)
    bot = Bot

    def creation(self, client: Client, players: int) -> service_pb2.CreateGameRequest:
        return service_pb2.CreateGameRequest(preset=self.preset, players=players)

    def move(self, text: str) -> service_pb2.PlayMoveRequest:
        return service_pb2.PlayMoveRequest(move=move_pb2.Move(text=text))

    def seat(self, name: str | None, players: int) -> int:
        names = [f"S{number}" for number in range(1, players + 1)]
        name = name or USUAL_SEAT
        if name not in names:
            raise ValueError(f"{name!r} is not one of {', '.join(map(repr, names))}")
        return names.index(name)

    def prompt(self, game: game_pb2.Game) -> str:
        return f"turn {game.view.turn}> "

    def moment(self, game: game_pb2.Game) -> int:
        return game.view.turn

    def moves(self, legal: move_pb2.LegalMoves, asked: Sequence[str]) -> Iterator[str]:
        return words.ways(legal, asked) if asked else words.moves(legal)
