"""Views and events on the wire. They get what one viewer may know, and add nothing to it."""

from functools import lru_cache

from whitehall.games.cluedo import events as happened
from whitehall.games.cluedo import notation
from whitehall.games.cluedo.card import Card, suspect
from whitehall.games.cluedo.events import Event
from whitehall.games.cluedo.moves import Accuse, EndTurn, Enter, Move, Pass, Passage, Roll, Show, Suggest, Walk
from whitehall.games.cluedo.options import CluedoOptions
from whitehall.games.cluedo.place import Place
from whitehall.games.cluedo.state import AccusationMade, SuggestionMade
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.cluedo.wire.numbers import phase_number, turn_end_reason_number
from whitehall.games.cluedo.wire.options import write_options
from whitehall.games.cluedo.wire.places import case_fields, words, write_case, write_dice, write_place, write_squares
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat
from whitehall.gen.whitehall.cluedo.v1 import game_pb2
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2

UNSEEN = "?"
"""Stands in notation for a card that the viewer has not seen."""

_ANY = suspect(1)
"""A pawn for moves of which the text without their pawn is wanted."""

ELEMENTS_KEPT = 1 << 12
"""How many suggestions are kept in encoded form: those of a hundred games or more, at 40 bytes each."""


def write_view(view: CluedoView) -> game_pb2.View:
    """A viewer's whole knowledge of the position.

    Much of a view is what it was in the view before. A repeated field is the concatenation of its encoded elements, so
    these are encoded once, kept, and merged into the message as bytes.
    """
    options = view.options
    message = game_pb2.View(
        seat=view.viewer,
        turn=view.turn,
        active=view.active,
        phase=phase_number(view.phase),
        dice=None if view.dice is None else write_dice(view.dice),
        pawns=[
            _pawn(pawn, place, options.seat_of.get(pawn), pawn in view.called)
            for pawn, place in zip(options.suspects, view.pawns, strict=True)
        ],
        weapons=[
            game_pb2.WeaponPlace(weapon=weapon.word, location=location.word)
            for weapon, location in zip(options.weapons, view.weapons, strict=True)
        ],
        hand=words(view.hand),
        face_up=words(view.face_up),
        accusations=[_accusation(made) for made in view.accusations],
        eliminated=view.eliminated,
        envelope=None if view.envelope is None else write_case(view.envelope),
        outcome=None if view.outcome is None else write_outcome(view.outcome),
    )
    message.MergeFromString(b"".join([_table(options), *map(_suggestion, view.suggestions)]))
    return message


@lru_cache(256)
def _table(options: CluedoOptions) -> bytes:
    """What stays the same for a whole game, as an encoded `View` with nothing else in it."""
    theme = options.theme
    names = (*theme.suspects, *theme.weapons, *theme.locations)
    return game_pb2.View(
        preset=options.preset,
        board=options.board.name,
        seats=write_seats(options),
        cards=[
            game_pb2.CardName(card=card.word, name=name.text, placeholder=name.placeholder)
            for card, name in zip(options.cards, names, strict=True)
        ],
        hand_sizes=options.hand_sizes,
        options=write_options(options),
    ).SerializeToString()


@lru_cache(ELEMENTS_KEPT)
def _pawn(pawn: Card, place: Place, seat: Seat | None, called_in: bool) -> game_pb2.Pawn:
    return game_pb2.Pawn(pawn=pawn.word, place=write_place(place), seat=seat, called_in=called_in)


@lru_cache(ELEMENTS_KEPT)
def _suggestion(made: SuggestionMade) -> bytes:
    """A suggestion as its viewer knows it, as an encoded `View` with nothing else in it."""
    message = game_pb2.Suggestion(
        turn=made.turn,
        seat=made.seat,
        **case_fields(made.case),
        pawn_moved=made.pawn_moved,
        weapon_moved=made.weapon_moved,
        passed=made.passed,
        refuter=made.refuter,
        card=None if made.card is None else made.card.word,
    )
    return game_pb2.View(suggestions=[message]).SerializeToString()


def _accusation(made: AccusationMade) -> game_pb2.Accusation:
    return game_pb2.Accusation(turn=made.turn, seat=made.seat, **case_fields(made.case), right=made.right)


def write_seats(options: CluedoOptions) -> list[game_pb2.SeatPawn]:
    """The pawn of each seat."""
    return [game_pb2.SeatPawn(seat=seat, pawn=pawn.word) for seat, pawn in enumerate(options.seats)]


def _text(move: Move) -> str:
    """A move in notation without its pawn: the event says whose it was."""
    return notation.text(move).partition(" ")[2]


_SHOW = _text(Show(_ANY, _ANY)).partition(" ")[0]


def write_outcome(outcome: Outcome) -> common_pb2.Outcome:
    """How a game ended."""
    return common_pb2.Outcome(winners=outcome.winners, rule=outcome.rule.id)


def write_event(event: Event) -> game_pb2.Event:
    """An event, as far as its viewer may know it, with its move in notation where it is one."""
    match event:
        case happened.Enclosed(case):
            return game_pb2.Event(enclosed=game_pb2.Enclosed(envelope=None if case is None else write_case(case)))
        case happened.Dealt(seat, size, cards):
            return game_pb2.Event(dealt=game_pb2.Dealt(seat=seat, size=size, cards=words(cards or ())))
        case happened.LaidOpen(cards):
            return game_pb2.Event(laid_open=game_pb2.LaidOpen(cards=words(cards)))
        case happened.TurnBegan(turn, seat):
            return game_pb2.Event(turn_began=game_pb2.TurnBegan(turn=turn, seat=seat))
        case happened.Revealed(case):
            return game_pb2.Event(revealed=game_pb2.Revealed(envelope=write_case(case)))
        case happened.GameEnded(outcome):
            return game_pb2.Event(game_ended=game_pb2.GameEnded(outcome=write_outcome(outcome)))
    return _write_deed(event)


def _write_deed(event: Event) -> game_pb2.Event:
    """An event that somebody brought about in a turn."""
    match event:
        case happened.Rolled(pawn, dice):
            rolled = game_pb2.Rolled(pawn=pawn.word, dice=write_dice(dice))
            return game_pb2.Event(rolled=rolled, text=_text(Roll(pawn, dice)))
        case happened.Stuck(pawn):
            return game_pb2.Event(stuck=game_pb2.Stuck(pawn=pawn.word))
        case happened.Walked(pawn, path):
            walked = game_pb2.Walked(pawn=pawn.word, path=write_squares(path))
            return game_pb2.Event(walked=walked, text=_text(Walk(pawn, path[-1])))
        case happened.Entered(pawn, location, path):
            entered = game_pb2.Entered(pawn=pawn.word, location=location.word, path=write_squares(path))
            return game_pb2.Event(entered=entered, text=_text(Enter(pawn, location)))
        case happened.TookPassage(pawn, location):
            took = game_pb2.TookPassage(pawn=pawn.word, location=location.word)
            return game_pb2.Event(took_passage=took, text=_text(Passage(pawn, location)))
        case happened.DoorCleared(pawn, location):
            return game_pb2.Event(door_cleared=game_pb2.DoorCleared(pawn=pawn.word, location=location.word))
        case happened.CalledIn(pawn, location):
            return game_pb2.Event(called_in=game_pb2.CalledIn(pawn=pawn.word, location=location.word))
        case happened.WeaponMoved(weapon, location):
            return game_pb2.Event(weapon_moved=game_pb2.WeaponMoved(weapon=weapon.word, location=location.word))
        case happened.TurnEnded(seat, reason):
            ended = game_pb2.TurnEnded(seat=seat, reason=turn_end_reason_number(reason))
            chosen = reason is happened.TurnEndReason.CHOSEN
            return game_pb2.Event(turn_ended=ended, text=_text(EndTurn(_ANY)) if chosen else "")
    return _write_inquiry(event)


def _write_inquiry(event: Event) -> game_pb2.Event:
    """An event of a suggestion or an accusation."""
    match event:
        case happened.Suggested(seat, case):
            suggested = game_pb2.Suggested(seat=seat, **case_fields(case))
            return game_pb2.Event(suggested=suggested, text=_text(Suggest(_ANY, case)))
        case happened.Passed(seat):
            return game_pb2.Event(passed=game_pb2.Passed(seat=seat), text=_text(Pass(_ANY)))
        case happened.Asked(seat):
            return game_pb2.Event(asked=game_pb2.Asked(seat=seat))
        case happened.Refuted(seat, suggester, card):
            shown = None if card is None else card.word
            refuted = game_pb2.Refuted(seat=seat, suggester=suggester, card=shown)
            return game_pb2.Event(refuted=refuted, text=f"{_SHOW} {UNSEEN if card is None else card.word}")
        case happened.Unrefuted(seat):
            return game_pb2.Event(unrefuted=game_pb2.Unrefuted(seat=seat))
        case happened.Accused(seat, case, right):
            accused = game_pb2.Accused(seat=seat, **case_fields(case), right=right)
            return game_pb2.Event(accused=accused, text=_text(Accuse(_ANY, case)))
        case happened.EnvelopeSeen(seat, case):
            envelope = None if case is None else write_case(case)
            return game_pb2.Event(envelope_seen=game_pb2.EnvelopeSeen(seat=seat, envelope=envelope))
        case happened.Eliminated(seat):
            return game_pb2.Event(eliminated=game_pb2.Eliminated(seat=seat))
    raise AssertionError(f"no message for {type(event).__name__}")
