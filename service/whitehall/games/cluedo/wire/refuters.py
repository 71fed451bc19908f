"""Refuters on the wire: who answers a suggestion among hands that lie open, without a game."""

from collections.abc import Callable, Mapping

from whitehall.games.cluedo.card import card
from whitehall.games.cluedo.hands_notation import OpenSuggestion
from whitehall.games.cluedo.refutation import check_hands, refutation
from whitehall.games.cluedo.wire.places import case_fields, read_case, words
from whitehall.games.core.seat import Seat
from whitehall.gen.whitehall.cluedo.v1 import position_pb2


def list_refuters(question: position_pb2.RefuterQuestion) -> bytes:
    """Who answers a suggestion, as an encoded `Refuter`. Raises `InvalidField`."""
    hands = [[card(word) for word in hand.cards] for hand in question.hands]
    check_hands(hands, Seat(question.seat))
    found = refutation(hands, Seat(question.seat), read_case(question))
    return position_pb2.Refuter(
        passed=found.passed, refuter=found.refuter, cards=words(found.cards)
    ).SerializeToString()


def write_question(asked: OpenSuggestion) -> position_pb2.RefuterQuestion:
    """A suggestion among open hands."""
    hands = [position_pb2.HeldCards(cards=words(hand)) for hand in asked.hands]
    return position_pb2.RefuterQuestion(hands=hands, seat=asked.seat, **case_fields(asked.case))


QUESTIONS: Mapping[str, Callable[..., bytes]] = {"ListRefuters": list_refuters}
"""What answers one question of each position method about refuters."""
