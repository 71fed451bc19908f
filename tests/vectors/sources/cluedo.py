"""Vectors of Cluedo: walks by a search that tries every step, and decks so small that each deal can be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tests.games.cluedo import small_decks
from tests.games.cluedo.small_decks import SmallGame, fitting, small_game
from tests.games.cluedo.walks import Spot, Target
from tests.games.cluedo.walks import walks as every_walk
from whitehall.games.cluedo import boards
from whitehall.games.cluedo.card import Card
from whitehall.games.cluedo.deduction import ENVELOPE, FACE_UP
from whitehall.games.cluedo.evidence import SeenAccusation, SeenEvent

REACH = "whitehall.cluedo.v1.CluedoPositionService/ListReachablePlaces"
SOLUTIONS = "whitehall.cluedo.v1.CluedoPositionService/ListPossibleSolutions"
PLACEMENTS = 80
GAMES = 90
MANSION = boards.board("mansion")


def walks() -> Iterator[dict[str, Any]]:
    """Where pawns can walk, with others in the way."""
    for number in range(PLACEMENTS):
        random = Random(f"walks {number}")
        here, *others = random.sample(MANSION.corridors, 6)
        origin: Target = (here.row, here.column) if random.random() < 0.6 else random.choice(MANSION.slots)
        occupied = frozenset((square.row, square.column) for square in others[: random.randint(0, 5)])
        pips, exact = random.randint(2, 8), random.random() < 0.5
        question: dict[str, Any] = {
            "place": _place(origin),
            "occupied": [_square(spot) for spot in sorted(occupied)],
            "pips": pips,
            "movement": "MOVEMENT_EXACT" if exact else "MOVEMENT_UP_TO",
        }
        expected = [{"place": _place(target), "pips": steps} for target, steps in _ends(origin, occupied, pips, exact)]
        yield {
            "id": f"cluedo/reach/{number}",
            "rules": [],
            "description": f"Where a roll of {pips} leads, {'all of it' if exact else 'as much as one likes'}.",
            "origin": "tests/games/cluedo/walks.py, which tries every step",
            "steps": [
                {
                    "call": REACH,
                    "request": {"placements": [question]},
                    "answer": {"places": [{"destinations": expected}]},
                }
            ],
        }


def _ends(origin: Target, occupied: frozenset[Spot], pips: int, exact: bool) -> list[tuple[Target, int]]:
    """Squares by row and column, then rooms, with the fewest steps that count."""
    found = every_walk(MANSION, origin, occupied, pips)
    squares: dict[Spot, list[int]] = {}
    rooms: dict[int, list[int]] = {}
    for target, steps in found:
        if isinstance(target, int):
            rooms.setdefault(target, []).append(steps)
        else:
            squares.setdefault(target, []).append(steps)
    if exact:
        # All of the roll; where no walk of that length leads anywhere, and no room is in reach, as far as one can.
        lengths = {steps for each in squares.values() for steps in each}
        counted = pips if pips in lengths or rooms else max(lengths, default=0)
        squares = {square: [counted] for square, each in squares.items() if counted in each}
    return [
        *((square, min(squares[square])) for square in sorted(squares)),
        *((room, min(rooms[room])) for room in sorted(rooms)),
    ]


def _place(target: Target) -> dict[str, Any]:
    return {"room": f"L{target}"} if isinstance(target, int) else {"square": _square(target)}


def _square(spot: Spot) -> dict[str, int]:
    return {"row": spot[0], "column": spot[1]}


def deals() -> Iterator[dict[str, Any]]:
    """What can lie in the envelope of small games that were really dealt and answered truthfully."""
    for number in range(GAMES):
        game = small_game(Random(number))
        possible = fitting(game.deals(), game.events)
        yield {
            "id": f"cluedo/solutions/{number}",
            "rules": [],
            "description": f"{len(game.cards)} cards, {game.players} players, {len(game.events)} events noted.",
            "origin": "tests/games/cluedo/small_decks.py, which looks at every deal",
            "steps": [
                {
                    "call": SOLUTIONS,
                    "request": {"logs": [_log(game)]},
                    "answer": {"solutions": [_answer(possible)]},
                }
            ],
        }


def _log(game: SmallGame) -> dict[str, Any]:
    kinds = [sum(card.category == category for card in game.cards) for category in (1, 2, 3)]
    log: dict[str, Any] = dict(zip(("suspects", "weapons", "locations"), kinds, strict=True))
    log |= {"players": game.players, "firstDealt": game.first_dealt, "faceUp": [card.word for card in game.face_up]}
    if game.seat is not None:
        log |= {"seat": game.seat, "hand": [card.word for card in game.hand]}
    return log | {"events": [_event(event) for event in game.events]}


def _event(event: SeenEvent) -> dict[str, Any]:
    told: dict[str, Any] = {"seat": event.seat} | dict(
        zip(("suspect", "weapon", "location"), map(_word, event.case), strict=True)
    )
    if isinstance(event, SeenAccusation):
        return {"wrongAccusation": told}
    told["passed"] = list(event.passed)
    if event.refuter is not None:
        told["refuter"] = event.refuter
    if event.card is not None:
        told["card"] = event.card.word
    return {"suggestion": told}


def _answer(possible: list[small_decks.Deal]) -> dict[str, Any]:
    solutions = small_decks.solutions(possible)
    return {
        "deals": str(len(possible)),
        "solutions": [
            {
                "envelope": dict(zip(("suspect", "weapon", "location"), map(_word, case), strict=True)),
                "deals": str(solutions[case]),
            }
            for case in sorted(solutions)
        ],
        "cards": [
            {"card": card.word, "owners": _owners(numbers)}
            for card, numbers in sorted(small_decks.owners(possible).items())
        ],
    }


def _owners(numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    """Seats, ascending, then the envelope."""
    kinds = {ENVELOPE: {"envelope": True}, FACE_UP: {"faceUp": True}}
    seats = sorted(owner for owner in numbers if owner not in kinds)
    places = (*seats, *(owner for owner in kinds if owner in numbers))
    return [{**kinds.get(owner, {"seat": owner}), "deals": str(numbers[owner])} for owner in places]


def _word(card: Card) -> str:
    return card.word
