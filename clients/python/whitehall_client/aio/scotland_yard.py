"""Scotland Yard: games, and what host, seats and spectators do in them. Every method is one call of
`ScotlandYardService`, whose proto says what each field means.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import TypeAlias

from whitehall_client.aio.caller import Caller
from whitehall_client.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import (
    game_pb2,
    move_pb2,
    options_pb2,
    position_pb2_grpc,
    service_pb2,
    service_pb2_grpc,
)
from whitehall_client.invitations import Invitation, NewGame, by_name
from whitehall_client.listing import scotland_yard_texts
from whitehall_client.repeating import PATIENCE_SECONDS, new_request_id

Move: TypeAlias = move_pb2.Move | str
"""A move, typed or in notation: `taxi 86`, `red bus 105`, `double taxi 86 black 52`, `bobby1 pass`."""


class ScotlandYard:
    """Makes games, and gives access to them."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = service_pb2_grpc.ScotlandYardServiceStub(caller.channel)
        self.positions = position_pb2_grpc.ScotlandYardPositionServiceStub(caller.storeless_channel)
        """The methods about positions of one's own, for `Service.ask` and, by their twins that stream,
        `Service.converse`.
        """

    async def create_game(
        self,
        preset: str = "new",
        *,
        players: int,
        seats: Iterable[service_pb2.SeatSetup] = (),
        start_mode: common_pb2.StartMode.ValueType = common_pb2.START_MODE_IMMEDIATE,
        client_seed: str = "",
        allow_spectators: bool = False,
        overrides: options_pb2.Options | None = None,
        request_id: str = "",
    ) -> NewGame[game_pb2.Game]:
        """Makes a game. Needs an operator's key where the service has any. What the preset has is changed by
        `overrides`. Keep the tokens of the answer: nothing tells them again.
        """
        request = service_pb2.CreateGameRequest(
            request_id=request_id or new_request_id(),
            preset=preset,
            players=players,
            seats=seats,
            start_mode=start_mode,
            client_seed=client_seed,
            allow_spectators=allow_spectators,
            overrides=overrides,
        )
        made = await self._caller.ask(self._stub.CreateGame, request)
        game_id = made.game.info.game_id
        invited = by_name(game_id, made.invitations)
        return NewGame(game_id, made.game, invited, made.host_token, made.spectator_token)

    async def claim(self, invitation: Invitation, *, client_seed: str = "") -> Seat:
        """Takes the seat: its invitation is exchanged for a token that nobody else has, `Seat.token`. A seed is mixed
        into the chance of a game that waits for its start.
        """
        seat = Seat(self._caller, invitation.game_id, invitation.token)
        await seat.rotate(client_seed=client_seed)
        return seat

    def seat(self, game_id: str, token: str) -> Seat:
        """A seat that was claimed before, by the token kept then."""
        return Seat(self._caller, game_id, token)

    def spectator(self, game_id: str, token: str) -> Viewer:
        """What the bearer of the spectators' token may do."""
        return Viewer(self._caller, game_id, token)

    def host(self, game_id: str, token: str) -> Host:
        """What the bearer of the host's token may do."""
        return Host(self._caller, game_id, token)


class Reader:
    """What every bearer of a token of a game may do."""

    def __init__(self, caller: Caller, game_id: str, token: str) -> None:
        self.game_id = game_id
        self.token = token
        self._caller = caller
        self._stub = service_pb2_grpc.ScotlandYardServiceStub(caller.channel)

    async def game(self) -> game_pb2.Game:
        """The game as the bearer may see it."""
        request = service_pb2.GetGameRequest(game_id=self.game_id)
        return (await self._caller.ask(self._stub.GetGame, request, token=self.token)).game

    async def deductions(
        self, *, hindsight: bool = False, prospects: bool = False, timeout: float | None = None
    ) -> service_pb2.GetDeductionsResponse:
        """Where Mr X can be, as far as the bearer may know. In the app game that can take a second."""
        request = service_pb2.GetDeductionsRequest(game_id=self.game_id, hindsight=hindsight, prospects=prospects)
        return await self._caller.ask(self._stub.GetDeductions, request, token=self.token, timeout=timeout)

    async def events(self, page_token: str = "", page_size: int = 0) -> service_pb2.ListEventsResponse:
        """A page of what has happened, as the bearer may know it: from the beginning, or after a cursor."""
        request = service_pb2.ListEventsRequest(game_id=self.game_id, page_token=page_token, page_size=page_size)
        return await self._caller.ask(self._stub.ListEvents, request, token=self.token)

    async def record(self) -> service_pb2.GetRecordResponse:
        """The whole record with all seeds, once the game has ended."""
        request = service_pb2.GetRecordRequest(game_id=self.game_id)
        return await self._caller.ask(self._stub.GetRecord, request, token=self.token)


class Viewer(Reader):
    """A seat or a spectator."""

    def watch(
        self, cursor: str = "", *, patience: float = PATIENCE_SECONDS
    ) -> AsyncGenerator[service_pb2.WatchGameResponse, None]:
        """Follows the game: the present state first, or what came after `cursor`; then each revision once and in order,
        through restarts and broken connections. Draw `update.game`, which is whole, where it is there: revisions that
        are caught up with come without. `reset` says that the game is another one than the cursor knew, after a
        failover.

        Ends when the game is over. Raises `WhitehallError` when the token has been replaced or the game deleted, and
        when the service could not be reached for `patience` seconds.
        """

        def after(cursor: str) -> service_pb2.WatchGameRequest:
            return service_pb2.WatchGameRequest(game_id=self.game_id, cursor=cursor)

        return self._caller.follow(self._stub.WatchGame, after, token=self.token, cursor=cursor, patience=patience)


class Seat(Viewer):
    """Somebody who plays."""

    async def legal_moves(
        self,
        *,
        piece: move_pb2.Piece.ValueType = move_pb2.PIECE_UNSPECIFIED,
        after: move_pb2.Ride | None = None,
        singles_only: bool = False,
    ) -> service_pb2.ListLegalMovesResponse:
        """The moves that the seat may make now, typed: of one piece, doubles after a first half, or no doubles where
        so asked.
        """
        request = service_pb2.ListLegalMovesRequest(
            game_id=self.game_id, piece=piece, after=after, singles_only=singles_only
        )
        return await self._caller.ask(self._stub.ListLegalMoves, request, token=self.token)

    async def moves(self) -> list[str]:
        """The same as text, each ready to be played."""
        return scotland_yard_texts((await self.legal_moves()).moves)

    async def validate(self, *moves: Move) -> service_pb2.ValidateMoveResponse:
        """A dry run: every rule that forbids a move, or several hunters' moves, judged on what the seat may know."""
        request = service_pb2.ValidateMoveRequest(game_id=self.game_id, moves=_typed(moves))
        return await self._caller.ask(self._stub.ValidateMove, request, token=self.token)

    async def play(
        self, *moves: Move, expected_revision: int | None = None, request_id: str = ""
    ) -> service_pb2.PlayMoveResponse:
        """Plays a move, or several hunters' moves that are judged whole: made once, however often the answer is lost.
        Raises `IllegalMove`, and `StaleRevision` where a revision is expected.
        """
        request = service_pb2.PlayMoveRequest(
            game_id=self.game_id,
            request_id=request_id or new_request_id(),
            moves=_typed(moves),
            expected_revision=expected_revision,
        )
        return await self._caller.ask(self._stub.PlayMove, request, token=self.token)

    async def rotate(self, *, client_seed: str = "", request_id: str = "") -> str:
        """Exchanges the token for a new one, kept as `token` and given back. The first time it is the claim."""
        request = service_pb2.RotateTokenRequest(
            game_id=self.game_id, request_id=request_id or new_request_id(), client_seed=client_seed
        )
        self.token = (await self._caller.ask(self._stub.RotateToken, request, token=self.token)).token
        return self.token


class Host(Reader):
    """Who made the game. Sees what everybody may see."""

    async def start(self, *, request_id: str = "") -> service_pb2.StartGameResponse:
        """Starts a game that was made waiting."""
        request = service_pb2.StartGameRequest(game_id=self.game_id, request_id=request_id or new_request_id())
        return await self._caller.ask(self._stub.StartGame, request, token=self.token)

    async def reissue(self, seat: int, *, request_id: str = "") -> Invitation:
        """Takes a seat back: its holder is out, and everybody is told. The answer is a new invitation."""
        request = service_pb2.RotateTokenRequest(
            game_id=self.game_id, request_id=request_id or new_request_id(), seat=seat
        )
        issued = await self._caller.ask(self._stub.RotateToken, request, token=self.token)
        (name,) = (info.name for info in (await self.game()).info.seats if info.seat == seat)
        return Invitation(self.game_id, seat, name, issued.token)

    async def reissue_spectators(self, *, request_id: str = "") -> str:
        """Exchanges the spectators' token."""
        request = service_pb2.RotateTokenRequest(
            game_id=self.game_id, request_id=request_id or new_request_id(), spectators=True
        )
        return (await self._caller.ask(self._stub.RotateToken, request, token=self.token)).token

    async def rotate(self, *, request_id: str = "") -> str:
        """Exchanges the host's own token for a new one, which is kept as `token` and given back."""
        request = service_pb2.RotateTokenRequest(game_id=self.game_id, request_id=request_id or new_request_id())
        self.token = (await self._caller.ask(self._stub.RotateToken, request, token=self.token)).token
        return self.token

    async def abandon(self, *, request_id: str = "") -> service_pb2.AbandonGameResponse:
        """Ends the game for all; nobody wins."""
        request = service_pb2.AbandonGameRequest(game_id=self.game_id, request_id=request_id or new_request_id())
        return await self._caller.ask(self._stub.AbandonGame, request, token=self.token)

    async def delete(self) -> None:
        """Deletes the game with everything kept of it. Deleting it again is no error."""
        request = service_pb2.DeleteGameRequest(game_id=self.game_id)
        await self._caller.ask(self._stub.DeleteGame, request, token=self.token)


def _typed(moves: Iterable[Move]) -> list[move_pb2.Move]:
    return [move_pb2.Move(text=move) if isinstance(move, str) else move for move in moves]
