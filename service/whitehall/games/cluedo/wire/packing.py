"""How the game's values become numbers, as the store keeps them, and values again. Never change what a number means."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from whitehall.games.cluedo.card import Card, Case, Category
from whitehall.games.cluedo.events import TurnEndReason
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.place import Place, Square
from whitehall.games.core.seat import Seat

_CATEGORY = 100
"""A card's number is its category times this, plus its number there. Squares come after all cards."""
_SQUARES = 1000
_ROW = 100


def pack_card(card: Card) -> int:
    """A card."""
    return card.category * _CATEGORY + card.number


def unpack_card(number: int) -> Card:
    """The card that was packed."""
    category, within = divmod(number, _CATEGORY)
    return Card(Category(category), within)


def pack_cards(cards: Iterable[Card]) -> list[int]:
    """Cards in order, a case too."""
    return [pack_card(card) for card in cards]


def unpack_cards(numbers: Iterable[int]) -> tuple[Card, ...]:
    """The cards that were packed."""
    return tuple(unpack_card(number) for number in numbers)


def pack_place(place: Place) -> int:
    """A square or a room."""
    return pack_card(place) if isinstance(place, Card) else _SQUARES + place.row * _ROW + place.column


def unpack_place(number: int) -> Place:
    """The place that was packed."""
    return unpack_card(number) if number < _SQUARES else _unpack_square(number)


def _unpack_square(number: int) -> Square:
    return Square(*divmod(number - _SQUARES, _ROW))


class Field(NamedTuple):
    """How one field of a value becomes numbers, and is taken from numbers again."""

    pack: Callable[[Any], Iterable[int]]
    unpack: Callable[[Iterator[int]], Any]


def _many(field: Field) -> Field:
    """A list of them, behind its length."""

    def unpack(numbers: Iterator[int]) -> tuple[Any, ...]:
        return tuple(field.unpack(numbers) for _ in range(next(numbers)))

    return Field(lambda values: [len(values), *(number for value in values for number in field.pack(value))], unpack)


def _perhaps(field: Field) -> Field:
    """It, or None as 0. Only for what never packs to a 0 at its head."""

    def unpack(numbers: Iterator[int]) -> Any:
        first = next(numbers)
        return field.unpack(chain((first,), numbers)) if first else None

    return Field(lambda value: [0] if value is None else field.pack(value), unpack)


NUMBER = Field(lambda value: [value], next)
FLAG = Field(lambda value: [int(value)], lambda numbers: bool(next(numbers)))
SEAT = Field(lambda value: [value], lambda numbers: Seat(next(numbers)))
SEATS = _many(SEAT)
REFUTER = Field(
    lambda value: [0 if value is None else value + 1],
    lambda numbers: Seat(number - 1) if (number := next(numbers)) else None,
)
CARD = Field(lambda value: [pack_card(value)], lambda numbers: unpack_card(next(numbers)))
CARDS = _many(CARD)
ANY_CARD = _perhaps(CARD)
CASE = Field(pack_cards, lambda numbers: Case(*(unpack_card(next(numbers)) for _ in Category)))
SQUARE = Field(lambda value: [pack_place(value)], lambda numbers: _unpack_square(next(numbers)))
SQUARES = _many(SQUARE)
DICE = Field(lambda value: [*value], lambda numbers: Dice(next(numbers), next(numbers)))
ANY_DICE = _perhaps(DICE)
REASON = Field(lambda value: [value], lambda numbers: TurnEndReason(next(numbers)))


class Kind(NamedTuple):
    """One kind of value: the class, and the fields of which it is made, in order."""

    make: Callable[..., Any]
    fields: tuple[Field, ...]

    def pack(self, value: Any) -> list[int]:
        """A value's fields, one after another."""
        parts = [getattr(value, name) for name in value.__match_args__]
        return [number for field, part in zip(self.fields, parts, strict=True) for number in field.pack(part)]

    def unpack(self, numbers: Iterator[int]) -> Any:
        """The next value."""
        return self.make(*[field.unpack(numbers) for field in self.fields])

    def unpack_all(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        """Every value that was packed into these numbers."""
        left = iter(numbers)
        return tuple(self.unpack(chain((first,), left)) for first in left)
