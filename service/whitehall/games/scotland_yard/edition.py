"""Editions: the rulebooks' tables as data, and how a game's options are made from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from whitehall.games.core.rule import Rule
from whitehall.games.scotland_yard import boards, rulebook
from whitehall.games.scotland_yard.options import MR_X_SEAT, ScotlandYardOptions
from whitehall.games.scotland_yard.piece import BOBBIES, DETECTIVES, Piece
from whitehall.games.scotland_yard.ticket import Station, Tickets


class OptionsError(ValueError):
    """Options that cannot make a game: the `field` at fault, why, and the rule where one says so."""

    def __init__(self, field: str, reason: str, rule: Rule | None = None) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.rule = rule


class Hunters(NamedTuple):
    """How many detectives and Bobbies hunt, and whether the detectives spend from one shared hand."""

    detectives: int
    bobbies: int
    pooled: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """One edition's table."""

    name: str
    board: str
    hunters: Mapping[int, Hunters]
    """By the number of players, Mr X's included."""
    rounds: int
    log_fields: int
    surfacing: tuple[int, ...]
    box: Tickets
    """All normal tickets of the box. The supply is what the detectives' hands leave of them."""
    hand: Tickets
    """The tickets of each detective."""
    black_tickets: int
    double_tickets: int
    start_cards_mr_x: tuple[int, ...]
    start_cards_hunters: tuple[int, ...]


NEW = Preset(
    name="new",
    board=boards.LONDON_2013,
    hunters=MappingProxyType(
        {
            2: Hunters(detectives=2, bobbies=2, pooled=True),
            3: Hunters(detectives=2, bobbies=2),
            4: Hunters(detectives=3, bobbies=1),
            5: Hunters(detectives=4, bobbies=0),
            6: Hunters(detectives=5, bobbies=0),
        }
    ),
    rounds=22,
    log_fields=24,
    surfacing=(3, 8, 13, 18, 24),
    box=Tickets(taxi=57, bus=45, underground=23),
    hand=Tickets(taxi=11, bus=8, underground=4),
    black_tickets=5,
    double_tickets=2,
    start_cards_mr_x=(35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172),
    start_cards_hunters=(13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174),
)
"""The edition with Bobbies."""

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in (NEW,)})
"""The presets by name."""


def resolve(preset: str, players: int, seats: Sequence[Sequence[Piece]] | None = None) -> ScotlandYardOptions:
    """The options of a game for 2 to 6 players, Mr X's included.

    Without `seats`, seat 0 is Mr X's and each further player has a seat with one detective (both, for two players).
    With them one person may play several detectives. Raises `OptionsError` for what cannot work.
    """
    edition = PRESETS.get(preset)
    if edition is None:
        known = ", ".join(PRESETS)
        raise OptionsError("preset", f"there is no preset {preset!r}; there are: {known}", rulebook.KNOWN_PRESET)
    hunters = edition.hunters.get(players)
    if hunters is None:
        numbers = f"{min(edition.hunters)} to {max(edition.hunters)}"
        raise OptionsError("players", f"must be {numbers}, not {players}", rulebook.NUMBER_OF_PLAYERS)
    detectives = DETECTIVES[: hunters.detectives]
    bobbies = BOBBIES[: hunters.bobbies]
    hand = _times(edition.hand, hunters.detectives)
    return ScotlandYardOptions(
        preset=preset,
        players=players,
        board=boards.board(edition.board),
        seats=_usual_seats(detectives, hunters) if seats is None else _checked_seats(seats, detectives, hunters),
        detectives=detectives,
        bobbies=bobbies,
        pooled=hunters.pooled,
        rounds=edition.rounds,
        log_fields=edition.log_fields,
        surfacing=edition.surfacing,
        hand=hand if hunters.pooled else edition.hand,
        supply=Tickets(*(box - held for box, held in zip(edition.box, hand, strict=True))),
        black_tickets=edition.black_tickets,
        double_tickets=edition.double_tickets,
        start_cards_mr_x=tuple(Station(card) for card in edition.start_cards_mr_x),
        start_cards_hunters=tuple(Station(card) for card in edition.start_cards_hunters),
    )


def _times(tickets: Tickets, number: int) -> Tickets:
    """So many times these tickets."""
    return Tickets(*(number * count for count in tickets))


def _usual_seats(detectives: tuple[Piece, ...], hunters: Hunters) -> tuple[tuple[Piece, ...], ...]:
    return ((Piece.MR_X,), detectives) if hunters.pooled else ((Piece.MR_X,), *((piece,) for piece in detectives))


def _checked_seats(
    seats: Sequence[Sequence[Piece]], detectives: tuple[Piece, ...], hunters: Hunters
) -> tuple[tuple[Piece, ...], ...]:
    """The seats as asked for, or the reason why they cannot be."""
    if not seats or tuple(seats[MR_X_SEAT]) != (Piece.MR_X,):
        raise OptionsError("seats", "seat 0 must hold Mr X and nothing else", rulebook.MR_X_SITS_ALONE)
    listed = [piece for seat in seats[1:] for piece in seat]
    for piece in listed:
        if piece.is_bobby:
            raise OptionsError("seats", f"{piece.word} belongs to no seat", rulebook.BOBBIES_HAVE_NO_SEAT)
        if piece not in detectives:
            raise OptionsError("seats", f"{piece.word} is no detective of this game", rulebook.SEATS_SHARE_DETECTIVES)
    for piece in detectives:
        if listed.count(piece) != 1:
            raise OptionsError("seats", f"{piece.word} must have exactly one seat", rulebook.SEATS_SHARE_DETECTIVES)
    if not all(seats):
        raise OptionsError("seats", "every seat must hold a piece", rulebook.SEATS_SHARE_DETECTIVES)
    if hunters.pooled and len(seats) != 2:
        raise OptionsError("seats", "detectives with a shared hand must share a seat", rulebook.ONE_HAND_ONE_SEAT)
    return tuple(tuple(seat) for seat in seats)
