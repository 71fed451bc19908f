"""What HTTP says outside of a body, in a header or an address, is refused under the name that the caller gave it."""

from __future__ import annotations

from typing import NamedTuple
from uuid import uuid4

import pytest

from tests.api.service import Service
from tests.api.table import Metadata, Table, Yard, bearing
from tests.doors.connect import envelope
from tests.doors.rest import EVENTS, JSON
from tests.doors.speech import GET_GAME, WATCH_GAME, asked_for

NOBODY = '{"gameId":"' + "a" * 26 + '"}'
MOVES = '{"moves": [{"text": "taxi 1"}]}'
CONNECT_STREAM = ("content-type", "application/connect+json")
GRPC_WEB = ("content-type", "application/grpc-web+json")
UUID = str(uuid4())
"""A key that is fine."""


class Asked(NamedTuple):
    """One request. In a path `{game}` is the game's address over REST."""

    method: str
    path: str
    headers: Metadata
    body: str | bytes
    named: str
    """What the refusal names."""
    en: str
    fr: str
    """What it says of it."""


def _posted(header: str, value: str, en: str, fr: str, *, body: str = MOVES, path: str = "{game}/moves") -> Asked:
    return Asked("POST", path, [*JSON, (header, value)], body, header, en, fr)


def _seen(last: str, en: str = "is no cursor", fr: str = "n'est pas un curseur") -> Asked:
    return Asked("GET", "{game}/events", [("accept", EVENTS), ("last-event-id", last)], "", "last-event-id", en, fr)


def _queried(query: str, named: str, en: str, fr: str, *, path: str = GET_GAME) -> Asked:
    return Asked("GET", f"{path}?{query}", [], "", named, en, fr)


_UUID = ("must be a UUID", "doit être un UUID")
_ETAG = (
    'must be one strong ETag of this service, such as "17"',
    'doit être un ETag fort de ce service, tel que "17"',
)
_NO_VALUE = ("has a value that this header can't have", "a une valeur que cet en-tête ne peut pas avoir")
_MESSAGE = "connect=v1&encoding=json&message=%7B%7D"

ASKED = {
    "a key that is no UUID": _posted("idempotency-key", "first", *_UUID),
    "a key in quotation marks": _posted("idempotency-key", '"first"', *_UUID),
    "no key": _posted("idempotency-key", "", *_UUID),
    "a key in quotation marks that are not closed": _posted("idempotency-key", f'"{UUID}', *_UUID),
    "a key in quotation marks that were not opened": _posted("idempotency-key", f'{UUID}"', *_UUID),
    "a key in more quotation marks": _posted("idempotency-key", f'"""{UUID}', *_UUID),
    "a key in two pairs of quotation marks": _posted("idempotency-key", f'""{UUID}""', *_UUID),
    "nothing but a quotation mark": _posted("idempotency-key", '"', *_UUID),
    "nothing in quotation marks": _posted("idempotency-key", '""', *_UUID),
    "two keys": _posted("idempotency-key", f"{UUID}, {UUID}", *_UUID),
    "a key of a new game": _posted("idempotency-key", "1", *_UUID, body="{}", path="/v1/scotland-yard/games"),
    "a key that ends a game": _posted("idempotency-key", "1", *_UUID, body="{}", path="{game}:abandon"),
    "another key than in the body": _posted(
        "idempotency-key",
        UUID,
        "does not agree with request_id",
        "n'est pas en accord avec request_id",
        body='{"requestId": "first", "moves": [{"text": "taxi 1"}]}',
    ),
    "a weak ETag": _posted("if-match", 'W/"1"', *_ETAG),
    "an ETag of no revision": _posted("if-match", '"0"', *_ETAG),
    "another revision than in the body": _posted(
        "if-match",
        '"1"',
        "does not agree with expected_revision",
        "n'est pas en accord avec expected_revision",
        body='{"expectedRevision": 2, "moves": [{"text": "taxi 1"}]}',
    ),
    "an event that never was": _seen("yesterday"),
    "an event of a large number": _seen("9" * 64),
    "an event of an endless number": _seen(
        "9" * 65, "must be 64 characters at most", "doit compter 64 caractères au plus"
    ),
    "an event in Latin-1": _seen("17-\u00e9"),
    "a timeout of Connect": Asked(
        "POST", GET_GAME, [*JSON, ("connect-timeout-ms", "1e3")], NOBODY, "connect-timeout-ms", *_NO_VALUE
    ),
    "a timeout of a stream": Asked(
        "POST",
        WATCH_GAME,
        [CONNECT_STREAM, ("connect-timeout-ms", "-1")],
        envelope(0, NOBODY.encode()),
        "connect-timeout-ms",
        *_NO_VALUE,
    ),
    "a version of Connect": Asked(
        "POST", GET_GAME, [*JSON, ("connect-protocol-version", "2")], NOBODY, "connect-protocol-version", *_NO_VALUE
    ),
    "a timeout of gRPC-Web": Asked(
        "POST",
        GET_GAME,
        [GRPC_WEB, ("grpc-timeout", "1h")],
        envelope(0, NOBODY.encode()),
        "grpc-timeout",
        *_NO_VALUE,
    ),
    "a version in the address": _queried(
        "connect=v2&encoding=json&message=%7B%7D", "connect", "must be v1", "doit être v1"
    ),
    "a version that stands twice": _queried(f"{_MESSAGE}&connect=v1", "connect", "stands twice", "figure deux fois"),
    "an encoding in the address": _queried(
        "encoding=xml&message=%7B%7D", "encoding", "must be json or proto", "doit être json ou proto"
    ),
    "no encoding": _queried("connect=v1&message=%7B%7D", "encoding", "must be given", "doit être donné"),
    "no message": _queried("connect=v1&encoding=json", "message", "must be given", "doit être donné"),
    "a message in no Base64": _queried(
        "encoding=json&base64=1&message=***", "message", "must be Base64", "doit être en Base64"
    ),
    "Base64 by half": _queried(f"{_MESSAGE}&base64=yes", "base64", "must be 1", "doit être 1"),
    "a parameter that is none": _queried(
        f"{_MESSAGE}&token=x", "token", "is no parameter of this address", "n'est pas un paramètre de cette adresse"
    ),
    "a parameter of REST": _queried(
        "page_size=many",
        "page_size",
        "must be a whole number from -2147483648 to 2147483647",
        "doit être un nombre entier de -2147483648 à 2147483647",
        path="{game}/events",
    ),
    "a parameter that is no UTF-8": _queried(
        "%ff=1",
        "%ff",
        "is not percent-encoded UTF-8",
        "n'est pas de l'UTF-8 encodé en pour-cent",
        path="{game}/events",
    ),
    "a condition where there is none": _posted(
        "if-match",
        '"1"',
        "can't be asked of AbandonGameRequest",
        "ne peut pas être exigé de AbandonGameRequest",
        body="{}",
        path="{game}:abandon",
    ),
    "a key in the body": _posted(
        "accept", "*/*", *_UUID, body='{"requestId": "first", "moves": [{"text": "taxi 1"}]}'
    )._replace(named="request_id"),
    "a revision in the body under any ETag": _posted(
        "if-match",
        "*",
        "must be 1 or more",
        "au moins 1",
        body='{"expectedRevision": 0, "moves": [{"text": "taxi 1"}]}',
    )._replace(named="expected_revision"),
    "a cursor in a body that has none": _posted(
        "last-event-id",
        "17-0",
        "is no field of PlayMoveRequest",
        "n'est pas un champ de PlayMoveRequest",
        body='{"cursor": "17-0"}',
    )._replace(named="cursor"),
}


@pytest.fixture
async def table(yard: Yard) -> Table:
    """A new game of three players."""
    return await yard.table(3)


@pytest.mark.parametrize("name", ASKED)
async def test_a_value_is_refused_under_the_name_by_which_it_was_sent(
    service: Service, table: Table, name: str
) -> None:
    sent = ASKED[name]
    path = sent.path.format(game=f"/v1/scotland-yard/games/{table.game_id}")
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body
    for language, words in (("en", sent.en), ("fr", sent.fr)):
        headers = [*sent.headers, *bearing(table.mr_x), ("accept-language", language)]
        refusal = await asked_for(service.http, sent.method, path, headers, body)
        assert refusal is not None
        assert (refusal.reason, refusal.metadata["field"], refusal.fields[0]) == (
            "INVALID_FIELD",
            sent.named,
            sent.named,
        )
        assert refusal.message == f"{sent.named}{' ' if language == 'fr' else ''}: {words}"


async def test_a_revision_agrees_with_itself_however_it_is_written(service: Service, table: Table) -> None:
    for number in ("7", "7.0", '"7"'):
        body = f'{{"expectedRevision": {number}, "moves": [{{"text": "taxi 1"}}]}}'
        headers = [*JSON, *bearing(table.mr_x), ("if-match", '"7"')]
        path = f"/v1/scotland-yard/games/{table.game_id}/moves"
        refusal = await asked_for(service.http, "POST", path, headers, body.encode())
        assert refusal is not None
        assert refusal.reason == "STALE_REVISION", number
