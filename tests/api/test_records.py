"""Records that the service answers: in every form genuine, and in none any more once they are changed."""

from __future__ import annotations

from random import Random

import pytest
from google.protobuf.json_format import MessageToJson

from tests.api.table import WAITING, Table, Yard, bearing
from whitehall.cli.verification import Verdict, verify
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, service_pb2


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


async def test_a_game_that_was_abandoned_before_its_deal_has_a_genuine_record(yard: Yard) -> None:
    table = await yard.table(3, start_mode=WAITING)
    await table.abandon()
    request = service_pb2.GetRecordRequest(game_id=table.game_id)
    answer = await table.calls.GetRecord(request, metadata=bearing(table.host))
    assert answer.text.endswith("abandoned\n")
    assert verify(answer.text).verdict is Verdict.GENUINE
    assert verify(MessageToJson(answer)).verdict is Verdict.GENUINE
