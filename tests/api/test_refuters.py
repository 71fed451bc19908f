"""Who answers a suggestion, asked over gRPC with hands that lie open."""

from __future__ import annotations

import grpc
import pytest

from tests.api.cluedo import Mansion
from tests.api.refusals import refused
from tests.api.table import Yard
from whitehall.gen.whitehall.cluedo.v1 import position_pb2


@pytest.fixture
def mansion(yard: Yard) -> Mansion:
    return Mansion(yard.channel)


def asked(seat: int, words: str, *hands: str) -> position_pb2.RefuterQuestion:
    suspect, weapon, location = words.split()
    held = [position_pb2.HeldCards(cards=hand.split()) for hand in hands]
    return position_pb2.RefuterQuestion(hands=held, seat=seat, suspect=suspect, weapon=weapon, location=location)


async def test_each_suggestion_of_a_batch_is_told_who_answers_it_and_with_which_cards(mansion: Mansion) -> None:
    hands = ("S1 W1", "L3 S4", "W2", "S2 S3")
    questions = [asked(0, "S4 W2 L3", *hands), asked(2, "S4 W1 L3", *hands), asked(1, "S4 W6 L3", *hands)]
    answer = await mansion.positions.ListRefuters(position_pb2.ListRefutersRequest(questions=questions))
    assert list(answer.refuters) == [
        position_pb2.Refuter(refuter=1, cards=["S4", "L3"]),
        position_pb2.Refuter(passed=[3], refuter=0, cards=["W1"]),
        position_pb2.Refuter(passed=[2, 3, 0]),
    ]
    requests = [position_pb2.StreamListRefutersRequest(questions=[question]) for question in questions]
    streamed = [part.refuters[0] async for part in mansion.positions.StreamListRefuters(iter(requests))]
    assert streamed == list(answer.refuters)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        (asked(3, "S4 W2 L3", "S1", "S2", "S3"), "questions[1].seat"),
        (asked(0, "S4 W2 L3", "S1", "S2", "S3 S2"), "questions[1].hands[2].cards[1]"),
        (asked(0, "S4 W2 L3", "S1 S1", "S2"), "questions[1].hands[0].cards"),
        (asked(0, "W2 W2 L3", "S1", "S2"), "questions[1].suspect"),
        (asked(0, "S4 W2 L3", "S1"), "questions[1].hands"),
        (asked(0, "S4 W2 L3", "S1", "X1"), "questions[1].hands[1].cards[0]"),
    ],
)
async def test_hands_that_cannot_be_are_refused_by_the_field(
    mansion: Mansion, question: position_pb2.RefuterQuestion, field: str
) -> None:
    questions = [asked(0, "S4 W2 L3", "S1", "S2"), question]
    with refused("INVALID_FIELD", grpc.StatusCode.INVALID_ARGUMENT) as refusal:
        await mansion.positions.ListRefuters(position_pb2.ListRefutersRequest(questions=questions))
    assert refusal.fields == [field]
