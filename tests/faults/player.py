"""Players: they make any move that they are told is legal."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from tests.faults.client import Client, Errand
from tests.faults.history import CLAIMED, Answer, History, Request
from tests.faults.watcher import Watcher

UNBOUND = 0.3
"""How often a move is to be made whatever the revision is."""
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
        message = self._client.requests.RotateTokenRequest(
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
                lambda stub: stub.ListLegalMoves,
                self._client.requests.ListLegalMovesRequest(game_id=self._history.game_id),
            )
            words = self._history.played.any_of(listed.moves, self._client.random)
            if words:
                await self._move(words, listed.revision, watcher)
            else:
                await watcher.reach(listed.revision)
                told = watcher.game.info
                assert (told.revision, self._seat in told.to_move) != (listed.revision, True), "to move without a move"

    async def _move(self, words: Sequence[str], revision: int, watcher: Watcher) -> None:
        request = self._request(tuple(words))
        message = self._history.played.move(words)
        message.game_id, message.request_id = self._history.game_id, request.request_id
        if self._client.random.random() > UNBOUND:
            request.expected_revision = message.expected_revision = revision
        move = Errand(
            lambda stub: stub.PlayMove,
            message,
            request,
            lambda response: Answer(
                response.update.revision.revision,
                response.update.revision,
                getattr(response, "moves_dropped", 0),
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
