"""Vectors of the second engine: the legal moves of positions from whole games, as
`tests/games/scotland_yard/reference.py` finds them, which was written from the rulebook without a look at the first
engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from tests.games.scotland_yard import reference
from tests.games.scotland_yard.reference import BOBBIES_OF, D_CARDS, DETECTIVES_OF, X_CARDS, RefMove, Table

LIST = "whitehall.scotlandyard.v1.ScotlandYardPositionService/ListPositionLegalMoves"
PLAYED = 12
"""Positions of each game that are asked about."""
TICKETS = ("taxi", "bus", "underground", "black")


def vectors() -> Iterator[dict[str, Any]]:
    """Positions on the way through a game for each number of players, and the positions of `perft.json`."""
    for players in range(2, 7):
        random = Random(players)
        hunters = random.sample(D_CARDS, DETECTIVES_OF[players] + BOBBIES_OF[players])
        table = reference.start(players, random.choice(X_CARDS), hunters)
        for number in range(PLAYED):
            yield vector(f"{players}-players/{number}", f"In a game for {players}, round {table.round}", table)
            for _ in range(random.randint(2, 7)):
                if table.turn != "over":
                    # Doubles now and then, not as often as there are of them.
                    moves = sorted(move for move in table.legal() if move[1] != "double") or sorted(table.legal())
                    table = table.play(random.choice(moves))
            if table.turn == "over":
                break
    for entry in json.loads(Path(reference.__file__).with_name("perft.json").read_text(encoding="utf-8")):
        table = perft(entry)
        yield vector(f"perft/{entry['name'].replace(' ', '-')}", f"In the position `{entry['name']}`", table)


def perft(entry: Any) -> Table:
    """A position of `perft.json` on the second engine's table."""
    table = reference.start(entry["players"], entry["mr_x"], entry["hunters"].values())
    table.round = entry.get("round", 1)
    table.turn = entry.get("turn", "mr_x")
    table.black, table.doubles = entry.get("black", 5), entry.get("doubles", 2)
    table.fields = table.round - (table.turn == "mr_x") + 2 - table.doubles
    for holder, counts in entry.get("hands", {}).items():
        table.hands[holder] = dict(zip(reference.LAND, counts, strict=True))
    if "supply" in entry:
        table.supply = dict(zip(reference.LAND, entry["supply"], strict=True))
    return table


def vector(name: str, where: str, table: Table) -> dict[str, Any]:
    side = "Mr X" if table.turn == "mr_x" else "the hunters that have not moved"
    return {
        "id": f"scotland-yard/legal-moves/{name}",
        "description": f"{where}: every legal move of {side}, and no other.",
        "origin": "tests/games/scotland_yard/reference.py",
        "steps": [{"call": LIST, "request": {"positions": [question(table)]}, "answer": {"moves": [answer(table)]}}],
    }


def question(table: Table) -> dict[str, Any]:
    """The position as a question."""
    hunters: list[dict[str, Any]] = []
    for piece, station in table.at.items():
        hunter: dict[str, Any] = {"piece": _enum("PIECE", piece), "station": station}
        if not piece.startswith("bobby") and "pool" not in table.hands:
            hunter["tickets"] = table.hands[piece]
        hunters.append(hunter | ({"hasMoved": True} if piece in table.gone and table.turn == "hunters" else {}))
    asked = {
        "preset": "new",
        "players": table.players,
        "round": table.round,
        "phase": _enum("PHASE", table.turn),
        "mrX": table.mr_x,
        "hunters": hunters,
        "supply": table.supply,
        "blackTickets": table.black,
        "doubleTickets": table.doubles,
        "movesMade": table.fields,
    }
    return asked | ({"sharedHand": table.hands["pool"]} if "pool" in table.hands else {})


def answer(table: Table) -> dict[str, Any]:
    """What is to be listed, in the order that the contract promises."""
    legal = table.legal()
    pieces = [_piece(piece, [move for move in legal if move[0] == piece]) for piece in ("mr_x", *table.at)]
    return {"pieces": [piece for piece in pieces if len(piece) > 1]}


def _piece(piece: str, legal: list[RefMove]) -> dict[str, Any]:
    prefix = "" if piece == "mr_x" else f"{piece} "
    listed: dict[str, Any] = {"piece": _enum("PIECE", piece)}
    rides = sorted(_order(move[1:]) for move in legal if move[1] in TICKETS)
    if rides:
        listed["rides"] = [_ride(ride, prefix) for ride in rides]
    doubles = sorted((_order(move[2]), _order(move[3])) for move in legal if move[1] == "double")
    if doubles:
        listed["doubles"] = [
            {"first": _ride(first, "double "), "seconds": [_ride(second, "") for _, second in group]}
            for first, group in groupby(doubles, lambda double: double[0])
        ]
    if (piece, "pass") in legal:
        listed |= {"mayPass": True, "passText": f"{piece} pass"}
    return listed


def _order(ride: tuple[str, int]) -> tuple[int, int]:
    return TICKETS.index(ride[0]), ride[1]


def _ride(ride: tuple[int, int], prefix: str) -> dict[str, Any]:
    ticket, station = TICKETS[ride[0]], ride[1]
    return {"ticket": _enum("TICKET", ticket), "station": station, "text": f"{prefix}{ticket} {station}"}


def _enum(prefix: str, word: str) -> str:
    return f"{prefix}_{word.upper()}"
