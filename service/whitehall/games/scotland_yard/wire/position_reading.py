"""Positions as they come over the wire: by far the most frequent thing that is read."""

from copy import copy
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from whitehall.games.core.decoding import scan
from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.sentences import must_be_left_out, without_app
from whitehall.games.scotland_yard.sides import sides
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.wire.findings import read_finding
from whitehall.games.scotland_yard.wire.master_views import read_actions, read_meeting_points
from whitehall.games.scotland_yard.wire.options import read_overrides
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, options_pb2, position_pb2

HANDS_KEPT = 1 << 12
"""Hands of tickets that are kept at most: some 2 MiB."""
LONGEST_HAND = 12
"""Bytes that a hand's message has at most: four numbers up to 999, each with its tag."""

_POOLED = Text("the shared hand holds them", "la main commune les tient")
_OWN_HANDS = Text("every detective has its own, and no Bobby", "chaque détective a les siens, et les bobbies aucun")
_HAND_IS_SHARED = Text(
    "is there exactly where detectives share a hand", "à donner exactement quand les détectives partagent une main"
)
_FINITE_SUPPLY = Text("is there exactly where it has an end", "à donner exactement quand elle a une fin")
_NO_BLACK_SUPPLY = Text(
    "must be 0: black tickets lie in no supply", "doit être 0 : aucun Black Ticket ne se trouve dans une pioche"
)

# The fields of a position and of its hunters, by their numbers.
_PRESET: Final = position_pb2.Position.PRESET_FIELD_NUMBER
_PLAYERS: Final = position_pb2.Position.PLAYERS_FIELD_NUMBER
_ROUND: Final = position_pb2.Position.ROUND_FIELD_NUMBER
_PHASE: Final = position_pb2.Position.PHASE_FIELD_NUMBER
_MR_X: Final = position_pb2.Position.MR_X_FIELD_NUMBER
_HUNTERS: Final = position_pb2.Position.HUNTERS_FIELD_NUMBER
_SUPPLY: Final = position_pb2.Position.SUPPLY_FIELD_NUMBER
_SHARED_HAND: Final = position_pb2.Position.SHARED_HAND_FIELD_NUMBER
_BLACK_TICKETS: Final = position_pb2.Position.BLACK_TICKETS_FIELD_NUMBER
_DOUBLE_TICKETS: Final = position_pb2.Position.DOUBLE_TICKETS_FIELD_NUMBER
_MOVES_MADE: Final = position_pb2.Position.MOVES_MADE_FIELD_NUMBER
_OVERRIDES: Final = position_pb2.Position.OVERRIDES_FIELD_NUMBER
_MASTER: Final = position_pb2.Position.MASTER_FIELD_NUMBER
_PIECE: Final = position_pb2.PositionHunter.PIECE_FIELD_NUMBER
_STATION: Final = position_pb2.PositionHunter.STATION_FIELD_NUMBER
_TICKETS: Final = position_pb2.PositionHunter.TICKETS_FIELD_NUMBER
_HAS_MOVED: Final = position_pb2.PositionHunter.HAS_MOVED_FIELD_NUMBER

_PHASES = {phase.value: phase for phase in Phase}


class _Hand(NamedTuple):
    tickets: Tickets
    black: int


class _Hands(dict[bytes, _Hand]):
    """Hands by their encoded messages, read when they first come: the same few tickets come again and again."""

    def __missing__(self, message: bytes) -> _Hand:
        tickets = move_pb2.Tickets.FromString(message)
        hand = _Hand(Tickets(tickets.taxi, tickets.bus, tickets.underground), tickets.black)
        # A longer one has fields that are not ours, and no end.
        if len(message) <= LONGEST_HAND:
            if len(self) >= HANDS_KEPT:
                self.clear()
            self[message] = hand
        return hand


_hands = _Hands()


@lru_cache(64)
def position_options(preset: bytes, players: int, overrides: bytes = b"") -> ScotlandYardOptions:
    """The options of a position, with the `overrides` of an encoded `Options`. Raises `OptionsError`."""
    options = sides(preset.decode(), players, read_overrides(options_pb2.Options.FromString(overrides)))
    return replace(options, board=_apart(options.board))


@lru_cache(16)
def _apart(board: Board) -> Board:
    """The same board with a timetable of its own. What a timetable has prepared is answered sooner, so one that
    positions shared with games in play would tell whoever asks about a position whether Mr X has stood in it.
    """
    return copy(board)


def read_position(message: position_pb2.Position) -> ScotlandYardState:
    """The position, with the ends and forced passes that are due in it made. Raises `InvalidField`."""
    fields = _fields(message.SerializeToString())
    if fields is None:
        # What we don't know may be written in any way, and bears on nothing.
        known = position_pb2.Position()
        known.CopyFrom(message)
        known.DiscardUnknownFields()
        fields = _fields(known.SerializeToString())
        assert fields is not None, "protobuf writes known fields plainly"
    return _read(fields, message.master if fields.has_app else None)


def read_plain_position(message: bytes) -> ScotlandYardState | None:
    """The same from a message that nobody has looked at yet, where it is valid, without overrides and what the app
    keeps, and written as protobuf's own library does it. None for all others, right or wrong.
    """
    try:
        fields = _fields(message)
        if fields is None or fields.overrides or fields.has_app or fields.numbers[_PHASE] not in _PHASES:
            return None
        # What the proto's ranges would refuse, the preset's refuse too: they are narrower.
        return _read(fields, None)
    except (InvalidField, DecodeError, UnicodeDecodeError):
        return None


class _Fields:
    """A position's fields as they came, before anything is made of them."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.preset = b""
        self.hunters: list[list[int]] = []
        self.own_hands: list[_Hand | None] = []
        self.supply: _Hand | None = None
        self.shared_hand: _Hand | None = None
        self.overrides = b""
        self.has_app = False


def _fields(message: bytes) -> _Fields | None:
    """The fields of an encoded position that is plain through and through."""
    scanned = scan(message, _HUNTERS)
    if scanned is None:
        return None
    numbers, parts = scanned
    fields = _Fields(numbers)
    for field, part in parts:
        if field == _HUNTERS:
            hunter = scan(part)
            if hunter is None:
                return None
            fields.hunters.append(hunter[0])
            fields.own_hands.append(_own_hand(hunter[1]))
        elif field == _PRESET:
            fields.preset = part
        elif field == _SUPPLY:
            fields.supply = _hands[part]
        elif field == _SHARED_HAND:
            fields.shared_hand = _hands[part]
        elif field == _OVERRIDES:
            fields.overrides = part
        elif field == _MASTER:
            fields.has_app = True
    return fields


def _read(fields: _Fields, master: position_pb2.MasterPosition | None) -> ScotlandYardState:
    """The position that has these fields, and what the app keeps. Raises `InvalidField`."""
    numbers, hunters, own_hands = fields.numbers, fields.hunters, fields.own_hands
    supply, shared_hand = fields.supply, fields.shared_hand
    try:
        options = position_options(fields.preset, numbers[_PLAYERS], fields.overrides)
    except OptionsError as error:
        raise error.told from error
    if tuple([hunter[_PIECE] for hunter in hunters]) != options.hunters:
        expected = ", ".join(piece.word for piece in options.hunters)
        order = Text(
            f"must be {expected}, each once and in this order", f"il faut {expected}, chacun une fois et dans cet ordre"
        )
        raise InvalidField("hunters", order)
    owners = 0 if options.pooled else len(options.detectives)
    for index, hand in enumerate(own_hands):
        if (hand is not None) != (index < owners):
            raise InvalidField(f"hunters[{index}].tickets", _POOLED if options.pooled else _OWN_HANDS)
    if (shared_hand is not None) != options.pooled:
        raise InvalidField("shared_hand", _HAND_IS_SHARED)
    if (supply is not None) != options.supply_changes:
        raise InvalidField("supply", _FINITE_SUPPLY)
    if supply is not None and supply.black:
        raise InvalidField("supply.black", _NO_BLACK_SUPPLY)
    hands = [hand for hand in (own_hands if shared_hand is None else [shared_hand]) if hand is not None]
    try:
        return position(
            options,
            round=numbers[_ROUND],
            phase=_PHASES[numbers[_PHASE]],
            mr_x=numbers[_MR_X],
            hunters=[hunter[_STATION] for hunter in hunters],
            hands=[hand.tickets for hand in hands],
            black_hands=[hand.black for hand in hands],
            supply=None if supply is None else supply.tickets,
            black_tickets=numbers[_BLACK_TICKETS],
            double_tickets=numbers[_DOUBLE_TICKETS],
            moves_made=numbers[_MOVES_MADE],
            moved=[options.hunters[index] for index, hunter in enumerate(hunters) if hunter[_HAS_MOVED]],
            master=None if master is None else _read_master(master, options),
        )
    except PositionError as error:
        raise InvalidField(_path(error, options), error.text) from error


def _own_hand(parts: list[tuple[int, bytes]]) -> _Hand | None:
    """The tickets of a hunter that has some of its own; what else is there, no field of ours holds."""
    for field, part in parts:
        if field == _TICKETS:
            return _hands[part]
    return None


def _read_master(master: position_pb2.MasterPosition, options: ScotlandYardOptions) -> MasterState:
    """What the app keeps."""
    if options.master is None:
        raise InvalidField("master", must_be_left_out(without_app(options.preset)))
    findings = [read_finding(finding, f"master.findings[{index}]") for index, finding in enumerate(master.findings)]
    return MasterState(
        helicopter_tickets=master.helicopter_tickets,
        meeting_points=read_meeting_points(master.meeting_points),
        offered=read_actions(master.offered),
        findings=tuple(findings),
    )


def _path(error: PositionError, options: ScotlandYardOptions) -> str:
    """Where the field that is at fault stands in the message: most of what concerns a hunter stands at that hunter."""
    match error.field:
        case "hands" | "black_hands":
            return "shared_hand" if options.pooled else f"hunters[{error.index}].tickets"
        case "hunters":
            return f"hunters[{error.index}].station"
        case "moved":
            return f"hunters[{error.index}].has_moved"
        case field:
            return field
