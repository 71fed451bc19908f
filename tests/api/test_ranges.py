"""Ranges of the protos: what stands at the end of one is something that the code admits, and one beyond it is refused.

A range that is wider than what the code admits tells callers of a request that fails all the same; a narrower one keeps
a game from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from tests.games.cluedo.staged import staged
from whitehall.api.validity import checked
from whitehall.games.cluedo import edition as cluedo_edition
from whitehall.games.cluedo import rules as cluedo_rules
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.state import Phase
from whitehall.games.cluedo.wire.deductions import read_log as read_suggestion_log
from whitehall.games.cluedo.wire.moves import read_move, write_legal_moves
from whitehall.games.cluedo.wire.options import read_overrides as read_cluedo_overrides
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import edition, master_changes, overrides, position_notation
from whitehall.games.scotland_yard.board import HIGHEST_STATION
from whitehall.games.scotland_yard.wire.deductions import read_log
from whitehall.games.scotland_yard.wire.options import read_overrides
from whitehall.games.scotland_yard.wire.position_reading import read_position
from whitehall.games.scotland_yard.wire.positions import read_question, write_position
from whitehall.gen.buf.validate import validate_pb2
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2 as cluedo_deduction_pb2
from whitehall.gen.whitehall.cluedo.v1 import move_pb2 as cluedo_move_pb2
from whitehall.gen.whitehall.cluedo.v1 import options_pb2 as cluedo_options_pb2
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_service_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import (
    deduction_pb2,
    investigation_pb2,
    master_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    service_pb2,
)
from whitehall.sessions.refusal import Refusal

SEVEN_HUNTERS = "red@13 blue@26 green@29 yellow@34 purple@50 bobby1@53 bobby2@91"
FOUR_HUNTERS = "red@13 blue@26 bobby1@29 bobby2@34"
LONGEST = "option:rounds=48 option:log_fields=64 option:double_tickets=16"


def position(words: str) -> position_pb2.Position:
    """The position that a line says, as a message."""
    return write_position(position_notation.parse(words))


def all_hunters_move() -> position_pb2.PositionMoves:
    asked = position_pb2.PositionMoves(position=position(f"new option:bobbies=2 6 1 hunters mr_x@45 {SEVEN_HUNTERS}"))
    asked.moves.extend(move_pb2.Move(text=f"{word.partition('@')[0]} pass") for word in SEVEN_HUNTERS.split())
    return asked


def told_last(answer: str) -> position_pb2.Position:
    """A position after the last field of the longest log, with what the app answered there."""
    options = "option:end_by=log_full option:log_fields=64"
    return position(f"master {options} 3 64 hunters mr_x@45 {FOUR_HUNTERS} moves:64 finding:64/64:{answer}")


def log(*hunters: int) -> deduction_pb2.PublicLog:
    rides = [deduction_pb2.PublicRide(ticket=move_pb2.TICKET_TAXI)]
    return deduction_pb2.PublicLog(rounds=[deduction_pb2.PublicRound(hunters=hunters, rides=rides)], hunters=hunters)


def longest_walk(into_a_room: bool) -> cluedo_move_pb2.Move:
    """The way that takes twelve pips: all squares before the last, or before the room."""
    for destination in write_legal_moves(TWELVE_ROLLED, Seat(0)).destinations:
        *before, last = destination.path
        if destination.pips == 12 and into_a_room == (destination.place.WhichOneof("kind") == "room"):
            if into_a_room:
                enter = cluedo_move_pb2.Enter(location=destination.place.room, via=destination.path)
                return cluedo_move_pb2.Move(enter=enter)
            return cluedo_move_pb2.Move(walk=cluedo_move_pb2.Walk(square=last, via=before))
    raise AssertionError("nothing is twelve pips away")


TWELVE_ROLLED = staged(3, phase=Phase.MOVE, dice=Dice(6, 6))


def judged(message: cluedo_move_pb2.Move) -> None:
    move = read_move(message, TWELVE_ROLLED.options.seats[0], "move")
    assert cluedo_rules.check(TWELVE_ROLLED, Seat(0), move) is None


def deck_of_27(**fields: Any) -> cluedo_deduction_pb2.SuggestionLog:
    return cluedo_deduction_pb2.SuggestionLog(suspects=9, weapons=9, locations=9, players=2, **fields)


def names(number: int, letter: str) -> cluedo_options_pb2.Names:
    return cluedo_options_pb2.Names(names=[f"{letter}{each}" for each in range(number)])


def resolved(players: int, preset: str = "new") -> Callable[[options_pb2.Options], object]:
    return lambda options: edition.resolve(preset, players, changes=read_overrides(options))


def resolved_cluedo(players: int) -> Callable[[cluedo_options_pb2.Options], object]:
    return lambda options: cluedo_edition.resolve("james-bond", players, None, read_cluedo_overrides(options))


FEWEST = position("new option:bobbies=0 3 1 mr_x mr_x@45 red@13 blue@26")
MOST: list[tuple[str, Message, Callable[[Any], object]]] = [
    ("hunters", position(f"new option:bobbies=2 6 1 mr_x mr_x@45 {SEVEN_HUNTERS}"), read_position),
    (
        "round",
        position(f"new option:end_by=log_full option:log_fields=64 3 64 mr_x mr_x@45 {FOUR_HUNTERS} moves:63"),
        read_position,
    ),
    ("moves_made", position(f"new {LONGEST} 3 48 hunters mr_x@45 {FOUR_HUNTERS} double:0 moves:64"), read_position),
    ("double_tickets", position(f"new {LONGEST} 3 1 mr_x mr_x@45 {FOUR_HUNTERS} double:16"), read_position),
    ("black_tickets", position(f"new option:black_tickets=99 3 1 mr_x mr_x@45 {FOUR_HUNTERS}"), read_position),
    (
        "master.helicopter_tickets",
        position(f"master option:master.helicopter_tickets=16 3 1 mr_x mr_x@45 {FOUR_HUNTERS} helicopter:16"),
        read_position,
    ),
    (
        "master.meeting_points[0].shown",
        position(f"master {LONGEST} 3 48 hunters mr_x@45 {FOUR_HUNTERS} double:0 moves:64 point:64@88"),
        read_position,
    ),
    (
        "master.meeting_points[0].reached",
        position(f"master {LONGEST} 3 48 hunters mr_x@45 {FOUR_HUNTERS} double:0 moves:64 point:3/64@88"),
        read_position,
    ),
    ("master.findings[0].round", told_last("scan:8"), read_position),
    ("master.findings[0].field", told_last("scan:8"), read_position),
    ("moves", all_hunters_move(), read_question),
    ("hunters", log(13, 26, 29, 34, 50, 53, 91), lambda asked: read_log(asked).evidence()),
    ("rounds[0].hunters", log(13, 26, 29, 34, 50, 53, 91), lambda asked: read_log(asked).evidence()),
    ("house_rules", options_pb2.Options(house_rules=["fast", "invisible"]), resolved(3)),
    ("via", longest_walk(into_a_room=False).walk, lambda walk: judged(cluedo_move_pb2.Move(walk=walk))),
    ("via", longest_walk(into_a_room=True).enter, lambda enter: judged(cluedo_move_pb2.Move(enter=enter))),
    ("first_dealt", cluedo_options_pb2.Options(first_dealt=5), resolved_cluedo(6)),
    (
        "neutral_cards",
        cluedo_options_pb2.Options(neutral_cards=22, suspects=names(6, "s"), weapons=names(12, "w")),
        resolved_cluedo(2),
    ),
    (
        "face_up",
        deck_of_27(face_up=[f"{letter}{number}" for letter in "SWL" for number in range(1, 9)][:22]),
        read_suggestion_log,
    ),
    (
        "hand",
        deck_of_27(seat=0, hand=[f"{letter}{number}" for letter in "SWL" for number in range(1, 5)]),
        read_suggestion_log,
    ),
]


@pytest.mark.parametrize(("path", "message", "judge"), MOST)
def test_the_most_of_a_range_is_admitted_and_one_more_is_out_of_it(
    path: str, message: Message, judge: Callable[[Any], object]
) -> None:
    checked(message, 0)
    judge(message)
    assert faults_of(with_one_more(message, path)) == {path}


def test_the_fewest_hunters_are_admitted_and_one_less_is_out_of_the_range() -> None:
    checked(FEWEST, 0)
    read_position(FEWEST)
    alone = position_pb2.Position()
    alone.CopyFrom(FEWEST)
    del alone.hunters[1:]
    assert faults_of(alone) == {"hunters"}


def with_one_more(message: Message, path: str) -> Message:
    """The message with a number that is greater by one, or with one thing more in a list."""
    changed = type(message)()
    changed.CopyFrom(message)
    inner: Any = changed
    *outer, last = path.split(".")
    for name in outer:
        field, _, index = name.partition("[")
        inner = getattr(inner, field)
        inner = inner[int(index.rstrip("]"))] if index else inner
    held = getattr(inner, last)
    if isinstance(held, int):
        setattr(inner, last, held + 1)
    else:
        held.append(held[-1])
    return changed


def faults_of(message: Message) -> set[str]:
    """The fields of a message that are out of their ranges."""
    with pytest.raises(Refusal) as refused:
        checked(message, 0)
    return {fault.field for fault in refused.value.faults}


def range_of(kind: Descriptor, name: str) -> tuple[int, int]:
    """The range of a field, or of each value in a list."""
    field = kind.fields_by_name[name]
    rules = field.GetOptions().Extensions[validate_pb2.field]
    numbers = rules.repeated.items.int32 if field.is_repeated else rules.int32
    return numbers.gte, numbers.lte


@pytest.mark.parametrize(
    ("kind", "ranges"),
    [
        (options_pb2.Options.DESCRIPTOR, overrides.RANGES),
        (master_pb2.MasterOptions.DESCRIPTOR, master_changes.RANGES),
    ],
    ids=["Options", "MasterOptions"],
)
def test_options_have_the_ranges_that_hosts_are_held_to(kind: Descriptor, ranges: dict[str, tuple[int, int]]) -> None:
    """Tickets are a message of several uses, whose range is that of the widest."""
    numbers = {name: each for name, each in ranges.items() if kind.fields_by_name[name].message_type is None}
    assert {name: range_of(kind, name) for name in numbers} == numbers


STATIONS = ("station", "stations", "mr_x", "trail", "start", "hunters")


def asked_for() -> Iterator[tuple[Descriptor, str]]:
    """Every field of a request in which a station is told by its number."""
    for file in (deduction_pb2, investigation_pb2, master_pb2, move_pb2, options_pb2, position_pb2):
        for kind in file.DESCRIPTOR.message_types_by_name.values():
            for field in kind.fields:
                has_range = field.GetOptions().HasExtension(validate_pb2.field)
                if field.name in STATIONS and field.message_type is None and has_range:
                    yield kind, field.name


def test_no_station_has_a_higher_number_than_a_board_may_give_it() -> None:
    found = {f"{kind.name}.{name}": range_of(kind, name) for kind, name in asked_for()}
    assert len(found) > 10
    assert found == dict.fromkeys(found, (1, HIGHEST_STATION))


def test_landmarks_are_no_nearer_than_medium() -> None:
    """`locate_medium` has to be more than `locate_near`, so their ranges are apart by one."""
    for near, medium in ((0, 1), (997, 998)):
        resolved(3, "master")(
            options_pb2.Options(master=master_pb2.MasterOptions(locate_near=near, locate_medium=medium))
        )


@pytest.mark.parametrize("service", [service_pb2, cluedo_service_pb2])
def test_the_seats_that_may_be_named_are_those_of_the_largest_table(service: Any) -> None:
    seats = service.CreateGameRequest.DESCRIPTOR.fields_by_name["seats"].GetOptions().Extensions[validate_pb2.field]
    assert range_of(service.RotateTokenRequest.DESCRIPTOR, "seat") == (0, seats.repeated.max_items - 1)


def test_a_kind_of_cards_has_no_more_names_than_the_largest_deck_leaves_it() -> None:
    """The others are two suspects at least, a pawn for each of two players, and one room."""
    names_of = cluedo_options_pb2.Names.DESCRIPTOR.fields_by_name["names"].GetOptions().Extensions[validate_pb2.field]
    assert names_of.repeated.max_items == cluedo_edition.MOST_CARDS - 2 - 1


def position_with(answer: master_pb2.Answer) -> Message:
    told = told_last("scan:8")
    assert told.HasField("master")
    told.master.findings[0].answer.CopyFrom(answer)
    return told


def log_with(answer: master_pb2.Answer) -> Message:
    rides = [deduction_pb2.PublicRide(ticket=move_pb2.TICKET_TAXI)]
    rounds = [deduction_pb2.PublicRound(rides=rides, answers=[answer])]
    return deduction_pb2.PublicLog(rounds=rounds, master=master_pb2.MasterOptions())


TOLD: list[tuple[Callable[[master_pb2.Answer], Message], Callable[[Any], object], str]] = [
    (position_with, read_position, "master.findings[0].answer"),
    (log_with, lambda asked: read_log(asked).evidence(), "rounds[0].answers[0]"),
]


@pytest.mark.parametrize(("telling", "judge", "place"), TOLD, ids=["position", "log"])
@pytest.mark.parametrize(
    ("stations", "field", "reason"),
    [
        ([1, 1], "[1]", "station 1 is there twice"),
        ([2, 1], "[1]", "must ascend"),
        ([1, 7, 2], "[2]", "must ascend"),
        ([1, 200], "[1]", "there is no station 200"),
        ([], "", "must be 1 station or more, as he is somewhere"),
    ],
    ids=str,
)
def test_what_an_analysis_left_open_is_told_in_ascending_order(
    telling: Callable[[master_pb2.Answer], Message],
    judge: Callable[[Any], object],
    place: str,
    stations: list[int],
    field: str,
    reason: str,
) -> None:
    message = telling(master_pb2.Answer(analysed=master_pb2.Analysed(stations=stations)))
    checked(message, 0)
    with pytest.raises(InvalidField) as refused:
        judge(message)
    assert (refused.value.field, refused.value.text.en) == (f"{place}.analysed.stations{field}", reason)


@pytest.mark.parametrize(("telling", "judge", "place"), TOLD, ids=["position", "log"])
def test_an_analysis_leaves_no_more_stations_open_than_a_board_may_have(
    telling: Callable[[master_pb2.Answer], Message], judge: Callable[[Any], object], place: str
) -> None:
    judge(telling(master_pb2.Answer(analysed=master_pb2.Analysed(stations=range(1, 200)))))
    for stations, field in (([1] * 5000, ""), ([0], "[0]"), ([HIGHEST_STATION + 1], "[0]")):
        message = telling(master_pb2.Answer(analysed=master_pb2.Analysed(stations=stations)))
        assert faults_of(message) == {f"{place}.analysed.stations{field}"}
