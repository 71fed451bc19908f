"""Retelling: the record that the service would have written of a game, to compare with the one that there is.

Of the record at hand it takes what makes a game: options, seeds, moves with their seats, and what was done to the
session; and what nobody can derive: the game's id and cursor, names, times, and whether spectators were allowed. All
else it works out again, so that a field which is new has to be worked out too, or to be taken.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from whitehall.api.wire import Wire
from whitehall.games.core.chance import RecordedChance
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.replay import Fault
from whitehall.games.core.rule import IllegalMove
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import no_seat
from whitehall.games.core.text import Text
from whitehall.gen.whitehall.common.v1 import chance_pb2, game_pb2
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment

TAKEN = ("game_id", "cursor", "create_time", "last_move_time", "expire_time", "allows_spectators")
"""Fields of a game's info that nobody can derive. Neither can they seats' names, and revisions' times."""

_NOTHING_POSSIBLE = Text(
    "nothing happened, or what cannot happen then", "rien n'est arrivé, ou ce qui ne peut arriver alors"
)
_TOO_MUCH = Text("should not be there", "ne devrait pas être là")
_MISSING = Text("is missing", "manque")


class _Impossible(Exception):
    """A revision that cannot have come to be; its argument is the fault."""


def differences(
    wire: Wire, options: Any, read_moves: Callable[[Sequence[str], str], Any], record: Any
) -> Iterator[Fault]:
    """Where the record, a message, is another than the service would have written of the same game.

    `options` are what was in force, and `read_moves` makes a move of what a revision holds. Raises nothing.
    """
    try:
        retold = _Retelling(wire, options, read_moves, record).whole()
    except _Impossible as impossible:
        yield impossible.args[0]
    else:
        yield from _between(record, retold, "")


class _Retelling:
    """One game, told again revision by revision."""

    def __init__(self, wire: Wire, options: Any, read_moves: Callable[[Sequence[str], str], Any], record: Any) -> None:
        self._wire = wire
        self._rules = wire.rules
        self._options = options
        self._read_moves = read_moves
        self._record = record
        seeds = [ClientSeed(given.seat, given.seed) for given in record.fairness.client_seeds]
        self._chance = RecordedChance(CommittedChance(bytes.fromhex(record.fairness.server_seed), seeds))
        self._state: Any = None
        self._claimed = [False for _ in record.seats]
        self._abandoned = False

    def whole(self) -> Any:
        """The record as the service would have written it. Raises `_Impossible`."""
        told = self._record
        revisions = [self._revision(index, revision) for index, revision in enumerate(told.revisions)]
        if not self._is_over:
            raise _Impossible(Fault("revisions", Text("the game is not over", "la partie n'est pas finie")))
        record = self._wire.write_record(self._options, self._state)
        record.ruleset = self._rules.ruleset
        record.info.CopyFrom(self._info(len(revisions)))
        record.fairness.CopyFrom(
            chance_pb2.Fairness(
                server_seed=told.fairness.server_seed,
                commitment=commitment(bytes.fromhex(told.fairness.server_seed)),
                client_seeds=told.fairness.client_seeds,
            )
        )
        record.revisions.extend(revisions)
        return record

    def _info(self, revisions: int) -> game_pb2.GameInfo:
        told = self._record.info
        names = {seat.seat: seat.name for seat in told.seats}
        return game_pb2.GameInfo(
            status=game_pb2.GAME_STATUS_ABANDONED if self._abandoned else game_pb2.GAME_STATUS_ENDED,
            revision=revisions,
            seats=[
                game_pb2.SeatInfo(seat=seat, name=names.get(seat, ""), claimed=claimed)
                for seat, claimed in enumerate(self._claimed)
            ],
            commitment=commitment(bytes.fromhex(self._record.fairness.server_seed)),
            **{name: getattr(told, name) for name in TAKEN if not _is_absent(told, name)},
        )

    @property
    def _is_over(self) -> bool:
        return self._abandoned or (self._state is not None and self._rules.outcome(self._state) is not None)

    def _revision(self, index: int, told: Any) -> Any:
        place = f"revisions[{index}]"
        if self._is_over:
            raise _Impossible(Fault(place, Text("the game was over", "la partie était finie")))
        taken = len(self._chance.draws)
        seat: int | None
        if told.moves:
            seat, moves, events = self._moved(place, told)
        else:
            moves = []
            seat, events = self._done(place, index, told)
        return self._wire.recorded_revision_message(
            revision=index + 1,
            seat=seat,
            time=told.time if told.HasField("time") else None,
            moves=moves,
            draws=[
                chance_pb2.Draw(label=draw.label, bound=draw.bound, value=draw.value)
                for draw in self._chance.draws[taken:]
            ],
            events=events,
        )

    def _moved(self, place: str, told: Any) -> tuple[int, list[str], list[Message]]:
        """A move: by whom, as it was made, and what came of it."""
        if not told.HasField("seat") or not 0 <= told.seat < len(self._claimed):
            raise _Impossible(Fault(f"{place}.seat", Text("a move is a seat's", "un coup est celui d'une place")))
        if self._state is None:
            raise _Impossible(Fault(place, Text("the game has not begun", "la partie n'a pas commencé")))
        try:
            move = self._read_moves(told.moves, f"{place}.moves")
            self._state, events = self._rules.apply(self._state, Seat(told.seat), move, self._chance)
        except InvalidField as error:
            raise _Impossible(Fault(error.field, error.text)) from error
        except IllegalMove as error:
            rule, seat = error.violation.rule, Text(f"seat {told.seat}", f"place {told.seat}")
            raise _Impossible(Fault(place, rule.text.by(rule.id).at(seat))) from error
        return told.seat, self._wire.made(move, events), [self._wire.write_event(event) for event in events]

    def _done(self, place: str, index: int, told: Any) -> tuple[int | None, list[Message]]:
        """Something done to the session: by which seat, if by one, and what happened."""
        happened = [event.session for event in told.events if event.WhichOneof("kind") == "session"]
        kinds = [event.WhichOneof("kind") for event in happened]
        seat: int | None = None
        if index == 0:
            events = [game_pb2.SessionEvent(game_created=game_pb2.GameCreated())]
            if "game_started" in kinds:
                events.append(game_pb2.SessionEvent(game_started=game_pb2.GameStarted()))
        else:
            events = happened[:1]
            match kinds[:1]:
                case ["game_started"] if self._state is None:
                    pass
                case ["game_abandoned"]:
                    self._abandoned = True
                case ["seat_claimed"]:
                    seat = self._seated(place, happened[0].seat_claimed.seat)
                    self._claimed[seat] = True
                case ["seat_reissued"]:
                    self._claimed[self._seated(place, happened[0].seat_reissued.seat)] = False
                case ["token_rotated"]:
                    pass
                case _:
                    raise _Impossible(Fault(f"{place}.events", _NOTHING_POSSIBLE))
        written = [self._wire.write_session_event(event) for event in events]
        if "game_started" in kinds:
            self._state, dealt = self._rules.setup(self._options, self._chance)
            written += [self._wire.write_event(event) for event in dealt]
        return seat, written

    def _seated(self, place: str, seat: int) -> int:
        if not 0 <= seat < len(self._claimed):
            raise _Impossible(Fault(f"{place}.events", no_seat(seat)))
        return seat


def _is_absent(message: Message, name: str) -> bool:
    field = message.DESCRIPTOR.fields_by_name[name]
    return field.has_presence and not message.HasField(name)


def _between(told: Any, retold: Any, path: str) -> Iterator[Fault]:
    """The places at which two messages of one type differ, with what should stand there."""
    if told == retold:
        return
    for field in told.DESCRIPTOR.fields:
        place = f"{path}.{field.name}" if path else field.name
        one, other = getattr(told, field.name), getattr(retold, field.name)
        if field.is_repeated:
            if len(one) != len(other):
                many, there = len(other), len(one)
                yield Fault(
                    place, Text(f"should be {many}, and are {there}", f"il en faut {many}, et il y en a {there}")
                )
            for index, (each, its_like) in enumerate(zip(one, other, strict=False)):
                yield from _between_values(field, each, its_like, f"{place}[{index}]")
        elif _is_absent(told, field.name) != _is_absent(retold, field.name):
            yield Fault(place, _TOO_MUCH if _is_absent(retold, field.name) else _MISSING)
        else:
            yield from _between_values(field, one, other, place)


def _between_values(field: FieldDescriptor, told: Any, retold: Any, place: str) -> Iterator[Fault]:
    if field.message_type is not None:
        yield from _between(told, retold, place)
    elif told != retold:
        right = _as_json(field, retold)
        yield Fault(place, Text(f"should be {right}", f"devrait être {right}"))


def _as_json(field: FieldDescriptor, value: Any) -> str:
    """A value as it stands in the record: one of an enumeration by its name, a text in quotes."""
    return field.enum_type.values_by_number[value].name if field.enum_type else json.dumps(value, ensure_ascii=False)
