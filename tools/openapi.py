"""The contract as OpenAPI 3.1: paths from the `google.api.http` annotations, words from the protos' comments, examples
from `docs/requests.http`, whose requests the tests send.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.rpc import error_details_pb2, status_pb2

from tools.comments import first_sentence
from tools.problem_words import PROBLEM_WORDS
from tools.schemas import Schema, Schemas, is_required
from whitehall import __version__
from whitehall.api.errors import ERRORS
from whitehall.api.negotiation import EVENTS, JSON
from whitehall.api.problems import http_statuses
from whitehall.api.rest.routes import WHOLE, bindings
from whitehall.api.rest.template import Template
from whitehall.sessions.refusal import Reason

DESCRIPTION: Final = """\
Rules as a service for deduction board games: one referee that any frontend can call. What is described here can be
called over gRPC, Connect and gRPC-Web as well, with the same messages.

- **JSON** is protobuf's: enums by name, 64-bit integers as text, fields that are not set with their defaults, but for
  those that may be absent. Unknown fields are refused by name.
- **Tokens** are sent as `Authorization: Bearer ...`, and never anywhere else.
- **Refusals** are a `google.rpc.Status` with its details. Match on `reason` in its `google.rpc.ErrorInfo`.
- **Revisions**: an answer's `ETag` is the revision of the game. `If-None-Match` asks for a change only; `If-Match`
  plays a move on that revision only.
- **Repeating**: `Idempotency-Key`, a UUID of yours, makes a changing call repeatable; it is the field `requestId`.
- **Languages**: sentences of refusals come in English or French, as `Accept-Language` asks.
"""

_DETAILS: Final = (
    error_details_pb2.ErrorInfo,
    error_details_pb2.BadRequest,
    error_details_pb2.PreconditionFailure,
    error_details_pb2.RetryInfo,
    error_details_pb2.LocalizedMessage,
)
_TOKEN: Final = "token"
_OPERATOR: Final = "operatorKey"


class Example(NamedTuple):
    """A request that is known to work: its title, what it says in path and query by parameter, and its body."""

    title: str
    source: str
    """Its first line, and the header by which it asks for something else than JSON."""
    parameters: Mapping[str, Any]
    body: Any


Examples = Mapping[str, Sequence[Example]]
"""By verb and path, as `POST /v1/...`."""


def document(services: Sequence[ServiceDescriptor], said: Mapping[str, str], examples: Examples) -> Schema:
    """The whole document. `said` are the protos' comments by full name."""
    methods = [method for service in services for method in service.methods]
    schemas = Schemas(said, [method.input_type for method in methods])
    paths: dict[str, Schema] = {}
    for method in methods:
        for verb, template, body in bindings(method):
            operations = paths.setdefault(_path(template), {})
            operation = _operation(method, template, body, schemas, said)
            _show(operation, examples.get(f"{verb} {template.text}", ()))
            if operation["operationId"] in _ids(paths):
                operation["operationId"] += f"_{template.verb}"
            if verb.lower() in operations:
                _add_stream(operations[verb.lower()], operation, method)
            else:
                operations[verb.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Whitehall",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The service that gives this document."}],
        "tags": [{"name": service.name, "description": said[service.full_name]} for service in services],
        "paths": paths,
        "components": {
            "securitySchemes": {
                _TOKEN: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of the game: the host's, a seat's or the spectators'.",
                },
                _OPERATOR: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An operator key, as `wh_operator_<id>_<secret>`, where the service has any.",
                },
            },
            "headers": {
                "ETag": {
                    "description": "The game's revision, in quotes.",
                    "schema": {"type": "string", "pattern": '^"[1-9][0-9]*"$'},
                },
                "Retry-After": {
                    "description": "Seconds after which it makes sense to try again.",
                    "schema": {"type": "integer", "minimum": 1},
                },
            },
            "responses": {_response_name(code): _problem_response(code, reasons) for code, reasons in _problems()},
            "schemas": {**schemas.components, **_problem_schemas()},
        },
    }


def operation_id(method: MethodDescriptor) -> str:
    """What the operation of a method is called."""
    return f"{method.containing_service.name}_{method.name}"


# --- operations -------------------------------------------------------------------------------------------------------


def _operation(
    method: MethodDescriptor,
    template: Template,
    body: str,
    schemas: Schemas,
    said: Mapping[str, str],
) -> Schema:
    description = said[method.full_name]
    name = operation_id(method)
    in_path = [variable.field for variable in template.variables]
    request = method.input_type
    operation: Schema = {
        "operationId": name,
        "tags": [method.containing_service.name],
        "summary": first_sentence(description),
        "description": description,
        "parameters": list(_parameters(method, request, in_path, body, schemas)),
        "responses": {"200": _answer(method, schemas), **_refusals(method, body)},
        "security": _security(method),
    }
    if body == WHOLE:
        content = {"schema": schemas.message(request, in_path)}
        required = any(is_required(field) for field in request.fields)
        operation["requestBody"] = {"content": {JSON: content}, "required": required}
    return operation


def _show(operation: Schema, examples: Sequence[Example]) -> None:
    """Adds the examples: of the body, of each parameter, and of what has no body the whole request."""
    if "requestBody" in operation:
        content = operation["requestBody"]["content"][JSON]
        content["examples"] = _numbered((example.title, example.body) for example in examples)
    elif examples:
        operation["x-codeSamples"] = [
            {"lang": "http", "label": example.title, "source": example.source} for example in examples
        ]
    for parameter in operation["parameters"]:
        said = [
            (each.title, each.parameters[parameter["name"]])
            for each in examples
            if parameter["name"] in each.parameters
        ]
        if said:
            parameter["examples"] = _numbered(said)


def _numbered(examples: Iterable[tuple[str, Any]]) -> Schema:
    return {f"example{number}": {"summary": title, "value": value} for number, (title, value) in enumerate(examples, 1)}


def _parameters(
    method: MethodDescriptor, request: Descriptor, in_path: Sequence[str], body: str, schemas: Schemas
) -> Iterator[Schema]:
    for field in request.fields:
        if field.name in in_path:
            yield _parameter("path", field.name, field, schemas, required=True)
    if not body:
        yield from _query(request, in_path, "", schemas)
    fields = request.fields_by_name
    safe = method.GetOptions().idempotency_level == method.GetOptions().NO_SIDE_EFFECTS
    if "expected_revision" in fields:
        words = "The ETag of the game that the move is meant for, or `*`; the field `expectedRevision`."
        yield _header("If-Match", words, pattern='^([*]|"[1-9][0-9]{0,8}")$')
    if "request_id" in fields:
        yield _header("Idempotency-Key", "Makes the call repeatable; the field `requestId`.", format="uuid")
    if safe and not body and "game_id" in fields and not method.server_streaming:
        yield _header("If-None-Match", "ETags: where the game has one of them, the answer is 304 without a body.")
    if "cursor" in fields:
        yield _header("Last-Event-ID", "The id of the last event seen: what came after it follows.")
    yield _header("Accept-Language", "The language of a refusal's sentences: `en` or `fr`.")


def _query(descriptor: Descriptor, left_out: Sequence[str], prefix: str, schemas: Schemas) -> Iterator[Schema]:
    """A parameter for each field that the query may name."""
    for field in descriptor.fields:
        if field.name in left_out:
            continue
        name = f"{prefix}{field.json_name}"
        kind = field.message_type
        if kind is not None and field.is_repeated:
            continue  # Has no place in a query.
        if kind is not None and not kind.full_name.startswith("google.protobuf."):
            yield from _query(kind, (), f"{name}.", schemas)
        else:
            yield _parameter("query", name, field, schemas, required=not prefix and is_required(field))


def _parameter(where: str, name: str, field: FieldDescriptor, schemas: Schemas, *, required: bool) -> Schema:
    schema = schemas.field(field)
    parameter: Schema = {"name": name, "in": where, "required": required}
    if description := schema.pop("description", ""):
        parameter["description"] = description
    return {**parameter, "schema": schema}


def _header(name: str, description: str, **schema: str) -> Schema:
    return {"name": name, "in": "header", "description": description, "schema": {"type": "string", **schema}}


def _security(method: MethodDescriptor) -> list[dict[str, list[str]]]:
    """Who may call: the bearer of a token of the game; or of an operator key, if there are any; or anybody."""
    if "game_id" in method.input_type.fields_by_name:
        return [{_TOKEN: []}]
    if method.containing_service.name == "CatalogService":
        return []
    return [{_OPERATOR: []}, {}]


def _answer(method: MethodDescriptor, schemas: Schemas) -> Schema:
    reference = schemas.reference(method.output_type)
    if method.server_streaming:
        return {
            "description": "Server-Sent Events. The data of each is a message in JSON, its name the message's kind, "
            "its id a cursor to come back with. The event `error` has a Problem for data and is the last.",
            "content": {EVENTS: {"schema": {"type": "string"}, "x-event-data": reference}},
        }
    answer: Schema = {"description": "The answer.", "content": {JSON: {"schema": reference}}}
    if "game_id" in method.input_type.fields_by_name:
        answer["headers"] = {"ETag": {"$ref": "#/components/headers/ETag"}}
    return answer


def _add_stream(plain: Schema, stream: Schema, method: MethodDescriptor) -> None:
    """A stream at the path of a plain answer: it is given to those who accept events."""
    plain["responses"]["200"]["content"] |= stream["responses"]["200"]["content"]
    plain["responses"] = {**stream["responses"], **plain["responses"]}
    known = {(each["in"], each["name"]) for each in plain["parameters"]}
    for parameter in stream["parameters"]:
        if (parameter["in"], parameter["name"]) not in known:
            only = f"With `Accept: {EVENTS}` only: {parameter['description']}"
            plain["parameters"].append({**parameter, "description": only})
    plain["description"] += (
        f"\n\nWith `Accept: {EVENTS}` the same path answers with the events of {operation_id(method)}, and takes that "
        "operation's parameters."
    )


def _ids(paths: dict[str, Schema]) -> list[str]:
    return [operation["operationId"] for operations in paths.values() for operation in operations.values()]


def _path(template: Template) -> str:
    segments = list(template.segments)
    for variable in template.variables:
        assert variable.stop == variable.start + 1, "OpenAPI has variables of one segment only"
        segments[variable.start] = f"{{{variable.field}}}"
    return "/" + "/".join(segments) + (f":{template.verb}" if template.verb else "")


# --- refusals ---------------------------------------------------------------------------------------------------------


def _problems() -> list[tuple[HTTPStatus, list[Reason]]]:
    """By what HTTP calls them: the reasons of refusals."""
    found: dict[HTTPStatus, list[Reason]] = {}
    for reason in ERRORS:
        for code in http_statuses(reason):
            found.setdefault(code, []).append(reason)
    return sorted(found.items())


def _refusals(method: MethodDescriptor, body: str) -> Schema:
    """What can be answered instead."""
    fields = method.input_type.fields_by_name
    safe = method.GetOptions().idempotency_level == method.GetOptions().NO_SIDE_EFFECTS
    held = "game_id" in fields
    applies = {
        HTTPStatus.FORBIDDEN: held,
        HTTPStatus.CONFLICT: "expected_revision" in fields,
        HTTPStatus.PRECONDITION_FAILED: "expected_revision" in fields,
    }
    refusals: Schema = {}
    if method.server_streaming:
        refusals["204"] = {"description": "There is nothing to tell, and there will be nothing: the game is over."}
    elif safe and held and not body:
        refusals["304"] = {"description": "The game has not changed since.", "headers": _headers("ETag")}
    for code, _ in _problems():
        if applies.get(code, True):
            refusals[str(code.value)] = {"$ref": f"#/components/responses/{_response_name(code)}"}
    return refusals


def _response_name(code: HTTPStatus) -> str:
    # By its number: the phrase depends on the release of Python.
    return f"Problem{code.value}"


def _problem_response(code: HTTPStatus, reasons: Iterable[Reason]) -> Schema:
    response: Schema = {
        "description": f"Refused: {', '.join(f'`{reason}`' for reason in reasons)}.",
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if code in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        response["headers"] = _headers("Retry-After")
    return response


def _headers(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _problem_schemas() -> dict[str, Schema]:
    """A status and the details that it may have, each of them told by its `@type`."""
    schemas = Schemas(PROBLEM_WORDS, ())
    problem = schemas.message(cast(Descriptor, status_pb2.Status.DESCRIPTOR))
    schemas.components.clear()  # Not any detail, but these:
    names = []
    for kind in _DETAILS:
        descriptor = cast(Descriptor, kind.DESCRIPTOR)
        schema = schemas.message(descriptor)
        schema["properties"] = {
            "@type": {"const": f"type.googleapis.com/{descriptor.full_name}"},
            **schema["properties"],
        }
        schema["required"] = ["@type", *schema.get("required", ())]
        schemas.components[descriptor.full_name] = schema
        names.append(descriptor.full_name)
    reason = schemas.components[error_details_pb2.ErrorInfo.DESCRIPTOR.full_name]["properties"]["reason"]
    reason["enum"] = [each.value for each in Reason]
    problem["properties"]["details"]["items"] = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
    return {**schemas.components, "Problem": problem}
