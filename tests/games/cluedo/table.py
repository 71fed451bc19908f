"""What is seen at a table, in few words: `suggested(0, "S1 W1 L1", shows=5)`."""

from typing import NamedTuple, TypedDict, Unpack

from whitehall.games.cluedo.card import Card, card, case
from whitehall.games.cluedo.deduction import PossibleSolutions, possible_solutions
from whitehall.games.cluedo.evidence import Evidence, SeenAccusation, SeenEvent, SeenSuggestion
from whitehall.games.cluedo.public_log import evidence_from_log
from whitehall.games.core.seat import Seat

DECK = "S1 S2 S3 S4 S5 S6 W1 W2 W3 W4 W5 W6 L1 L2 L3 L4 L5 L6 L7 L8 L9"


class Said(NamedTuple):
    """A suggestion as it is told at the table: who, what, who showed, and which card if that was seen."""

    seat: int
    words: str
    shows: int | None
    card: str | None

    def seen(self, players: int) -> SeenSuggestion:
        """With the seats that passed: all from the suggester's left up to the one that showed."""
        order = [Seat((self.seat + step) % players) for step in range(1, players)]
        refuter = None if self.shows is None else Seat(self.shows)
        passed = order if refuter is None else order[: order.index(refuter)]
        shown = None if self.card is None else card(self.card)
        return SeenSuggestion(Seat(self.seat), case(self.words), tuple(passed), refuter, shown)


def suggested(seat: int, words: str, shows: int | None = None, card: str | None = None) -> Said:
    return Said(seat, words, shows, card)


def accused(seat: int, words: str) -> SeenAccusation:
    return SeenAccusation(Seat(seat), case(words))


def cards(words: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in words.split())


class Given(TypedDict, total=False):
    """What lies open, and what one of them has in hand or has seen."""

    deck: str
    face_up: str
    seat: int
    hand: str
    first_dealt: int
    envelope: str


def evidence(players: int, *told: Said | SeenAccusation, **given: Unpack[Given]) -> Evidence:
    events: list[SeenEvent] = [event.seen(players) if isinstance(event, Said) else event for event in told]
    made = evidence_from_log(
        cards(given.get("deck", DECK)),
        players,
        events,
        first_dealt=Seat(given.get("first_dealt", 0)),
        face_up=cards(given.get("face_up", "")),
        seat=Seat(given["seat"]) if "seat" in given else None,
        hand=cards(given.get("hand", "")),
    )
    return made._replace(envelope=case(given["envelope"])) if "envelope" in given else made


def deduce(players: int, *told: Said | SeenAccusation, **given: Unpack[Given]) -> PossibleSolutions:
    return possible_solutions(evidence(players, *told, **given))
