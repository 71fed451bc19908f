"""Tiny boards and short logs on them, random and small enough to try every route, straight from the rules.

Stations are the numbers from 1, lines are pairs, and a route is the list of his stations from the start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.games.scotland_yard.tiny_app import TinyApp, tiny_app
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.findings import Answer
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import LAND, Station, Ticket, Tickets, Transport

PRINTED = (Ticket.TAXI, Ticket.BUS, Ticket.UNDERGROUND, Ticket.BLACK)
"""The tickets of every edition."""

Route = tuple[int, ...]
Lines = Mapping[Transport, Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class TinyRound:
    """One round as seen from outside."""

    hunters: tuple[int, ...]
    supply: tuple[int, int, int] | None
    black: int | None
    rides: tuple[tuple[Ticket, int | None], ...]
    """Each ride's ticket, and where it led if he surfaced."""
    helicopters: int = 0
    """The helicopter tickets that he had left."""
    answers: tuple[Answer, ...] = ()
    """What the app answered after his move."""


@dataclass(frozen=True)
class TinyGame:
    """A board and what was seen on it. In the last round he may be about to move still."""

    stations: int
    lines: Lines
    starts: tuple[int, ...]
    rounds: tuple[TinyRound, ...]
    hunters_now: tuple[int, ...] | None
    app: TinyApp | None = None

    # ---- the rules, one question each

    def may_ride(self, here: int, there: int, ticket: Ticket) -> bool:
        """A normal ticket pays for its own lines, a black one for all and the ferry; a helicopter needs none."""
        if ticket == Ticket.HELICOPTER:
            return here != there
        transports = list(Transport) if ticket == Ticket.BLACK else [Transport(ticket)]
        return any({here, there} == set(line) for transport in transports for line in self.lines[transport])

    def could_move(self, this: TinyRound, here: int) -> bool:
        """Whether he has a legal single move when this round begins."""
        tickets = [Ticket.BLACK] if this.black is None or this.black > 0 else []
        tickets += [Ticket(kind) for kind in LAND if this.supply is None or this.supply[kind - 1] > 0]
        tickets += [Ticket.HELICOPTER] if this.helicopters else []
        return any(
            self.may_ride(here, there, ticket) and there not in this.hunters
            for ticket in tickets
            for there in range(1, self.stations + 1)
        )

    # ---- every route there is

    def routes_by_field(self) -> list[list[Route]]:
        """For the start and then each field, all routes up to there that fit what was seen before his next move."""
        fitting: list[list[Route]] = [[(start,) for start in self.starts]]
        for number, this in enumerate(self.rounds):
            # He is never where a hunter is, or he would have been caught, and he can move when his turn begins.
            routes = fitting[-1] = [route for route in fitting[-1] if route[-1] not in this.hunters]
            routes = [route for route in routes if self.could_move(this, route[-1])]
            if not this.rides:
                fitting[-1] = routes
            for ticket, shown in this.rides:
                routes = [
                    (*route, there)
                    for route in routes
                    for there in range(1, self.stations + 1)
                    if self.may_ride(route[-1], there, ticket) and there not in this.hunters and shown in (None, there)
                ]
                fitting.append(routes)
            if self.app is not None and this.rides:
                routes = fitting[-1] = [route for route in routes if self.app.answers_fit(this.answers, route)]
            if number + 1 == len(self.rounds) and self.hunters_now is not None:
                fitting[-1] = [route for route in fitting[-1] if route[-1] not in self.hunters_now]
        return fitting

    def draws(self, route: Route) -> int:
        """In how many ways the masts of all scans can have been drawn to give their answers along this route."""
        assert self.app is not None
        number, fields = 1, 0
        for this in self.rounds:
            fields += len(this.rides)
            number *= self.app.draws(this.answers, route[fields])
        return number

    def tickets(self) -> list[tuple[Ticket, int | None]]:
        return [ride for this in self.rounds for ride in this.rides]

    def last_seen(self) -> int:
        """The last field where he surfaced, or 0."""
        return max([field for field, (_, shown) in enumerate(self.tickets(), 1) if shown is not None], default=0)

    def analysis(self) -> set[int]:
        """Where his tickets can have led since he was last seen, whatever hunters did."""
        seen, rides = self.last_seen(), self.tickets()
        first = rides[seen - 1][1] if seen else None
        ends = set(self.starts) if first is None else {first}
        for ticket, _ in rides[seen:]:
            ends = {
                there
                for there in range(1, self.stations + 1)
                if ticket == Ticket.HELICOPTER or any(self.may_ride(here, there, ticket) for here in ends)
            }
        return ends

    # ---- the same for the functions under test

    def evidence(self) -> Evidence:
        board = Board("tiny", {station: (0, station) for station in range(1, self.stations + 1)}, self.lines)
        rounds = [
            PublicRound(
                stations(this.hunters),
                tuple(PublicRide(ticket, None if shown is None else Station(shown)) for ticket, shown in this.rides),
                None if this.supply is None else Tickets(*this.supply),
                this.black,
                this.helicopters,
                this.answers,
            )
            for this in self.rounds
        ]
        now = None if self.hunters_now is None else stations(self.hunters_now)
        master = None if self.app is None else self.app.options()
        return evidence_from_log(board, rounds, start=stations(self.starts), hunters=now, master=master)


def stations(numbers: Sequence[int]) -> tuple[Station, ...]:
    return tuple(Station(number) for number in numbers)


def tiny_game(random: Random) -> TinyGame:
    """What is seen of a game in which Mr X, whose route is thrown away, moves at random and hunters jump about."""
    number = random.randint(6, 10)
    game = TinyGame(number, tiny_lines(random, number), (), (), None)
    hunters, rounds = random.randint(1, 3), random.randint(1, 4)
    here = random.randint(1, number)
    starts = {here, *random.sample(range(1, number + 1), random.randint(0, number - 1))}
    game = replace(game, starts=tuple(sorted(starts)))
    doubles = 2
    for _ in range(rounds):
        this = round_begins(random, game, here, hunters)
        if this is None:
            break
        rides: list[tuple[Ticket, int | None]] = []
        for _ in range(2 if doubles and random.random() < 0.3 else 1):
            ride = random_ride(random, game, this, here, [ticket for ticket, _ in rides])
            if ride is not None:
                ticket, here = ride
                rides.append((ticket, here if random.random() < 0.2 else None))
        doubles -= len(rides) == 2
        game = replace(game, rounds=(*game.rounds, replace(this, rides=tuple(rides))))
    return last_moment(random, game, here, hunters)


def last_moment(random: Random, game: TinyGame, here: int, hunters: int) -> TinyGame:
    """Breaks the game off: while hunters move, or when it is his turn."""
    this = round_begins(random, game, here, hunters) if random.random() < 0.5 else None
    if this is not None:
        return replace(game, rounds=(*game.rounds, this))
    if not game.rounds:
        return tiny_game(random) if game.app is None else tiny_app_game(random)
    return replace(game, hunters_now=free_stations(random, game, here, hunters))


def tiny_app_game(random: Random) -> TinyGame:
    """The same of a game with the app: longer, so that witnesses look back, and with helicopters."""
    number = random.randint(5, 8)
    lines = tiny_lines(random, number, joining=[Transport.TAXI])
    app = tiny_app(random, number, lines[Transport.TAXI])
    game = TinyGame(number, lines, (), (), None, app)
    hunters, helicopters = random.randint(1, 2), random.randint(0, 1)
    route = [random.randint(1, number)]
    starts = {route[0], *random.sample(range(1, number + 1), random.randint(0, number - 1))}
    game = replace(game, starts=tuple(sorted(starts)))
    for _ in range(random.randint(1, 5)):
        this = round_begins(random, game, route[-1], hunters)
        if this is None:
            break
        this = replace(this, helicopters=helicopters)
        rides: list[tuple[Ticket, int | None]] = []
        for _ in range(2 if random.random() < 0.2 else 1):
            ride = random_ride(random, game, this, route[-1], [ticket for ticket, _ in rides])
            if ride is not None:
                ticket, here = ride
                route.append(here)
                rides.append((ticket, here if random.random() < 0.2 else None))
                helicopters -= ticket == Ticket.HELICOPTER
        answers = app.random_answers(random, route) if rides else ()
        game = replace(game, rounds=(*game.rounds, replace(this, rides=tuple(rides), answers=answers)))
    return last_moment(random, game, route[-1], hunters)


def tiny_lines(
    random: Random, number: int, joining: Sequence[Transport] = LAND
) -> dict[Transport, list[tuple[int, int]]]:
    """Lines that join all stations, and some more."""
    lines: dict[Transport, set[tuple[int, int]]] = {transport: set() for transport in Transport}
    for station in range(2, number + 1):
        lines[random.choice(joining)].add((random.randint(1, station - 1), station))
    for _ in range(random.randint(0, number)):
        one, other = random.sample(range(1, number + 1), 2)
        lines[random.choice(list(Transport))].add((min(one, other), max(one, other)))
    return {transport: sorted(joined) for transport, joined in lines.items()}


def free_stations(random: Random, game: TinyGame, here: int, hunters: int) -> tuple[int, ...]:
    return tuple(random.sample([station for station in range(1, game.stations + 1) if station != here], hunters))


def round_begins(random: Random, game: TinyGame, here: int, hunters: int) -> TinyRound | None:
    """A round in which he can move from `here`, or None where twenty throws give none."""
    for _ in range(20):
        supply = (random.randint(0, 2), random.randint(0, 2), random.randint(0, 2)) if random.random() < 0.7 else None
        black = random.randint(0, 2) if random.random() < 0.7 else None
        this = TinyRound(free_stations(random, game, here, hunters), supply, black, ())
        if game.could_move(this, here):
            return this
    return None


def random_ride(
    random: Random, game: TinyGame, this: TinyRound, here: int, spent: Sequence[Ticket]
) -> tuple[Ticket, int] | None:
    """A ride that he may make, with the tickets that this round's earlier ride has left; None if there is none."""

    def left(ticket: Ticket) -> int:
        if ticket == Ticket.HELICOPTER:
            return this.helicopters - spent.count(ticket)
        held: Any = this.black if ticket == Ticket.BLACK else this.supply and this.supply[ticket - 1]
        return 2 if held is None else held - spent.count(ticket)

    rides = [
        (ticket, there)
        for ticket in Ticket
        for there in range(1, game.stations + 1)
        if left(ticket) > 0 and there not in this.hunters and game.may_ride(here, there, ticket)
    ]
    return random.choice(rides) if rides else None


def tampered(random: Random, game: TinyGame) -> TinyGame:
    """The same game with some of what was seen changed, so that nothing may fit it any more."""
    rounds = []
    for this in game.rounds:
        rides = [
            (random.choice(PRINTED), random.randint(1, game.stations) if random.random() < 0.3 else shown)
            if random.random() < 0.3
            else (ticket, shown)
            for ticket, shown in this.rides
        ]
        hunters = this.hunters
        if random.random() < 0.2:
            hunters = tuple(random.sample(range(1, game.stations + 1), len(hunters)))
        # Whatever he rides for, it must have been there.
        supply = (2, 2, 2) if this.rides and this.supply else this.supply
        black = 2 if this.rides and this.black is not None else this.black
        rounds.append(replace(this, hunters=hunters, supply=supply, black=black, rides=tuple(rides)))
    return replace(game, rounds=tuple(rounds))


def tampered_app_game(random: Random, game: TinyGame) -> TinyGame:
    """The same app game with some answers that may not be true."""
    assert game.app is not None
    rounds = [
        replace(this, answers=game.app.false_answers(random)) if this.answers and random.random() < 0.5 else this
        for this in game.rounds
    ]
    return replace(game, rounds=tuple(rounds))
