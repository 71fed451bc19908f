"""Echoes: what a call costs before any game is involved.

Each takes the same request as the method that it stands for, through the same door: the usual parsing and validation,
token, metrics and log line. Then it goes to the store as often as that method has to, and answers as many bytes without
looking at the question.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import NamedTuple

from whitehall.api.answer import Encoded
from whitehall.api.call import Call
from whitehall.api.endpoint import Endpoint, Unary
from whitehall.api.tokens import Kind, Tokens
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, position_pb2, service_pb2
from whitehall.sessions.session import FIRST_SEAT
from whitehall.sessions.store import Accepted, Created, RequestKey, SessionStore, Version, Write, new_write_id

SERVICE = "whitehall.bench.Echo"

LIFETIME = 3600
"""Seconds that the store keeps what it was given."""


class Step(NamedTuple):
    """How many bytes one move of a game takes: the answer, and in the store the snapshot and the entry of the log."""

    answer: int
    snapshot: int
    entry: int


class PositionEcho:
    """Stands for a position method."""

    def __init__(self, tokens: Tokens, sizes: Iterable[int]) -> None:
        self._tokens = tokens
        self._answers = cycle([Encoded(bytes(size)) for size in sizes])

    async def answer(self, request: position_pb2.ListPositionLegalMovesRequest, call: Call) -> Encoded:
        call.token_kind = Kind.OPERATOR
        self._tokens.operator(call.token)
        return next(self._answers)


class ReadEcho:
    """Stands for a session method that reads: one read of the store."""

    def __init__(self, tokens: Tokens, store: SessionStore, sizes: Iterable[int]) -> None:
        self._tokens = tokens
        self._store = store
        self._answers = cycle([Encoded(bytes(size)) for size in sizes])

    async def answer(self, request: service_pb2.GetGameRequest, call: Call) -> Encoded:
        call.game_id = request.game_id
        call.token_kind = self._tokens.bearer(request.game_id, call.token).kind
        stored = await self._store.read(request.game_id, timeout=call.patience.left)
        assert stored is not None
        call.revision = stored.version.revision
        return next(self._answers)


class PlayEcho:
    """Stands for PlayMove: one script that writes, on games that hold nothing but zeros."""

    def __init__(self, tokens: Tokens, store: SessionStore, steps: Sequence[Step]) -> None:
        self._tokens = tokens
        self._store = store
        self._steps = steps
        self._versions: dict[str, Version] = {}

    async def create(self, request: service_pb2.CreateGameRequest, call: Call) -> service_pb2.CreateGameResponse:
        self._tokens.operator(call.token)
        game_id = base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
        generations = (0,) * (FIRST_SEAT + request.players)
        first = self._steps[0]
        created = await self._store.create(
            game_id, new_write_id(), bytes(first.snapshot), [bytes(first.entry)], generations, LIFETIME, bytes(8)
        )
        assert isinstance(created, Created)
        self._versions[game_id] = created.version
        return service_pb2.CreateGameResponse(
            game=game_pb2.Game(info=common_pb2.GameInfo(game_id=game_id)),
            invitations=[
                common_pb2.SeatInvitation(seat=seat, token=self._tokens.make(game_id, FIRST_SEAT + seat, 0))
                for seat in range(request.players)
            ],
        )

    async def play(self, request: service_pb2.PlayMoveRequest, call: Call) -> Encoded:
        call.game_id = request.game_id
        bearer = self._tokens.bearer(request.game_id, call.token)
        call.token_kind = bearer.kind
        version = self._versions[request.game_id]
        step = self._steps[min(version.revision, len(self._steps)) - 1]
        write = Write(
            game_id=request.game_id,
            expected=version,
            write_id=new_write_id(),
            snapshot=bytes(step.snapshot),
            entry=bytes(step.entry),
            caller=bearer.caller,
            ttl=LIFETIME,
            request=RequestKey(request.request_id[:8].encode(), bytes(8)),
        )
        written = await self._store.write(write, timeout=call.patience.left)
        assert isinstance(written, Accepted)
        self._versions[request.game_id] = written.version
        call.revision = written.version.revision
        return Encoded(bytes(step.answer))


class Sizes(NamedTuple):
    """How much the service answers, and hence its echoes."""

    positions: dict[str, list[int]]
    """By set of positions."""
    reads: dict[str, list[int]]
    """By session method that reads."""
    steps: list[Step]
    """By move of a game."""


def echoes(sizes: Sizes, tokens: Tokens, store: SessionStore) -> list[Endpoint]:
    """An endpoint for each method that is compared, named after what it stands for."""
    endpoints: list[Endpoint] = []
    for name, answers in sizes.positions.items():
        position = PositionEcho(tokens, answers)
        endpoints.append(Unary(SERVICE, name, position_pb2.ListPositionLegalMovesRequest, position.answer))
    for name, answers in sizes.reads.items():
        read = ReadEcho(tokens, store, answers)
        endpoints.append(Unary(SERVICE, name, getattr(service_pb2, f"{name}Request"), read.answer))
    play = PlayEcho(tokens, store, sizes.steps)
    endpoints.append(Unary(SERVICE, "CreateGame", service_pb2.CreateGameRequest, play.create))
    endpoints.append(Unary(SERVICE, "PlayMove", service_pb2.PlayMoveRequest, play.play))
    return endpoints
