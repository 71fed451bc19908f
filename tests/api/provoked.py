"""Every kind of refusal that a caller can bring about on a healthy service, each by the plainest call that does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from uuid import uuid4

import grpc

from tests.api.table import WAITING, Metadata, Table, Yard, bearing, within_reach
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2, move_pb2, options_pb2, service_pb2

Call = Callable[[], Awaitable[object]]
"""Calls, and is refused."""

SERVICE = "/whitehall.scotlandyard.v1.ScotlandYardService"
NOWHERE = "a" * 26
"""A game id of the right form that no game has."""


async def provocations(yard: Yard, language: str | None = None) -> dict[str, Call]:
    """By reason: a call that is refused for it, with accept-language `language`."""
    spoken: Metadata = [] if language is None else [("accept-language", language)]
    games, table = yard.games, await yard.table(3, allow_spectators=True)
    waiting = await yard.table(3, start_mode=WAITING)
    over = await yard.table(3)
    await over.abandon()
    claimed = await yard.table(3)
    await claimed.claim(0)
    gone = await yard.table(3)
    await gone.delete()
    used = str(uuid4())
    await waiting.rotate(waiting.host, request_id=used, seat=1)

    def get(game_id: str, token: str | None) -> Call:
        request = service_pb2.GetGameRequest(game_id=game_id)
        return lambda: games.GetGame(request, metadata=[*spoken, *bearing(token)])

    def play(of: Table, token: str, text: str, expected_revision: int | None = None) -> Call:
        moves = [move_pb2.Move(text=text)]
        request = service_pb2.PlayMoveRequest(game_id=of.game_id, moves=moves, expected_revision=expected_revision)
        return lambda: games.PlayMove(request, metadata=[*spoken, *bearing(token)])

    def start(of: Table) -> Call:
        request = service_pb2.StartGameRequest(game_id=of.game_id)
        return lambda: games.StartGame(request, metadata=[*spoken, *bearing(of.host)])

    malformed: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = yard.channel.unary_unary(f"{SERVICE}/GetGame")
    unknown_preset = service_pb2.CreateGameRequest(preset="no such preset", players=3)
    record = service_pb2.GetRecordRequest(game_id=table.game_id)
    again = service_pb2.RotateTokenRequest(game_id=waiting.game_id, request_id=used, seat=2)
    abandon = service_pb2.AbandonGameRequest(game_id=over.game_id)
    board = catalog_pb2.GetBoardRequest(name="no such board")
    puzzling = await a_puzzling_game(yard)
    deduce = service_pb2.GetDeductionsRequest(game_id=puzzling.game_id)
    first_move = (await table.legal(0)).moves.pieces[0].rides[0].text
    return {
        "MALFORMED_REQUEST": lambda: malformed(b"\xff", metadata=spoken),
        "INVALID_FIELD": lambda: games.CreateGame(unknown_preset, metadata=spoken),
        "REQUEST_ID_REUSED": lambda: games.RotateToken(again, metadata=[*spoken, *bearing(waiting.host)]),
        "TOKEN_MISSING": get(table.game_id, None),
        "TOKEN_INVALID": get(table.game_id, over.host),
        "TOKEN_AMBIGUOUS": lambda: games.GetGame(
            service_pb2.GetGameRequest(game_id=table.game_id),
            metadata=[*spoken, *bearing(table.host), *bearing(table.host)],
        ),
        "TOKEN_REVOKED": get(claimed.game_id, claimed.created.invitations[0].token),
        "WRONG_TOKEN_KIND": play(table, table.spectator, first_move),
        "NOT_YOUR_PIECE": play(table, table.seats[1], f"mr_x {first_move}"),
        "GAME_NOT_FOUND": get(gone.game_id, gone.host),
        "NOT_IN_CATALOG": lambda: yard.catalog.GetBoard(board, metadata=spoken),
        "ILLEGAL_MOVE": play(table, table.mr_x, "taxi 199"),
        "GAME_NOT_STARTED": play(waiting, waiting.mr_x, first_move),
        "GAME_ALREADY_STARTED": start(table),
        "GAME_ENDED": lambda: games.AbandonGame(abandon, metadata=[*spoken, *bearing(over.host)]),
        "GAME_NOT_ENDED": lambda: games.GetRecord(record, metadata=[*spoken, *bearing(table.mr_x)]),
        "STALE_REVISION": play(table, table.mr_x, first_move, expected_revision=99),
        "TOO_MUCH_WORK": lambda: games.GetDeductions(deduce, metadata=[*spoken, *bearing(puzzling.seats[1])]),
    }


def wide_landmarks(number: int = 20) -> master_pb2.MasterOptions:
    """Landmarks of 64 stations each, so that nearly every route tells other witnesses than the others. He is at all of
    them when he is on a station from 1 to 10.
    """
    shuffled = Random(number)
    places = [[*range(1, 11), *sorted(shuffled.sample(range(11, 200), 54))] for _ in range(number)]
    landmarks = [master_pb2.Landmark(name=f"Square {index}", stations=place) for index, place in enumerate(places)]
    return master_pb2.MasterOptions(landmarks=master_pb2.Landmarks(landmarks=landmarks), recent_window=6)


async def a_puzzling_game(yard: Yard) -> Table:
    """A game in which the witnesses of three flights speak of more cases than are followed: 199 stations, then 198 from
    each of them, and again.
    """
    master = wide_landmarks()
    master.helicopter_tickets = 3
    overrides = options_pb2.Options(
        start_by=options_pb2.START_BY_CARDS, surfacing=options_pb2.Surfacing(fields=[24]), master=master
    )
    request = service_pb2.CreateGameRequest(preset="master", players=2, overrides=overrides)
    table = Table(yard, await yard.games.CreateGame(request))
    for number in (1, 2, 3):
        game = await table.get()
        flights = (await table.legal(0)).moves.pieces[0].flights
        away = [station for station in flights if station not in within_reach(game.view)]
        await table.play(0, f"helicopter {away[0]}")
        if number < 3:
            await table.play_on(4)
    await table.play(1, "detectives interrogate")
    await table.play(1, 'detectives hear "Square 0"')
    return table
