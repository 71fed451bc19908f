"""Sessions and log entries as the bytes that the store keeps. The one place where sessions meet protobuf."""

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import DecodeError

from whitehall.games.core.chance import Draw
from whitehall.games.core.fault import BoardUnavailable
from whitehall.games.core.seat import Seat
from whitehall.gen.whitehall.store.v1 import session_pb2
from whitehall.sessions.codec import Codec
from whitehall.sessions.fairness import ClientSeed
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import Entry, Happening, Sealed, Session, SessionEvent, Status
from whitehall.sessions.store import Stored

READER = 2
"""The newest format of games that this release reads. A snapshot that asks for a newer one is left alone.

Each game is kept in the oldest format that holds all of it (its codec's `format_of`), so that while replicas of two
releases serve one store, the older ones go on with every game that they understand. Whoever adds something to stored
games that an older reader would overlook or stumble over (an option, a phase, a kind of move) raises this number, and
lets the games that have it ask for it:

1. Games by start cards, of rounds, with the finite supply.
2. Options of the editions and house rules, placed pieces, the app game.
"""


def encode_session(session: Session, codec: Codec) -> bytes:
    """The snapshot of a session; revision, write id and generations are the store's own fields."""
    if session.sealed is not None:
        min_reader, options, state = session.sealed.min_reader, session.sealed.options, session.sealed.state
    else:
        min_reader = codec.format_of(session.options)
        options = codec.encode_options(session.options)
        state = b"" if session.state is None else codec.encode_state(session.state)
    return session_pb2.Session(
        min_reader=min_reader,
        game=session.game,
        ruleset=session.ruleset,
        status=session.status,
        options=options,
        state=state,
        seat_names=session.seat_names,
        server_seed=session.server_seed,
        client_seeds=[session_pb2.ClientSeed(seat=seed.seat, seed=seed.seed) for seed in session.client_seeds],
        draws=session.draws,
        created_ms=session.created_ms,
        last_move_ms=session.last_move_ms,
        spectators=session.spectators,
        claimed=session.claimed,
    ).SerializeToString()


def decode_session(game_id: str, stored: Stored, codecs: Mapping[str, Codec]) -> Session:
    """The session in the store, sealed where its board is not here. Refused where a newer release wrote it, or for a
    game that this one does not know.
    """
    message = session_pb2.Session()
    try:
        message.ParseFromString(stored.snapshot)
    except DecodeError as error:
        raise Refusal(Reason.GAME_FROM_NEWER_RELEASE, retry_after=1.0) from error
    codec = codecs.get(message.game)
    if message.min_reader > READER or codec is None:
        raise Refusal(Reason.GAME_FROM_NEWER_RELEASE, retry_after=1.0)
    options = state = sealed = None
    try:
        options = codec.decode_options(message.options)
        state = codec.decode_state(options, message.state) if message.state else None
    except BoardUnavailable as error:
        sealed = Sealed(error, message.min_reader, message.options, message.state)
    return Session(
        game_id=game_id,
        game=message.game,
        ruleset=message.ruleset,
        version=stored.version,
        generations=stored.generations,
        status=Status(message.status),
        options=options,
        state=state,
        seat_names=tuple(message.seat_names),
        claimed=tuple(message.claimed),
        spectators=message.spectators,
        server_seed=message.server_seed,
        client_seeds=tuple(ClientSeed(seed.seat, seed.seed) for seed in message.client_seeds),
        draws=message.draws,
        created_ms=message.created_ms,
        last_move_ms=message.last_move_ms,
        sealed=sealed,
    )


def encode_entry(entry: Entry, created_ms: int, codec: Codec) -> bytes:
    """One revision of the log. Times are kept relative to the game's creation: a few bytes instead of many."""
    return session_pb2.Entry(
        actor=0 if entry.actor is None else entry.actor + 1,
        after_ms=entry.time_ms - created_ms,
        game=codec.encode_happened(entry.move, entry.events) if entry.events else b"",
        draws=[session_pb2.Draw(label=draw.label, bound=draw.bound, value=draw.value) for draw in entry.draws],
        session=[_encode_session_event(event) for event in entry.session_events],
    ).SerializeToString()


def decode_entry(data: bytes, created_ms: int, codec: Codec) -> Entry:
    """The entry that was encoded."""
    message = session_pb2.Entry.FromString(data)
    move: Any | None = None
    events: tuple[Any, ...] = ()
    if message.game:
        move, events = codec.decode_happened(message.game)
    return Entry(
        actor=Seat(message.actor - 1) if message.actor else None,
        time_ms=created_ms + message.after_ms,
        session_events=tuple(_decode_session_event(event) for event in message.session),
        move=move,
        events=events,
        draws=tuple(Draw(draw.label, draw.bound, draw.value) for draw in message.draws),
    )


def _encode_session_event(event: SessionEvent) -> session_pb2.SessionEvent:
    seat = 0 if event.seat is None else event.seat + 1
    return session_pb2.SessionEvent(kind=event.kind, seat=seat, generation=event.generation)


def _decode_session_event(message: session_pb2.SessionEvent) -> SessionEvent:
    seat = Seat(message.seat - 1) if message.seat else None
    return SessionEvent(Happening(message.kind), seat, message.generation)
