"""What a refusal says: one table from reasons to codes, and the same details on every call."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from tests.api.positions import a_position
from tests.api.provoked import provocations
from tests.api.refusals import Refused, refused
from tests.api.service import Service
from tests.api.staging import rewrite
from tests.api.table import Yard, bearing
from whitehall.api.errors import ERRORS, locale
from whitehall.gen.whitehall.catalog.v1 import catalog_pb2
from whitehall.gen.whitehall.common.v1 import reason_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2
from whitehall.sessions.refusal import Reason

PROTO = Path(__file__).parents[2] / "proto/whitehall/common/v1/reason.proto"
PREFIX = "ERROR_REASON_"

NOT_THE_CALLERS = {
    Reason.STORE_UNAVAILABLE,
    Reason.GAME_FROM_NEWER_RELEASE,
    Reason.BOARD_UNAVAILABLE,
    Reason.TOO_MANY_CALLS,
    Reason.TOO_MANY_STREAMS,
    Reason.TOO_MANY_ROTATIONS,
    Reason.TOO_MANY_REQUESTS,
    Reason.DEADLINE_EXCEEDED,
    Reason.INTERNAL_FAULT,
    Reason.DRAINING,
}
"""What a healthy service never says to a patient caller."""
HTTPS = {Reason.REQUEST_TOO_LARGE, Reason.TOO_MANY_CONNECTIONS, Reason.UNSUPPORTED}
"""What is HTTP's alone, or what gRPC says itself, without our details: see tests/doors."""


def documented() -> dict[str, tuple[str, dict[str, Any]]]:
    """By reason: the code that its comment in the proto begins with, and the ErrorInfo of the example there."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    comment: list[str] = []
    for line in map(str.strip, PROTO.read_text().splitlines()):
        if line.startswith("//"):
            comment.append(line.removeprefix("//").strip())
            continue
        if value := re.match(rf"{PREFIX}(\w+) = [1-9]", line):
            examples = [text for text in comment if text.startswith("{")]
            found[value[1]] = (comment[0].partition(".")[0], json.loads("".join(examples)))
        comment = []
    return found


def test_the_proto_lists_exactly_the_reasons_that_the_service_can_give() -> None:
    listed = {name.removeprefix(PREFIX) for name, number in reason_pb2.ErrorReason.items() if number}
    assert listed == set(Reason) == {reason.value for reason in ERRORS}


def test_every_reason_is_documented_with_its_code_and_an_example() -> None:
    written = documented()
    assert written.keys() == set(Reason)
    for reason, row in ERRORS.items():
        code, example = written[reason]
        assert code == row.code.name
        assert example["reason"] == reason
        assert example["domain"] == "whitehall"
        assert isinstance(example["metadata"], dict)


def test_every_reason_has_a_sentence_of_its_own_in_both_languages() -> None:
    for language in ("en", "fr"):
        sentences = [getattr(row, language) for row in ERRORS.values()]
        assert all(sentence.endswith(".") for sentence in sentences)
        assert len(set(sentences)) == len(sentences)
    assert all(row.en != row.fr for row in ERRORS.values())


async def test_every_reason_that_a_caller_can_bring_about_comes_with_its_code_and_details(yard: Yard) -> None:
    provoked = await provocations(yard)
    assert provoked.keys() == set(Reason) - NOT_THE_CALLERS - HTTPS
    written = documented()
    for reason, call in provoked.items():
        row = ERRORS[Reason(reason)]
        with refused(reason, row.code) as refusal:
            await call()
        assert refusal.domain == "whitehall"
        assert refusal.status.code == row.code.value[0]
        assert set(written[reason][1]["metadata"]) <= set(refusal.metadata), f"{reason} tells less than its example"

        bad_request = refusal.detail(error_details_pb2.BadRequest)
        assert (bad_request is not None) == (reason == "INVALID_FIELD")
        failure = refusal.detail(error_details_pb2.PreconditionFailure)
        assert (failure is not None) == (row.code.name in ("FAILED_PRECONDITION", "ABORTED"))
        if failure is not None:
            assert [violation.type for violation in failure.violations] == [reason]
        assert refusal.detail(error_details_pb2.RetryInfo) is None, "trying again as it is makes no sense"
        words = refusal.detail(error_details_pb2.LocalizedMessage)
        assert words is not None
        assert words.locale == "en"
        assert words.message


async def test_a_client_that_reads_reasons_is_told_the_same_in_every_language(yard: Yard) -> None:
    """The words differ; the code and every detail that programs read do not."""

    def facts(refusal: Refused) -> tuple[object, ...]:
        return refusal.code, refusal.reason, refusal.metadata, refusal.fields

    english, french = await provocations(yard, "en"), await provocations(yard, "fr-CA, en;q=0.1")
    for reason in english:
        with refused(reason) as in_english:
            await english[reason]()
        with refused(reason) as in_french:
            await french[reason]()
        assert facts(in_english) == facts(in_french)
        words = in_french.detail(error_details_pb2.LocalizedMessage)
        assert words is not None
        assert words.locale == "fr"
        assert words.message != in_english.message


async def test_an_illegal_move_is_told_in_the_words_of_the_rule(yard: Yard) -> None:
    rules = {rule.id: rule for rule in (await yard.catalog.ListRules(catalog_pb2.ListRulesRequest())).rules}
    for language in ("en", "fr"):
        with refused("ILLEGAL_MOVE") as refusal:
            await (await provocations(yard, language))["ILLEGAL_MOVE"]()
        rule = rules[refusal.metadata["rule"]]
        words = refusal.detail(error_details_pb2.LocalizedMessage)
        assert words is not None
        assert words.message == (rule.sentence_fr if language == "fr" else rule.sentence_en)
        failure = refusal.detail(error_details_pb2.PreconditionFailure)
        assert failure is not None
        assert failure.violations[0].subject == rule.id


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("FR-fr", "fr"),
        ("en, fr", "en"),
        ("fr, en", "fr"),
        ("en;q=0.4, fr;q=0.5", "fr"),
        ("fr;q=0.4, en;q=0.5", "en"),
        ("fr; q=0.9, en; q=0.8", "fr"),
        ("de, nl;q=0.9", "en"),
        ("de, fr;q=0.3", "fr"),
        ("*", "en"),
        ("fr;q=0", "en"),
        ("fr;q=0, en;q=0", "en"),
        ("fr;q=nonsense", "en"),
        ("fr;q=nan", "en"),
        ("fra", "en"),
        (",;=,fr;;,q=", "en"),
        ("fr" * 5000, "en"),
    ],
)
def test_a_caller_is_answered_in_the_language_it_prefers_of_those_that_we_speak(
    accepted: str | None, spoken: str
) -> None:
    assert locale(accepted) == spoken


async def test_a_store_that_does_not_answer_is_unavailable_with_the_time_after_which_to_try_again(
    start_service: Callable[..., Service],
) -> None:
    service = start_service("--default-deadline-seconds", "0.4", "--grace-seconds", "1", "--drain-seconds", "0")
    async with grpc.aio.insecure_channel(service.grpc) as channel:
        yard = Yard(channel)
        table = await yard.table()
        with service.store() as store:
            server = int(store.info("server")["process_id"])
        os.kill(server, signal.SIGSTOP)
        try:
            with refused("STORE_UNAVAILABLE", grpc.StatusCode.UNAVAILABLE) as refusal:
                await table.get()
            question = position_pb2.ListPositionLegalMovesRequest(positions=[a_position()])
            assert (await yard.positions.ListPositionLegalMoves(question)).moves, "positions need no store"
            assert (await yard.catalog.ListRules(catalog_pb2.ListRulesRequest())).rules, "nor does the catalog"
        finally:
            os.kill(server, signal.SIGCONT)
        retry = refusal.detail(error_details_pb2.RetryInfo)
        assert retry is not None
        assert 0 < retry.retry_delay.ToTimedelta().total_seconds() < 5
        assert (await table.get()).info.game_id == table.game_id


async def test_a_game_that_a_newer_release_keeps_is_left_alone(yard: Yard, service: Service) -> None:
    """The snapshot asks for a newer reader: another replica may serve the game, so the call may be tried again."""
    table = await yard.table()
    rewrite(service, table.game_id, min_reader=99)
    with refused("GAME_FROM_NEWER_RELEASE", grpc.StatusCode.UNAVAILABLE) as refusal:
        await table.get()
    assert refusal.detail(error_details_pb2.RetryInfo) is not None


async def test_a_fault_of_ours_is_internal_and_tells_nothing_of_its_cause(yard: Yard, service: Service) -> None:
    """A game whose snapshot is torn in the store."""
    table = await yard.table()
    rewrite(service, table.game_id, state=b"\x0a\x05secret")
    with refused("INTERNAL_FAULT", grpc.StatusCode.INTERNAL) as refusal:
        await table.get()
    assert refusal.metadata == {}
    assert refusal.message == ERRORS[Reason.INTERNAL_FAULT].en


async def test_a_token_that_is_no_bearer_token_is_an_invalid_one(yard: Yard) -> None:
    """The header is there, so the token is not missing."""
    table = await yard.table()
    request = service_pb2.GetGameRequest(game_id=table.game_id)
    for header in ("", "Basic abc", "Bearer", "Bearer ", table.host, f"Bearer {table.host}x"):
        with refused("TOKEN_INVALID"):
            await yard.games.GetGame(request, metadata=[("authorization", header)])
    for scheme in ("bearer", "BEARER", "Bearer "):
        answer = await yard.games.GetGame(request, metadata=[("authorization", f"{scheme} {table.host}")])
        assert answer.game.info.game_id == table.game_id


async def test_a_call_with_several_tokens_is_refused_whatever_they_are_and_whatever_it_asks(yard: Yard) -> None:
    """The one that counts would be a matter of chance; other headers may stand twice."""
    table = await yard.table()
    request = service_pb2.GetGameRequest(game_id=table.game_id)
    good, bad = bearing(table.host), [("authorization", "Basic abc")]
    for metadata in ([*good, *good], [*good, *bad], [*bad, *good], [*good, *bearing(table.mr_x)]):
        with refused("TOKEN_AMBIGUOUS", grpc.StatusCode.UNAUTHENTICATED):
            await yard.games.GetGame(request, metadata=metadata)
        with refused("TOKEN_AMBIGUOUS"):
            await yard.catalog.ListRules(catalog_pb2.ListRulesRequest(), metadata=metadata)
        with refused("TOKEN_AMBIGUOUS"):
            async for _ in yard.games.WatchGame(service_pb2.WatchGameRequest(game_id=table.game_id), metadata=metadata):
                pass
        with refused("TOKEN_AMBIGUOUS"):
            async for _ in yard.positions.StreamListPositionLegalMoves(iter(()), metadata=metadata):
                pass
    twice = [*good, ("x-more", "1"), ("x-more", "2")]
    assert (await yard.games.GetGame(request, metadata=twice)).game.info.game_id == table.game_id
