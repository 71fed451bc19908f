"""Our JSON is protobuf's: we write what `json_format` writes, read what it writes, and name what we refuse."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.messages import contract, messages
from whitehall.api import json_reading
from whitehall.api.json_reading import read_json
from whitehall.api.json_writing import json_writer
from whitehall.games.core.fault import InvalidField
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, position_pb2, service_pb2
from whitehall.sessions.refusal import Reason, Refusal

ANY_MESSAGE = st.sampled_from(contract()).flatmap(messages)

thoroughly = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@thoroughly
@given(ANY_MESSAGE)
def test_every_message_is_written_as_protobuf_writes_it_with_its_defaults(message: Message) -> None:
    expected = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    written = json_writer(type(message))(message.SerializeToString())
    assert json.loads(written) == json.loads(json.dumps(expected))


@thoroughly
@given(ANY_MESSAGE, st.booleans())
def test_every_message_that_protobuf_writes_is_read(message: Message, as_in_the_proto: bool) -> None:
    text = json_format.MessageToJson(message, preserving_proto_field_name=as_in_the_proto)
    assert read_json(type(message), text.encode()) == message


@thoroughly
@given(ANY_MESSAGE)
def test_what_we_write_we_read(message: Message) -> None:
    written = json_writer(type(message))(message.SerializeToString())
    assert read_json(type(message), written) == message


WITH_DOUBLES = st.sampled_from(
    [service_pb2.ListLegalMovesResponse, position_pb2.ListPositionLegalMovesResponse, move_pb2.LegalMoves]
).flatmap(messages)


@thoroughly
@given(WITH_DOUBLES)
def test_what_recurs_is_written_as_everything_is(message: Message) -> None:
    data = message.SerializeToString()
    assert json_writer(type(message), move_pb2.DoubleGroup)(data) == json_writer(type(message))(data)


@pytest.mark.parametrize(
    "moves",
    [
        move_pb2.LegalMoves(),
        move_pb2.LegalMoves(pieces=[move_pb2.PieceMoves()]),
        move_pb2.LegalMoves(pieces=[move_pb2.PieceMoves(start_text='"doubles":[]')]),
        move_pb2.LegalMoves(
            pieces=[
                move_pb2.PieceMoves(doubles=[move_pb2.DoubleGroup(flights=[5, 6]), move_pb2.DoubleGroup()]),
                move_pb2.PieceMoves(rides=[move_pb2.LegalRide(text='"doubles":[]')]),
                move_pb2.PieceMoves(doubles=[move_pb2.DoubleGroup(flights=[5, 6])]),
            ]
        ),
    ],
    ids=["none", "one piece", "its own words", "several pieces"],
)
def test_each_piece_keeps_what_recurs_in_its_own_list(moves: move_pb2.LegalMoves) -> None:
    written = json_writer(move_pb2.LegalMoves, move_pb2.DoubleGroup)(moves.SerializeToString())
    assert json_format.Parse(written, move_pb2.LegalMoves()) == moves
    assert written == json_writer(move_pb2.LegalMoves)(moves.SerializeToString())


def test_messages_that_hold_nothing_recurring_are_written_all_the_same() -> None:
    update = service_pb2.GetGameRequest(game_id="a")
    written = json_writer(service_pb2.GetGameRequest, move_pb2.DoubleGroup)(update.SerializeToString())
    assert json.loads(written) == {"gameId": "a"}


def test_the_details_of_a_refusal_are_spelled_out() -> None:
    status = status_pb2.Status(code=9, message="no")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason="ILLEGAL_MOVE", metadata={"rule": "SY-MOVE-04"}))
    status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay={"nanos": 200_000_000}))
    assert json.loads(json_writer(status_pb2.Status)(status.SerializeToString())) == {
        "code": 9,
        "message": "no",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "ILLEGAL_MOVE",
                "domain": "",
                "metadata": {"rule": "SY-MOVE-04"},
            },
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.200s"},
        ],
    }


PLAY = service_pb2.PlayMoveRequest
RIDE = '{"moves": [{"travel": {"ticket": "TICKET_TAXI", "station": %s}}]}'


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ('{"gameid": "a"}', "gameid", "is no field of PlayMoveRequest; did you mean gameId?"),
        ('{"game_ids": "a"}', "game_ids", "is no field of PlayMoveRequest; did you mean game_id?"),
        ('{"moves": [{"travel": {"statoin": 5}}]}', "moves[0].travel.statoin", "did you mean station?"),
        ('{"moves": [{}, {"xyz": 5}]}', "moves[1].xyz", "is no field of Move"),
        ('{"gameId": "a", "gameId": "a"}', "gameId", "stands twice"),
        ('{"gameId": "a", "game_id": "a"}', "game_id", "stands twice"),
        ('{"moves": [{"text": "a", "text": "b"}]}', "moves[0].text", "stands twice"),
        ('{"moves": [{"text": "a", "pass_turn": {}}]}', "moves[0].pass_turn", "can't be given together with text"),
        ('{"moves": [null]}', "moves[0]", "must not be null"),
        ('{"moves": {}}', "moves", "must be a list"),
        ('{"moves": [5]}', "moves[0]", "must be an object (Move)"),
        ('{"gameId": 5}', "game_id", "must be text"),
        ('{"gameId": "\\ud800"}', "game_id", "holds half of a surrogate pair"),
        (RIDE % "1.5", "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (RIDE % "true", "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (RIDE % '"86x"', "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (RIDE % '"٣"', "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (RIDE % "2147483648", "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (RIDE % "1e400", "moves[0].travel.station", "must be a whole number from -2147483648 to 2147483647"),
        (
            '{"moves": [{"travel": {"ticket": "TAXI"}}]}',
            "moves[0].travel.ticket",
            "is no Ticket; did you mean TICKET_TAXI?",
        ),
        ('{"moves": [{"travel": {"ticket": 1.0}}]}', "moves[0].travel.ticket", "must be a name of Ticket"),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, field: str, words: str) -> None:
    with pytest.raises(InvalidField) as fault:
        read_json(PLAY, text.encode())
    assert fault.value.field == field
    assert words in fault.value.text.en
    assert fault.value.text.fr != fault.value.text.en


@pytest.mark.parametrize(
    "text",
    [
        b" ",
        b"[]",
        b"null",
        b'"a"',
        b"{",
        b'{"gameId": "a"} x',
        b'{"gameId": "a",}',
        b'{"gameId": "\xff"}',
        b'\xef\xbb\xbf{"gameId": "a"}',
        '{"gameId": "a"}'.encode("utf-16"),
        b'{"expectedRevision": NaN}',
        b'{"expectedRevision": -Infinity}',
        b'{"expectedRevision": 01}',
        b'{"expectedRevision": ' + b"9" * 5000 + b"}",
        b'{"gameId": ' + b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
    ids=lambda text: repr(text[:24]),
)
def test_what_is_no_json_object_is_malformed(text: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        read_json(PLAY, text)
    assert refused.value.reason is Reason.MALFORMED_REQUEST
    assert refused.value.metadata["type"] == "PlayMoveRequest"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", PLAY()),
        ('{"expectedRevision": 3.0}', PLAY(expected_revision=3)),
        ('{"expectedRevision": "3"}', PLAY(expected_revision=3)),
        ('{"expectedRevision": 3e0}', PLAY(expected_revision=3)),
        ('{"expectedRevision": 0}', PLAY(expected_revision=0)),
        ('{"expectedRevision": null}', PLAY()),
        ('{"moves": null}', PLAY()),
        ('{"moves": [{"pass_turn": {}}]}', PLAY(moves=[move_pb2.Move(pass_turn=move_pb2.Pass())])),
        (
            '{"moves": [{"travel": {"ticket": 77}}]}',
            PLAY(moves=[move_pb2.Move(travel=move_pb2.Travel(ticket=cast(Any, 77)))]),
        ),
    ],
)
def test_what_protobuf_allows_is_read(text: str, message: Message) -> None:
    """An absent value may be null, a number may be text, an enum may be a number; presence is kept."""
    assert read_json(PLAY, text.encode()) == message
    assert json_format.Parse(text, PLAY()) == message


@thoroughly
@given(st.sampled_from([PLAY, position_pb2.ValidatePositionMovesRequest]), st.data())
def test_whatever_is_changed_in_a_text_it_is_read_or_refused_by_name(kind: type[Message], data: Any) -> None:
    text = bytearray(json_format.MessageToJson(data.draw(messages(kind))).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(0, len(text) - 1)))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    refused: list[str] = []
    try:
        read_json(kind, bytes(text))
    except Refusal as refusal:
        refused = [refusal.reason]
    except InvalidField as fault:
        refused = [fault.field]
    assert all(refused)


PARTS = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"a"',
        b'"b"',
        b'":"',
        b'"\\u003a"',
        b"1",
        b"-0.0",
        b"1e400",
        b"null",
        b" ",
        b"\xff",
    ]
)


@given(st.lists(PARTS, max_size=20).map(b"".join) | st.text().map(lambda text: text.encode(errors="replace")))
def test_what_is_parsed_quickly_is_what_python_parses(text: bytes) -> None:
    """Or it is left to Python; so are members that stand twice."""
    found = json_reading._plain(text)
    assert found is None or found == json.loads(text, object_pairs_hook=once)


def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(members)) == len(members)
    return dict(members)


@pytest.mark.parametrize(
    "text", [b'{"a": 1, "a": 2}', b'{"a": {"b": 1, "b": 1}}', b'{"a": 1, "a": "\\u003a"}', b'[{"a": ":", "a": ":"}]']
)
def test_nothing_that_stands_twice_is_parsed_quickly(text: bytes) -> None:
    assert json_reading._plain(text) is None


def test_what_is_plain_is() -> None:
    assert json_reading._plain(b'{"a": [1, {"b": ":"}]}') == {"a": [1, {"b": ":"}]}
