"""A contract of a library, with what ours does not need yet: every kind of path, body and parameter."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.api import annotations_pb2
from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    field_mask_pb2,
    message_factory,
    text_format,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.message import Message

from whitehall.api.answer import Answer
from whitehall.api.call import Call
from whitehall.api.endpoint import Endpoint, ServerStream, Unary

_FIELDS = """
shelf TYPE_STRING; author .Author; kinds* .Kind; lent TYPE_BOOL; price TYPE_DOUBLE; due google.Timestamp;
lending google.Duration; mask google.FieldMask; signed google.BoolValue; co_authors* .Author; cover TYPE_BYTES;
pages* TYPE_UINT32; request_id TYPE_STRING; expected_revision TYPE_INT32; cursor TYPE_STRING; weight TYPE_FLOAT
"""

_METHODS = {
    "GetBook": 'get: "/v1/shelves/{shelf}/books" additional_bindings { get: "/v1/books" }',
    "LendBook": 'post: "/v1/shelves/{shelf}/books:lend" body: "*"',
    "GetLatest": 'get: "/v1/shelves/new/books"',
    "GetAuthor": 'get: "/v1/{author.name=authors/*}"',
    "PutAuthor": 'put: "/v1/shelves/{shelf}" body: "author"',
    "GetFile": 'get: "/v1/files/{shelf=**}"',
    "SearchBooks": 'custom { kind: "SEARCH" path: "/v1/books" }',
    "WatchBooks": 'get: "/v1/books"',
    "ForgetBook": "",
}
STREAMS = ("WatchBooks",)


def _field(number: int, text: str) -> str:
    name, kind = text.split()
    label = "LABEL_REPEATED" if name.endswith("*") else "LABEL_OPTIONAL"
    name = name.removesuffix("*")
    first, *others = name.split("_")
    json_name = first + "".join(other.capitalize() for other in others)
    if kind.startswith("TYPE_"):
        typed = f"type: {kind}"
    elif kind == ".Kind":
        typed = 'type: TYPE_ENUM type_name: ".test.library.Kind"'
    else:
        full = kind.replace("google.", ".google.protobuf.") if kind.startswith("google") else f".test.library{kind}"
        typed = f'type: TYPE_MESSAGE type_name: "{full}"'
    return f'field {{ name: "{name}" number: {number} {typed} label: {label} json_name: "{json_name}" }}'


def _method(name: str, rule: str) -> str:
    options = f"options {{ [google.api.http] {{ {rule} }} }}" if rule else ""
    streams = "server_streaming: true" if name in STREAMS else ""
    kinds = 'input_type: ".test.library.Book" output_type: ".test.library.Book"'
    return f'method {{ name: "{name}" {kinds} {streams} {options} }}'


def _book() -> type[Message]:
    modules = (annotations_pb2, duration_pb2, field_mask_pb2, timestamp_pb2, wrappers_pb2)
    fields = [_field(number, text) for number, text in enumerate(_FIELDS.split(";"), 1)]
    text = f"""
        name: "test/library.proto" package: "test.library" syntax: "proto3"
        {" ".join(f'dependency: "{module.DESCRIPTOR.name}"' for module in modules)}
        message_type {{ name: "Book" {" ".join(fields)} }}
        message_type {{ name: "Author" {_field(1, "name TYPE_STRING")} {_field(2, "born_in TYPE_INT64")} }}
        enum_type {{ name: "Kind" value {{ name: "KIND_UNSPECIFIED" number: 0 }}
          value {{ name: "KIND_NOVEL" number: 1 }} value {{ name: "KIND_ATLAS" number: 2 }} }}
        service {{ name: "LibraryService" {" ".join(_method(*each) for each in _METHODS.items())} }}
    """
    file = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("test.library.Book"))


Book: Any = _book()
"""The library's one message, request and answer of every method."""


async def _unary(request: Any, _: Call) -> Answer:
    answer: Answer = Book(shelf=request.shelf)
    return answer


async def _stream(request: Any, _: Call) -> AsyncGenerator[Answer]:
    yield Book(shelf=request.shelf)


def endpoints() -> list[Endpoint]:
    """Every method of the library."""
    service = "test.library.LibraryService"
    plain = [Unary(service, name, Book, _unary) for name in _METHODS if name not in STREAMS]
    return [*plain, *(ServerStream(service, name, Book, _stream) for name in STREAMS)]
