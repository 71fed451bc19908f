"""Routes: which method of the contract answers a path, as the `google.api.http` annotations say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from google.api import annotations_pb2
from google.protobuf.descriptor import MethodDescriptor

from whitehall.api.endpoint import Duplex, Endpoint, ServerStream, described
from whitehall.api.rest.template import MANY, ONE, Template

WHOLE = "*"
"""As a body: the request, but for what the path says."""


@dataclass(frozen=True, slots=True)
class Route:
    """One way to call a method: the verb of HTTP, the path, and what of the request the body holds (nothing, one field,
    or the `WHOLE` of it).
    """

    endpoint: Endpoint
    method: MethodDescriptor
    verb: str
    template: Template
    body: str

    @property
    def streams(self) -> bool:
        """Whether it is answered by a stream of events."""
        return isinstance(self.endpoint, ServerStream)


@dataclass(frozen=True, slots=True)
class Found:
    """A path that there is: by the verbs of HTTP the routes, a plain one before one that streams, and what the path
    says of the request.
    """

    routes: Mapping[str, Sequence[Route]]
    path: tuple[bytes, ...]

    @property
    def verbs(self) -> tuple[str, ...]:
        """What may be done with the path."""
        verbs = {*self.routes, *(("HEAD",) if "GET" in self.routes else ()), "OPTIONS"}
        return tuple(sorted(verbs))


class RouteTable:
    """Every route. Literals win over variables, segment by segment from the left."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        self.routes = tuple(route for endpoint in endpoints for route in routes_of(endpoint))
        self._root = _Node()
        for route in self.routes:
            self._root.add(route)

    def find(self, path: bytes) -> Found | None:
        """The routes of a path as it came, percent signs and all; None where there is no such path."""
        if not path.startswith(b"/"):
            return None
        body, _, verb = path[1:].rpartition(b":") if b":" in path.rpartition(b"/")[2] else (path[1:], b"", b"")
        if verb:
            segments = tuple(body.split(b"/"))
            found = self._root.find(segments, 0, verb.decode("latin-1"))
            if found is not None:
                return Found(found, segments)
        # A colon may also be part of a value.
        segments = tuple(path[1:].split(b"/"))
        found = self._root.find(segments, 0, "")
        return None if found is None else Found(found, segments)


def routes_of(endpoint: Endpoint) -> Iterator[Route]:
    """A method's routes; none where many requests would have to be sent, which HTTP has no plain way for."""
    if not isinstance(endpoint, Duplex):
        method = described(endpoint)
        for binding in bindings(method):
            yield Route(endpoint, method, *binding)


def bindings(method: MethodDescriptor) -> Iterator[tuple[str, Template, str]]:
    """The verbs of HTTP, the paths and the bodies that the contract gives a method."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    for binding in (rule, *rule.additional_bindings):
        match binding.WhichOneof("pattern"):
            case None:
                return
            case "custom":
                yield binding.custom.kind, Template.parse(binding.custom.path), binding.body
            case verb:
                yield verb.upper(), Template.parse(getattr(binding, verb)), binding.body


@dataclass(slots=True)
class _Node:
    """A place in the tree of all paths: what follows it, and the routes that end there, by custom verb and HTTP's."""

    literals: dict[bytes, _Node] = field(default_factory=dict)
    one: _Node | None = None
    many: _Node | None = None
    ends: dict[str, dict[str, list[Route]]] = field(default_factory=dict)

    def add(self, route: Route) -> None:
        node = self
        for segment in route.template.segments:
            node = node._child(segment)
        routes = node.ends.setdefault(route.template.verb, {}).setdefault(route.verb, [])
        if any(other.streams == route.streams for other in routes):
            raise ValueError(f"{route.verb} {route.template.text} stands for two methods")
        routes.append(route)
        routes.sort(key=lambda each: each.streams)

    def find(self, path: Sequence[bytes], position: int, verb: str) -> Mapping[str, Sequence[Route]] | None:
        if position == len(path):
            return self.ends.get(verb)
        segment = path[position]
        literal = self.literals.get(unquote_to_bytes(segment) if b"%" in segment else segment)
        found = literal.find(path, position + 1, verb) if literal else None
        if found is None and self.one is not None and segment:
            found = self.one.find(path, position + 1, verb)
        if found is None and self.many is not None:
            found = self.many.ends.get(verb)
        return found

    def _child(self, segment: str) -> _Node:
        if segment == ONE:
            self.one = self.one or _Node()
            return self.one
        if segment == MANY:
            self.many = self.many or _Node()
            return self.many
        return self.literals.setdefault(segment.encode(), _Node())
