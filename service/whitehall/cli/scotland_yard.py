"""Scotland Yard in the terminal: one side is Mr X's, the other one all detectives'."""

from collections.abc import Iterator, Sequence
from typing import Any

from whitehall.cli import scotland_yard_words as words
from whitehall.cli.client import Client
from whitehall.cli.scotland_yard_bot import Bot
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, options_pb2, service_pb2
from whitehall.gen.whitehall.scotlandyard.v1.service_pb2_grpc import ScotlandYardServiceStub

SIDES = ("mr_x", "detectives")
"""The sides by the number of their seat."""
USUAL_SIDE = "detectives"


class ScotlandYardFrontend:
    """Scotland Yard. The protocol's own docstrings say what each part is.

    `start_by` is the option's word, None the preset's.
    """

    game = "scotland-yard"
    service = "whitehall.scotlandyard.v1.ScotlandYardService"
    stub = ScotlandYardServiceStub
    requests: Any = service_pb2
    help = words.HELP

    table = staticmethod(words.table)
    news = staticmethod(words.news)
    result = staticmethod(words.result)
    bot = Bot

    def __init__(self, preset: str = "new", start_by: str | None = None) -> None:
        self.preset = preset
        self._start_by = start_by

    def creation(self, client: Client, players: int) -> service_pb2.CreateGameRequest:
        first = move_pb2.PIECE_RED
        detectives = range(first, first + int(client.parameters(self.preset, players)["detectives"]))
        request = service_pb2.CreateGameRequest(
            preset=self.preset,
            players=players,
            seats=[
                service_pb2.SeatSetup(name="mr_x", pieces=[move_pb2.PIECE_MR_X]),
                service_pb2.SeatSetup(name="detectives", pieces=map(move_pb2.Piece.ValueType, detectives)),
            ],
        )
        if self._start_by:
            request.overrides.start_by = options_pb2.StartBy.Value(f"START_BY_{self._start_by.upper()}")
        return request

    def move(self, text: str) -> service_pb2.PlayMoveRequest:
        return service_pb2.PlayMoveRequest(moves=[move_pb2.Move(text=text)])

    def seat(self, name: str | None, players: int) -> int:
        name = name or USUAL_SIDE
        if name not in SIDES:
            raise ValueError(f"{name!r} is not one of {', '.join(map(repr, SIDES))}")
        return SIDES.index(name)

    def prompt(self, game: game_pb2.Game) -> str:
        return f"round {game.view.round}> " if game.view.round else "placing> "

    def moment(self, game: game_pb2.Game) -> int:
        return game.view.round

    def moves(self, legal: move_pb2.LegalMoves, asked: Sequence[str]) -> Iterator[str]:
        return words.doubles(legal, " ".join(asked)) if asked else words.moves(legal)
