"""Worlds of Cluedo that differ in what lies hidden alone: in a card that was shown, in two hands, or in the envelope.

`pairs(seed)` plays a game, then tries other cards behind the same public course of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from tests.games.chance import SeededChance
from tests.games.worlds import Pair, World
from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.game import game
from whitehall.games.cluedo.moves import Accuse, Move, Show
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.state import CluedoState
from whitehall.games.core.chance import Draw, DrawMismatch, RecordedChance
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat, Viewer

ACCUSES = 0.03
"""How often a seat accuses where it may. It is wrong nearly always, and out of the running then."""


def choose(random: Random, moves: Sequence[Move], accuses: float = ACCUSES) -> Move:
    """A move of any kind; accusations, of which there are hundreds, only now and then."""
    accusations = [move for move in moves if isinstance(move, Accuse)]
    others = [move for move in moves if not isinstance(move, Accuse)]
    if accusations and (not others or random.random() < accuses):
        return random.choice(accusations)
    kind = random.choice(sorted({type(move) for move in others}, key=lambda each: each.__name__))
    chosen: Move = random.choice([move for move in others if type(move) is kind])
    return chosen


def pairs(seed: int, players: int | None = None, wanted: int = 3) -> list[Pair]:
    """Up to `wanted` pairs from one seeded game, broken off at a random move."""
    random = Random(seed)
    options = resolve("james-bond", players or random.randint(3, 6))
    world, states = _play(options, random)
    found: list[Pair] = []
    for other, knowing in _others(world, states, random):
        if len(found) == wanted:
            break
        blind: tuple[Viewer, ...] = (None, *(Seat(n) for n in range(options.players) if n not in knowing))
        if _looks_the_same(world, other):
            found.append(Pair(world, other, blind))
    return found


def _play(options: CluedoOptions, random: Random) -> tuple[World, list[CluedoState]]:
    chance = RecordedChance(SeededChance(random.randrange(2**32)))
    state, _ = game.setup(options, chance)
    states, moves = [state], []
    for _ in range(random.randint(20, 90)):
        seat = game.to_move(state)[0]
        move = choose(random, game.legal_moves(state, seat))
        after, _ = game.apply(state, seat, move, chance)
        if after.outcome is not None:
            break
        moves.append((seat, move))
        state = after
        states.append(state)
    needed = RecordedChance(_Again(chance.draws))
    world = World(options, chance.draws, tuple(moves))
    # A last move that was not kept may have drawn.
    state, _ = game.setup(options, needed)
    for seat, move in moves:
        state, _ = game.apply(state, seat, move, needed)
    return replace(world, draws=needed.draws), states


class _Again:
    def __init__(self, draws: tuple[Draw, ...]) -> None:
        self._draws = iter(draws)

    def draw(self, label: str, bound: int) -> int:
        return next(self._draws).value


def _others(world: World, states: list[CluedoState], random: Random) -> Iterator[tuple[World, set[Seat]]]:
    """Worlds that may look the same, each with the seats that know the difference."""
    end = states[-1]
    for number, (seat, move) in enumerate(world.moves):
        if isinstance(move, Show):
            held = [
                card for card in states[number].suggestions[-1].case if card in end.hands[seat] and card != move.card
            ]
            if held:
                shown = (seat, Show(move.pawn, random.choice(held)))
                moves = (*world.moves[:number], shown, *world.moves[number + 1 :])
                yield replace(world, moves=moves), {seat, states[number].suggestions[-1].seat}
    cards = [card for hand in end.hands for card in hand]
    swaps = [(one, other) for one in cards for other in (*cards, *end.envelope) if one != other]
    random.shuffle(swaps)
    shown_cards = {made.card for made in end.suggestions}
    for one, other in swaps:
        if one in shown_cards or other in shown_cards or _owner(end, one) == _owner(end, other):
            continue
        if other in end.envelope and one.category != other.category:
            continue
        knowing = {owner for owner in (_owner(end, one), _owner(end, other)) if owner is not None}
        if other in end.envelope:
            knowing |= set(end.eliminated)
        yield replace(world, draws=_dealt(world, end, {one: other, other: one})), knowing


def _owner(state: CluedoState, card: Card) -> Seat | None:
    return next((Seat(seat) for seat, hand in enumerate(state.hands) if card in hand), None)


def _dealt(world: World, end: CluedoState, swapped: dict[Card, Card]) -> tuple[Draw, ...]:
    """The draws that deal the same with two cards swapped, and then the dice as they fell."""
    options = end.options
    envelope = Case(*(swapped.get(card, card) for card in end.envelope))
    hands = [[swapped.get(card, card) for card in hand] for hand in end.hands]
    draws = []
    kinds = (options.suspects, options.weapons, options.locations)
    for cards, card, draw in zip(kinds, envelope, world.draws, strict=False):
        draws.append(Draw(draw.label, len(cards), cards.index(card)))
    deck = [card for card in options.cards if card not in envelope]
    dealing = world.draws[3 : 3 + sum(options.hand_sizes)]
    for number, draw in enumerate(dealing):
        card = hands[(options.first_dealt + number) % options.players].pop()
        draws.append(Draw(draw.label, len(deck), deck.index(card)))
        deck.remove(card)
    return (*draws, *world.draws[len(draws) :])


def _looks_the_same(one: World, other: World) -> bool:
    """Whether the same seats pass and are asked, and the same accusations are right."""
    try:
        for (state, _), (elsewhere, _) in zip(one.play(game), other.play(game), strict=True):
            public = [
                ([made._replace(card=None) for made in each.suggestions], each.accusations, each.outcome)
                for each in (state, elsewhere)
            ]
            if public[0] != public[1]:
                return False
    except (IllegalMove, DrawMismatch):
        return False
    return True
