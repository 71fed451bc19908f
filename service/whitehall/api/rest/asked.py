"""What was asked: a method's request, put together from path, query, body, and the headers that mean a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from whitehall.api import json_sentences as say
from whitehall.api.json_reading import parse, read_members
from whitehall.api.rest.query import query_members
from whitehall.api.rest.routes import WHOLE, Route
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.sessions.refusal import FieldFault, Reason, Refusal

IF_MATCH: Final = "if-match"
IF_NONE_MATCH: Final = "if-none-match"
IF_UNMODIFIED_SINCE: Final = "if-unmodified-since"
IDEMPOTENCY_KEY: Final = "idempotency-key"
ANY: Final = "*"
"""In If-Match: whatever there is."""

_PATH: Final = Text("the path", "le chemin")
_ETAG = re.compile(r'"([1-9][0-9]{0,8})"')
"""A strong one: If-Match compares no others (RFC 9110, 13.1.1)."""
_QUOTED = re.compile(r'"(.*)"')
_NOTHING = re.compile(rb"\s*(?:\{\s*\}\s*)?")


def _same(one: Any, other: Any) -> bool:
    """Numbers may stand as text, and whole ones with a point. To Python true is one, but to nobody else."""
    return (one == other and not isinstance(one, bool)) or str(one) == str(other)


def _same_uuid(one: Any, other: Any) -> bool:
    """Their letters may be large or small (RFC 9562, 4)."""
    return str(one).lower() == str(other).lower()


@dataclass(frozen=True, slots=True)
class _Said:
    """A header that says what a field says, in a request that has it."""

    header: str
    field: str
    read: Callable[[str], Any]
    """What it says; None where that is nothing. Raises `InvalidField`."""
    wins: bool = False
    """Whether it may say something else than the rest of the request."""
    same: Callable[[Any, Any], bool] = _same
    """Whether two values that it may have mean the same."""


def _revision(etag: str) -> int | None:
    if etag == ANY:
        return None
    found = _ETAG.fullmatch(etag)
    if found is None:
        raise InvalidField(IF_MATCH, say.NO_ETAG)
    return int(found[1])


def _key(text: str) -> str:
    """The draft of its standard has it in quotation marks, and people do without."""
    quoted = _QUOTED.fullmatch(text)
    key = text if quoted is None else quoted[1]
    if not key:
        raise InvalidField(IDEMPOTENCY_KEY, say.NO_KEY)
    return key


_HEADERS: Final = (
    _Said(IF_MATCH, "expected_revision", _revision),
    _Said(IDEMPOTENCY_KEY, "request_id", _key, same=_same_uuid),
    # A browser that comes back asks the same address again, with the cursor that it began with.
    _Said("last-event-id", "cursor", lambda cursor: cursor or None, wins=True),
)
_FIELDS: Final = frozenset(said.field for said in _HEADERS)


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
        if not _agrees(members, descriptor, field, value):
            raise InvalidField(field, say.disagrees(_PATH))
    for said in _said(descriptor, headers):
        value = said.read(headers[said.header].strip())
        if value is None:
            continue
        if said.wins:
            members[said.field] = value
        elif not _agrees(members, descriptor, said.field, value, said.same):
            raise InvalidField(said.header, say.disagrees(said.field))
    _refuse_conditions(route, headers)
    return read_members(kind, members)


def as_sent(refusal: Refusal, route: Route, headers: Mapping[str, str]) -> Refusal:
    """The refusal of a call with its faults where the caller finds them: what a header said, under its name."""
    if _FIELDS.isdisjoint([refusal.metadata.get("field"), *(fault.field for fault in refusal.faults)]):
        return refusal
    names: dict[str, str] = {}
    for said in _said(cast(Descriptor, route.endpoint.request.DESCRIPTOR), headers):
        # One that can't be read is named already.
        with suppress(InvalidField):
            if said.read(headers[said.header].strip()) is not None:
                names[said.field] = said.header
    metadata = dict(refusal.metadata)
    metadata["field"] = names.get(metadata["field"], metadata["field"])
    return Refusal(
        refusal.reason,
        faults=[FieldFault(names.get(fault.field, fault.field), fault.text) for fault in refusal.faults],
        metadata=metadata,
    )


def _said(descriptor: Descriptor, headers: Mapping[str, str]) -> Iterator[_Said]:
    """Of the headers that mean fields those that are there, if the request has their fields."""
    return (said for said in _HEADERS if said.header in headers and said.field in descriptor.fields_by_name)


def _refuse_conditions(route: Route, headers: Mapping[str, str]) -> None:
    """Whoever asks for a condition must not be answered without it."""
    descriptor = cast(Descriptor, route.endpoint.request.DESCRIPTOR)
    matches = IF_MATCH in headers and headers[IF_MATCH].strip() != ANY
    asked = {
        IF_MATCH: matches and not any(said.header == IF_MATCH for said in _said(descriptor, headers)),
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


def _agrees(
    members: dict[str, Any],
    descriptor: Descriptor,
    path: str,
    value: Any,
    same: Callable[[Any, Any], bool] = _same,
) -> bool:
    """Sets a field that stands elsewhere than in the body. Whoever says it there too has to say the same."""
    step, _, inner = path.partition(".")
    field = descriptor.fields_by_name[step]
    name = field.json_name if field.json_name in members else field.name
    if inner:
        held = members.setdefault(name, {})
        # If it is no object, its reader says what is wrong with it.
        return not isinstance(held, dict) or _agrees(held, cast(Descriptor, field.message_type), inner, value, same)
    if members.setdefault(name, value) is None:
        members[name] = value
    return same(members[name], value)
