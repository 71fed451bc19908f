"""The client of Whitehall, the referee for deduction board games.

    with whitehall_client.connect("localhost:50051") as service:
        game = service.scotland_yard.create_game(players=3)
        mr_x = service.scotland_yard.claim(game.seats["mr_x"])
        print(mr_x.moves())

`whitehall_client.aio` is the same for asyncio. Messages are in `whitehall_client.gen`, by the paths of their protos.
"""

from whitehall_client import aio
from whitehall_client.blocking import Cluedo, ScotlandYard, Service, connect
from whitehall_client.invitations import Invitation, NewGame
from whitehall_client.refusals import (
    Closed,
    IllegalMove,
    InvalidRequest,
    NotAllowed,
    NotFound,
    Overloaded,
    Refused,
    StaleRevision,
    Unanswered,
    WhitehallError,
)
from whitehall_client.version import __version__

__all__ = [
    "Closed",
    "Cluedo",
    "IllegalMove",
    "InvalidRequest",
    "Invitation",
    "NewGame",
    "NotAllowed",
    "NotFound",
    "Overloaded",
    "Refused",
    "ScotlandYard",
    "Service",
    "StaleRevision",
    "Unanswered",
    "WhitehallError",
    "__version__",
    "aio",
    "connect",
]
