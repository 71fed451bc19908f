"""A client: the calls that a game in the terminal needs, by the generated stubs, as any other frontend makes them."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from whitehall.cli.frontend import Frontend
from whitehall.gen.whitehall.catalog.v1.catalog_pb2 import ListPresetsRequest, ListRulesRequest
from whitehall.gen.whitehall.catalog.v1.catalog_pb2_grpc import CatalogServiceStub

CALL_SECONDS = 10.0
RETRIES = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 3,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ]
}
"""An unavailable service is asked again. It may be: each call here that changes something names a request id."""

Answer = TypeVar("Answer")


class Refused(Exception):
    """The service has refused a call. `reason` is the refusal's name in the contract, `rule` the id of the game's rule
    where one forbids a move; `sentence` says it for people, in the language asked for.
    """

    def __init__(self, reason: str, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.rule = rule


class Unreachable(Exception):
    """No Whitehall answers at the address. The text is gRPC's own."""


@contextmanager
def connected(address: str, language: str, frontend: Frontend) -> Iterator["Client"]:
    """A client of the service at `host:port`, without TLS, that answers in `language` (`en` or `fr`)."""
    options = [("grpc.service_config", json.dumps(RETRIES)), ("grpc.enable_http_proxy", 0)]
    with grpc.insecure_channel(address, options=options) as channel:
        yield Client(channel, language, frontend)


class Client:
    """One service, for one of its games. Every call raises `Refused` or `Unreachable`."""

    def __init__(self, channel: grpc.Channel, language: str, frontend: Frontend) -> None:
        self._frontend = frontend
        self._games = frontend.stub(channel)
        self._catalog = CatalogServiceStub(channel)
        self._language = language

    def create(self, players: int, client_seed: str, operator_key: str | None) -> "Game":
        """A new game. The key is written `id:secret`."""
        request = self._frontend.creation(self, players)
        request.request_id = str(uuid4())
        request.client_seed = client_seed
        token = f"wh_operator_{operator_key.replace(':', '_', 1)}" if operator_key else ""
        return Game(self, self._frontend, self._games, self.call(self._games.CreateGame, request, token))

    def rule(self, rule_id: str) -> str:
        """A rule's sentence."""
        listed = self.call(self._catalog.ListRules, ListRulesRequest(game=self._frontend.game), "").rules
        rule = {rule.id: rule for rule in listed}[rule_id]
        return rule.sentence_fr if self._language == "fr" else rule.sentence_en

    def parameters(self, preset: str, players: int) -> Mapping[str, Any]:
        """What a preset sets for a number of players, by name."""
        found = self.call(self._catalog.ListPresets, ListPresetsRequest(game=self._frontend.game), "")
        (wanted,) = (entry for entry in found.presets if entry.name == preset)
        return {each.name: json.loads(each.value) for each in wanted.parameters if each.players in (0, players)}

    def call(self, method: Callable[..., Answer], request: object, token: str) -> Answer:
        """One call with a bearer's token, or none where it is empty."""
        metadata = [("accept-language", self._language)]
        if token:
            metadata.append(("authorization", f"Bearer {token}"))
        try:
            return method(request, metadata=metadata, timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            raise _told(error) from error


class Game:
    """A game that this client hosts, with all its tokens."""

    def __init__(self, client: Client, frontend: Frontend, stub: Any, created: Any) -> None:
        self._client = client
        self._requests = frontend.requests
        self._stub = stub
        self._host_token = created.host_token
        self.id = created.game.info.game_id
        self.seats = [Seat(client, frontend, stub, self.id, invitation.token) for invitation in created.invitations]

    def abandon(self) -> None:
        """Ends the game for all."""
        request = self._requests.AbandonGameRequest(game_id=self.id, request_id=str(uuid4()))
        self._client.call(self._stub.AbandonGame, request, self._host_token)

    def record(self) -> Message:
        """Everything that happened, with the seeds, and the same as text; to be had once the game has ended."""
        request = self._requests.GetRecordRequest(game_id=self.id)
        answer: Message = self._client.call(self._stub.GetRecord, request, self._host_token)
        return answer


class Seat:
    """One seat of a game: what its holder sees and does."""

    def __init__(self, client: Client, frontend: Frontend, stub: Any, game_id: str, token: str) -> None:
        self._client = client
        self._frontend = frontend
        self._requests = frontend.requests
        self._stub = stub
        self._game_id = game_id
        self._cursor = ""
        self.token = token

    def look(self) -> Any:
        """The game as this seat sees it."""
        request = self._requests.GetGameRequest(game_id=self._game_id)
        return self._client.call(self._stub.GetGame, request, self.token).game

    def news(self) -> list[Any]:
        """What has happened since it was last asked for, as this seat saw it."""
        events: list[Any] = []
        while True:
            request = self._requests.ListEventsRequest(game_id=self._game_id, page_token=self._cursor)
            page = self._client.call(self._stub.ListEvents, request, self.token)
            for revision in page.revisions:
                events += revision.events
                self._cursor = revision.cursor
            if not page.next_page_token:
                return events

    def legal_moves(self) -> Any:
        """What the seat may do now."""
        request = self._requests.ListLegalMovesRequest(game_id=self._game_id)
        return self._client.call(self._stub.ListLegalMoves, request, self.token).moves

    def deductions(self) -> Any:
        """What follows from all that the seat knows."""
        request = self._requests.GetDeductionsRequest(game_id=self._game_id)
        return self._client.call(self._stub.GetDeductions, request, self.token).deductions

    def play(self, text: str) -> None:
        """Makes the move that the text says in notation."""
        request = self._frontend.move(text)
        request.game_id, request.request_id = self._game_id, str(uuid4())
        self._client.call(self._stub.PlayMove, request, self.token)


def _told(error: grpc.RpcError) -> Refused | Unreachable:
    """What a failed call means: every refusal of the service names its reason, everything else is no answer of it."""
    if not isinstance(error, grpc.Call):
        return Unreachable(str(error))
    status = rpc_status.from_call(error)
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    sentence = error_details_pb2.LocalizedMessage()
    for detail in status.details if status is not None else ():
        for known in (info, bad, sentence):
            detail.Unpack(known)
    if not info.reason:
        return Unreachable(error.details())
    faults = "; ".join(fault.description for fault in bad.field_violations)
    return Refused(info.reason, faults or sentence.message, info.metadata.get("rule", ""))
