"""Encoded messages read as they lie there: as protobuf's own library reads them, whatever else is in between."""

from hypothesis import given
from hypothesis import strategies as st

from whitehall.games.core.decoding import scan
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

UNKNOWN = (
    b"\x98\x06\x96\x01",  # number 99, 150
    b"\x9a\x06\x03abc",  # text
    b"\x99\x06" + bytes(range(8)),  # eight bytes
    b"\x9d\x06" + bytes(range(4)),  # four bytes
    # A group that holds number 1, text, eight bytes, four bytes and a group with number 2 of its own.
    b"\x9b\x06"
    + b"\x08\x07"
    + b"\x12\x01\x08"
    + b"\x19"
    + bytes(8)
    + b"\x25"
    + bytes(4)
    + b"\x2b\x10\x09\x2c"
    + b"\x9c\x06",
)
"""Fields as a client with a newer contract may send them, in every form that there is."""


@given(positions)
def test_numbers_and_parts_are_those_that_the_message_itself_tells(position: position_pb2.Position) -> None:
    fields = position_pb2.Position
    numbers, parts = scan(position.SerializeToString())
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
    numbers, parts = scan(hunter.SerializeToString())
    assert numbers[1:5] == [hunter.piece, hunter.station, 0, hunter.has_moved]
    assert [part for _, part in parts] == [hunter.tickets.SerializeToString()] * hunter.HasField("tickets")


@given(tickets, st.lists(st.sampled_from(UNKNOWN)))
def test_what_no_field_holds_is_passed_over(message: move_pb2.Tickets, unknown: list[bytes]) -> None:
    """Protobuf's library keeps unknown fields, and writes them again after the others."""
    known = scan(message.SerializeToString())
    message.MergeFromString(b"".join(unknown))
    numbers, parts = scan(message.SerializeToString())
    assert numbers == known[0]
    assert [part for part in parts if part[0] < 16] == known[1]
