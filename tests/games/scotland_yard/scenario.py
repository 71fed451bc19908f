"""The words in which rulings are told: `scene` sets the table, `play` moves, `refusal` names the rule that forbids.

Moves are written in the notation of the game: `mr_x double taxi 86 black 52`, `red bus 105; blue taxi 31`, `red pass`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.games.chance import NoChance
from whitehall.games.core.rule import IllegalMove, Rule, Violation
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.moves import DoubleMove, Hear, Move, Together, UseAction
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import position
from whitehall.games.scotland_yard.state import Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Tickets

MR_X, DETECTIVES, PUBLIC = Seat(0), Seat(1), None
"""Seat 1 is the first detective's; in games for two it has the whole detective side."""

Counts = tuple[int, int, int]
"""Taxi, bus and underground tickets."""


def pieces_named(names: str) -> list[Piece]:
    return [Piece[name.upper()] for name in names.split()]


def scene(
    players: int,
    turn: str,
    places: str,
    *,
    in_round: int = 1,
    hands: Mapping[str, Counts] | None = None,
    supply: Counts | None = None,
    black: int | None = None,
    doubles: int | None = None,
    fields: int | None = None,
    moved: str = "",
    log_fields: int | None = None,
    preset: str = "new",
    blacks: Mapping[str, int] | None = None,
    **changes: Any,
) -> ScotlandYardState:
    """A position of a preset: `scene(3, "mr_x", "mr_x 2, red 10, blue 20, bobby1 13, bobby2 141")`.

    `changes` are fields of `Overrides`; `blacks` are detectives' black tickets.

    Hands that are not named are full; the shared hand of two players is `pool`.
    """
    options = resolve(preset, players, changes=Overrides(**changes))
    if log_fields is not None:
        options = replace(options, log_fields=log_fields)
    in_play = (*options.detectives, *options.bobbies)
    standing = {Piece[name.upper()]: int(station) for name, station in (place.split() for place in places.split(", "))}
    assert sorted(standing) == sorted((Piece.MR_X, *in_play)), f"name Mr X and each of {in_play}"
    given = dict(hands or {})
    holders = ["pool"] if options.pooled else [piece.name.lower() for piece in options.detectives]
    counts = [Tickets(*given.pop(holder, options.hand)) for holder in holders]
    assert not given, f"nobody is called {list(given)}"
    black_hands = [(blacks or {}).get(holder, options.black_hand) for holder in holders]
    return position(
        options,
        round=in_round,
        phase=Phase[turn.upper()],
        mr_x=Station(standing[Piece.MR_X]),
        hunters=[Station(standing[piece]) for piece in in_play],
        hands=counts,
        black_hands=black_hands,
        supply=None if supply is None else Tickets(*supply),
        black_tickets=black,
        double_tickets=doubles,
        moves_made=fields,
        moved=pieces_named(moved),
    )


def seat_of(state: ScotlandYardState, move: Move) -> Seat:
    """The seat that makes such a move: its piece's, and for Bobbies the first seat of the detective side."""
    if isinstance(move, DoubleMove):
        return MR_X
    if isinstance(move, Together):
        return seat_of(state, move.moves[0])
    if isinstance(move, UseAction | Hear):
        return DETECTIVES
    for seat, pieces in enumerate(state.options.seats):
        if move.piece in pieces:
            return Seat(seat)
    return DETECTIVES


class Foreseen:
    """Chance that gives the draws that a scene foresees, in order; any other is a fault of the test."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = iter(draws)

    def draw(self, label: str, bound: int) -> int:
        value = next(self._draws, None)
        assert value is not None, f"nobody foresaw a draw for {label}"
        assert 0 <= value < bound, f"{label} has {bound} results"
        return value


def play(state: ScotlandYardState, *texts: str, draws: Sequence[int] = ()) -> tuple[ScotlandYardState, list[Event]]:
    """The state after these moves, each by its piece's seat, and all that happened; `draws` is what chance gives."""
    happened: list[Event] = []
    chance = Foreseen(draws)
    for text in texts:
        move = notation.parse(text)
        state, events = game.apply(state, seat_of(state, move), move, chance)
        happened.extend(events)
    return state, happened


def violation(state: ScotlandYardState, text: str, *, seat: int | None = None) -> Violation | None:
    """What `check` says to a move; where it refuses, `apply` must refuse for the same reason."""
    move = notation.parse(text)
    mover = seat_of(state, move) if seat is None else Seat(seat)
    found = game.check(state, mover, move)
    if found is not None:
        with pytest.raises(IllegalMove) as refused:
            game.apply(state, mover, move, NoChance())
        assert refused.value.violation == found
    return found


def refusal(state: ScotlandYardState, text: str, *, seat: int | None = None) -> Rule | None:
    """The rule that forbids a move, or None where it is legal."""
    found = violation(state, text, seat=seat)
    return None if found is None else found.rule


def refusals(state: ScotlandYardState, text: str, *, seat: int | None = None) -> set[Rule]:
    """Every rule that forbids a move."""
    move = notation.parse(text)
    mover = seat_of(state, move) if seat is None else Seat(seat)
    return {found.rule for found in game.violations(state, mover, move)}


def listed(state: ScotlandYardState, seat: int) -> list[str]:
    """The moves that `legal_moves` lists, in its order, as text."""
    return [notation.text(move) for move in game.legal_moves(state, Seat(seat))]


def station_of(state: ScotlandYardState, name: str) -> int:
    """Where a piece stands in truth."""
    piece = Piece[name.upper()]
    if piece is Piece.MR_X:
        return state.mr_x
    return state.hunters[(*state.options.detectives, *state.options.bobbies).index(piece)]


def winner(state: ScotlandYardState) -> str | None:
    """`mr_x`, `detectives`, or None while the game goes on."""
    outcome = game.outcome(state)
    if outcome is None:
        return None
    sides: dict[Any, str] = {
        (MR_X,): "mr_x",
        tuple(Seat(seat) for seat in range(1, len(state.options.seats))): "detectives",
    }
    return sides[outcome.winners]


def ended_by(state: ScotlandYardState) -> Rule | None:
    """The rule that ended the game."""
    outcome = game.outcome(state)
    return None if outcome is None else outcome.rule


def shuttle_scene() -> ScotlandYardState:
    """Two players, all pieces far apart, each between two stations that it can ride to and fro for 22 rounds."""
    return scene(2, "mr_x", "mr_x 170, red 104, blue 46, bobby1 2, bobby2 5")


def shuttle(state: ScotlandYardState, rounds: int) -> tuple[ScotlandYardState, list[Event]]:
    """Plays whole rounds from `shuttle_scene`: nobody meets, and Mr X never rides twice."""
    happened: list[Event] = []
    for _ in range(rounds):
        to = state.round % 2 == 1
        blue_rides = "bus" if state.round <= 16 else "underground"
        state, events = play(
            state,
            f"mr_x taxi {159 if to else 170}",
            f"red taxi {116 if to else 104}",
            f"blue {blue_rides} {1 if to else 46}",
            f"bobby1 taxi {10 if to else 2}",
            f"bobby2 taxi {15 if to else 5}",
        )
        happened.extend(events)
    return state, happened
