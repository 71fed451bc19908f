"""Players: they make any move that they are told is legal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from tests.faults.client import Client, Errand
from tests.faults.history import CLAIMED, Answer, History, Request
from tests.faults.watcher import Watcher
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, service_pb2

UNBOUND = 0.3
"""How often a move is to be made whatever the revision is."""
TOGETHER = 0.3
"""How often several hunters are moved together, by a seat that may."""
DOUBLE = 0.15
"""How often Mr X moves twice, if he may."""
LATE = 0.15
"""How often an old request is sent once more, after others have followed it."""
REMEMBERED = 4
"""How many requests ago it may be. The service remembers eight of each seat, and some may overtake it."""


class Player:
    """One seat: it claims its place, then moves whenever it can, until the game is over."""

    def __init__(self, client: Client, seat: int, history: History) -> None:
        self._client = client
        self._seat = seat
        self._history = history
        self._done: deque[Errand[Any]] = deque(maxlen=REMEMBERED)

    async def claim(self) -> None:
        """Exchange the invitation for a token that nobody else has."""
        request = self._request((CLAIMED,))
        message = service_pb2.RotateTokenRequest(
            game_id=self._history.game_id, request_id=request.request_id, client_seed=f"seed of seat {self._seat}"
        )
        claim = Errand(
            lambda stub: stub.RotateToken,
            message,
            request,
            lambda response: Answer(response.revision, token=response.token),
        )
        response = await self._client.change(claim)
        assert response is not None, request.refusals
        self._client.token = response.token
        self._done.append(claim)

    async def play(self, watcher: Watcher) -> None:
        """Move whenever the watcher sees that it is this seat's turn."""
        while not watcher.is_over:
            if self._seat not in watcher.game.info.to_move:
                await watcher.reach(watcher.game.info.revision + 1)
                continue
            if self._client.random.random() < LATE:
                late = self._client.random.choice(self._done)
                assert await self._client.change(late) is not None, f"{late.request} was refused when it came again"
            listed = await self._client.ask(
                lambda stub: stub.ListLegalMoves, service_pb2.ListLegalMovesRequest(game_id=self._history.game_id)
            )
            words = self._any_of(listed.moves)
            if words:
                await self._move(words, listed.revision, watcher)
            else:
                await watcher.reach(listed.revision)
                told = watcher.game.info
                assert (told.revision, self._seat in told.to_move) != (listed.revision, True), "to move without a move"

    async def _move(self, words: Sequence[str], revision: int, watcher: Watcher) -> None:
        request = self._request(tuple(words))
        message = service_pb2.PlayMoveRequest(
            game_id=self._history.game_id,
            request_id=request.request_id,
            moves=[move_pb2.Move(text=text) for text in words],
        )
        if self._client.random.random() > UNBOUND:
            request.expected_revision = message.expected_revision = revision
        move = Errand(
            lambda stub: stub.PlayMove,
            message,
            request,
            lambda response: Answer(
                response.update.revision.revision, response.update.revision, response.moves_dropped
            ),
        )
        response = await self._client.change(move)
        if response is not None:
            self._done.append(move)
            watcher.show(response.update.game)

    def _request(self, words: tuple[str, ...]) -> Request:
        request = Request(self._client.new_id(), self._seat, words)
        self._history.requests.append(request)
        return request

    def _any_of(self, legal: move_pb2.LegalMoves) -> list[str]:
        """Any legal move in notation, now and then several hunters' moves; nothing where there is none."""
        pieces = list(legal.pieces)
        if not pieces:
            return []
        random = self._client.random
        together = len(pieces) > 1 and random.random() < TOGETHER
        chosen = random.sample(pieces, random.randint(2, len(pieces)) if together else 1)
        return [random.choice(list(self._moves(piece))) for piece in chosen]

    def _moves(self, piece: move_pb2.PieceMoves) -> Iterator[str]:
        name = move_pb2.Piece.Name(piece.piece).removeprefix("PIECE_").lower()
        if piece.may_pass:
            yield f"{name} pass"
        if piece.doubles and self._client.random.random() < DOUBLE:
            for group in piece.doubles:
                for second in group.seconds:
                    yield f"{name} {group.first.text} {second.text}"
            return
        for ride in piece.rides:
            yield ride.text if ride.text.startswith(name) else f"{name} {ride.text}"
