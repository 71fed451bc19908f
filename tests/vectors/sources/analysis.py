"""Vectors about where Mr X can be: every route that there is, followed step by step on the lines of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.games.scotland_yard.reference import D_CARDS, LAND, LINES, X_CARDS, reached

ANALYSE = "whitehall.scotlandyard.v1.ScotlandYardPositionService/AnalyseStations"
LOCATIONS = "whitehall.scotlandyard.v1.ScotlandYardPositionService/ListPossibleLocations"
ORIGIN = "every route, followed over tests/games/scotland_yard/reference.py"
QUESTIONS = 40
LOGS = 60

Ride = tuple[str, int | None]
"""A ticket, and the station where he showed himself, if he did."""


def vectors() -> Iterator[dict[str, Any]]:
    """Where tickets lead, and logs with hunters."""
    for number in range(QUESTIONS):
        yield tickets(number)
    for number in range(LOGS):
        yield log(number)


def tickets(number: int) -> dict[str, Any]:
    random = Random(f"tickets {number}")
    origins = sorted(random.sample(sorted(LINES["taxi"]), random.choice((1, 1, 3, 13))))
    spent = random.choices(("taxi", "taxi", "bus", "underground", "black"), k=random.randint(1, 5))
    ends = set(origins)
    for ticket in spent:
        ends = {there for here in ends for there in reached(here, ticket)}
    question: dict[str, Any] = {"stations": origins, "tickets": [f"TICKET_{ticket.upper()}" for ticket in spent]}
    return {
        "id": f"scotland-yard/analysis/{number}",
        "description": f"{', '.join(spent)} from {' or '.join(map(str, origins))}",
        "origin": ORIGIN,
        "steps": [
            {"call": ANALYSE, "request": {"questions": [question]}, "answer": {"tables": [{"stations": sorted(ends)}]}}
        ],
    }


def log(number: int) -> dict[str, Any]:
    """A game as it can have been: Mr X and four hunters ride at random, and nobody meets."""
    random = Random(f"log {number}")
    hunters = random.sample(D_CARDS, 4)
    here = random.choice(X_CARDS)
    rounds: list[dict[str, Any]] = []
    told: list[tuple[list[int], list[Ride]]] = []
    for _ in range(random.randint(1, 4)):
        rides: list[Ride] = []
        before = list(hunters)
        for _ in range(2 if random.random() < 0.25 else 1):
            ways = [(t, s) for t in (*LAND, "black") for s in sorted(reached(here, t)) if s not in hunters]
            ticket, here = random.choice(ways)
            rides.append((ticket, here if random.random() < 0.15 else None))
        told.append((before, rides))
        rounds.append({"hunters": before, "rides": [_public(ride) for ride in rides]})
        hunters = list(hunters)
        for place, hunter in enumerate(hunters):
            hunters[place] = _ride_on(random, hunter, here, hunters)
    question = {"start": list(X_CARDS), "rounds": rounds, "hunters": hunters}
    return {
        "id": f"scotland-yard/possible-locations/{number}",
        "description": f"Where Mr X can be after {sum(len(rides) for _, rides in told)} rides.",
        "origin": ORIGIN,
        "steps": [
            {"call": LOCATIONS, "request": {"logs": [question]}, "answer": {"locations": [_expected(told, hunters)]}}
        ],
    }


def _ride_on(random: Random, hunter: int, mr_x: int, hunters: list[int]) -> int:
    ways = [there for ticket in LAND for there in sorted(reached(hunter, ticket)) if there not in (mr_x, *hunters)]
    return random.choice(ways) if ways else hunter


def _public(ride: Ride) -> dict[str, Any]:
    ticket, station = ride
    return {"ticket": f"TICKET_{ticket.upper()}"} | ({} if station is None else {"station": station})


def _expected(told: list[tuple[list[int], list[Ride]]], hunters: list[int]) -> dict[str, Any]:
    routes, weak = Counter(X_CARDS), set(X_CARDS)
    for at, rides in told:
        # Nobody stands where a hunter stands: he would have been caught.
        routes = Counter({station: number for station, number in routes.items() if station not in at})
        for ticket, shown in rides:
            onward: Counter[int] = Counter()
            for station, number in routes.items():
                for there in reached(station, ticket) - set(at):
                    onward[there] += number
            weak = {there for here in weak for there in reached(here, ticket)}
            # Routes are counted from where he was last seen.
            routes = onward if shown is None else Counter({shown: 1})
            weak = weak if shown is None else {shown}
    routes = Counter({station: number for station, number in routes.items() if station not in hunters})
    return {
        "analysis": sorted(weak),
        "strong": [{"station": station, "routes": str(routes[station])} for station in sorted(routes)],
        "totalRoutes": str(routes.total()),
        "contradiction": None,
    }
