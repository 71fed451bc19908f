"""A table at which a game is played: its tokens, and the calls that its people make."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import uuid4

import grpc

from whitehall.games.scotland_yard import boards
from whitehall.games.scotland_yard.ticket import Station, Transport
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2_grpc
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import (
    game_pb2,
    move_pb2,
    position_pb2_grpc,
    record_pb2,
    service_pb2,
    service_pb2_grpc,
)

Metadata = list[tuple[str, str]]

WAITING = common_pb2.START_MODE_WAITING


def bearing(token: str | None) -> Metadata:
    """The metadata of a call that bears this token."""
    return [] if token is None else [("authorization", f"Bearer {token}")]


class Yard:
    """The services' stubs over one channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self.games = service_pb2_grpc.ScotlandYardServiceStub(channel)
        self.positions = position_pb2_grpc.ScotlandYardPositionServiceStub(channel)
        self.catalog = catalog_pb2_grpc.CatalogServiceStub(channel)

    async def table(
        self,
        players: int = 3,
        *,
        preset: str = "new",
        request_id: str = "",
        operator: str | None = None,
        **options: Any,
    ) -> Table:
        """A new game; `options` are fields of CreateGameRequest."""
        request = service_pb2.CreateGameRequest(preset=preset, players=players, request_id=request_id, **options)
        return Table(self, await self.games.CreateGame(request, metadata=bearing(operator)))


class Table:
    """One game with the tokens that its host was given. `seats` holds the token that each seat plays with."""

    def __init__(self, yard: Yard, created: service_pb2.CreateGameResponse) -> None:
        self.yard = yard
        self.calls = yard.games
        self.created = created
        self.game_id = created.game.info.game_id
        self.host = created.host_token
        self.seats = [invitation.token for invitation in created.invitations]
        self.spectator = created.spectator_token

    def move_to(self, yard: Yard) -> None:
        """From now on the calls go through another channel."""
        self.yard = yard
        self.calls = yard.games

    @property
    def mr_x(self) -> str:
        """Mr X's token."""
        return self.seats[0]

    async def get(self, token: str | None = None) -> game_pb2.Game:
        """The game as a token's bearer sees it; the host unless another is named."""
        request = service_pb2.GetGameRequest(game_id=self.game_id)
        return (await self.calls.GetGame(request, metadata=bearing(token or self.host))).game

    async def legal(self, seat: int, **filters: Any) -> service_pb2.ListLegalMovesResponse:
        """A seat's legal moves; `filters` are fields of ListLegalMovesRequest."""
        request = service_pb2.ListLegalMovesRequest(game_id=self.game_id, **filters)
        return await self.calls.ListLegalMoves(request, metadata=bearing(self.seats[seat]))

    async def validate(self, seat: int, *moves: str | move_pb2.Move) -> service_pb2.ValidateMoveResponse:
        """A dry run of moves, typed or as text."""
        request = service_pb2.ValidateMoveRequest(game_id=self.game_id, moves=map(as_move, moves))
        return await self.calls.ValidateMove(request, metadata=bearing(self.seats[seat]))

    async def play(
        self, seat: int, *moves: str | move_pb2.Move, request_id: str = "", expected_revision: int | None = None
    ) -> service_pb2.PlayMoveResponse:
        """Plays moves, typed or as text."""
        request = service_pb2.PlayMoveRequest(
            game_id=self.game_id,
            request_id=request_id,
            moves=map(as_move, moves),
            expected_revision=expected_revision,
        )
        return await self.calls.PlayMove(request, metadata=bearing(self.seats[seat]))

    async def rotate(self, token: str, **fields: Any) -> service_pb2.RotateTokenResponse:
        """Exchanges a token; `fields` are those of RotateTokenRequest."""
        request = service_pb2.RotateTokenRequest(game_id=self.game_id, **fields)
        return await self.calls.RotateToken(request, metadata=bearing(token))

    async def claim(self, seat: int, **fields: Any) -> str:
        """Claims a seat and plays with its new token from now on."""
        self.seats[seat] = (await self.rotate(self.seats[seat], **fields)).token
        return self.seats[seat]

    async def start(self, request_id: str = "") -> service_pb2.StartGameResponse:
        """The host starts the game."""
        request = service_pb2.StartGameRequest(game_id=self.game_id, request_id=request_id)
        return await self.calls.StartGame(request, metadata=bearing(self.host))

    async def abandon(self, request_id: str = "") -> service_pb2.AbandonGameResponse:
        """The host ends the game."""
        request = service_pb2.AbandonGameRequest(game_id=self.game_id, request_id=request_id)
        return await self.calls.AbandonGame(request, metadata=bearing(self.host))

    async def delete(self, token: str | None = None) -> None:
        """The host deletes the game."""
        request = service_pb2.DeleteGameRequest(game_id=self.game_id)
        await self.calls.DeleteGame(request, metadata=bearing(token or self.host))

    async def events(self, token: str, page_size: int = 0, page_token: str = "") -> service_pb2.ListEventsResponse:
        """A page of history."""
        request = service_pb2.ListEventsRequest(game_id=self.game_id, page_size=page_size, page_token=page_token)
        return await self.calls.ListEvents(request, metadata=bearing(token))

    async def history(self, token: str) -> list[game_pb2.Revision]:
        """The whole history, page by page."""
        page = await self.events(token, page_size=200)
        revisions = list(page.revisions)
        while page.next_page_token:
            page = await self.events(token, page_size=200, page_token=page.next_page_token)
            revisions += page.revisions
        return revisions

    async def record(self, token: str | None = None) -> record_pb2.Record:
        """The record."""
        request = service_pb2.GetRecordRequest(game_id=self.game_id)
        return (await self.calls.GetRecord(request, metadata=bearing(token or self.host))).record

    async def harmless(self, seat: int, piece: str = "") -> list[str]:
        """Legal single moves of a seat, or of one piece of it, none of which catches Mr X."""
        there = (await self.get(self.mr_x)).view.mr_x.station
        texts = move_texts((await self.legal(seat)).moves)
        ends = (f" {there}", "pass")
        return [text for text in texts if text.startswith(piece) and "double" not in text and not text.endswith(ends)]

    async def play_on(self, revisions: int) -> None:
        """Plays so many moves that catch nobody, of many kinds. A hunter that can't do so passes.

        Mr X keeps away from where a hunter could catch him at once, as long as he can: no game may end before its time.
        """
        for _ in range(revisions):
            game = await self.get()
            info = game.info
            choices = [(seat, text) for seat in info.to_move for text in await self.harmless(seat)]
            ends = tuple(f" {station}" for station in within_reach(game.view))
            choices = [(seat, text) for seat, text in choices if seat or not text.endswith(ends)] or choices
            if not choices:
                legal = [(seat, text) for seat in info.to_move for text in move_texts((await self.legal(seat)).moves)]
                choices = [choice for choice in legal if choice[1].endswith("pass")]
            await self.play(*choices[7 * info.revision % len(choices)])

    async def play_at_random(self, chance: Random, revisions: int | None = None) -> game_pb2.Game:
        """Plays random legal moves, so many or to the end; the game as the host then sees it."""
        game = await self.get()
        while game.info.to_move and (revisions is None or revisions > 0):
            seat = chance.choice(list(game.info.to_move))
            texts = move_texts((await self.legal(seat)).moves)
            # A double move now and then, not as often as there are of them.
            singles = [text for text in texts if "double" not in text]
            move = chance.choice(texts if chance.random() < 0.1 else singles or texts)
            game = (await self.play(seat, move)).update.game
            revisions = None if revisions is None else revisions - 1
        return await self.get()


def within_reach(view: game_pb2.View) -> set[int]:
    """Where some hunter could be after one ride on the board of 2013, had it every ticket."""
    board = boards.board(boards.LONDON_2013)
    places = [Station(hunter.station) for hunter in view.hunters]
    return {station for place in places for transport in Transport for station in board.neighbours(place, transport)}


def as_move(move: str | move_pb2.Move) -> move_pb2.Move:
    """A move given as text, as a message."""
    return move_pb2.Move(text=move) if isinstance(move, str) else move


def move_texts(moves: move_pb2.LegalMoves) -> Sequence[str]:
    """Every legal move in notation, ready to be sent."""
    texts = []
    for piece in moves.pieces:
        word = move_pb2.Piece.Name(piece.piece).removeprefix("PIECE_").lower()
        texts += [ride.text for ride in piece.rides]
        texts += [f"{group.first.text} {second.text}" for group in piece.doubles for second in group.seconds]
        texts += [f"{word} pass"] * piece.may_pass
        texts += [f"{piece.start_text} {station}" for station in piece.starts]
    return texts


def a_request_id() -> str:
    """A request id of the caller's."""
    return str(uuid4())
