"""What is shown of a game: always from the side of one viewer, from whose view it is built up."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, cast

from google.protobuf.timestamp_pb2 import Timestamp

from whitehall.api.wire import Wire
from whitehall.games.core.encoding import embedded
from whitehall.games.core.seat import Viewer
from whitehall.gen.whitehall.common.v1 import chance_pb2, game_pb2
from whitehall.sessions.cursor import cursor
from whitehall.sessions.fairness import commitment
from whitehall.sessions.session import Happening, LoggedEntry, Session, SessionEvent, Status
from whitehall.sessions.store import Version

VIEWS_KEPT: Final = 1 << 12
"""Views that are kept in encoded form: some 6 MiB."""
GAMES_KEPT: Final = 1 << 12
"""Games of which that is kept in encoded form which hardly ever changes."""


class Showing:
    """One game's sessions and revisions as their viewers see them, encoded."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._rules = wire.rules
        self._fields = {
            field.name: field.number
            for message in (wire.game_message(), wire.update_message())
            for field in message.DESCRIPTOR.fields
        }
        self._views: dict[tuple[str, Version, Viewer], bytes] = {}

    def game(self, session: Session, viewer: Viewer) -> bytes:
        """The game as one viewer may see it, as an encoded `Game`."""
        info = embedded(self._fields["info"], _standing(*_constants(session)) + self._passing(session))
        return info if session.state is None else info + embedded(self._fields["view"], self._view(session, viewer))

    def info(self, session: Session) -> game_pb2.GameInfo:
        """The game apart from its board: the same for all viewers."""
        return game_pb2.GameInfo.FromString(_standing(*_constants(session)) + self._passing(session))

    def update(self, logged: LoggedEntry, viewer: Viewer, session: Session | None = None) -> bytes:
        """A revision, with the session after it if that is given, as an encoded `Update`."""
        update = embedded(self._fields["revision"], self.revision(logged, viewer).SerializeToString())
        return update if session is None else update + embedded(self._fields["game"], self.game(session, viewer))

    def revision(self, logged: LoggedEntry, viewer: Viewer) -> Any:
        """One revision with what the viewer may know of its events."""
        entry = logged.entry
        events = [self._wire.write_session_event(_session_event(event)) for event in entry.session_events]
        for event in entry.events:
            seen = self._rules.event_view(event, viewer)
            if seen is not None:
                events.append(self._wire.write_event(seen))
        return self._wire.revision_message(
            revision=logged.version.revision,
            cursor=cursor(logged.version),
            seat=entry.actor,
            time=_timestamp(entry.time_ms),
            events=events,
        )

    def record(self, session: Session, entries: Iterable[LoggedEntry]) -> Any:
        """A game that is over, as its record: the whole log, nothing hidden."""
        record = self._wire.write_record(session.options, session.state)
        record.info.CopyFrom(self.info(session))
        record.ruleset = session.ruleset
        record.fairness.CopyFrom(
            chance_pb2.Fairness(
                server_seed=session.server_seed.hex(),
                commitment=commitment(session.server_seed),
                client_seeds=[chance_pb2.ClientSeed(seat=seed.seat, seed=seed.seed) for seed in session.client_seeds],
            )
        )
        record.revisions.extend(self.recorded(logged) for logged in entries)
        return record

    def recorded(self, logged: LoggedEntry) -> Any:
        """One revision in full, for a game that is over."""
        entry = logged.entry
        events = [self._wire.write_session_event(_session_event(event)) for event in entry.session_events]
        events += [self._wire.write_event(event) for event in entry.events]
        return self._wire.recorded_revision_message(
            revision=logged.version.revision,
            seat=entry.actor,
            time=_timestamp(entry.time_ms),
            moves=[] if entry.move is None else self._wire.made(entry.move, entry.events),
            draws=[chance_pb2.Draw(label=draw.label, bound=draw.bound, value=draw.value) for draw in entry.draws],
            events=events,
        )

    def _view(self, session: Session, viewer: Viewer) -> bytes:
        """The viewer's view, which it asks for again and again until the game goes on."""
        key = session.game_id, session.version, viewer
        view = self._views.get(key)
        if view is None:
            view = self._wire.write_view(self._rules.view(session.state, viewer)).SerializeToString()
            if len(self._views) >= VIEWS_KEPT:
                self._views.clear()
            self._views[key] = view
        return view

    def _passing(self, session: Session) -> bytes:
        """What changes with each revision, as an encoded `GameInfo` with nothing else in it."""
        active = session.status is Status.ACTIVE
        return game_pb2.GameInfo(
            status=cast("game_pb2.GameStatus.ValueType", session.status.value),
            revision=session.revision,
            cursor=cursor(session.version),
            to_move=self._rules.to_move(session.state) if active else (),
            last_move_time=_timestamp(session.last_move_ms) if session.last_move_ms else None,
            expire_time=_timestamp(session.expires_ms),
        ).SerializeToString()


_Constants = tuple[str, tuple[str, ...], tuple[bool, ...], int, bytes, bool]


def _constants(session: Session) -> _Constants:
    """What `_standing` depends on."""
    return (
        session.game_id,
        session.seat_names,
        session.claimed,
        session.created_ms,
        session.server_seed,
        session.spectators,
    )


@lru_cache(GAMES_KEPT)
def _standing(
    game_id: str,
    seat_names: tuple[str, ...],
    claimed: tuple[bool, ...],
    created_ms: int,
    server_seed: bytes,
    spectators: bool,
) -> bytes:
    """What stays the same until a seat is claimed, as an encoded `GameInfo` with nothing else in it."""
    return game_pb2.GameInfo(
        game_id=game_id,
        seats=[
            game_pb2.SeatInfo(seat=seat, name=name, claimed=is_claimed)
            for seat, (name, is_claimed) in enumerate(zip(seat_names, claimed, strict=True))
        ],
        create_time=_timestamp(created_ms),
        commitment=commitment(server_seed),
        allows_spectators=spectators,
    ).SerializeToString()


def _session_event(event: SessionEvent) -> game_pb2.SessionEvent:
    match event.kind:
        case Happening.GAME_CREATED:
            return game_pb2.SessionEvent(game_created=game_pb2.GameCreated())
        case Happening.SEAT_CLAIMED:
            return game_pb2.SessionEvent(seat_claimed=game_pb2.SeatClaimed(seat=event.seat or 0))
        case Happening.SEAT_REISSUED:
            return game_pb2.SessionEvent(seat_reissued=game_pb2.SeatReissued(seat=event.seat or 0))
        case Happening.GAME_STARTED:
            return game_pb2.SessionEvent(game_started=game_pb2.GameStarted())
        case Happening.GAME_ABANDONED:
            return game_pb2.SessionEvent(game_abandoned=game_pb2.GameAbandoned())
        case Happening.TOKEN_ROTATED:
            return game_pb2.SessionEvent(token_rotated=game_pb2.TokenRotated())


def _timestamp(milliseconds: int) -> Timestamp:
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
