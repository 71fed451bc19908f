"""How a transcript of Cluedo reads: events and views in one line or two each, `?` for what is hidden."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import Card, Case
from whitehall.games.cluedo.edition import resolve
from whitehall.games.cluedo.events import (
    Accused,
    Asked,
    CalledIn,
    Dealt,
    DoorCleared,
    Eliminated,
    Enclosed,
    Entered,
    EnvelopeSeen,
    Event,
    GameEnded,
    LaidOpen,
    Passed,
    Refuted,
    Revealed,
    Rolled,
    Stuck,
    Suggested,
    TookPassage,
    TurnBegan,
    TurnEnded,
    Unrefuted,
    Walked,
    WeaponMoved,
)
from whitehall.games.cluedo.moves import Move
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.state import AccusationMade, SuggestionMade
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.core.seat import Seat

Choice = TypeVar("Choice", Movement, AccusationMoment, DiceSource, Leftovers)


class CluedoTeller:
    """Tells games of Cluedo, for `tests.games.transcript`."""

    folder = Path(__file__).with_name("transcripts")

    def options(self, header: Mapping[str, str]) -> CluedoOptions:
        """A header may say `movement`, `accusations`, `dice`, `leftovers` and `neutral_cards` beside the players."""
        changes = Overrides(
            movement=_choice(Movement, header.get("movement")),
            accusations=_choice(AccusationMoment, header.get("accusations")),
            dice=_choice(DiceSource, header.get("dice")),
            leftovers=_choice(Leftovers, header.get("leftovers")),
            neutral_cards=int(header["neutral_cards"]) if "neutral_cards" in header else None,
        )
        return resolve(header["preset"], int(header["players"]), None, changes)

    def move(self, text: str) -> Move:
        return notation.parse(text)

    def text(self, move: Move) -> str:
        return notation.text(move)

    def event(self, event: Event) -> str:
        match event:
            case Enclosed(case):
                return f"in the envelope: {hidden(case)}"
            case Dealt(seat, size, hand):
                return f"seat {seat} is dealt {size}: {'?' if hand is None else cards(hand)}"
            case LaidOpen(open_cards):
                return f"laid open: {cards(open_cards)}"
            case TurnBegan(turn, seat):
                return f"turn {turn} begins, seat {seat}"
            case Rolled(pawn, dice):
                return f"{pawn.word} rolls {dice.first} {dice.second}"
            case Stuck(pawn):
                return f"{pawn.word} cannot move"
            case Walked(pawn, path):
                return f"{pawn.word} walks {way(path)}"
            case Entered(pawn, location, path):
                return f"{pawn.word} enters {location.word} by {way(path) or 'the door in front of it'}"
            case TookPassage(pawn, location):
                return f"{pawn.word} takes the passage to {location.word}"
            case Suggested(seat, case):
                return f"seat {seat} suggests {case.word}"
            case CalledIn(pawn, location):
                return f"{pawn.word} is called into {location.word}"
            case WeaponMoved(weapon, location):
                return f"{weapon.word} is brought to {location.word}"
            case Accused(seat, case, right):
                return f"seat {seat} accuses {case.word}: {'right' if right else 'wrong'}"
            case DoorCleared(pawn, location):
                return f"{pawn.word} clears the door into {location.word}"
            case TurnEnded(seat, reason):
                return f"the turn of seat {seat} ends: {reason.name.lower()}"
            case Revealed(case):
                return f"the envelope held {case.word}"
            case GameEnded(outcome):
                return f"the game is over: won by {seats(outcome.winners) or 'nobody'}, {outcome.rule.id}"
        return self._answer(event)

    def _answer(self, event: Passed | Asked | Refuted | Unrefuted | EnvelopeSeen | Eliminated) -> str:
        match event:
            case Passed(seat):
                return f"seat {seat} passes"
            case Asked(seat):
                return f"seat {seat} has to show a card"
            case Refuted(seat, to, card):
                return f"seat {seat} shows seat {to} {hidden(card)}"
            case Unrefuted(seat):
                return f"nobody answers seat {seat}"
            case EnvelopeSeen(seat, case):
                return f"seat {seat} has seen {hidden(case)}"
            case Eliminated(seat):
                return f"seat {seat} is out of the running"

    def view(self, view: CluedoView) -> Iterator[str]:
        """`*` marks a pawn that was called in; of past suggestions the latest alone is told."""
        dice = "" if view.dice is None else f", rolled {view.dice.first} {view.dice.second}"
        yield (
            f"turn {view.turn}, seat {view.active}, {view.phase.name.lower()}{dice};"
            f" to move: {seats(view.to_move) or 'nobody'}; out: {seats(view.eliminated) or 'nobody'}"
        )
        pawns = (
            f"{pawn.word} {place.word}{'*' if pawn in view.called else ''}"
            for pawn, place in zip(view.options.suspects, view.pawns, strict=True)
        )
        weapons = (
            f"{weapon.word} {place.word}" for weapon, place in zip(view.options.weapons, view.weapons, strict=True)
        )
        yield f"{', '.join(pawns)}; {', '.join(weapons)}"
        hand = "no hand" if view.viewer is None else f"hand {cards(view.hand)}"
        yield f"{hand}; open {cards(view.face_up) or 'nothing'}; envelope {hidden(view.envelope)}"
        shown = ", ".join(f"{card.word} by seat {seat}" for seat, card in _shown_to(view))
        counts = f"{len(view.suggestions)} suggestions, {len(view.accusations)} accusations"
        yield f"{counts}; was shown {shown or 'nothing'}"
        yield from (f"last suggestion: {suggestion(made)}" for made in view.suggestions[-1:])
        yield from (f"last accusation: {accusation(made)}" for made in view.accusations[-1:])
        if view.outcome is not None:
            yield f"won by {seats(view.outcome.winners) or 'nobody'}: {view.outcome.rule.id}"


def suggestion(made: SuggestionMade) -> str:
    answer = "nobody shows" if made.refuter is None else f"seat {made.refuter} {hidden(made.card)}"
    return f"{made.turn}. seat {made.seat} {made.case.word}; passed: {seats(made.passed) or 'nobody'}; {answer}"


def accusation(made: AccusationMade) -> str:
    return f"{made.turn}. seat {made.seat} {made.case.word}, {'right' if made.right else 'wrong'}"


def hidden(value: Card | Case | None) -> str:
    return "?" if value is None else value.word


def cards(several: tuple[Card, ...]) -> str:
    return " ".join(card.word for card in several)


def seats(several: tuple[Seat, ...]) -> str:
    return " ".join(map(str, several))


def way(path: tuple[Square, ...]) -> str:
    return " ".join(square.word for square in path)


def _choice(kind: type[Choice], word: str | None) -> Choice | None:
    return None if word is None else kind[word.upper()]


def _shown_to(view: CluedoView) -> tuple[tuple[Seat, Card], ...]:
    """The cards of other seats that the viewer has been shown, by their owner; each once, in order of time."""
    mine = [made for made in view.suggestions if made.seat == view.viewer]
    shown = [(made.refuter, made.card) for made in mine if made.refuter is not None and made.card is not None]
    return tuple(dict.fromkeys(shown))
