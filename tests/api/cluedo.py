"""A table at which Cluedo is played: its tokens, and the calls that its people make."""

from __future__ import annotations

from random import Random
from typing import Any

import grpc

from tests.api.table import bearing
from tests.games.cluedo.heavy_logs import heaviest
from whitehall.games.cluedo.evidence import SeenAccusation
from whitehall.gen.whitehall.cluedo.v1 import (
    deduction_pb2,
    game_pb2,
    move_pb2,
    position_pb2_grpc,
    service_pb2,
    service_pb2_grpc,
)


class Mansion:
    """The stubs of Cluedo's services over one channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.games = service_pb2_grpc.CluedoServiceStub(channel)
        self.positions = position_pb2_grpc.CluedoPositionServiceStub(channel)

    async def table(self, players: int = 3, **options: Any) -> Table:
        """A new game; `options` are fields of CreateGameRequest."""
        request = service_pb2.CreateGameRequest(preset="james-bond", players=players, **options)
        return Table(self, await self.games.CreateGame(request))


class Table:
    """One game with the tokens that its host was given."""

    def __init__(self, mansion: Mansion, created: service_pb2.CreateGameResponse) -> None:
        self.calls = mansion.games
        self.created = created
        self.game_id = created.game.info.game_id
        self.host = created.host_token
        self.seats = [invitation.token for invitation in created.invitations]
        self.spectator = created.spectator_token

    async def get(self, token: str | None = None) -> game_pb2.Game:
        """The game as a token's bearer sees it; the host unless another is named."""
        request = service_pb2.GetGameRequest(game_id=self.game_id)
        return (await self.calls.GetGame(request, metadata=bearing(token or self.host))).game

    async def legal(self, seat: int) -> move_pb2.LegalMoves:
        """A seat's legal moves."""
        request = service_pb2.ListLegalMovesRequest(game_id=self.game_id)
        return (await self.calls.ListLegalMoves(request, metadata=bearing(self.seats[seat]))).moves

    async def deduce(self, token: str, **fields: Any) -> deduction_pb2.PossibleSolutions:
        """What follows from all that a token's bearer knows."""
        request = service_pb2.GetDeductionsRequest(game_id=self.game_id, **fields)
        return (await self.calls.GetDeductions(request, metadata=bearing(token))).deductions

    async def play(self, seat: int, move: str | move_pb2.Move) -> service_pb2.PlayMoveResponse:
        """Plays a move, typed or as text."""
        request = service_pb2.PlayMoveRequest(game_id=self.game_id, move=as_move(move))
        return await self.calls.PlayMove(request, metadata=bearing(self.seats[seat]))

    async def history(self, token: str) -> list[game_pb2.Revision]:
        """The whole history."""
        revisions: list[game_pb2.Revision] = []
        request = service_pb2.ListEventsRequest(game_id=self.game_id, page_size=200)
        while True:
            page = await self.calls.ListEvents(request, metadata=bearing(token))
            revisions += page.revisions
            if not page.next_page_token:
                return revisions
            request.page_token = page.next_page_token

    async def record(self) -> service_pb2.GetRecordResponse:
        """The record, with its text."""
        request = service_pb2.GetRecordRequest(game_id=self.game_id)
        return await self.calls.GetRecord(request, metadata=bearing(self.host))

    async def play_out(self, chance: Random) -> game_pb2.Game:
        """Plays to the end: everybody walks by chance, and accuses once a single solution is left."""
        while (game := await self.get()).info.to_move:
            seat = game.info.to_move[0]
            await self.play(seat, await self.any_move(seat, chance))
        return game

    async def any_move(self, seat: int, chance: Random) -> str:
        """One of a seat's moves, rooms before squares."""
        legal = await self.legal(seat)
        if legal.shows:
            return chance.choice(legal.shows).text
        solutions = (await self.deduce(self.seats[seat])).solutions if legal.may_accuse or legal.suggest_in else []
        if legal.may_accuse and len(solutions) == 1:
            return f"accuse {case_text(solutions[0].envelope)}"
        if legal.suggest_in:
            case = chance.choice(solutions).envelope
            return f"suggest {case.suspect} {case.weapon} {legal.suggest_in}"
        if legal.destinations:
            rooms = [there for there in legal.destinations if there.place.HasField("room")]
            return chance.choice(rooms or list(legal.destinations)).text
        if legal.passages and chance.random() < 0.5:
            return chance.choice(legal.passages).text
        return legal.roll.text if legal.HasField("roll") else legal.end.text


def as_move(move: str | move_pb2.Move) -> move_pb2.Move:
    """A move given as text, as a message."""
    return move_pb2.Move(text=move) if isinstance(move, str) else move


def case_text(case: move_pb2.Case) -> str:
    """Three cards in notation."""
    return f"{case.suspect} {case.weapon} {case.location}"


def heavy_log() -> deduction_pb2.SuggestionLog:
    """A log that keeps a processor busy for many seconds: an onlooker's, of the largest deck."""
    seen = heaviest(1, 24)
    log = deduction_pb2.SuggestionLog(suspects=9, weapons=9, locations=9, players=len(seen.seats))
    for event in seen.events:
        suspect, weapon, location = event.case.word.split()
        if isinstance(event, SeenAccusation):
            wrong = deduction_pb2.LoggedAccusation(seat=event.seat, suspect=suspect, weapon=weapon, location=location)
            log.events.add(wrong_accusation=wrong)
        else:
            shown = deduction_pb2.LoggedSuggestion(
                seat=event.seat,
                suspect=suspect,
                weapon=weapon,
                location=location,
                passed=event.passed,
                refuter=event.refuter,
            )
            log.events.add(suggestion=shown)
    return log
