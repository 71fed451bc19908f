"""Games set up by hand: who holds what, where pawns stand, how far the turn is."""

from collections.abc import Mapping
from typing import Any

from tests.games.chance import ScriptedChance, SeededChance
from whitehall.games.cluedo.card import Card, Case, card, case
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.events import Event
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.notation import parse
from whitehall.games.cluedo.overrides import NONE, Overrides
from whitehall.games.cluedo.place import Place, Square
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.core.rule import Rule
from whitehall.games.core.seat import Seat

Played = tuple[CluedoState, tuple[Event, ...]]


def place(words: str) -> Place:
    """A square such as `7,4`, or a room such as `L3`."""
    row, _, column = words.partition(",")
    return Square(int(row), int(column)) if column else card(words)


def staged(
    players: int,
    *,
    envelope: str = "S6 W6 L9",
    hands: Mapping[int, str] | None = None,
    pawns: Mapping[int, str] | None = None,
    changes: Overrides = NONE,
    **facts: Any,
) -> CluedoState:
    """A game about to begin, in which these seats hold at least these cards, and the rest is dealt somehow."""
    options = resolve("james-bond", players, None, changes)
    state, _ = game.setup(options, SeededChance(1))
    wanted = [[card(word) for word in (hands or {}).get(seat, "").split()] for seat in range(players)]
    placed = {each for hand in wanted for each in hand} | set(case(envelope))
    rest = [each for each in options.cards if each not in placed]
    for hand, size in zip(wanted, options.hand_sizes, strict=True):
        missing = size - len(hand)
        hand.extend(rest[:missing])
        del rest[:missing]
    places = list(state.pawns)
    for number, where in (pawns or {}).items():
        places[number - 1] = place(where)
    dealt = tuple(tuple(sorted(hand)) for hand in wanted)
    return state._replace(envelope=case(envelope), hands=dealt, face_up=tuple(rest), pawns=tuple(places), **facts)


def seat_of(state: CluedoState, pawn: Card) -> Seat:
    return state.options.seat_of[pawn]


def say(state: CluedoState, words: str, dice: tuple[int, int] | None = None) -> Played:
    """Plays one move of the notation; `dice` is what the service rolls."""
    move = parse(words)
    draws = [] if dice is None else [pips - 1 for pips in dice]
    return game.apply(state, seat_of(state, move.pawn), move, ScriptedChance(draws))


def play(state: CluedoState, *moves: str | tuple[str, tuple[int, int]]) -> CluedoState:
    """Plays moves of the notation; a roll of the service's comes with its dice."""
    for each in moves:
        state, _ = say(state, each) if isinstance(each, str) else say(state, *each)
    return state


def refusal(state: CluedoState, words: str) -> Rule | None:
    """The rule that refuses a move of the notation."""
    move = parse(words)
    found = game.check(state, seat_of(state, move.pawn), move)
    return None if found is None else found.rule


def wrong_case(state: CluedoState) -> Case:
    """A case that is not the solution, though two of its cards are right."""
    other = next(each for each in state.options.suspects if each != state.envelope.suspect)
    return state.envelope._replace(suspect=other)
