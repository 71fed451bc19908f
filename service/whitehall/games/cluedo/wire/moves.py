"""Moves on the wire: reading what a seat tries, and writing what it may do."""

from collections.abc import Iterable

from whitehall.games.cluedo import notation, rules
from whitehall.games.cluedo.card import Card, card
from whitehall.games.cluedo.moves import (
    Accuse,
    Dice,
    EndTurn,
    Enter,
    Move,
    Passage,
    Roll,
    Show,
    Suggest,
    Walk,
)
from whitehall.games.cluedo.options import DiceSource
from whitehall.games.cluedo.place import Square
from whitehall.games.cluedo.refutation import cards_to_show
from whitehall.games.cluedo.state import CluedoState, Phase
from whitehall.games.cluedo.walking import in_reach
from whitehall.games.cluedo.wire.places import read_case, read_place, read_square
from whitehall.games.cluedo.wire.positions import write_reach
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.core.sentences import HOLDS_NO_MOVE
from whitehall.gen.whitehall.cluedo.v1 import move_pb2, service_pb2


def read_move(message: move_pb2.Move, pawn: Card, path: str = "move") -> Move:
    """The move that a message stands for; `pawn` is the one that is meant where a text names none, and that every typed
    move is about. Raises `InvalidField`.
    """
    match message.WhichOneof("kind"):
        case "roll":
            dice = message.roll.dice
            return Roll(pawn, Dice(dice.first, dice.second) if message.roll.HasField("dice") else None)
        case "walk":
            return Walk(pawn, read_square(message.walk.square), _way(message.walk.via))
        case "enter":
            return Enter(pawn, card(message.enter.location), _way(message.enter.via))
        case "take_passage":
            return Passage(pawn, card(message.take_passage.location))
        case "suggest":
            return Suggest(pawn, read_case(message.suggest))
        case "show":
            return Show(pawn, card(message.show.card))
        case "accuse":
            return Accuse(pawn, read_case(message.accuse))
        case "end_turn":
            return EndTurn(pawn)
        case "text":
            try:
                return notation.parse(message.text, pawn)
            except NotationError as error:
                raise InvalidField(f"{path}.text", error.placed) from error
        case _:
            raise InvalidField(path, HOLDS_NO_MOVE)


def _way(squares: Iterable[move_pb2.Square]) -> tuple[Square, ...]:
    return tuple(read_square(square) for square in squares)


# --- writing ------------------------------------------------------------------------------------------------------


def list_legal_moves(state: CluedoState, seat: Seat, request: service_pb2.ListLegalMovesRequest) -> bytes:
    """What the seat may do now, as an encoded `LegalMoves`. Suggestions and accusations are not listed case by case."""
    return write_legal_moves(state, seat).SerializeToString()


def write_legal_moves(state: CluedoState, seat: Seat) -> move_pb2.LegalMoves:
    """What the seat may do now; nothing where it is not to move."""
    message = move_pb2.LegalMoves()
    if seat not in rules.to_move(state):
        return message
    pawn = state.options.seats[seat]
    if state.phase == Phase.SHOW:
        for shown in cards_to_show(state.hands[seat], state.suggestions[-1].case):
            message.shows.add(card=shown.word, text=notation.text(Show(pawn, shown)))
        return message
    if state.phase == Phase.START:
        physical = state.options.dice is DiceSource.PHYSICAL
        message.roll.CopyFrom(move_pb2.LegalRoll(physical=physical, text=notation.text(Roll(pawn))))
        for there in rules.passages(state):
            message.passages.add(location=there.word, text=notation.text(Passage(pawn, there)))
    if state.phase == Phase.MOVE:
        found = write_reach(in_reach(state), state.options.location_at)
        for destination in found:
            place = read_place(destination.place)
            walk = Enter(pawn, place) if isinstance(place, Card) else Walk(pawn, place)
            destination.text = notation.text(walk)
        message.destinations.extend(found)
    room = rules.suggestion_room(state)
    message.suggest_in = "" if room is None else room.word
    message.may_accuse = rules.may_accuse(state)
    if rules.may_end(state):
        message.end.text = notation.text(EndTurn(pawn))
    return message
