"""Notation of a suggestion among open hands: who would have to answer it, asked in one line of text.

    0 holds S1 W1; 1 holds S4 L3; 2 holds W2 | 0 suggest S4 W2 L3

The hands of all seats in their order, from seat 0, an empty one without a card; then, behind a bar, the suggestion.
"""

from collections.abc import Mapping
from typing import NamedTuple

from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.edition import PLAYERS
from whitehall.games.cluedo.log_notation import ANSWER, BAR, HOLDS, SEAT, Columns, number, parts
from whitehall.games.cluedo.notation import Words
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text


class OpenSuggestion(NamedTuple):
    """A suggestion among hands that lie open."""

    hands: tuple[tuple[Card, ...], ...]
    seat: Seat
    case: Case


class WrittenQuestion(NamedTuple):
    """What a line asks, and where in it stands what the fields of the question say, by their paths."""

    asked: OpenSuggestion
    columns: Mapping[str, int]


def parse(text: str) -> WrittenQuestion:
    """The hands and the suggestion that a line holds. Raises `NotationError`; whether they can be is for `check_hands`
    to say.
    """
    columns: Columns = {}
    (held, _), *said = parts(text, BAR, 0)
    if len(said) != 1:
        what = Text(f"{BAR} and one suggestion after the hands", f"{BAR} et une hypothèse après les mains")
        # What stands too often begins with the second bar.
        raise NotationError(expected(what), said[1][1] if said else len(text.rstrip()) + 1)
    written = [Words(*part) for part in parts(held, ANSWER, 0)]
    if len(written) not in PLAYERS:
        fewest, most = PLAYERS[0], PLAYERS[-1]
        what = Text(f"the hands of {fewest} to {most} seats", f"les mains de {fewest} à {most} places")
        raise NotationError(expected(what), said[0][1] if len(written) < fewest else written[most].column)
    hands = tuple(_hand(words, seat, columns) for seat, words in enumerate(written))
    words = Words(*said[0])
    columns["seat"] = words.column
    seat = Seat(number(words, SEAT))
    if not words.skip("suggest"):
        words.fail(expected("suggest"))
    case = words.case()
    words.finish()
    return WrittenQuestion(OpenSuggestion(hands, seat, case), columns)


def _hand(words: Words, seat: int, columns: Columns) -> tuple[Card, ...]:
    column = words.column
    if number(words, SEAT) != seat:
        what = Text(
            f"seat {seat}: hands stand in the order of seats",
            f"la place {seat} : les mains suivent l'ordre des places",
        )
        raise NotationError(expected(what), column)
    if not words.skip("holds"):
        words.fail(HOLDS)
    cards: list[Card] = []
    while not words.is_done:
        columns[f"hands[{seat}].cards[{len(cards)}]"] = words.column
        cards.append(words.card())
    return tuple(cards)
