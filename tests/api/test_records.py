"""Records that the service answers: in every form genuine, and in none any more once they are changed."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson

from tests.api.table import WAITING, Table, Yard, bearing
from whitehall.cli.verification import Verdict, verify
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, options_pb2, service_pb2
from whitehall.gen.whitehall.scotlandyard.v1.move_pb2 import Tickets


async def ended(yard: Yard, players: int) -> tuple[Table, service_pb2.GetRecordResponse]:
    table = await yard.table(players, client_seed="é/;")
    await table.claim(1, client_seed="late")
    await table.play_at_random(Random(players))
    request = service_pb2.GetRecordRequest(game_id=table.game_id)
    return table, await table.calls.GetRecord(request, metadata=bearing(table.mr_x))


@pytest.mark.parametrize("players", [2, 4])
async def test_what_the_service_answers_is_genuine_in_every_form(yard: Yard, players: int) -> None:
    _, answer = await ended(yard, players)
    for form in (answer.text, MessageToJson(answer), MessageToJson(answer.record)):
        assert verify(form).verdict is Verdict.GENUINE
    assert answer.text.startswith('[Game "scotland-yard"]\n')

    for spoil in ("moves", "draws", "events", "outcome", "server_seed", "text", "seats"):
        wrong = service_pb2.GetRecordResponse()
        wrong.CopyFrom(answer)
        record = wrong.record
        moved = [revision for revision in record.revisions if revision.moves]
        match spoil:
            case "moves":
                moved[0].moves[0] = "mr_x taxi 1"
            case "draws":
                (dealt,) = (revision for revision in record.revisions if revision.draws)
                dealt.draws[0].value ^= 1
            case "events":
                moved[0].events[0].text += "1"
            case "outcome":
                record.outcome.rule += "1"
            case "server_seed":
                record.fairness.server_seed = "00" * 32
            case "text":
                wrong.text = wrong.text.replace("1. ", "1.  ")
            case "seats":
                record.seats[0].pieces[0] = move_pb2.PIECE_RED
        assert verify(MessageToJson(wrong)).verdict is Verdict.FAULTY, spoil


@pytest.mark.parametrize(
    ("preset", "players", "overrides", "told"),
    [
        ("new", 3, {"house_rules": ["fast"]}, {"rounds": "13", "log_fields": "15", "surfacing": "3 8 13"}),
        ("new", 4, {"house_rules": ["invisible"], "bobbies": 0}, {"surfacing": "", "bobbies": "0"}),
        ("new", 6, {"mr_x_supply": options_pb2.MR_X_SUPPLY_UNLIMITED}, {"mr_x_supply": "unlimited"}),
        ("new", 5, {"detective_black_tickets": 2}, {"detective_black_tickets": "2"}),
        ("new", 2, {"two_player_pool": Tickets(taxi=9, bus=8, underground=7)}, {"two_player_pool": "9/8/7"}),
        ("new", 3, {"detective_tickets": Tickets(taxi=3, bus=3, underground=3)}, {"detective_tickets": "3/3/3"}),
        ("classic", 3, {}, {}),
        ("classic", 2, {"board": "london-2013", "last_black_wins": True}, {"last_black_wins": "true"}),
    ],
)
async def test_records_of_other_options_tell_them_and_are_genuine(
    yard: Yard, preset: str, players: int, overrides: dict[str, Any], told: dict[str, str]
) -> None:
    changes = options_pb2.Options(**overrides)
    request = service_pb2.CreateGameRequest(preset=preset, players=players, overrides=changes)
    table = Table(yard, await yard.games.CreateGame(request))
    await table.play_at_random(Random(1), 12)
    if (await table.get()).info.to_move:
        await table.abandon()
    answer = await table.calls.GetRecord(
        service_pb2.GetRecordRequest(game_id=table.game_id), metadata=bearing(table.host)
    )
    for form in (answer.text, MessageToJson(answer), MessageToJson(answer.record)):
        found = verify(form)
        assert found.verdict is Verdict.GENUINE, found
    listed = dict(re.findall(r'^\[Option "(\w+)" "(.*)"\]$', answer.text, re.MULTILINE))
    assert told.items() <= listed.items()
    assert len(listed) <= len(told) + 2, "what is the preset's own is not told"


async def test_a_game_that_was_abandoned_before_its_deal_has_a_genuine_record(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    await table.abandon()
    request = service_pb2.GetRecordRequest(game_id=table.game_id)
    answer = await table.calls.GetRecord(request, metadata=bearing(table.host))
    assert answer.text.endswith("abandoned\n")
    assert verify(answer.text).verdict is Verdict.GENUINE
    assert verify(MessageToJson(answer)).verdict is Verdict.GENUINE
