"""A second engine for two presets: slow, plain, and written from the rulebooks without a look at the first one.

It exists to be believed. Pieces, tickets and transports are plain words, positions are dictionaries and sets, and
every question is answered by looking at everything again. The tests play both engines side by side.

A move is a tuple: `("mr_x", "taxi", 86)`, `("mr_x", "double", ("taxi", 86), ("black", 52))`, `("red", "bus", 105)`,
`("red", "pass")`.
"""

import json
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

LAND = ("taxi", "bus", "underground")
SURFACING = (3, 8, 13, 18, 24)
LOG_FIELDS = 24
ROUNDS = 22

X_CARDS = (35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172)
D_CARDS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174)

COLOURS = ("red", "blue", "green", "yellow", "purple")
DETECTIVES_OF = {2: 2, 3: 2, 4: 3, 5: 4, 6: 5}
BOBBIES_OF = {2: 2, 3: 2, 4: 1, 5: 0, 6: 0}
CLASSIC_DETECTIVES_OF = {2: 4, 3: 4, 4: 3, 5: 4, 6: 5}
BOX = {"taxi": 57, "bus": 45, "underground": 23}
EACH = {"taxi": 11, "bus": 8, "underground": 4}
CLASSIC_EACH = {"taxi": 10, "bus": 8, "underground": 4}
CLASSIC_OWN = {"taxi": 4, "bus": 3, "underground": 3}

RefMove = tuple[Any, ...]


Lines = dict[str, dict[int, set[int]]]


@cache
def read_lines(board: str) -> Lines:
    """For each transport, the stations that one line joins to each station."""
    data = files("whitehall.games.scotland_yard").joinpath("data", f"{board}.json")
    stations = json.loads(data.read_text(encoding="utf-8"))["stations"]
    lines: Lines = {transport: {int(name): set() for name in stations} for transport in (*LAND, "ferry")}
    for name, station in stations.items():
        for transport, joined in lines.items():
            for other in station.get(transport, ()):
                joined[int(name)].add(other)
                joined[other].add(int(name))
    return lines


LINES = read_lines("london-2013")


def reached(station: int, ticket: str, lines: Lines = LINES) -> set[int]:
    """Where a ticket leads from a station: black pays for every line, and alone for the ferry."""
    if ticket == "black":
        return lines["taxi"][station] | lines["bus"][station] | lines["underground"][station] | lines["ferry"][station]
    return lines[ticket][station]


@dataclass
class Table:
    """The table during a game, seen from above: everything on it and under Mr X's cover."""

    players: int
    mr_x: int
    at: dict[str, int]
    """Where each detective and Bobby stands."""
    hands: dict[str, dict[str, int]]
    """Tickets by detective; two players have one hand, called `pool`."""
    supply: dict[str, int]
    """What Mr X can take: the common supply, or his own tickets in the classic edition."""
    board: str = "london-2013"
    ends_with_log: bool = False
    """The classic edition ends when the log is full, the new one after its rounds."""
    black: int = 5
    doubles: int = 2
    round: int = 1
    turn: str = "mr_x"
    """`mr_x`, `hunters` or `over`."""
    fields: int = 0
    """How many fields of the log are filled."""
    log: list[tuple[int, str, int]] = field(default_factory=list)
    """Round, ticket and station of each field filled since the table was set up."""
    gone: set[str] = field(default_factory=set)
    """The hunters that have moved or passed in this round."""
    passes: list[tuple[str, str]] = field(default_factory=list)
    """Every pass since the table was set up: who, and whether for want of a `ticket` or because `blocked`."""
    winner: str = ""
    why: str = ""

    # ---- who is who

    def detectives(self) -> list[str]:
        return [piece for piece in self.at if not piece.startswith("bobby")]

    def hand_of(self, detective: str) -> dict[str, int]:
        return self.hands["pool"] if "pool" in self.hands else self.hands[detective]

    def unmoved(self) -> list[str]:
        return [piece for piece in self.at if piece not in self.gone]

    # ---- what may be done

    def reached(self, station: int, ticket: str) -> set[int]:
        return reached(station, ticket, read_lines(self.board))

    def mr_x_singles(self) -> set[RefMove]:
        """Mr X takes a normal ticket from the supply or one of his black ones, and never enters a hunter's station."""
        tickets = [ticket for ticket in LAND if self.supply[ticket] > 0]
        if self.black > 0:
            tickets.append("black")
        return {
            ("mr_x", ticket, station)
            for ticket in tickets
            for station in self.reached(self.mr_x, ticket)
            if station not in self.at.values()
        }

    def mr_x_doubles(self) -> set[RefMove]:
        """Two rides in one round. He has left his station, so he may come back to it."""
        if self.doubles == 0 or LOG_FIELDS - self.fields < 2:
            return set()
        found: set[RefMove] = set()
        for _, first, half_way in self.mr_x_singles():
            left = {**self.supply, "black": self.black}
            left[first] -= 1
            for second in (*LAND, "black"):
                if left[second] > 0:
                    for station in self.reached(half_way, second):
                        if station not in self.at.values():
                            found.add(("mr_x", "double", (first, half_way), (second, station)))
        return found

    def rides(self, piece: str) -> set[RefMove]:
        """Where a hunter can ride. Where Mr X is makes no difference to it."""
        if piece.startswith("bobby"):
            tickets = list(LAND)
        else:
            tickets = [ticket for ticket in LAND if self.hand_of(piece)[ticket] > 0]
        return {
            (piece, ticket, station)
            for ticket in tickets
            for station in self.reached(self.at[piece], ticket)
            if station not in self.at.values()
        }

    def is_stuck(self, piece: str) -> bool:
        """No line from its station takes a ticket that it has. Bobbies need none, and a taxi stops everywhere."""
        if piece.startswith("bobby"):
            return False
        hand = self.hand_of(piece)
        return not any(hand[ticket] > 0 and self.reached(self.at[piece], ticket) for ticket in LAND)

    def may_pass(self, piece: str) -> bool:
        if piece in self.gone:
            return False
        return self.is_stuck(piece) or not any(self.rides(other) for other in self.unmoved())

    def legal(self) -> set[RefMove]:
        """Every single move that somebody may make now."""
        if self.turn == "over":
            return set()
        if self.turn == "mr_x":
            return self.mr_x_singles() | self.mr_x_doubles()
        found: set[RefMove] = set()
        for piece in self.unmoved():
            found |= self.rides(piece)
            if self.may_pass(piece):
                found.add((piece, "pass"))
        return found

    # ---- what happens

    def play(self, move: RefMove) -> "Table":
        """The table after a legal move and all that follows from it by itself."""
        assert move in self.legal(), f"{move} is not legal"
        after = deepcopy(self)
        after.do(move)
        after.settle()
        return after

    def do(self, move: RefMove) -> None:
        if move[0] == "mr_x":
            if move[1] == "double":
                self.doubles -= 1
                for ticket, station in move[2:]:
                    self.ride_mr_x(ticket, station)
            else:
                self.ride_mr_x(move[1], move[2])
            self.turn = "hunters"
            return
        piece, ticket = move[:2]
        self.gone.add(piece)
        if ticket == "pass":
            self.passes.append((piece, "ticket" if self.is_stuck(piece) else "blocked"))
            return
        self.at[piece] = move[2]
        if not piece.startswith("bobby"):
            self.hand_of(piece)[ticket] -= 1
            self.supply[ticket] += 1
        if self.at[piece] == self.mr_x:
            self.end("detectives", "capture")

    def ride_mr_x(self, ticket: str, station: int) -> None:
        if ticket == "black":
            self.black -= 1
        else:
            self.supply[ticket] -= 1
        self.mr_x = station
        self.fields += 1
        self.log.append((self.round, ticket, station))

    def settle(self) -> None:
        """Forced passes, then what the end of the hunters' phase brings, then whether Mr X can move."""
        if self.turn == "hunters":
            if not any(self.rides(piece) for piece in self.unmoved()):
                for piece in self.unmoved():
                    self.do((piece, "pass"))
            if not self.unmoved():
                if self.all_detectives_stuck():
                    self.end("mr_x", "immobile")
                elif self.ends_with_log and self.fields == LOG_FIELDS:
                    self.end("mr_x", "log full")
                elif not self.ends_with_log and self.round == ROUNDS:
                    self.end("mr_x", "last round")
                else:
                    self.round += 1
                    self.turn = "mr_x"
                    self.gone = set()
        if self.turn == "mr_x" and not self.mr_x_singles():
            self.end("detectives", "cornered")

    def settle_position(self) -> None:
        """As `settle`, for a table set up by hand: immobile detectives are looked for at the set-up too."""
        if self.turn == "mr_x" and self.all_detectives_stuck():
            self.end("mr_x", "immobile")
        self.settle()

    def all_detectives_stuck(self) -> bool:
        return all(self.is_stuck(piece) for piece in self.detectives())

    def end(self, winner: str, why: str) -> None:
        self.turn, self.winner, self.why = "over", winner, why


def start(players: int, mr_x: int, hunters: Iterable[int]) -> Table:
    """The table at the start of a game, with the stations that the cards gave."""
    detectives = COLOURS[: DETECTIVES_OF[players]]
    bobbies = ("bobby1", "bobby2")[: BOBBIES_OF[players]]
    at = dict(zip((*detectives, *bobbies), hunters, strict=True))
    if players == 2:
        hands = {"pool": {ticket: 2 * EACH[ticket] for ticket in LAND}}
    else:
        hands = {piece: dict(EACH) for piece in detectives}
    supply = {ticket: BOX[ticket] - len(detectives) * EACH[ticket] for ticket in LAND}
    return Table(players=players, mr_x=mr_x, at=at, hands=hands, supply=supply)


def start_classic(players: int, mr_x: int, detectives: Iterable[int]) -> Table:
    """The same for the classic edition: what detectives spend goes to Mr X, who begins with tickets of his own."""
    at = dict(zip(COLOURS[: CLASSIC_DETECTIVES_OF[players]], detectives, strict=True))
    hands = {piece: dict(CLASSIC_EACH) for piece in at}
    return Table(
        players=players,
        mr_x=mr_x,
        at=at,
        hands=hands,
        supply=dict(CLASSIC_OWN),
        board="london-classic",
        ends_with_log=True,
        black=len(at),
    )
