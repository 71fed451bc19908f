"""What was asked: a method's request, put together from path, query, body, and the headers that mean a field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from whitehall.api import json_sentences as say
from whitehall.api.json_reading import parse, read_members
from whitehall.api.rest.query import query_members
from whitehall.api.rest.routes import WHOLE, Route
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.sessions.refusal import Reason, Refusal

IF_MATCH: Final = "if-match"
IF_NONE_MATCH: Final = "if-none-match"
IF_UNMODIFIED_SINCE: Final = "if-unmodified-since"
ANY: Final = "*"
"""In If-Match: whatever there is."""

_HEADERS: Final[Mapping[str, str]] = {
    IF_MATCH: "expected_revision",
    "idempotency-key": "request_id",
    "last-event-id": "cursor",
}
"""Headers that say what a field says, in a request that has it."""

_PATH: Final = Text("the path", "le chemin")
_ETAG = re.compile(r'"([1-9][0-9]{0,8})"')
"""A strong one: If-Match compares no others (RFC 9110, 13.1.1)."""
_NOTHING = re.compile(rb"\s*(?:\{\s*\}\s*)?")


def request_of(route: Route, path: tuple[bytes, ...], query: bytes, body: bytes, headers: Mapping[str, str]) -> Message:
    """The request that a call makes. Raises `InvalidField`, or the `Refusal` of a body that is no JSON object."""
    kind = route.endpoint.request
    descriptor = cast(Descriptor, kind.DESCRIPTOR)
    members = _body(route, body)
    if query:
        if route.body == WHOLE:
            raise InvalidField(say.shown(query.partition(b"=")[0].decode("latin-1")), say.NOT_IN_QUERY)
        members |= query_members(descriptor, query)
    for field, value in route.template.values(path).items():
        if value is None:
            raise InvalidField(field, say.BADLY_ENCODED)
        _agree(members, descriptor, field, value, _PATH)
    for header, field in _HEADERS.items():
        if header not in headers:
            continue
        if field in descriptor.fields_by_name:
            _take(members, descriptor, header, headers[header].strip())
    _refuse_conditions(route, headers)
    return read_members(kind, members)


def _refuse_conditions(route: Route, headers: Mapping[str, str]) -> None:
    """Whoever asks for a condition must not be answered without it."""
    descriptor = cast(Descriptor, route.endpoint.request.DESCRIPTOR)
    matches = IF_MATCH in headers and headers[IF_MATCH].strip() != ANY
    asked = {
        IF_MATCH: matches and _HEADERS[IF_MATCH] not in descriptor.fields_by_name,
        # What is only read is told once more where there is no ETag to know it by.
        IF_NONE_MATCH: IF_NONE_MATCH in headers and route.verb != "GET",
        # Nothing here has a date.
        IF_UNMODIFIED_SINCE: IF_UNMODIFIED_SINCE in headers,
    }
    for header, is_asked in asked.items():
        if is_asked:
            raise InvalidField(header, say.no_condition(descriptor.name))


def _body(route: Route, body: bytes) -> dict[str, Any]:
    """What the body says, under the fields' names."""
    kind = route.endpoint.request
    if route.body and route.body != WHOLE:
        return {route.body: parse(kind, body)} if body else {}
    if not route.body:
        members: object = {} if _NOTHING.fullmatch(body) else None
    else:
        members = parse(kind, body)
    if not isinstance(members, dict):
        raise Refusal(Reason.MALFORMED_REQUEST, metadata={"type": kind.DESCRIPTOR.name})
    return members


def _take(members: dict[str, Any], descriptor: Descriptor, header: str, value: str) -> None:
    field = _HEADERS[header]
    match field:
        case "expected_revision" if value != ANY:
            etag = _ETAG.fullmatch(value)
            if etag is None:
                raise InvalidField(header, say.NO_ETAG)
            _agree(members, descriptor, field, int(etag[1]), "If-Match")
        case "request_id":
            if not value.strip('"'):
                raise InvalidField(header, say.NO_KEY)
            _agree(members, descriptor, field, value.strip('"'), "Idempotency-Key")
        case "cursor" if value:
            # A browser that comes back asks the same address again, with the cursor that it began with.
            members[field] = value


def _agree(members: dict[str, Any], descriptor: Descriptor, path: str, value: Any, where: Text | str) -> None:
    """Sets a field that stands elsewhere than in the body. Whoever says it there too has to say the same."""
    step, _, inner = path.partition(".")
    field = descriptor.fields_by_name[step]
    name = field.json_name if field.json_name in members else field.name
    if inner:
        held = members.setdefault(name, {})
        if isinstance(held, dict):  # If not, its reader says what is wrong with it.
            _agree(held, cast(Descriptor, field.message_type), inner, value, where)
    elif members.setdefault(name, value) is None:
        members[name] = value
    elif str(members[name]) != str(value):
        raise InvalidField(field.name, say.disagrees(where))
