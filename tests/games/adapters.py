"""What the laws need to know of each game: how to make options, which moves to try, how long a game may last.

A new game adds its adapter to `ADAPTERS`, and the laws hold it to everything in `test_laws.py`.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from tests.games.cluedo.worlds import choose as choose_in_cluedo
from tests.games.cluedo.worlds import pairs as cluedo_pairs
from tests.games.scotland_yard.app_worlds import app_pairs
from tests.games.scotland_yard.changes import possible_changes
from tests.games.scotland_yard.worlds import pairs
from tests.games.worlds import Pair
from whitehall.games.cluedo import moves as cluedo_moves
from whitehall.games.cluedo.edition import resolve as resolve_cluedo
from whitehall.games.cluedo.events import GameEnded as CluedoEnded
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides as CluedoOverrides
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.events import GameEnded
from whitehall.games.scotland_yard.master import SpecialAction
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Pass, Place, Ride, Travel, UseAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.state import ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket


class Adapter(Protocol):
    """One game, as far as the laws of all games ask."""

    most_moves: int
    """No game takes more moves than this."""

    def options(self, random: Random) -> Any:
        """Options of some game."""
        ...

    def choose(self, random: Random, moves: Sequence[Any]) -> Any:
        """One of the listed moves, so chosen that games see all kinds of positions."""
        ...

    def stray(self, random: Random, state: Any) -> tuple[Seat, Any]:
        """A single move by some seat, most often an illegal one, of a kind that `legal_moves` would list."""
        ...

    def is_ending(self, event: Any) -> bool:
        """Whether an event says that the game is over."""
        ...

    def pairs(self, seed: int) -> list[Pair]:
        """Worlds that some viewers cannot tell apart."""
        ...


class ScotlandYardAdapter:
    """Scotland Yard: placing, then at most 22 rounds, or 30 under changed options, of Mr X and up to seven hunters.

    In the app game the detective side may add special actions, in two steps where witnesses are heard.
    """

    most_moves = (1 + 30) * (1 + 7 + 2 * 4)

    def options(self, random: Random) -> ScotlandYardOptions:
        preset, players = random.choice(list(PRESETS)), random.randint(2, 6)
        seats = None
        if players == 6 and random.random() < 0.5:
            colours = list(Piece)[1:6]
            seats = [(Piece.MR_X,), tuple(colours[:2]), tuple(colours[2:])]
        return resolve(preset, players, seats, possible_changes(random, preset, players))

    def choose(self, random: Random, moves: Sequence[Move]) -> Move:
        """Doubles outnumber the single moves by far; they are chosen now and then, or they would soon be spent."""
        singles = [move for move in moves if not isinstance(move, DoubleMove)]
        return random.choice(moves if random.random() < 0.15 or not singles else singles)

    def stray(self, random: Random, state: ScotlandYardState) -> tuple[Seat, Move]:
        seat = Seat(random.randrange(len(state.options.seats)))
        rides = [Ride(random.choice(list(Ticket)), Station(random.randint(1, 200))) for _ in range(2)]
        piece = random.choice(list(Piece))
        kind = random.random()
        if kind < 0.2:
            return seat, DoubleMove(*rides)
        if kind < 0.3:
            return seat, Pass(piece)
        if kind < 0.4:
            return seat, Place(piece, rides[0].station)
        if kind < 0.5:
            return seat, UseAction(random.choice(list(SpecialAction)))
        if kind < 0.55:
            return seat, Hear(random.choice(["King's Cross", "Harrods", "nowhere"]))
        return seat, Travel(piece, *rides[0])

    def is_ending(self, event: Any) -> bool:
        return isinstance(event, GameEnded)

    def pairs(self, seed: int) -> list[Pair]:
        return [*pairs(seed), *app_pairs(seed)]


class CluedoAdapter:
    """Cluedo: it ends when everybody has accused wrongly, if not before, so seats accuse often enough."""

    most_moves = 3000
    accuses = 0.2

    def options(self, random: Random) -> CluedoOptions:
        players = random.randint(2, 6)
        changes = CluedoOverrides(
            movement=random.choice(list(Movement)),
            accusations=random.choice(list(AccusationMoment)),
            dice=random.choice(list(DiceSource)),
            leftovers=random.choice(list(Leftovers)),
            neutral_cards=random.choice([0, 4]) if players == 2 else None,
            first_dealt=random.randrange(players),
        )
        return resolve_cluedo("james-bond", players, None, changes)

    def choose(self, random: Random, moves: Sequence[cluedo_moves.Move]) -> cluedo_moves.Move:
        return choose_in_cluedo(random, moves, self.accuses)

    def stray(self, random: Random, state: CluedoState) -> tuple[Seat, cluedo_moves.Move]:
        seat = Seat(random.randrange(state.options.players))
        pawn = state.options.seats[seat] if random.random() < 0.9 else random.choice(state.options.suspects)
        case = random.choice(state.options.cases)
        dice = cluedo_moves.Dice(random.randint(1, 6), random.randint(1, 6))
        moves: list[cluedo_moves.Move] = [
            cluedo_moves.Roll(pawn, random.choice([None, dice])),
            cluedo_moves.Walk(pawn, random.choice(state.options.board.corridors)),
            cluedo_moves.Enter(pawn, case.location),
            cluedo_moves.Passage(pawn, case.location),
            cluedo_moves.Suggest(pawn, case),
            cluedo_moves.Show(pawn, random.choice(state.options.cards)),
            cluedo_moves.Pass(pawn),
            cluedo_moves.Accuse(pawn, case),
            cluedo_moves.EndTurn(pawn),
        ]
        return seat, random.choice(moves)

    def is_ending(self, event: Any) -> bool:
        return isinstance(event, CluedoEnded)

    def pairs(self, seed: int) -> list[Pair]:
        return cluedo_pairs(seed)


ADAPTERS: Mapping[str, Adapter] = {"scotland-yard": ScotlandYardAdapter(), "cluedo": CluedoAdapter()}
