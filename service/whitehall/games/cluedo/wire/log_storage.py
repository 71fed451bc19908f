"""Moves and events as the bytes that the store's log keeps. Private and compact."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from whitehall.games.cluedo import events as happened
from whitehall.games.cluedo import moves
from whitehall.games.cluedo.events import Event
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.rulebook import RULES
from whitehall.games.cluedo.wire.packing import (
    ANY_DICE,
    CARD,
    CARDS,
    CASE,
    DICE,
    FLAG,
    NUMBER,
    REASON,
    SEAT,
    SEATS,
    SQUARE,
    SQUARES,
    Kind,
)
from whitehall.games.core.outcome import Outcome
from whitehall.gen.whitehall.cluedo.store.v1 import state_pb2

_RULES = {rule.id: rule for rule in RULES}

# By their numbers in stored games. Never reuse one.
_MOVES: Mapping[int, Kind] = {
    1: Kind(moves.Roll, (CARD, ANY_DICE)),
    2: Kind(moves.Walk, (CARD, SQUARE, SQUARES)),
    3: Kind(moves.Enter, (CARD, CARD, SQUARES)),
    4: Kind(moves.Passage, (CARD, CARD)),
    5: Kind(moves.Suggest, (CARD, CASE)),
    6: Kind(moves.Show, (CARD, CARD)),
    7: Kind(moves.Accuse, (CARD, CASE)),
    8: Kind(moves.EndTurn, (CARD,)),
}
_EVENTS: Mapping[int, Kind] = {
    1: Kind(happened.Enclosed, (CASE,)),
    2: Kind(happened.Dealt, (SEAT, NUMBER, CARDS)),
    3: Kind(happened.LaidOpen, (CARDS,)),
    4: Kind(happened.TurnBegan, (NUMBER, SEAT)),
    5: Kind(happened.Rolled, (CARD, DICE)),
    6: Kind(happened.Stuck, (CARD,)),
    7: Kind(happened.Walked, (CARD, SQUARES)),
    8: Kind(happened.Entered, (CARD, CARD, SQUARES)),
    9: Kind(happened.TookPassage, (CARD, CARD)),
    10: Kind(happened.Suggested, (SEAT, CASE)),
    11: Kind(happened.CalledIn, (CARD, CARD)),
    12: Kind(happened.WeaponMoved, (CARD, CARD)),
    13: Kind(happened.Passed, (SEAT,)),
    14: Kind(happened.Asked, (SEAT,)),
    15: Kind(happened.Refuted, (SEAT, SEAT, CARD)),
    16: Kind(happened.Unrefuted, (SEAT,)),
    17: Kind(happened.Accused, (SEAT, CASE, FLAG)),
    18: Kind(happened.EnvelopeSeen, (SEAT, CASE)),
    19: Kind(happened.Eliminated, (SEAT,)),
    20: Kind(happened.DoorCleared, (CARD, CARD)),
    21: Kind(happened.TurnEnded, (SEAT, REASON)),
    22: Kind(happened.Revealed, (CASE,)),
}
_GAME_ENDED = 23
"""Its winners follow; its rule stands beside the events."""

_NUMBERS = {kind.make: number for kinds in (_MOVES, _EVENTS) for number, kind in kinds.items()}


def encode_happened(move: Move | None, events: Sequence[Event]) -> bytes:
    """A move and what came of it."""
    entry = state_pb2.Entry(move=() if move is None else _pack(_MOVES, move))
    for event in events:
        if isinstance(event, happened.GameEnded):
            entry.events.extend((_GAME_ENDED, *SEATS.pack(event.outcome.winners)))
            entry.ended_by = event.outcome.rule.id
        else:
            entry.events.extend(_pack(_EVENTS, event))
    return entry.SerializeToString()


def decode_happened(data: bytes) -> tuple[Move | None, tuple[Event, ...]]:
    """The move and the events that were encoded."""
    entry = state_pb2.Entry.FromString(data)
    numbers = iter(entry.move)
    move: Move | None = _MOVES[next(numbers)].unpack(numbers) if entry.move else None
    return move, tuple(_events(iter(entry.events), entry.ended_by))


def _pack(kinds: Mapping[int, Kind], value: Any) -> list[int]:
    number = _NUMBERS[type(value)]
    return [number, *kinds[number].pack(value)]


def _events(numbers: Iterator[int], ended_by: str) -> Iterator[Event]:
    for kind in numbers:
        if kind == _GAME_ENDED:
            yield happened.GameEnded(Outcome(SEATS.unpack(numbers), _RULES[ended_by]))
        else:
            yield _EVENTS[kind].unpack(numbers)
