"""Encoded messages read as they lie there: as protobuf's own library reads them, or not at all."""

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from whitehall.games.core.decoding import cut_out, elements, scan
from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, move_pb2, position_pb2

INT32 = st.integers(-(2**31), 2**31 - 1)

tickets = st.builds(move_pb2.Tickets, taxi=INT32, bus=INT32, underground=INT32, black=INT32)
hunters = st.builds(
    position_pb2.PositionHunter,
    piece=st.sampled_from(move_pb2.Piece.values()),
    station=INT32,
    tickets=st.none() | tickets,
    has_moved=st.booleans(),
)
positions = st.builds(
    position_pb2.Position,
    preset=st.text(),
    players=INT32,
    round=INT32,
    phase=st.sampled_from(game_pb2.Phase.values()),
    hunters=st.lists(hunters),
    supply=st.none() | tickets,
    moves_made=INT32,
)


@given(positions)
def test_numbers_and_parts_are_those_that_the_message_itself_tells(position: position_pb2.Position) -> None:
    fields = position_pb2.Position
    scanned = scan(position.SerializeToString(), fields.HUNTERS_FIELD_NUMBER)
    assert scanned is not None
    numbers, parts = scanned
    assert numbers[fields.PLAYERS_FIELD_NUMBER] == position.players
    assert numbers[fields.ROUND_FIELD_NUMBER] == position.round
    assert numbers[fields.PHASE_FIELD_NUMBER] == position.phase
    assert numbers[fields.MOVES_MADE_FIELD_NUMBER] == position.moves_made
    expected = [(fields.PRESET_FIELD_NUMBER, position.preset.encode())] if position.preset else []
    expected += [(fields.HUNTERS_FIELD_NUMBER, hunter.SerializeToString()) for hunter in position.hunters]
    if position.HasField("supply"):
        expected.append((fields.SUPPLY_FIELD_NUMBER, position.supply.SerializeToString()))
    assert parts == expected


@given(hunters)
def test_a_part_is_read_as_a_message_of_its_own(hunter: position_pb2.PositionHunter) -> None:
    scanned = scan(hunter.SerializeToString())
    assert scanned is not None
    numbers, parts = scanned
    assert numbers[1:5] == [hunter.piece, hunter.station, 0, hunter.has_moved]
    assert [part for _, part in parts] == [hunter.tickets.SerializeToString()] * hunter.HasField("tickets")


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (b"\x08\x01\x08\x02", "twice"),
        (b"\x12\x01a\x12\x01b", "text twice"),
        (b"\x10\x01\x08\x01", "out of order"),
        (b"\x98\x06\x96\x01", "a number in field 99"),
        (b"\x80\x01\x01", "a number in field 16"),
        (b"\x09" + bytes(8), "eight bytes"),
        (b"\x0d" + bytes(4), "four bytes"),
        (b"\x0b\x08\x07\x0c", "a group"),
        (b"\x0c", "the end of a group"),
        (b"\x08", "no number behind the tag"),
        (b"\x08\x80", "a number that does not end"),
        (b"\x08" + b"\x80" * 10 + b"\x01", "a number of eleven bytes"),
        (b"\x12\x02a", "text that is cut off"),
        (b"\x12" + b"\xff" * 9 + b"\x01", "text of less than no bytes"),
        (b"\x0e\x01", "a form that there is not"),
        (b"\x00\x00", "a number in field 0"),
        (b"\x02\x01a", "text in field 0"),
        (b"\x08\x81\x00", "a number in two bytes for one"),
        (b"\x12\x81\x00a", "a length in two bytes for one"),
        (b"\x08" + b"\x80" * 9 + b"\x02", "a number of 65 bits"),
        (b"\x12" + b"\x81" + b"\x80" * 8 + b"\x02a", "a length of 65 bits"),
    ],
)
def test_what_protobuf_would_not_write_of_known_fields_is_not_plain(written: bytes, why: str) -> None:
    assert scan(written) is None, why
    assert elements(written, 2) is None or why == "text twice"


def test_elements_are_found_in_their_order_where_nothing_stands_beside_them() -> None:
    assert elements(b"\x12\x03abc", 2) == [b"abc"]
    assert elements(b"\x12\x03abc\x12\x00\x12\x01d", 2) == [b"abc", b"", b"d"]
    assert elements(b"", 2) == []
    assert elements(b"\x12\x03abc", 1) is None
    assert elements(b"\x08\x01\x12\x03abc", 2) is None
    assert elements(b"\x12\x03abc\x1a\x01d", 2) is None
    assert elements(b"\x0a\x01d\x12\x03abc", 2) is None
    assert elements(b"\x12\x03abc\x18\x01\x12\x00", 2) is None


rides = st.builds(move_pb2.LegalRide, ticket=st.sampled_from(move_pb2.Ticket.values()), station=INT32, text=st.text())
groups = st.builds(move_pb2.DoubleGroup, first=st.none() | rides, seconds=st.lists(rides, max_size=2))
pieces = st.builds(
    move_pb2.PieceMoves,
    piece=st.sampled_from(move_pb2.Piece.values()),
    rides=st.lists(rides, max_size=2),
    doubles=st.lists(groups, max_size=3),
    may_pass=st.booleans(),
    starts=st.lists(INT32, max_size=3),
)
legal_moves = st.builds(move_pb2.LegalMoves, pieces=st.lists(pieces, max_size=3))
TO_DOUBLES = [move_pb2.LegalMoves.PIECES_FIELD_NUMBER, move_pb2.PieceMoves.DOUBLES_FIELD_NUMBER]


@given(legal_moves)
def test_what_is_cut_out_is_what_stood_there_and_the_rest_is_left(moves: move_pb2.LegalMoves) -> None:
    cut = cut_out(moves.SerializeToString(), TO_DOUBLES)
    assert cut is not None
    rest, lists = cut
    assert lists == [[group.SerializeToString() for group in piece.doubles] for piece in moves.pieces]
    for piece in moves.pieces:
        piece.ClearField("doubles")
    assert rest == moves.SerializeToString()


@given(legal_moves, st.data())
def test_nothing_is_cut_out_of_what_is_no_whole_message(moves: move_pb2.LegalMoves, data: st.DataObject) -> None:
    message = moves.SerializeToString()
    message = message[: data.draw(st.integers(0, len(message)))]
    cut = cut_out(message, TO_DOUBLES)
    try:
        expected = move_pb2.LegalMoves.FromString(message)
    except DecodeError:
        assert cut is None
    else:
        assert cut is not None
        assert [len(each) for each in cut[1]] == [len(piece.doubles) for piece in expected.pieces]
