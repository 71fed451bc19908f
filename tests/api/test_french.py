"""A caller who asks for French is refused in French, down to what is wrong with a single field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from tests.api.contract import contract
from tests.api.positions import a_log, a_position
from tests.api.raw import outcome
from tests.api.refusals import Refused
from tests.api.table import Metadata, Table, Yard, bearing
from tests.api.test_fields import CREATED, PLAYED, POSITIONS, UNNAMED
from tests.games.test_texts import english_words_in
from whitehall.api.field_rules import ONEOF_REQUIRED, PATTERNS, SENTENCES
from whitehall.gen.buf.validate import validate_pb2
from whitehall.gen.whitehall.cluedo.v1 import deduction_pb2 as cards
from whitehall.gen.whitehall.cluedo.v1 import move_pb2 as steps
from whitehall.gen.whitehall.cluedo.v1 import options_pb2 as house
from whitehall.gen.whitehall.cluedo.v1 import position_pb2 as places
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo
from whitehall.gen.whitehall.scotlandyard.v1 import (
    deduction_pb2,
    investigation_pb2,
    master_pb2,
    move_pb2,
    options_pb2,
    position_pb2,
    service_pb2,
)

FRENCH: Metadata = [("accept-language", "fr-CH, fr;q=0.9, en;q=0.5")]

YARD = "/whitehall.scotlandyard.v1.ScotlandYardService/"
YARD_POSITIONS = "/whitehall.scotlandyard.v1.ScotlandYardPositionService/"
MANSION = "/whitehall.cluedo.v1.CluedoService/"
MANSION_POSITIONS = "/whitehall.cluedo.v1.CluedoPositionService/"


async def both(yard: Yard, path: str, request: Message, token: str | None = None) -> tuple[Refused, Refused]:
    """The refusals of an English and of a French caller."""
    data = request.SerializeToString()
    english = await outcome(yard.channel, path, data, bearing(token))
    french = await outcome(yard.channel, path, data, [*bearing(token), *FRENCH])
    assert english is not None, f"{path} takes {request}"
    assert french is not None
    return english, french


def descriptions(refusal: Refused) -> list[str]:
    bad = refusal.detail(error_details_pb2.BadRequest)
    assert bad is not None, f"{refusal.reason} {refusal.message}"
    return [violation.description for violation in bad.field_violations]


def numbers(sentence: str) -> list[str]:
    return re.findall(r"\d+", sentence)


def agree(english: Refused, french: Refused) -> None:
    """The same refusal, and every sentence of it in the caller's language."""
    assert (english.reason, english.fields, english.metadata) == ("INVALID_FIELD", french.fields, french.metadata)
    for en, fr in zip(descriptions(english), descriptions(french), strict=True):
        assert en != fr
        assert not english_words_in(fr), fr
        assert numbers(en) == numbers(fr)
    words = french.detail(error_details_pb2.LocalizedMessage)
    assert words is not None
    assert words.locale == "fr"
    assert words.message == french.message == f"{french.fields[0]} : {descriptions(french)[0]}"
    assert english.message == f"{english.fields[0]}: {descriptions(english)[0]}"


async def test_what_is_wrong_with_a_new_game_is_said_in_french(yard: Yard) -> None:
    for request, _ in CREATED:
        agree(*await both(yard, f"{YARD}CreateGame", request))


async def test_what_is_wrong_with_a_move_is_said_in_french(table: Table) -> None:
    for seat, rows in enumerate((PLAYED, UNNAMED)):
        for request, _ in rows:
            request.game_id = table.game_id
            agree(*await both(table.yard, f"{YARD}PlayMove", request, table.seats[seat]))


async def test_what_is_wrong_with_a_position_is_said_in_french(yard: Yard) -> None:
    for request, _ in POSITIONS:
        method = type(request).__name__.removesuffix("Request")
        agree(*await both(yard, f"{YARD_POSITIONS}{method}", request))


TAXI = move_pb2.TICKET_TAXI
FLIGHT = move_pb2.TICKET_HELICOPTER


def tickets(**counts: int) -> move_pb2.Tickets:
    return move_pb2.Tickets(**counts)


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("new", {"rounds": 30}),
    ("new", {"rounds": 49}),
    ("new", {"end_by": 9}),
    ("new", {"house_rules": ["slow"]}),
    ("new", {"house_rules": ["fast", "fast"]}),
    ("new", {"board": "paris"}),
    ("classic", {"rounds": 20}),
    ("classic", {"box_tickets": tickets(taxi=1)}),
    ("new", {"mr_x_hand": tickets(taxi=1)}),
    ("new", {"two_player_pool": tickets(taxi=1)}),
    ("new", {"detective_tickets": tickets(taxi=1, black=1)}),
    ("new", {"box_tickets": tickets(taxi=1)}),
    ("new", {"mr_x_supply": options_pb2.MR_X_SUPPLY_FROM_DETECTIVES}),
    ("new", {"surfacing": options_pb2.Surfacing(fields=[8, 3])}),
    ("new", {"surfacing": options_pb2.Surfacing(fields=[25])}),
    ("new", {"last_black_wins": True, "black_tickets": 0}),
    ("new", {"start_by": options_pb2.START_BY_CHOICE, "start_cards_mr_x": options_pb2.StartCards(stations=[35])}),
    ("new", {"start_cards_mr_x": options_pb2.StartCards(stations=[200])}),
    ("new", {"start_cards_mr_x": options_pb2.StartCards(stations=[35, 35])}),
    ("new", {"start_cards_hunters": options_pb2.StartCards(stations=[13])}),
    ("new", {"start_cards_mr_x": options_pb2.StartCards(stations=[13])}),
    ("new", {"master": master_pb2.MasterOptions(cooldown=1)}),
    ("master", {"master": master_pb2.MasterOptions(cooldown=48)}),
    ("master", {"master": master_pb2.MasterOptions(actions_per_round=0, cooldown=1)}),
    ("master", {"master": master_pb2.MasterOptions(helicopter_tickets=0, helicopter_in_double=True)}),
    ("master", {"master": master_pb2.MasterOptions(meetings_to_survive=0, stuck_win_needs_meeting=True)}),
    ("master", {"master": master_pb2.MasterOptions(locate_near=9, locate_medium=9)}),
    ("master", {"master": master_pb2.MasterOptions(meetings_to_win=9)}),
]


async def test_what_is_wrong_with_options_is_said_in_french_with_the_rule_s_id(yard: Yard) -> None:
    for preset, overrides in OPTIONS:
        changes = options_pb2.Options(**overrides)
        request = service_pb2.CreateGameRequest(preset=preset, players=3, overrides=changes)
        english, french = await both(yard, f"{YARD}CreateGame", request)
        agree(english, french)
        rule = french.metadata.get("rule")
        assert rule is None or all(text.endswith(f" ({rule})") for text in descriptions(french))


PublicRound, PublicRide = deduction_pb2.PublicRound, deduction_pb2.PublicRide
RIDDEN = PublicRound(rides=[PublicRide(ticket=TAXI)])

LOGS = [
    deduction_pb2.PublicLog(board="paris"),
    deduction_pb2.PublicLog(start=[200]),
    deduction_pb2.PublicLog(start=[35, 35]),
    deduction_pb2.PublicLog(hunters=[13]),
    deduction_pb2.PublicLog(prospects=True),
    deduction_pb2.PublicLog(rounds=[PublicRound(), RIDDEN]),
    deduction_pb2.PublicLog(rounds=[PublicRound(rides=[PublicRide(ticket=TAXI)] * 3)]),
    deduction_pb2.PublicLog(rounds=[PublicRound(rides=[PublicRide(ticket=TAXI, station=200)])]),
    deduction_pb2.PublicLog(rounds=[PublicRound(hunters=[13], rides=RIDDEN.rides), RIDDEN]),
    deduction_pb2.PublicLog(rounds=[PublicRound(rides=RIDDEN.rides, supply=tickets())]),
    deduction_pb2.PublicLog(rounds=[PublicRound(rides=[PublicRide(ticket=FLIGHT)])]),
    deduction_pb2.PublicLog(rounds=[PublicRound(rides=RIDDEN.rides, helicopter_tickets=1)]),
]

Locate, Scan = investigation_pb2.LocateQuestion, investigation_pb2.ScanQuestion
Interrogation = investigation_pb2.InterrogationQuestion

ASKED: list[tuple[str, Message]] = [
    *(("ListPossibleLocations", position_pb2.ListPossibleLocationsRequest(logs=[log])) for log in LOGS),
    ("LocateStations", position_pb2.LocateStationsRequest(questions=[Locate(stations=[200])])),
    ("LocateStations", position_pb2.LocateStationsRequest(questions=[Locate(nearness=[1])])),  # type: ignore[list-item]
    ("ScanStations", position_pb2.ScanStationsRequest(questions=[Scan(stations=[1] * 1000)])),
    ("InterrogateStations", position_pb2.InterrogateStationsRequest(questions=[Interrogation(landmarks=["Louvre"])])),
    ("InterrogateStations", position_pb2.InterrogateStationsRequest(questions=[Interrogation(trail=[1] * 6)])),
]


async def test_what_is_wrong_with_a_log_or_a_question_to_the_app_is_said_in_french(yard: Yard) -> None:
    for method, request in ASKED:
        agree(*await both(yard, f"{YARD_POSITIONS}{method}", request))


def suggested(**fields: Any) -> cards.LoggedEvent:
    named = {"suspect": "S4", "weapon": "W2", "location": "L3"}
    return cards.LoggedEvent(suggestion=cards.LoggedSuggestion(**{**named, **fields}))


def accused(**fields: Any) -> cards.LoggedEvent:
    named = {"suspect": "S4", "weapon": "W2", "location": "L3"}
    return cards.LoggedEvent(wrong_accusation=cards.LoggedAccusation(**{**named, **fields}))


def three(suspect: str, weapon: str, location: str) -> steps.Case:
    return steps.Case(suspect=suspect, weapon=weapon, location=location)


def log_with(**fields: Any) -> cards.SuggestionLog:
    log = a_log()
    for name, value in fields.items():
        log.ClearField(name)  # type: ignore[arg-type]
        log.MergeFrom(cards.SuggestionLog(**{name: value}))
    return log


SUGGESTIONS = [
    log_with(players=7),
    log_with(first_dealt=5, players=5),
    log_with(hand=["S1"]),
    log_with(hand=["S1", "W1", "L9"], locations=3),
    log_with(hand=["S1", "S1", "L1"]),
    log_with(hand=["S1", "W1", "X1"]),
    log_with(face_up=["S1"]),
    log_with(face_up=["S1", "S2", "S3", "S4", "S5", "S6"]),
    log_with(players=3, seat=4),
    log_with(events=[cards.LoggedEvent()]),
    log_with(events=[suggested(weapon="W9")]),
    log_with(events=[suggested(passed=[2])]),
    log_with(events=[suggested(refuter=3)]),
    log_with(events=[suggested(card="S4")]),
    log_with(events=[suggested(refuter=1, card="S2")]),
    log_with(events=[accused(seat=2), accused(seat=2)]),
    log_with(events=[accused(seat=2, envelope=three("S4", "W2", "L4"))]),
    log_with(events=[accused(seat=0, envelope=three("S4", "W2", "L3"))]),
    log_with(events=[accused(seat=0, envelope=three("S1", "W2", "L3"))]),
    log_with(events=[suggested(suspect="S1", weapon="W1", location="L1", passed=[1, 2, 3, 4, 5], seat=0)], hand=[]),
    log_with(explain=[cards.Conclusion(card="S9", envelope=True)]),
    log_with(explain=[cards.Conclusion(card="S1", seat=5)], players=3, hand=["S1", "W1", "L1", "L2", "L3", "L4"]),
]


async def test_what_is_wrong_with_a_log_of_suggestions_is_said_in_french(yard: Yard) -> None:
    for log in SUGGESTIONS:
        request = places.ListPossibleSolutionsRequest(logs=[log])
        agree(*await both(yard, f"{MANSION_POSITIONS}ListPossibleSolutions", request))


def placed(**fields: Any) -> Message:
    return places.ListReachablePlacesRequest(placements=[places.Placement(**fields)])


def a_house(**fields: Any) -> Message:
    return cluedo.CreateGameRequest(**{"preset": "james-bond", "players": 3, **fields})


CLUEDO: list[tuple[str, Message]] = [
    (f"{MANSION_POSITIONS}ListReachablePlaces", placed(board="moon", place=steps.Place(room="L1"))),
    (f"{MANSION_POSITIONS}ListReachablePlaces", placed(place=steps.Place(square=steps.Square(row=0, column=0)))),
    (f"{MANSION_POSITIONS}ListReachablePlaces", placed()),
    (f"{MANSION_POSITIONS}ValueSuggestions", places.ValueSuggestionsRequest(log=log_with(hand=[]), location="L3")),
    (
        f"{MANSION_POSITIONS}ValueSuggestions",
        places.ValueSuggestionsRequest(log=log_with(locations=3, players=3, hand=["S1", "W1", "L1"]), location="L9"),
    ),
    (f"{MANSION}CreateGame", a_house(preset="clue")),
    (f"{MANSION}CreateGame", a_house(players=9)),
    (f"{MANSION}CreateGame", a_house(seats=[cluedo.SeatSetup(pawn="S1")])),
    (f"{MANSION}CreateGame", a_house(seats=[cluedo.SeatSetup(pawn=pawn) for pawn in ("S1", "S1", "S2")])),
    (f"{MANSION}CreateGame", a_house(seats=[cluedo.SeatSetup(pawn=pawn) for pawn in ("S1", "S2", "S9")])),
    (f"{MANSION}CreateGame", a_house(seats=[cluedo.SeatSetup(pawn=f"S{n}", name="bond") for n in (1, 2, 3)])),
    (f"{MANSION}CreateGame", a_house(seats=[cluedo.SeatSetup(pawn="S1", name=" bond")] * 3)),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(board="moon"))),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(neutral_cards=3))),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(first_dealt=3))),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(movement=9))),  # type: ignore[arg-type]
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(suspects=house.Names(names=["Bond"] * 6)))),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(suspects=house.Names(names=list("ABCDEFG"))))),
    (f"{MANSION}CreateGame", a_house(overrides=house.Options(locations=house.Names(names=["Casino"])))),
]


async def test_what_is_wrong_with_a_question_about_cluedo_is_said_in_french(yard: Yard) -> None:
    for path, request in CLUEDO:
        agree(*await both(yard, path, request))


async def test_what_is_wrong_with_the_rest_of_a_session_s_calls_is_said_in_french(table: Table) -> None:
    pb = service_pb2
    for method, request in (
        ("RotateToken", pb.RotateTokenRequest(seat=3)),
        ("RotateToken", pb.RotateTokenRequest(spectators=True)),
        ("RotateToken", pb.RotateTokenRequest(spectators=False)),
        ("ListEvents", pb.ListEventsRequest(page_size=201)),
        ("ListEvents", pb.ListEventsRequest(page_token="1")),
        ("ListEvents", pb.ListEventsRequest(page_token="1-0000000000000000")),
        ("WatchGame", pb.WatchGameRequest(cursor="1")),
    ):
        request.game_id = table.game_id
        token = table.host if method == "RotateToken" else table.seats[0]
        agree(*await both(table.yard, f"{YARD}{method}", request, token))


async def test_a_position_that_is_wrong_in_many_places_is_told_in_french_within_what_trailers_hold(yard: Yard) -> None:
    crowd = [position_pb2.Position(preset="x" * 65, players=9)] * 7
    english, french = await both(
        yard, f"{YARD_POSITIONS}ListPositionLegalMoves", position_pb2.ListPositionLegalMovesRequest(positions=crowd)
    )
    agree(english, french)
    assert len(french.fields) == 16


async def test_a_revision_that_the_game_has_not_come_to_is_not_called_one_that_it_has_left(table: Table) -> None:
    """The caller may have seen it: a store that failed over can have lost it."""
    move = move_pb2.Move(text=(await table.legal(0)).moves.pieces[0].rides[0].text)
    request = service_pb2.PlayMoveRequest(game_id=table.game_id, moves=[move], expected_revision=99)
    english, french = await both(table.yard, f"{YARD}PlayMove", request, table.seats[0])
    assert english.reason == french.reason == "STALE_REVISION"
    assert english.message == "The game is at another revision than the expected one."
    assert french.message == "La partie est à une autre révision que celle attendue."
    assert english.metadata == {"revision": "1"}


# --- the proto's own rules ----------------------------------------------------------------------------------------


def messages() -> list[Descriptor]:
    """Every message of the files that our services are in, and of those that these import."""
    files = {file.name: file for method in contract().values() for file in _with_imports(method.input_type.file)}
    found = [message for file in files.values() for message in file.message_types_by_name.values()]
    for message in found:
        found.extend(message.nested_types)
    return found


def _with_imports(file: Any) -> Iterator[Any]:
    if file.package.startswith("whitehall"):
        yield file
        for imported in file.dependencies:
            yield from _with_imports(imported)


def broken_rules(rules: Any, type_name: str = "") -> Iterator[tuple[str, Any]]:
    """The ids that protovalidate gives the rules that these hold, each with what the sentence is made from."""
    stated = {field.name for field, _ in rules.ListFields()}
    for field, value in rules.ListFields():
        if field.name in ("items", "keys", "values") or (not type_name and field.message_type is not None):
            if type_name:
                yield from broken_rules(value)
            else:
                yield from broken_rules(value, field.name)
        elif field.name == "lte" and "gte" in stated:
            yield f"{type_name}.gte_lte", rules
        elif not (field.name in ("gte", "ignore") and (field.name == "ignore" or "lte" in stated)):
            yield f"{type_name}.{field.name}" if type_name else field.name, rules


STATED = [
    (f"{field.full_name} {rule}", rule, rules)
    for message in messages()
    for field in message.fields
    for rule, rules in broken_rules(field.GetOptions().Extensions[validate_pb2.field])
]


def test_every_rule_that_a_proto_states_of_a_field_is_put_in_words_of_ours() -> None:
    assert len(STATED) > 250
    for place, rule, rules in STATED:
        assert rule in SENTENCES, f"{place}: nobody has put {rule} in words"
        text = SENTENCES[rule](rules)
        assert text.en != text.fr, place
        assert not english_words_in(text.fr), place
        assert numbers(text.en) == numbers(text.fr), place
        if rule == "string.pattern":
            assert rules.pattern in PATTERNS, f"{place}: nobody has said what {rules.pattern} asks for"


def test_no_rule_and_no_pattern_is_put_in_words_that_no_proto_states() -> None:
    assert {rule for _, rule, _ in STATED} | {ONEOF_REQUIRED} == SENTENCES.keys()
    assert {rules.pattern for _, rule, rules in STATED if rule == "string.pattern"} == PATTERNS.keys()


def test_no_proto_states_rules_of_messages_or_by_expressions() -> None:
    """They would be told in protovalidate's words, or in English only."""
    for message in messages():
        assert not message.GetOptions().HasExtension(validate_pb2.message), message.full_name
        for field in message.fields:
            stated = field.GetOptions().Extensions[validate_pb2.field]
            assert not stated.cel, field.full_name
            assert not stated.cel_expression, field.full_name


@pytest.mark.parametrize(
    ("fields", "en", "fr"),
    [
        ({"players": 7}, "must be 2 to 6", "doit se situer entre 2 et 6"),
        ({"preset": ""}, "must not be empty", "ne doit pas être vide"),
        ({"preset": "x" * 65}, "must be 64 characters at most", "doit compter 64 caractères au plus"),
        ({"moves_made": -1}, "must be 0 to 64", "doit se situer entre 0 et 64"),
    ],
)
async def test_the_words_of_a_rule_tell_its_bounds(yard: Yard, fields: dict[str, Any], en: str, fr: str) -> None:
    position = a_position()
    for name, value in fields.items():
        setattr(position, name, value)
    request = position_pb2.ListPositionLegalMovesRequest(positions=[position])
    english, french = await both(yard, f"{YARD_POSITIONS}ListPositionLegalMoves", request)
    assert (descriptions(english), descriptions(french)) == ([en], [fr])
