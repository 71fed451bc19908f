"""A path finds the method that the contract's annotations give it, and nothing else does."""

from __future__ import annotations

import pytest

from tests.api.rest.library import Book, endpoints
from whitehall.api.endpoint import Unary
from whitehall.api.rest.routes import RouteTable
from whitehall.api.rest.template import Template

TABLE = RouteTable(endpoints())


def found(verb: str, path: str) -> list[str]:
    """The names of the methods behind a path, and nothing where there is no such path."""
    at = TABLE.find(path.encode())
    return [] if at is None else [route.endpoint.name for route in at.routes.get(verb, ())]


@pytest.mark.parametrize(
    ("verb", "path", "names"),
    [
        ("GET", "/v1/shelves/7/books", ["GetBook"]),
        ("GET", "/v1/shelves/new/books", ["GetLatest"]),
        ("GET", "/v1/shelves/%6Eew/books", ["GetLatest"]),
        ("GET", "/v1/shelves/newer/books", ["GetBook"]),
        ("GET", "/v1/shelves/a:b/books", ["GetBook"]),
        ("GET", "/v1/books", ["GetBook", "WatchBooks"]),
        ("SEARCH", "/v1/books", ["SearchBooks"]),
        ("POST", "/v1/shelves/7/books:lend", ["LendBook"]),
        ("POST", "/v1/shelves/7/books", []),
        ("POST", "/v1/shelves/7/books%3Alend", []),
        ("POST", "/v1/shelves/7/books:borrow", []),
        ("GET", "/v1/shelves/7/books:lend", []),
        ("GET", "/v1/shelves//books", []),
        ("GET", "/v1/shelves/7/books/", []),
        ("GET", "/v1/shelves/7/8/books", []),
        ("GET", "/v1/authors/doyle", ["GetAuthor"]),
        ("GET", "/v1/authors", []),
        ("PUT", "/v1/shelves/7", ["PutAuthor"]),
        ("PUT", "/v1/shelves/7:x", ["PutAuthor"]),
        ("GET", "/v1/files/a/b/c", ["GetFile"]),
        ("GET", "/v1/files/", ["GetFile"]),
        ("GET", "/V1/books", []),
        ("GET", "/", []),
        ("GET", "", []),
        ("GET", "v1/books", []),
    ],
)
def test_a_path_finds_its_methods(verb: str, path: str, names: list[str]) -> None:
    assert found(verb, path) == names


def test_a_path_that_is_there_tells_what_may_be_done_with_it() -> None:
    books = TABLE.find(b"/v1/books")
    assert books is not None
    assert books.verbs == ("GET", "HEAD", "OPTIONS", "SEARCH")


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("/v1/games/{game_id}", "/v1/games/abc", {"game_id": "abc"}),
        ("/v1/games/{game_id}:start", "/v1/games/abc", {"game_id": "abc"}),
        ("/v1/games/{game_id}", "/v1/games/a%2Fb%20%C3%A9", {"game_id": "a/b é"}),
        ("/v1/games/{game_id}", "/v1/games/a+b", {"game_id": "a+b"}),
        ("/v1/games/{game_id}", "/v1/games/%zz", {"game_id": None}),
        ("/v1/games/{game_id}", "/v1/games/%ff", {"game_id": None}),
        ("/v1/{a.b=x/*}/{c}", "/v1/x/1/2", {"a.b": "x/1", "c": "2"}),
        ("/v1/{name=files/**}", "/v1/files/a/b%2Fc/d%20e", {"name": "files/a/b%2Fc/d e"}),
    ],
)
def test_a_template_takes_the_values_of_its_variables_from_the_path(
    template: str, path: str, values: dict[str, str | None]
) -> None:
    assert Template.parse(template).values(path.encode()[1:].split(b"/")) == values


@pytest.mark.parametrize("text", ["", "/", "v1", "//", "/v1/", "/v1/{", "/v1/{A}", "/v1/**/x", "/v1/x:", "/v1/{a=b}}"])
def test_what_is_no_template_is_refused_when_the_service_starts(text: str) -> None:
    with pytest.raises(ValueError, match="no path template"):
        Template.parse(text)


def test_two_plain_methods_at_one_path_are_refused_when_the_service_starts() -> None:
    first = next(each for each in endpoints() if each.name == "GetBook")
    assert isinstance(first, Unary)
    with pytest.raises(ValueError, match="stands for two methods"):
        RouteTable([first, Unary(first.service, first.name, Book, first.handler)])
