"""A request is put together from path, query, body and headers; what can't be put together is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.api.rest.library import Book, endpoints
from whitehall.api.rest.asked import request_of
from whitehall.api.rest.routes import Route, RouteTable
from whitehall.games.core.fault import InvalidField
from whitehall.sessions.refusal import Reason, Refusal

TABLE = RouteTable(endpoints())
ID = "0b3f4a7e-5c56-4a5e-9c1b-3f0c6f1f3a11"


def asked(verb: str, address: str, body: str = "", headers: Mapping[str, str] | None = None) -> Any:
    """The request that a call makes."""
    path, _, query = address.partition("?")
    found = TABLE.find(path.encode())
    assert found is not None
    route: Route = found.routes[verb][0]
    return request_of(route, found.path, query.encode(), body.encode(), headers or {})


@pytest.mark.parametrize(
    ("address", "request_"),
    [
        ("/v1/books?shelf=a%20b+c%2B%C3%A9", Book(shelf="a b c+é")),
        ("/v1/books?lent=true&price=1.5", Book(lent=True, price=1.5)),
        ("/v1/books?lent=false", Book()),
        ("/v1/books?kinds=KIND_ATLAS&kinds=1", Book(kinds=[2, 1])),
        ("/v1/books?pages=3&pages=5", Book(pages=[3, 5])),
        ("/v1/books?author.name=Doyle&author.bornIn=1859", Book(author={"name": "Doyle", "born_in": 1859})),
        ("/v1/books?author.born_in=-9223372036854775808", Book(author={"born_in": -(2**63)})),
        ("/v1/books?due=2026-11-30T09:30:00Z", Book(due={"seconds": 1796031000})),
        ("/v1/books?lending=1.5s", Book(lending={"seconds": 1, "nanos": 500_000_000})),
        ("/v1/books?mask=shelf,author.bornIn", Book(mask={"paths": ["shelf", "author.born_in"]})),
        ("/v1/books?signed=true", Book(signed={"value": True})),
        ("/v1/books?cover=3q0-_w", Book(cover=b"\xde\xad\x3e\xff")),
        ("/v1/books?weight=3.4e38&expectedRevision=5", Book(weight=3.4e38, expected_revision=5)),
        ("/v1/books?&shelf=a&", Book(shelf="a")),
        ("/v1/books?shelf=", Book()),
        ("/v1/authors/Conan%20Doyle", Book(author={"name": "authors/Conan Doyle"})),
        ("/v1/authors/Doyle?author.born_in=1859", Book(author={"name": "authors/Doyle", "born_in": 1859})),
        ("/v1/shelves/7/books?lent=true", Book(shelf="7", lent=True)),
    ],
)
def test_path_and_query_are_read(address: str, request_: Any) -> None:
    assert asked("GET", address) == request_


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("access_token=wh_host_1_00", "access_token", "is no field of Book"),
        ("shelv=7", "shelv", "did you mean shelf?"),
        ("author.nam=x", "author.nam", "did you mean name?"),
        ("author.name.x=1", "author.name", "has no fields of its own"),
        ("author=x", "author", "is a message"),
        ("coAuthors=x", "co_authors", "is a message"),
        ("co_authors.name=x", "co_authors", "has no fields of its own"),
        ("shelf=a&shelf=b", "shelf", "stands twice"),
        ("price=1&price=2", "price", "stands twice"),
        ("lent=1", "lent", "must be true or false"),
        ("lent", "lent", "must be true or false"),
        ("kinds=ATLAS", "kinds[0]", "did you mean KIND_ATLAS?"),
        ("kinds=KIND_ATLAS&kinds=x", "kinds[1]", "is no Kind"),
        ("pages=-1", "pages[0]", "must be a whole number from 0 to 4294967295"),
        ("author.bornIn=9223372036854775808", "author.born_in", "must be a whole number"),
        ("due=yesterday", "due", "is no Timestamp as protobuf writes it"),
        ("signed=maybe", "signed", "is no BoolValue as protobuf writes it"),
        ("price=1e999", "price", "must be a number that fits"),
        ("weight=3.5e38", "weight", "must be a number that fits"),
        ("price=0x10", "price", "must be a number that fits"),
        ("cover=*", "cover", "must be Base64"),
        ("shelf=%ff", "shelf", "is not percent-encoded UTF-8"),
        ("shelf=%f", "shelf", "is not percent-encoded UTF-8"),
        ("%ff=1", "%ff", "is not percent-encoded UTF-8"),
        ("=1", '""', "is no field of Book"),
    ],
)
def test_a_parameter_that_means_nothing_is_refused_by_its_name(query: str, field: str, words: str) -> None:
    with pytest.raises(InvalidField) as fault:
        asked("GET", f"/v1/books?{query}")
    assert (fault.value.field, words in fault.value.text.en) == (field, True), fault.value.text


def test_a_body_is_the_request_but_for_what_the_path_says() -> None:
    assert asked("POST", "/v1/shelves/7/books:lend", '{"lent": true}') == Book(shelf="7", lent=True)
    assert asked("POST", "/v1/shelves/7/books:lend") == Book(shelf="7")
    assert asked("POST", "/v1/shelves/7/books:lend", '{"shelf": "7"}') == Book(shelf="7")


def test_a_body_is_one_field_where_the_contract_says_so() -> None:
    assert asked("PUT", "/v1/shelves/7", '{"name": "Doyle"}') == Book(shelf="7", author={"name": "Doyle"})
    assert asked("PUT", "/v1/shelves/7?lent=true", '{"name": "D"}') == Book(shelf="7", author={"name": "D"}, lent=True)
    assert asked("PUT", "/v1/shelves/7") == Book(shelf="7")


@pytest.mark.parametrize(
    ("verb", "address", "body", "field"),
    [
        ("POST", "/v1/shelves/7/books:lend", '{"shelf": "8"}', "shelf"),
        ("POST", "/v1/shelves/7/books:lend?lent=true", "{}", "lent"),
        ("PUT", "/v1/shelves/7", '{"nam": "Doyle"}', "author.nam"),
        ("PUT", "/v1/shelves/7", "[]", "author"),
        ("GET", "/v1/shelves/%ff/books", "", "shelf"),
        ("GET", "/v1/shelves/7/books?shelf=8", "", "shelf"),
    ],
)
def test_what_contradicts_itself_is_refused_by_its_name(verb: str, address: str, body: str, field: str) -> None:
    with pytest.raises(InvalidField) as fault:
        asked(verb, address, body)
    assert fault.value.field == field


@pytest.mark.parametrize(
    ("verb", "address", "body"),
    [
        ("GET", "/v1/books", '{"shelf": "7"}'),
        ("GET", "/v1/books", "x"),
        ("POST", "/v1/shelves/7/books:lend", "[]"),
        ("POST", "/v1/shelves/7/books:lend", "{"),
        ("PUT", "/v1/shelves/7", "{"),
    ],
)
def test_a_body_that_is_none_is_malformed(verb: str, address: str, body: str) -> None:
    with pytest.raises(Refusal) as refused:
        asked(verb, address, body)
    assert refused.value.reason is Reason.MALFORMED_REQUEST


def test_headers_say_what_fields_say() -> None:
    lend = "/v1/shelves/7/books:lend"
    assert asked("POST", lend, headers={"if-match": '"17"'}) == Book(shelf="7", expected_revision=17)
    assert asked("POST", lend, headers={"if-match": "*"}) == Book(shelf="7")
    assert asked("POST", lend, headers={"idempotency-key": ID}) == Book(shelf="7", request_id=ID)
    assert asked("POST", lend, headers={"idempotency-key": f'"{ID}"'}) == Book(shelf="7", request_id=ID)
    assert asked("POST", lend, f'{{"requestId": "{ID}"}}', {"idempotency-key": ID}) == Book(shelf="7", request_id=ID)
    # A browser comes back to the address with the cursor that it began with: its header is the newer one.
    assert asked("GET", "/v1/books?cursor=1-a", headers={"last-event-id": "2-b"}) == Book(cursor="2-b")
    assert asked("GET", "/v1/books?cursor=1-a", headers={"last-event-id": ""}) == Book(cursor="1-a")


@pytest.mark.parametrize(
    ("headers", "body", "field"),
    [
        ({"if-match": "17"}, "", "if-match"),
        ({"if-match": '"17", "18"'}, "", "if-match"),
        ({"if-match": 'W/"17"'}, "", "if-match"),
        ({"if-match": '"17", *'}, "", "if-match"),
        ({"if-match": '"17'}, "", "if-match"),
        ({"if-match": ""}, "", "if-match"),
        ({"if-match": '"0"'}, "", "if-match"),
        ({"if-match": '"17"'}, '{"expectedRevision": 18}', "if-match"),
        ({"if-match": '"1"'}, '{"expectedRevision": true}', "if-match"),
        ({"idempotency-key": ""}, "", "idempotency-key"),
        ({"idempotency-key": ID}, '{"requestId": "another"}', "idempotency-key"),
    ],
)
def test_a_header_that_is_wrong_or_contradicts_the_body_is_named(
    headers: dict[str, str], body: str, field: str
) -> None:
    with pytest.raises(InvalidField) as fault:
        asked("POST", "/v1/shelves/7/books:lend", body, headers)
    assert fault.value.field == field
