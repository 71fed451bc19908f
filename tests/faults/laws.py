"""The laws that every game obeys whatever was killed meanwhile, and the checker that finds where one was broken.

Pure: it compares a history with an ending, and asks no service, no store and no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from tests.faults.games import Played
from tests.faults.history import CLAIMED, CREATED, Answer, Ending, History, Refusal, Request, Watch
from tests.faults.replay import Step, replay
from whitehall.api.wire import Wire
from whitehall.games.core.chance import Draw
from whitehall.games.core.seat import PUBLIC, Seat, Viewer
from whitehall.gen.whitehall.common.v1 import chance_pb2
from whitehall.gen.whitehall.common.v1 import game_pb2 as common_pb2
from whitehall.sessions.cursor import cursor
from whitehall.sessions.fairness import commitment
from whitehall.sessions.session import FIRST_SEAT, HOST, Happening, LoggedEntry, Status

STALE, ILLEGAL = "STALE_REVISION", "ILLEGAL_MOVE"

Log = Sequence[Any]
"""Revisions of a record."""


class Law(StrEnum):
    """What holds for every game."""

    NUMBERED = "the log counts its revisions from 1, each once"
    ACKNOWLEDGED = "what was acknowledged is in the log exactly once, at the revision that was told"
    SENT = "what is in the log was sent by a client, and not refused"
    REFUSED = "what is refused is refused to every delivery, and for a reason"
    TOLD = "whoever is told of a revision is told what the log says, as far as they may know it"
    WATCHED = "a watcher sees each revision once and in order, to the end"
    FAIR = "the record reveals the seed that was committed to"
    REPLAYED = "a record played again gives its own events and draws"
    KEPT = "record, log, snapshot and views agree"


class Finding(NamedTuple):
    """A law that was broken, and where."""

    law: Law
    detail: str


def findings(history: History, ending: Ending) -> list[Finding]:
    """Where laws were broken; nothing for a game as it should be."""
    log = ending.record.revisions
    return [
        *_numbered(ending),
        *_acknowledged(history.requests, log),
        *_sent(history.requests, log),
        *_refused(history.requests),
        *_told(history, ending),
        *_watched(history.watches, len(log)),
        *_fair(history, ending),
        *_kept_in_log(history.played.wire, ending),
        *_replayed(history.played, ending),
    ]


# --- what clients did ---------------------------------------------------------------------------------------------


def _numbered(ending: Ending) -> Iterator[Finding]:
    record = [revision.revision for revision in ending.record.revisions]
    store = [logged.version.revision for logged in ending.log]
    for place, numbers in (("record", record), ("store's log", store)):
        if numbers != list(range(1, ending.session.revision + 1)):
            yield Finding(Law.NUMBERED, f"at revision {ending.session.revision} the {place} has {numbers}")


def _acknowledged(requests: Iterable[Request], log: Log) -> Iterator[Finding]:
    owners: dict[int, str] = {}
    for request in requests:
        for answer in request.answers:
            found = sum(_is(request, answer, logged) for logged in log)
            if found != 1:
                yield Finding(Law.ACKNOWLEDGED, f"{_name(request, answer)} is {found} times in the log")
            if owners.setdefault(answer.revision, request.request_id) != request.request_id:
                yield Finding(Law.ACKNOWLEDGED, f"{_name(request, answer)} has the revision of another request")
        if len({(answer.revision, answer.token) for answer in request.answers}) > 1:
            yield Finding(Law.ACKNOWLEDGED, f"{_name(request)} was answered in two ways")


def _sent(requests: Iterable[Request], log: Log) -> Iterator[Finding]:
    acknowledged = {answer.revision for request in requests for answer in request.answers}
    doubtful = [request for request in requests if request.lost and not request.answers and not _is_refused(request)]
    for logged in log:
        if logged.revision in acknowledged or (logged.revision == 1 and CREATED in _words(logged)):
            continue
        sender = next((request for request in doubtful if _may_be(request, logged)), None)
        if sender is None:
            yield Finding(Law.SENT, f"revision {logged.revision}, {_words(logged)}, is nobody's who may have it")
        else:
            doubtful.remove(sender)


def _refused(requests: Iterable[Request]) -> Iterator[Finding]:
    for request in requests:
        if request.answers and _is_refused(request):
            yield Finding(Law.REFUSED, f"{_name(request)} was refused and acknowledged")
        for refusal in request.refusals:
            if not _is_good(refusal, request):
                yield Finding(Law.REFUSED, f"{_name(request)} was refused: {refusal}")


def _is_refused(request: Request) -> bool:
    """Whether it was refused for good. Where it named no revision, a delivery that was still on its way then may have
    found the move legal again.
    """
    may_be_late = request.expected_revision is None and (request.lost > 0 or request.in_parallel)
    return bool(request.refusals) and not may_be_late


def _is_good(refusal: Refusal, request: Request) -> bool:
    """Clients send moves that were listed as legal, so only another's move can have made them illegal, or, in what was
    sent together, one the other. A later revision is what makes one stale.
    """
    expected = request.expected_revision
    if refusal.reason == STALE:
        return expected is not None and refusal.revision is not None and refusal.revision > expected
    return refusal.reason == ILLEGAL and (expected is None or len(request.words) > 1)


def _watched(watches: Iterable[Watch], last: int) -> Iterator[Finding]:
    for watch in watches:
        seen = [sighting.revision.revision for sighting in watch.sightings]
        if not seen or seen != list(range(seen[0], last + 1)):
            yield Finding(Law.WATCHED, f"a watcher with {_eyes(watch.viewer)} saw {seen} of {last} revisions")
        if any(sighting.reset for sighting in watch.sightings):
            yield Finding(Law.WATCHED, f"a watcher with {_eyes(watch.viewer)} had to begin anew")


def _told(history: History, ending: Ending) -> Iterator[Finding]:
    log = {logged.version.revision: logged for logged in ending.log}
    for who, viewer, told in _everything_told(history, ending):
        logged = log.get(told.revision)
        if logged is None:
            yield Finding(Law.TOLD, f"{who} was told of revision {told.revision}, which is not in the log")
        elif told != (true := _as_seen(history.played.wire, logged, viewer)):
            others = [name for name in told.DESCRIPTOR.fields_by_name if getattr(told, name) != getattr(true, name)]
            yield Finding(Law.TOLD, f"{who} was told of revision {told.revision} with another {' and '.join(others)}")


def _everything_told(history: History, ending: Ending) -> Iterator[tuple[str, Viewer, Any]]:
    """Who was told, with whose eyes, of what."""
    for request in history.requests:
        viewer = PUBLIC if request.actor is None else Seat(request.actor)
        for answer in request.answers:
            if answer.told is not None:
                yield "a player", viewer, answer.told
    for watch in history.watches:
        for sighting in watch.sightings:
            yield f"a watcher with {_eyes(watch.viewer)}", watch.viewer, sighting.revision
    for viewer, page in ending.pages:
        for revision in page:
            yield f"a reader with {_eyes(viewer)}", viewer, revision


# --- what there is at the end -------------------------------------------------------------------------------------


def _fair(history: History, ending: Ending) -> Iterator[Finding]:
    fairness = ending.record.fairness
    seeds = [bytes.fromhex(fairness.server_seed), ending.session.server_seed]
    shown = [shown.info.commitment for _, shown in ending.games]
    if {history.commitment} != {fairness.commitment, *map(commitment, seeds), *shown}:
        yield Finding(Law.FAIR, "not every seed and commitment fits that of the creation")


def _kept_in_log(wire: Wire, ending: Ending) -> Iterator[Finding]:
    for revision, logged in zip(ending.record.revisions, ending.log, strict=False):
        if revision != _in_full(wire, logged):
            yield Finding(Law.KEPT, f"revision {revision.revision} of the record is not that of the store's log")


def _replayed(played: Played, ending: Ending) -> Iterator[Finding]:
    steps: list[Step] = []
    try:
        steps.extend(replay(ending.record, played))
    except Exception as error:  # whatever the rules have against the record is what we are after
        yield Finding(Law.REPLAYED, f"the record can't be played: {type(error).__name__}: {error}")
        return
    for step, revision in zip(steps, ending.record.revisions, strict=True):
        events = [event for event in revision.events if not event.HasField("session")]
        if events != [played.wire.write_event(event) for event in step.events]:
            yield Finding(Law.REPLAYED, f"revision {revision.revision} has other events than its replay")
        if tuple(Draw(draw.label, draw.bound, draw.value) for draw in revision.draws) != step.draws:
            yield Finding(Law.REPLAYED, f"revision {revision.revision} has other draws than its replay")
    yield from _kept_at_the_end(played.wire, ending, steps)


def _kept_at_the_end(wire: Wire, ending: Ending, steps: Sequence[Step]) -> Iterator[Finding]:
    session, state = ending.session, steps[-1].state
    if state is None or state.outcome is None:
        yield Finding(Law.REPLAYED, "the replay does not come to an end")
        return
    claims = Counter(revision.seat for revision in ending.record.revisions if CLAIMED in _words(revision))
    seats = range(len(session.claimed))
    first = session.generations[HOST]  # nobody but the seats exchanges a token here
    snapshot = {
        "state": session.state == state,
        "status": session.status is Status.ENDED,
        "version": session.version == ending.log[-1].version,
        "number of draws": session.draws == sum(len(step.draws) for step in steps),
        "generations": session.generations == (*[first] * FIRST_SEAT, *(first + claims[seat] for seat in seats)),
        "claims": session.claimed == tuple(seat in claims for seat in seats),
    }
    for part, agrees in snapshot.items():
        if not agrees:
            yield Finding(Law.KEPT, f"the snapshot's {part} is not what the log leads to")
    if ending.record.outcome != common_pb2.Outcome(winners=state.outcome.winners, rule=state.outcome.rule.id):
        yield Finding(Law.KEPT, "the record's outcome is not the replay's")
    for viewer, shown in ending.games:
        info = (shown.info.revision, shown.info.cursor, int(shown.info.status))
        if info != (session.revision, cursor(session.version), int(session.status)):
            yield Finding(Law.KEPT, f"the game shown to {_eyes(viewer)} is at another revision than the snapshot")
        if shown.view != wire.write_view(wire.rules.view(state, viewer)):
            yield Finding(Law.KEPT, f"the view shown to {_eyes(viewer)} is not the replay's")


# --- revisions ----------------------------------------------------------------------------------------------------


def _is(request: Request, answer: Answer, logged: Any) -> bool:
    """Whether a revision of the log is what this answer acknowledges."""
    made = request.words[: len(request.words) - answer.dropped]
    return (logged.revision, _actor(logged), _words(logged)) == (answer.revision, request.actor, made)


def _may_be(request: Request, logged: Any) -> bool:
    """Whether a revision of the log may come of this request; of moves sent together the last may be left out."""
    words = _words(logged)
    return _actor(logged) == request.actor and words == request.words[: len(words)]


def _actor(logged: Any) -> int | None:
    return logged.seat if logged.HasField("seat") else None


def _words(logged: Any) -> tuple[str, ...]:
    """What a revision was: its moves, or what else happened."""
    if logged.moves:
        return tuple(logged.moves)
    kinds = (event.session.WhichOneof("kind") for event in logged.events if event.HasField("session"))
    return tuple(kind for kind in kinds if kind is not None)


def _as_seen(wire: Wire, logged: LoggedEntry, viewer: Viewer) -> Any:
    """A revision of the store's log as a viewer may know it."""
    seen = (wire.rules.event_view(event, viewer) for event in logged.entry.events)
    return wire.revision_message(
        revision=logged.version.revision,
        cursor=cursor(logged.version),
        seat=logged.entry.actor,
        time=_time(logged),
        events=[
            *_session_events(wire, logged),
            *(wire.write_event(event) for event in seen if event is not None),
        ],
    )


def _in_full(wire: Wire, logged: LoggedEntry) -> Any:
    """A revision of the store's log with nothing hidden."""
    entry = logged.entry
    return wire.recorded_revision_message(
        revision=logged.version.revision,
        seat=entry.actor,
        time=_time(logged),
        moves=() if entry.move is None else wire.made(entry.move, entry.events),
        draws=[chance_pb2.Draw(label=draw.label, bound=draw.bound, value=draw.value) for draw in entry.draws],
        events=[*_session_events(wire, logged), *map(wire.write_event, entry.events)],
    )


def _time(logged: LoggedEntry) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(logged.entry.time_ms)
    return time


def _session_events(wire: Wire, logged: LoggedEntry) -> Iterator[Any]:
    for event in logged.entry.session_events:
        told = common_pb2.SessionEvent()
        kind = getattr(told, Happening(event.kind).name.lower())
        kind.SetInParent()
        if event.seat is not None:
            kind.seat = event.seat
        yield wire.write_session_event(told)


def _name(request: Request, answer: Answer | None = None) -> str:
    revision = "" if answer is None else f", acknowledged as revision {answer.revision},"
    who = "the host" if request.actor is None else f"seat {request.actor}"
    return f"{' and '.join(request.words)} by {who}{revision}"


def _eyes(viewer: int | None) -> str:
    return "the public's eyes" if viewer is None else f"the eyes of seat {viewer}"
