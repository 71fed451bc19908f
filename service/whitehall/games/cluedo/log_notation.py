"""Notation of logs: what somebody writes down of the cards at a cardboard game, as one line of text.

    4 players seat 0 holds S1 W1 L1 L2 L3 | 0 suggest S4 W2 L3; 1 pass; 2 show W2 | 2 accuse S4 W5 L3

First the number of players, and in any order: the seat of the writer with its hand; `open` and the cards that lie open;
`first` and the seat that was dealt to first; `deck` and the numbers of suspects, weapons and locations. Seats are
numbered from 0, clockwise. Then, each behind a bar, the events: a suggestion with its answers, whose card is left out
where the writer did not see it, or a wrong accusation; after the writer's own may stand `saw` and the three cards that
were in the envelope.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from whitehall.games.cluedo.card import Card, Case, Category
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.notation import Words
from whitehall.games.cluedo.public_log import USUAL_DECK, deck_of, evidence_from_log
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError, at_column
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text

BAR = "|"
ANSWER = ";"

SEAT = Text("a seat", "une place")
HOLDS = expected(Text("holds, and the cards of the seat", "holds, et les cartes de la place"))
_NUMBER = re.compile("[0-9]{1,2}")


Columns = dict[str, int]
"""Where in a line stands what the fields of its evidence say, by their paths."""


class WrittenLog(NamedTuple):
    """What a line says, and where in it."""

    evidence: Evidence
    columns: Mapping[str, int]


def parse(text: str) -> WrittenLog:
    """The evidence that a line holds. Raises `NotationError`, also for what cannot be."""
    columns: Columns = {}
    head, *events = parts(text, BAR, 0)
    facts = _head(Words(*head), columns)
    seen = [_event(*event, columns, f"events[{index}]") for index, event in enumerate(events)]
    try:
        cards = deck_of(facts.pop("deck", USUAL_DECK))
        return WrittenLog(evidence_from_log(cards, facts.pop("players"), seen, **facts), columns)
    except InvalidField as fault:
        raise at_column(fault, columns) from fault


def parts(text: str, divider: str, offset: int) -> list[tuple[str, int]]:
    """The parts of a text, each with the number of characters before it."""
    found = []
    for part in text.split(divider):
        found.append((part, offset))
        offset += len(part) + 1
    return found


def _head(words: Words, columns: Columns) -> dict[str, Any]:
    columns["players"] = words.column
    facts: dict[str, Any] = {"players": number(words, Text("the number of players", "le nombre de joueurs"))}
    words.skip("players")
    while not words.is_done:
        token = words.take(Text("a word", "un mot"))
        word = token.text.lower()
        if word in facts or (word == "open" and "face_up" in facts):
            raise NotationError(Text(f"{word} stands here twice", f"{word} figure ici deux fois"), token.column)
        match word:
            case "seat":
                facts["seat"] = _seat(words, columns, "seat")
                if not words.skip("holds"):
                    words.fail(HOLDS)
                facts["hand"] = _cards(words, columns, "hand")
            case "open":
                facts["face_up"] = _cards(words, columns, "face_up")
            case "first":
                facts["first_dealt"] = _seat(words, columns, "first_dealt")
            case "deck":
                facts["deck"] = _deck(words, columns)
            case _:
                raise NotationError(expected(either(("seat", "open", "first", "deck"))), token.column)
    return facts


def _event(text: str, offset: int, columns: Columns, field: str) -> SeenEvent:
    (first, place), *answers = parts(text, ANSWER, offset)
    words = Words(first, place)
    columns[field] = words.column
    seat = _seat(words, columns, f"{field}.seat")
    if words.skip("accuse"):
        accusation = SeenAccusation(seat, _case(words, columns, f"{field}.case"))
        if words.skip("saw"):
            accusation = accusation._replace(envelope=_case(words, columns, f"{field}.envelope"))
        words.finish()
        if answers:
            what = Text(
                "nothing more: nobody answers an accusation", "rien de plus : personne ne répond à une accusation"
            )
            raise NotationError(expected(what), answers[0][1])
        return accusation
    if not words.skip("suggest"):
        words.fail(expected(either(("suggest", "accuse"))))
    suggestion = SeenSuggestion(seat, _case(words, columns, f"{field}.case"), ())
    words.finish()
    for answer, place in answers:
        suggestion = _answered(suggestion, Words(answer, place), columns, field)
    return suggestion


def _answered(suggestion: SeenSuggestion, words: Words, columns: Columns, field: str) -> SeenSuggestion:
    if suggestion.refuter is not None:
        what = Text("nothing more: a card has been shown", "rien de plus : une carte a été montrée")
        words.fail(expected(what))
    column = words.column
    seat = Seat(number(words, SEAT))
    if words.skip("pass"):
        words.finish()
        columns[f"{field}.passed[{len(suggestion.passed)}]"] = column
        return suggestion._replace(passed=(*suggestion.passed, seat))
    if not words.skip("show"):
        words.fail(expected(either(("pass", "show"))))
    columns |= {f"{field}.refuter": column, f"{field}.card": words.column}
    card = None if words.is_done else words.card()
    words.finish()
    return suggestion._replace(refuter=seat, card=card)


def number(words: Words, what: Text) -> int:
    """A number of one or two digits, which is next."""
    token = words.take(what)
    if not _NUMBER.fullmatch(token.text):
        raise NotationError(expected(what), token.column)
    return int(token.text)


def _seat(words: Words, columns: Columns, field: str) -> Seat:
    columns[field] = words.column
    return Seat(number(words, SEAT))


def _deck(words: Words, columns: Columns) -> tuple[int, ...]:
    columns["cards"] = words.column
    counts: list[int] = []
    for category in Category:
        columns[f"{category.word}s"] = words.column
        counts.append(number(words, Text("how many", "combien")))
    return tuple(counts)


def _case(words: Words, columns: Columns, field: str) -> Case:
    columns[field] = words.column
    cards: list[Card] = []
    for name, category in zip(Case._fields, Category, strict=True):
        columns[f"{field}.{name}"] = words.column
        cards.append(words.card(category))
    return Case(*cards)


def _cards(words: Words, columns: Columns, field: str) -> tuple[Card, ...]:
    """The cards that stand next, at least one."""
    columns[field] = words.column
    cards: list[Card] = []
    while not cards or words.has_card:
        columns[f"{field}[{len(cards)}]"] = words.column
        cards.append(words.card())
    return tuple(cards)
