"""The servicer: the session methods of every game, the same ones, over that game's wire.

It reads requests, asks the referee, and shows each caller what it may see. It knows no game and no door.
"""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from random import Random
from typing import Any

from google.protobuf.message import Message
from prometheus_client import Counter

from whitehall.api.answer import Answer, Encoded, joined
from whitehall.api.call import Call
from whitehall.api.catalog import rule_message
from whitehall.api.endpoint import Endpoint, ServerStream, Unary
from whitehall.api.repeats import digest, game_id, request_key
from whitehall.api.showing import Showing
from whitehall.api.streams import Streams
from whitehall.api.tokens import Bearer, Kind, Tokens
from whitehall.api.wire import Wire
from whitehall.api.workshop import Workshop
from whitehall.games.core.seat import PUBLIC, Seat, Viewer
from whitehall.games.core.text import Text
from whitehall.gen.whitehall.common.v1 import game_pb2, rule_pb2
from whitehall.sessions.change import Done
from whitehall.sessions.cursor import cursor, parse_cursor
from whitehall.sessions.news import News
from whitehall.sessions.referee import NewGame, Referee
from whitehall.sessions.refusal import Reason, Refusal, invalid_field
from whitehall.sessions.session import (
    HOST,
    SPECTATORS,
    Session,
    Status,
    holder_of,
    seat_of,
)
from whitehall.sessions.store import Version
from whitehall.telemetry.metrics import ABANDONED, GameMetrics

SEAT_ONLY = (Kind.SEAT,)
HOST_ONLY = (Kind.HOST,)
WATCHERS = (Kind.SEAT, Kind.SPECTATOR)
ANYBODY = (Kind.SEAT, Kind.SPECTATOR, Kind.HOST)

_NO_CURSOR = Text("is no cursor", "n'est pas un curseur")

DEFAULT_PAGE = 100
"""Revisions on a page of ListEvents where the caller names no number."""


class GameServicer:
    """The session methods of one game.

    `stream_seconds` is how long a watch lasts before it asks to reconnect, `store_seconds` how long one reading of the
    store may take while it lasts.
    """

    def __init__(
        self,
        wire: Wire,
        referee: Referee,
        tokens: Tokens,
        streams: Streams,
        workshop: Workshop,
        metrics: GameMetrics,
        duplicates: Counter,
        entropy: Callable[[int], bytes],
        *,
        stream_seconds: float,
        heartbeat: float,
        store_seconds: float,
        jitter: Random,
    ) -> None:
        self._wire = wire
        self._pb = wire.requests
        self._rules = wire.rules
        self._showing = Showing(wire)
        self._game = wire.rules.name
        self._referee = referee
        self._tokens = tokens
        self._streams = streams
        self._workshop = workshop
        self._metrics = metrics
        self._duplicates = duplicates
        self._entropy = entropy
        self._stream_seconds = stream_seconds
        self._heartbeat = heartbeat
        self._store_seconds = store_seconds
        self._jitter = jitter

    def endpoints(self) -> list[Endpoint]:
        """Every session method of the game's service."""
        service, pb = self._wire.service, self._pb
        return [
            Unary(service, "CreateGame", pb.CreateGameRequest, self.create_game, self._tokens.operator),
            Unary(service, "RotateToken", pb.RotateTokenRequest, self.rotate_token),
            Unary(service, "StartGame", pb.StartGameRequest, self.start_game),
            Unary(service, "GetGame", pb.GetGameRequest, self.get_game),
            Unary(
                *(service, "ListLegalMoves", pb.ListLegalMovesRequest, self.list_legal_moves),
                recurring=self._wire.recurring,
            ),
            Unary(service, "ValidateMove", pb.ValidateMoveRequest, self.validate_move),
            Unary(service, "PlayMove", pb.PlayMoveRequest, self.play_move),
            Unary(service, "GetDeductions", pb.GetDeductionsRequest, self.get_deductions),
            Unary(service, "ListEvents", pb.ListEventsRequest, self.list_events),
            ServerStream(service, "WatchGame", pb.WatchGameRequest, self.watch_game),
            Unary(service, "GetRecord", pb.GetRecordRequest, self.get_record),
            Unary(service, "AbandonGame", pb.AbandonGameRequest, self.abandon_game),
            Unary(service, "DeleteGame", pb.DeleteGameRequest, self.delete_game),
        ]

    # --- making a game --------------------------------------------------------------------------------------------

    async def create_game(self, request: Any, call: Call) -> Encoded:
        """CreateGame."""
        operator = self._tokens.operator(call.token)
        call.token_kind = Kind.OPERATOR
        options, seat_names = self._wire.read_options(request)
        new = NewGame(
            game_id=game_id(operator, request.request_id, self._entropy),
            game=self._game,
            options=options,
            seat_names=seat_names,
            waits=request.start_mode == game_pb2.START_MODE_WAITING,
            client_seed=request.client_seed,
            spectators=request.allow_spectators,
            digest=digest("CreateGame", request),
        )
        done = await self._referee.create(new, call.patience)
        session = done.session
        self._observe(call, session)
        if done.replayed:
            self._duplicates.inc()
        else:
            self._metrics.created()
        generation = done.logged.entry.session_events[0].generation

        def first_token(holder: int) -> str:
            return self._tokens.make(session.game_id, holder, generation)

        made = self._pb.CreateGameResponse(
            host_token=first_token(HOST),
            invitations=[
                game_pb2.SeatInvitation(seat=seat, name=name, token=first_token(holder_of(Seat(seat))))
                for seat, name in enumerate(session.seat_names)
            ],
            spectator_token=first_token(SPECTATORS) if session.spectators else "",
            replayed=done.replayed,
        )
        return joined(made, "game", self._showing.game(session, PUBLIC))

    async def rotate_token(self, request: Any, call: Call) -> Any:
        """RotateToken."""
        bearer = self._bearer(request, call, ANYBODY)
        target = bearer.caller.holder
        match request.WhichOneof("target"):
            case "seat":
                target = holder_of(Seat(request.seat))
            case "spectators":
                target = SPECTATORS
        if bearer.kind is not Kind.HOST and (bearer.kind is Kind.SPECTATOR or target != bearer.caller.holder):
            raise _wrong_kind(HOST_ONLY)
        done = await self._referee.rotate(
            request.game_id,
            self._game,
            bearer.caller,
            request_key("RotateToken", request),
            target,
            request.client_seed,
            call.patience,
        )
        self._conclude(call, done)
        # The log says which generation this very call made: a later one is not the caller's to have.
        generation = done.logged.entry.session_events[-1].generation
        return self._pb.RotateTokenResponse(
            token=self._tokens.make(request.game_id, target, generation),
            revision=done.logged.version.revision,
            seat=seat_of(target),
            replayed=done.replayed,
        )

    async def start_game(self, request: Any, call: Call) -> Encoded:
        """StartGame."""
        bearer = self._bearer(request, call, HOST_ONLY)
        key = request_key("StartGame", request)
        done = await self._referee.start(request.game_id, self._game, bearer.caller, key, call.patience)
        self._conclude(call, done)
        return self._changed(self._pb.StartGameResponse(replayed=done.replayed), done, PUBLIC)

    # --- reading --------------------------------------------------------------------------------------------------

    async def get_game(self, request: Any, call: Call) -> Encoded:
        """GetGame."""
        session, bearer = await self._open(request, call, ANYBODY)
        return joined(self._pb.GetGameResponse(), "game", self._showing.game(session, bearer.viewer))

    async def list_legal_moves(self, request: Any, call: Call) -> Encoded:
        """ListLegalMoves."""
        session, bearer = await self._open(request, call, SEAT_ONLY)
        if session.status is Status.WAITING:
            raise Refusal(Reason.GAME_NOT_STARTED)
        moves = b""
        if session.status is not Status.ABANDONED:
            seat = bearer.seat
            moves = self._wire.legal_moves(session.state, seat, request)
        return joined(self._pb.ListLegalMovesResponse(revision=session.revision), "moves", moves)

    async def validate_move(self, request: Any, call: Call) -> Any:
        """ValidateMove."""
        session, bearer = await self._open(request, call, SEAT_ONLY)
        seat = bearer.seat
        move = self._wire.read_move(request, session.options, seat)
        violations = await self._referee.judge(session, seat, move)
        return self._pb.ValidateMoveResponse(
            revision=session.revision,
            legal=not violations,
            violations=[
                rule_pb2.RuleViolation(rule=rule_message(violation.rule), details=dict(violation.details))
                for violation in violations
            ],
        )

    async def get_deductions(self, request: Any, call: Call) -> Encoded:
        """GetDeductions."""
        session, bearer = await self._open(request, call, ANYBODY)
        if session.state is None:
            raise Refusal(Reason.GAME_NOT_STARTED)
        began = time.monotonic()
        view = self._rules.view(session.state, bearer.viewer)
        deductions = self._wire.write_deductions(view, request)
        if not isinstance(deductions, bytes):
            deductions = await self._workshop.work_out(deductions)
        self._metrics.deduced(time.monotonic() - began, self._wire.possibilities(deductions))
        return joined(self._pb.GetDeductionsResponse(revision=session.revision), "deductions", deductions)

    async def list_events(self, request: Any, call: Call) -> Any:
        """ListEvents."""
        session, bearer = await self._open(request, call, ANYBODY)
        seen: Version | None = None
        if request.page_token:
            seen = parse_cursor(request.page_token)
            if seen is None:
                raise invalid_field("page_token", _NO_CURSOR)
        count = request.page_size or DEFAULT_PAGE
        entries = await self._referee.history(session, seen, count, call.patience)
        more = bool(entries) and entries[-1].version.revision < session.revision
        return self._pb.ListEventsResponse(
            revisions=[self._showing.revision(logged, bearer.viewer) for logged in entries],
            next_page_token=cursor(entries[-1].version) if more else "",
        )

    async def get_record(self, request: Any, call: Call) -> Any:
        """GetRecord."""
        session, _ = await self._open(request, call, ANYBODY)
        if not session.status.is_over:
            raise Refusal(Reason.GAME_NOT_ENDED)
        entries = await self._referee.history(session, None, session.revision, call.patience)
        record = self._showing.record(session, entries)
        return self._pb.GetRecordResponse(record=record, text=self._wire.record_text(record))

    # --- changing -------------------------------------------------------------------------------------------------

    async def play_move(self, request: Any, call: Call) -> Encoded:
        """PlayMove."""
        bearer = self._bearer(request, call, SEAT_ONLY)
        seat = bearer.seat
        try:
            done = await self._referee.play(
                request.game_id,
                self._game,
                bearer.caller,
                seat,
                request_key("PlayMove", request),
                lambda session: self._wire.read_move(request, session.options, seat),
                request.expected_revision if request.HasField("expected_revision") else None,
                call.patience,
            )
        except Refusal as refusal:
            if refusal.violation is not None:
                self._metrics.refused(refusal.violation.rule.id)
            raise
        self._conclude(call, done)
        entry = done.logged.entry
        if not done.replayed:
            self._metrics.accepted(len(self._wire.made(entry.move, entry.events)))
        played = self._wire.played(entry.move, entry.events)
        return self._changed(self._pb.PlayMoveResponse(replayed=done.replayed, **played), done, seat)

    async def abandon_game(self, request: Any, call: Call) -> Encoded:
        """AbandonGame."""
        bearer = self._bearer(request, call, HOST_ONLY)
        key = request_key("AbandonGame", request)
        done = await self._referee.abandon(request.game_id, self._game, bearer.caller, key, call.patience)
        self._conclude(call, done)
        return self._changed(self._pb.AbandonGameResponse(replayed=done.replayed), done, PUBLIC)

    async def delete_game(self, request: Any, call: Call) -> Any:
        """DeleteGame."""
        bearer = self._bearer(request, call, HOST_ONLY)
        await self._referee.delete(request.game_id, self._game, bearer.caller, call.patience)
        return self._pb.DeleteGameResponse()

    # --- watching -------------------------------------------------------------------------------------------------

    async def watch_game(self, request: Any, call: Call) -> AsyncGenerator[Answer]:
        """WatchGame."""
        bearer = self._bearer(request, call, WATCHERS)
        seen: Version | None = None
        if request.cursor:
            seen = parse_cursor(request.cursor)
            if seen is None:
                raise invalid_field("cursor", _NO_CURSOR)
        # Spread the ends of streams, lest all clients of a process come back at one moment.
        ends = time.monotonic() + self._stream_seconds * self._jitter.uniform(0.9, 1.1)
        with self._streams.watch(request.game_id, bearer.caller.holder), self._metrics.watching():
            watch = self._referee.watch(
                request.game_id, self._game, bearer.caller, seen, self._heartbeat, self._store_seconds
            )
            async with aclosing(self._streams.until_drained(watch)) as stream:
                async for news in stream:
                    call.revision = news.session.revision
                    for message in self._messages(news, bearer.viewer):
                        yield message
                    if time.monotonic() >= ends:
                        break
                else:
                    if not self._streams.draining:
                        return  # The game is over, and the watcher knows.
            yield self._pb.WatchGameResponse(reconnect=self._pb.Reconnect())

    def _messages(self, news: News, viewer: Viewer) -> list[Answer]:
        """What a watcher is sent: only the newest revision comes with the game, which is whole."""
        if not news.entries:
            return [self._pb.WatchGameResponse(heartbeat=self._pb.Heartbeat(revision=news.session.revision))]
        *earlier, newest = news.entries
        updates = [self._showing.update(logged, viewer) for logged in earlier]
        updates.append(self._showing.update(newest, viewer, news.session))
        return [joined(self._pb.WatchGameResponse(reset=news.reset), "update", update) for update in updates]

    # --- callers --------------------------------------------------------------------------------------------------

    def _bearer(self, request: Any, call: Call, allowed: Sequence[Kind]) -> Bearer:
        """Who calls, if this kind of token may call this method."""
        call.game_id = request.game_id
        bearer = self._tokens.bearer(request.game_id, call.token)
        call.token_kind = bearer.kind
        if bearer.kind not in allowed:
            raise _wrong_kind(allowed)
        return bearer

    async def _open(self, request: Any, call: Call, allowed: Sequence[Kind]) -> tuple[Session, Bearer]:
        bearer = self._bearer(request, call, allowed)
        session = await self._referee.open(request.game_id, self._game, bearer.caller, call.patience)
        self._observe(call, session)
        return session, bearer

    def _observe(self, call: Call, session: Session) -> None:
        call.game_id = session.game_id
        call.revision = session.revision

    def _changed(self, answer: Message, done: Done, viewer: Viewer) -> Encoded:
        """The answer to a call that has changed the game: with what has changed, as one viewer may see it."""
        return joined(answer, "update", self._showing.update(done.logged, viewer, done.session))

    def _conclude(self, call: Call, done: Done) -> None:
        self._observe(call, done.session)
        if done.replayed:
            self._duplicates.inc()
        elif done.ended:
            outcome = None if done.session.state is None else self._rules.outcome(done.session.state)
            self._metrics.finished(ABANDONED if outcome is None else outcome.rule.id)


def _wrong_kind(allowed: Sequence[Kind]) -> Refusal:
    return Refusal(Reason.WRONG_TOKEN_KIND, metadata={"allowed": ", ".join(allowed)})
