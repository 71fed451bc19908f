"""What HTTP adds to the calls: statuses, ETags, keys, languages, compression, and events that go on where they were."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any
from uuid import uuid4

import pytest

from tests.api.service import Service
from tests.api.table import WAITING, Metadata, Table, Yard, bearing
from tests.doors.http import Answer, Headers, answer, asked, connected, head
from tests.doors.rest import EVENTS, JSON, events

GAMES = "/v1/scotland-yard/games"


class Client:
    """Sends requests to one service and reads what is answered at once."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def __call__(
        self, method: str, path: str, headers: Headers = (), body: str | bytes = b""
    ) -> tuple[int, dict[str, str], Any]:
        """Status, headers and body; a body in JSON as what it says."""
        data = body.encode() if isinstance(body, str) else body
        async with asked(self.address, method, path, headers, data) as answer:
            text = b"" if method == "HEAD" or answer.status in (204, 304) else await answer.body()
        if answer.headers.get("content-encoding") == "gzip":
            text = gzip.decompress(text)
        is_json = answer.headers.get("content-type") == "application/json"
        return answer.status, answer.headers, json.loads(text) if is_json and text else text

    def open(self, path: str, headers: Headers) -> AbstractAsyncContextManager[Answer]:
        """A stream of events."""
        return asked(self.address, "GET", path, [*headers, ("accept", EVENTS)])


@pytest.fixture
def ask(service: Service) -> Client:
    """A client of the shared service."""
    return Client(service.http)


@pytest.fixture
async def table(yard: Yard) -> Table:
    """A new game of three players, started."""
    return await yard.table(3)


def info(problem: Any) -> dict[str, Any]:
    """The ErrorInfo of a problem."""
    (found,) = [detail for detail in problem["details"] if detail["@type"].endswith("google.rpc.ErrorInfo")]
    assert isinstance(found, dict)
    return found


async def test_a_zero_is_said_and_so_is_the_first_value_of_an_enum(yard: Yard, ask: Client) -> None:
    """OP-19: nobody has to know which fields are left out."""
    waiting = await yard.table(2, start_mode=WAITING)
    _, _, told = await ask("GET", f"{GAMES}/{waiting.game_id}", bearing(waiting.host))
    assert told["game"]["info"]["toMove"] == []
    assert told["game"]["info"]["seats"][0] == {"seat": 0, "name": "mr_x", "claimed": False}
    assert "view" not in told["game"]
    position = {
        "preset": "new",
        "players": 2,
        "round": 1,
        "phase": "PHASE_MR_X",
        "mrX": 45,
        "hunters": [
            {"piece": piece, "station": station}
            for piece, station in (("PIECE_RED", 13), ("PIECE_BLUE", 26), ("PIECE_BOBBY1", 29), ("PIECE_BOBBY2", 34))
        ],
        "supply": {"taxi": 1, "bus": 0, "underground": 0},
        "sharedHand": {"taxi": 22, "bus": 16, "underground": 8},
        "blackTickets": 0,
        "doubleTickets": 0,
    }
    question = json.dumps({"questions": [{"position": position, "moves": [{"text": "mr_x taxi 46"}]}]})
    _, _, told = await ask("POST", "/v1/scotland-yard/positions:apply", JSON, question)
    after = told["results"][0]["position"]
    assert (after["blackTickets"], after["supply"]) == (0, dict.fromkeys(("taxi", "bus", "underground", "black"), 0))


# --- revisions --------------------------------------------------------------------------------------------------------


async def test_an_etag_is_the_revision_and_spares_an_answer_that_is_there(ask: Client, table: Table) -> None:
    address, bears = f"{GAMES}/{table.game_id}", bearing(table.mr_x)
    status, headers, told = await ask("GET", address, bears)
    assert (status, headers["etag"]) == (200, f'"{told["game"]["info"]["revision"]}"')
    for same in ('"1"', 'W/"1"', '"7", "1"', "*"):
        status, headers, _ = await ask("GET", address, [*bears, ("if-none-match", same)])
        assert (status, headers["etag"]) == (304, '"1"')
    await table.play(0, (await table.harmless(0))[0])
    status, headers, _ = await ask("GET", address, [*bears, ("if-none-match", '"1"')])
    assert (status, headers["etag"]) == (200, '"2"')


async def test_a_wrong_token_is_refused_whatever_etag_it_knows(ask: Client, table: Table) -> None:
    etag = ("if-none-match", '"1"')
    status, headers, _ = await ask("GET", f"{GAMES}/{table.game_id}", [*bearing("wh_host_1_" + "0" * 32), etag])
    assert (status, headers["www-authenticate"], "etag" in headers) == (401, "Bearer", False)


async def test_if_match_plays_on_that_revision_only(ask: Client, table: Table) -> None:
    address, bears = f"{GAMES}/{table.game_id}/moves", [*JSON, *bearing(table.mr_x)]
    body = json.dumps({"moves": [{"text": (await table.harmless(0))[0]}]})
    status, _, problem = await ask("POST", address, [*bears, ("if-match", '"2"')], body)
    assert (status, info(problem)["reason"], info(problem)["metadata"]) == (412, "STALE_REVISION", {"revision": "1"})
    status, _, problem = await ask("POST", address, bears, json.dumps({**json.loads(body), "expectedRevision": 2}))
    assert (status, info(problem)["reason"]) == (409, "STALE_REVISION")
    for other in ('W/"1"', '"1", "2"', "1"):
        status, _, problem = await ask("POST", address, [*bears, ("if-match", other)], body)
        assert (status, info(problem)["metadata"]) == (400, {"field": "if-match"}), other
    status, _, problem = await ask("POST", address, [*bears, ("if-match", '"1"'), ("if-match", '"2"')], body)
    assert (status, info(problem)["metadata"]) == (400, {"field": "if-match"})
    status, headers, _ = await ask("POST", address, [*bears, ("if-match", '"1"')], body)
    assert (status, headers["etag"]) == (200, '"2"')


async def test_a_condition_is_never_overlooked(ask: Client, table: Table) -> None:
    """Whoever deletes a game only if it is at revision 1 does not want it deleted whatever it is at."""
    address, host = f"{GAMES}/{table.game_id}", bearing(table.host)
    for method, path, body in (("DELETE", address, ""), ("POST", f"{address}:abandon", "{}"), ("GET", address, "")):
        headers = [*(JSON if body else []), *host, ("if-match", '"1"')]
        status, _, problem = await ask(method, path, headers, body)
        assert (status, info(problem)["metadata"]) == (400, {"field": "if-match"}), path
    status, _, _ = await ask("GET", address, [*host, ("if-match", "*")])
    assert status == 200
    move = json.dumps({"moves": [{"text": (await table.harmless(0))[0]}]})
    changes = (
        ("POST", f"{address}/moves", table.mr_x, move),
        ("POST", f"{address}:abandon", table.host, "{}"),
        ("DELETE", address, table.host, ""),
    )
    for condition in (("if-none-match", "*"), ("if-none-match", '"1"'), ("if-unmodified-since", "soon")):
        for method, path, token, body in changes:
            headers = [*(JSON if body else []), *bearing(token), condition]
            status, _, problem = await ask(method, path, headers, body)
            assert (status, info(problem)["metadata"]) == (400, {"field": condition[0]}), path
    assert (await table.get()).info.revision == 1


async def test_an_idempotency_key_makes_a_move_once(ask: Client, table: Table) -> None:
    address = f"{GAMES}/{table.game_id}/moves"
    key = ("idempotency-key", str(uuid4()))
    headers = [*JSON, *bearing(table.mr_x), key]
    body = json.dumps({"moves": [{"text": (await table.harmless(0))[0]}]})
    answers = [await ask("POST", address, headers, body) for _ in range(3)]
    assert [(status, told["replayed"]) for status, _, told in answers] == [(200, False), (200, True), (200, True)]
    assert (await table.get()).info.revision == 2
    status, _, problem = await ask("POST", address, headers, json.dumps({"moves": [{"text": "taxi 200"}]}))
    assert (status, info(problem)["reason"]) == (400, "REQUEST_ID_REUSED")
    assert info(problem)["metadata"] == {"field": "idempotency-key"}, "named as everything that a header said"
    other = json.dumps({"moves": [{"text": "taxi 200"}], "requestId": key[1]})
    status, _, problem = await ask("POST", address, headers[:-1], other)
    assert info(problem)["metadata"] == {"field": "request_id"}, "which here stood in the body"
    made = [await ask("POST", GAMES, [*JSON, key], '{"preset": "new", "players": 3}') for _ in range(2)]
    assert made[0][2]["hostToken"] == made[1][2]["hostToken"]


async def test_a_key_is_a_uuid_however_it_is_written(ask: Client, table: Table) -> None:
    """In small letters or large (RFC 9562, 4), in one pair of quotation marks or none."""
    address = f"{GAMES}/{table.game_id}/moves"
    key = str(uuid4())
    move = {"moves": [{"text": (await table.harmless(0))[0]}]}
    for number, (sent, said) in enumerate(
        ((key, None), (key.upper(), key), (key, key.upper()), (f'"{key.upper()}"', key), (f'"{key}"', None))
    ):
        headers = [*JSON, *bearing(table.mr_x), ("idempotency-key", sent)]
        status, _, told = await ask("POST", address, headers, json.dumps(move | ({"requestId": said} if said else {})))
        assert (status, told["replayed"]) == (200, number > 0), (sent, said)


# --- how it is asked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status", "metadata"),
    [
        ("GET", "/v1/scotland-yard", [], "", 404, {"what": "path"}),
        ("GET", f"{GAMES}//legal-moves", [], "", 404, {"what": "path"}),
        ("POST", f"{GAMES}/abc/moves:explode", JSON, "{}", 404, {"what": "path"}),
        ("GET", GAMES, [], "", 405, {"what": "method", "supported": "OPTIONS, POST"}),
        ("PATCH", f"{GAMES}/abc", [], "", 405, {"what": "method", "supported": "DELETE, GET, HEAD, OPTIONS"}),
        ("TRACE", GAMES, [], "", 405, {"what": "method", "supported": "OPTIONS, POST"}),
        (
            "GET",
            f"{GAMES}/abc",
            [("accept", "text/html")],
            "",
            406,
            {"what": "accept", "supported": "application/json"},
        ),
        (
            "GET",
            f"{GAMES}/abc/events:watch",
            [("accept", "application/json")],
            "",
            406,
            {"what": "accept", "supported": "text/event-stream"},
        ),
        ("POST", GAMES, [], "{}", 415, {"what": "content type", "supported": "application/json"}),
        (
            "POST",
            GAMES,
            [("content-type", "text/plain")],
            "{}",
            415,
            {"what": "content type", "supported": "application/json"},
        ),
        (
            "POST",
            GAMES,
            [*JSON, ("content-encoding", "br")],
            "{}",
            415,
            {"what": "compression", "supported": "gzip, identity"},
        ),
        ("POST", GAMES, JSON, '{"preset": "' + "x" * 300_000 + '"}', 413, {"limit": "262144"}),
    ],
)
async def test_what_is_asked_in_a_wrong_way_is_told_the_right_one(
    ask: Client, method: str, path: str, headers: Metadata, body: str, status: int, metadata: dict[str, str]
) -> None:
    found, answered, problem = await ask(method, path, headers, body)
    assert (found, info(problem)["metadata"]) == (status, metadata)
    assert answered.get("allow") == (metadata["supported"] if status == 405 else None)


async def test_head_and_options_tell_of_a_path_without_a_body(ask: Client, table: Table) -> None:
    address = f"{GAMES}/{table.game_id}"
    status, headers, _ = await ask("HEAD", address, bearing(table.host))
    assert (status, headers["etag"], headers["content-type"]) == (200, '"1"', "application/json")
    # That of a stream ends too: the next request on the connection has its answer.
    watch = head("HEAD", f"{address}/events:watch", [*bearing(table.mr_x), ("accept", EVENTS)])
    async with connected(ask.address) as (reader, writer):
        writer.write(watch + head("GET", "/v1/catalog/build-info", []))
        first = await answer(reader)
        assert (first.status, first.headers["content-type"]) == (200, EVENTS)
        assert (await answer(reader)).headers["content-type"] == "application/json"
    status, headers, _ = await ask("OPTIONS", address)
    assert (status, headers["allow"]) == (204, "DELETE, GET, HEAD, OPTIONS")


@pytest.mark.parametrize("name", ["access_token", "token", "authorization", "Authorization", "bearer", "api_key"])
async def test_a_token_in_an_address_is_refused_and_never_repeated(
    ask: Client, service: Service, table: Table, name: str
) -> None:
    address = f"{GAMES}/{table.game_id}?{name}={table.mr_x}"
    for headers in ([], bearing(table.mr_x)):
        status, _, problem = await ask("GET", address, headers)
        assert (status, info(problem)["metadata"]) == (400, {"field": name})
        assert table.mr_x not in json.dumps(problem)
    assert table.mr_x not in service.log.read_text()


async def test_a_problem_speaks_the_language_that_is_asked_for(ask: Client, table: Table) -> None:
    address = f"{GAMES}/{table.game_id}/moves"
    told = {}
    for language, wanted in (("en", ""), ("fr", "fr-CA, en;q=0.5")):
        headers = [*JSON, *bearing(table.mr_x), ("accept-language", wanted)]
        status, answered, problem = await ask("POST", address, headers, '{"moves": [{"txt": "taxi 200"}]}')
        assert (status, answered["content-language"]) == (400, language)
        assert "accept-language" in answered["vary"]
        told[language] = problem["message"]
    assert told["en"] == "moves[0].txt: is no field of Move; did you mean text?"
    assert told["fr"] == "moves[0].txt : n'est pas un champ de Move ; vouliez-vous dire text ?"


async def test_large_answers_are_compressed_for_those_who_can_read_it(ask: Client) -> None:
    plain = await ask("GET", "/v1/catalog/rules")
    zipped = await ask("GET", "/v1/catalog/rules", [("accept-encoding", "br, gzip")])
    assert "content-encoding" not in plain[1]
    assert zipped[1]["content-encoding"] == "gzip"
    assert zipped[2] == plain[2]
    assert int(zipped[1]["content-length"]) * 2 < int(plain[1]["content-length"])
    refused = await ask("GET", "/v1/catalog/rules", [("accept-encoding", "gzip;q=0")])
    assert "content-encoding" not in refused[1]


async def test_answers_that_hold_tokens_are_not_compressed(ask: Client) -> None:
    body = '{"preset": "master", "players": 6, "allowSpectators": true}'
    _, headers, _ = await ask("POST", GAMES, [*JSON, ("accept-encoding", "gzip")], body)
    assert int(headers["content-length"]) > 4096
    assert "content-encoding" not in headers


async def test_a_request_within_the_limit_but_over_the_longest_batch_names_the_field(ask: Client) -> None:
    status, _, problem = await ask("POST", f"{GAMES}/{'a' * 26}/moves:validate", JSON, json.dumps({"moves": [{}] * 9}))
    assert (status, info(problem)["metadata"]["field"]) == (400, "moves")


# --- events -----------------------------------------------------------------------------------------------------------


async def test_a_stream_goes_on_behind_the_last_event_that_was_seen(ask: Client, table: Table) -> None:
    address, bears = f"{GAMES}/{table.game_id}/events", bearing(table.seats[1])
    async with ask.open(address, bears) as answer:
        assert (answer.status, answer.headers["content-type"]) == (200, EVENTS)
        stream = events(answer.chunks())
        assert await anext(stream) == {"retry": "1000"}
        seen = await anext(stream)
    assert (seen["event"], seen["id"]) == ("update", (await table.get()).info.cursor)
    assert json.loads(seen["data"])["update"]["revision"]["revision"] == 1
    await table.play(0, (await table.harmless(0))[0])
    await table.play_on(2)
    async with ask.open(address, [*bears, ("last-event-id", seen["id"])]) as answer:
        stream = events(answer.chunks())
        await anext(stream)
        numbers = [json.loads((await anext(stream))["data"])["update"]["revision"]["revision"] for _ in range(3)]
    assert numbers == [2, 3, 4]
    # The query says the same, for clients that come back by themselves; the header is newer, where there are both.
    latest = (await table.get()).info.cursor
    async with ask.open(f"{address}?cursor={seen['id']}", [*bears, ("last-event-id", latest)]) as answer:
        await table.play_on(1)
        stream = events(answer.chunks())
        while "data" not in (event := await anext(stream)):
            pass
    assert json.loads(event["data"])["update"]["revision"]["revision"] == 5


async def test_both_paths_of_the_events_answer_the_same(ask: Client, table: Table) -> None:
    """`/events` has pages for those who want JSON, and events for those who want these."""
    address, bears = f"{GAMES}/{table.game_id}/events", bearing(table.seats[1])
    status, headers, told = await ask("GET", address, bears)
    assert (status, headers["content-type"], len(told["revisions"])) == (200, "application/json", 1)
    status, _, told = await ask("GET", address, [*bears, ("accept", f"{EVENTS};q=0.5, application/json")])
    assert (status, len(told["revisions"])) == (200, 1)
    seen = []
    for path in (address, f"{address}:watch"):
        async with ask.open(path, bears) as answer:
            stream = events(answer.chunks())
            await anext(stream)
            event = await anext(stream)
        seen.append((event["event"], event["id"], json.loads(event["data"])["update"]["revision"]))
    assert seen[0] == seen[1]


async def test_a_stream_that_is_refused_at_once_has_a_status(ask: Client, table: Table) -> None:
    address = f"{GAMES}/{table.game_id}/events:watch"
    for headers, status, reason in (
        ([], 401, "TOKEN_MISSING"),
        (bearing(table.host), 403, "WRONG_TOKEN_KIND"),
        ([*bearing(table.mr_x), ("last-event-id", "yesterday")], 400, "INVALID_FIELD"),
    ):
        found, _, problem = await ask("GET", address, [*headers, ("accept", EVENTS)])
        assert (found, info(problem)["reason"]) == (status, reason)


async def test_a_stream_that_is_refused_later_ends_with_an_event(ask: Client, table: Table) -> None:
    bears = bearing(table.seats[1])
    async with ask.open(f"{GAMES}/{table.game_id}/events", [*bears, ("accept-language", "fr")]) as answer:
        stream = events(answer.chunks())
        await anext(stream)
        await anext(stream)
        await table.claim(1)
        told = [event async for event in stream if event]
    assert [event["event"] for event in told][-1] == "error"
    problem = json.loads(told[-1]["data"])
    assert info(problem)["reason"] == "TOKEN_REVOKED"
    assert problem["message"] == "Le jeton a été remplacé par un plus récent."


async def test_a_stream_with_nothing_to_come_tells_a_browser_to_stay_away(ask: Client, table: Table) -> None:
    await table.abandon()
    bears = bearing(table.seats[1])
    latest = (await table.get()).info.cursor
    status, _, _ = await ask(
        "GET", f"{GAMES}/{table.game_id}/events", [*bears, ("accept", EVENTS), ("last-event-id", latest)]
    )
    assert status == 204


async def test_heartbeats_come_as_events_while_nothing_happens(
    start_service: Callable[..., Service], ask: Client
) -> None:
    quick = Client(start_service("--heartbeat-seconds", "0.2").http)
    _, _, created = await quick("POST", GAMES, JSON, '{"preset": "new", "players": 3}')
    game, token = created["game"]["info"]["gameId"], created["invitations"][1]["token"]
    async with quick.open(f"{GAMES}/{game}/events", bearing(token)) as answer:
        told = []
        async for event in events(answer.chunks()):
            told.append(event)
            if len(told) == 4:
                break
    assert [event.get("event") for event in told] == [None, "update", "heartbeat", "heartbeat"]
    assert json.loads(told[2]["data"]) == {"heartbeat": {"revision": 1}, "reset": False}
    assert "id" not in told[2]
