"""Positions answered from their bytes: as if they had been read as messages and found valid, or not at all."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from tests.api.positions import walk
from whitehall.api.pipeline import read
from whitehall.games.core.decoding import elements
from whitehall.games.core.encoding import embedded
from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.wire.positions import (
    list_legal_moves,
    list_plain_legal_moves,
    write_position,
)
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2
from whitehall.sessions.refusal import Refusal

POSITIONS = [
    write_position(after).SerializeToString()
    for players in (2, 3, 5, 6)
    for _, _, after in walk(players, Random(f"plain {players}"))
    if game.outcome(after) is None
]


REQUESTS = [embedded(1, question) for question in POSITIONS]
BATCHES = [b"".join(REQUESTS[first : first + 3]) for first in range(0, len(REQUESTS), 3)]


def answered_the_usual_way(question: bytes) -> bytes | None:
    """What becomes of a question that is read as a message: the answer, or None where it is refused."""
    told = answered(embedded(1, question))
    return None if told is None else told[0]


def answered(request: bytes) -> list[bytes] | None:
    """The same for a request with one question or more: the answers, or None where it is refused."""
    try:
        message: Any = read(position_pb2.ListPositionLegalMovesRequest, request)
        return [list_legal_moves(position) for position in message.positions]
    except (Refusal, InvalidField, DecodeError):
        return None


def test_the_positions_of_games_are_plain_and_their_moves_the_same() -> None:
    assert len(POSITIONS) > 100
    for question in POSITIONS:
        told = list_plain_legal_moves(question)
        assert told is not None
        assert told == answered_the_usual_way(question)


ODD_NUMBERS = [b"\x80", b"\x80\x00", b"\x00", b"\x80" * 9 + b"\x02", b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x80\x10"]
"""How nobody writes numbers, or hardly anybody."""


@st.composite
def damaged(draw: st.DrawFn, messages: list[bytes]) -> bytes:
    """A message's bytes with some of them changed, left out, put in or repeated."""
    question = bytearray(draw(st.sampled_from(messages)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(question)))
        size = draw(st.integers(0, 12))
        what = draw(st.sampled_from(["change", "leave out", "put in", "repeat"]))
        if what == "change" and at < len(question):
            question[at] = draw(st.integers(0, 255))
        elif what == "leave out":
            del question[at : at + size]
        elif what == "put in":
            question[at:at] = draw(st.binary(min_size=1, max_size=12) | st.sampled_from(ODD_NUMBERS))
        else:
            question += question[at : at + size]
    return bytes(question)


@given(damaged(REQUESTS + BATCHES))
def test_whatever_request_holds_questions_and_no_more_holds_them_as_a_message(request: bytes) -> None:
    told = [list_plain_legal_moves(question) for question in elements(request, 1) or [b""]]
    assert None in told or told == answered(request)


@given(damaged(POSITIONS))
def test_whatever_is_answered_from_its_bytes_is_answered_as_its_message(question: bytes) -> None:
    told = list_plain_legal_moves(question)
    assert told is None or told == answered_the_usual_way(question)


NUMBERS = st.sampled_from([-1, 0, 1, 2, 6, 7, 22, 199, 200, 999, 1000, 9999, 10000, 2**31 - 1, -(2**31)])


@st.composite
def absurd(draw: st.DrawFn) -> bytes:
    """A position in which a few numbers are something else, within the contract's ranges or not."""
    message = position_pb2.Position.FromString(draw(st.sampled_from(POSITIONS)))
    for _ in range(draw(st.integers(1, 2))):
        number = draw(NUMBERS)
        match draw(st.integers(0, 3)):
            case 0:
                name = draw(
                    st.sampled_from(
                        ["players", "round", "mr_x", "black_tickets", "double_tickets", "moves_made", "phase"]
                    )
                )
                setattr(message, name, number)
            case 1:
                hunter = draw(st.sampled_from(message.hunters))
                setattr(hunter, draw(st.sampled_from(["station", "piece", "has_moved"])), number)
            case 2:
                hand = draw(st.sampled_from([message.supply, message.shared_hand, message.hunters[0].tickets]))
                setattr(hand, draw(st.sampled_from(["taxi", "bus", "underground", "black"])), number)
            case _:
                message.preset = draw(st.sampled_from(["", "new", "classic", "master", "nowhere", "x" * 65]))
    return message.SerializeToString()


@given(absurd())
def test_absurd_numbers_are_never_answered_from_bytes_unless_they_are_as_a_message(question: bytes) -> None:
    told = list_plain_legal_moves(question)
    assert told is None or told == answered_the_usual_way(question)


def with_overrides() -> position_pb2.Position:
    message = position_pb2.Position.FromString(POSITIONS[0])
    message.overrides.rounds = 20
    return message


def with_the_app() -> position_pb2.Position:
    message = position_pb2.Position.FromString(POSITIONS[0])
    message.master.helicopter_tickets = 1
    return message


def with_a_phase_that_there_is_not() -> position_pb2.Position:
    message = position_pb2.Position.FromString(POSITIONS[0])
    message.phase = 77  # type: ignore[assignment]  # as a client with a newer contract might
    return message


@pytest.mark.parametrize("unusual", [with_overrides, with_the_app, with_a_phase_that_there_is_not])
def test_what_is_unusual_goes_the_usual_way(unusual: Callable[[], position_pb2.Position]) -> None:
    assert list_plain_legal_moves(unusual().SerializeToString()) is None


def test_two_hands_in_one_field_are_merged_as_protobuf_merges_them_and_not_taken_for_the_last() -> None:
    question = POSITIONS[0] + embedded(position_pb2.Position.SUPPLY_FIELD_NUMBER, b"\x08\x01")
    assert list_plain_legal_moves(question) is None


def test_no_preset_of_the_rulebooks_lets_through_what_the_contract_refuses() -> None:
    """The shortcut leaves the contract's ranges out, since each preset's own are narrower."""
    for preset in ("new", "classic", "master"):
        for players in range(2, 7):
            options = resolve(preset, players)
            assert options.rounds <= 999
            assert max(options.board.coordinates) <= 9999
            assert min(options.board.coordinates) >= 1
            assert len(options.hunters) <= 8
            assert max(options.black_tickets, options.double_tickets) <= 99
            assert options.log_fields <= 999
            assert max(*options.hand, *options.supply, options.black_hand) <= 999
