"""The games that are played under blows: what clients, table and laws need to know of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Protocol

from whitehall.api.wire import Wire
from whitehall.games.cluedo import edition as cluedo_edition
from whitehall.games.cluedo import notation as cluedo_notation
from whitehall.games.cluedo.card import card
from whitehall.games.cluedo.wire import wire as cluedo_wire
from whitehall.games.scotland_yard import edition as scotland_yard_edition
from whitehall.games.scotland_yard import notation as scotland_yard_notation
from whitehall.games.scotland_yard.moves import Pass, Together, Travel
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.wire import wire as scotland_yard_wire
from whitehall.gen.whitehall.cluedo.v1 import move_pb2 as cluedo_move_pb2
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall.gen.whitehall.cluedo.v1.service_pb2_grpc import CluedoServiceStub
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, service_pb2
from whitehall.gen.whitehall.scotlandyard.v1.service_pb2_grpc import ScotlandYardServiceStub

TOGETHER = 0.3
"""How often several hunters are moved together, by a seat that may."""
DOUBLE = 0.15
"""How often Mr X moves twice, if he may."""
ACCUSES = 0.1
"""How often a seat accuses where it may. It is wrong nearly always, and so the game comes to an end."""


class Played(Protocol):
    """One game. Its messages are of the game's own types."""

    @property
    def wire(self) -> Wire:
        """Its rules and its messages."""
        ...

    @property
    def stub(self) -> Callable[..., Any]:
        """Makes the stub of its service."""
        ...

    def creation(self, random: Random) -> Any:
        """What kind of game is asked for."""
        ...

    def any_of(self, legal: Any, random: Random) -> list[str]:
        """Any legal move in notation, perhaps several moves together; nothing where there is none."""
        ...

    def move(self, words: Sequence[str]) -> Any:
        """The request for these moves, but for the rest of its fields."""
        ...

    def options(self, record: Any) -> Any:
        """The options of a record."""
        ...

    def read(self, texts: Sequence[str]) -> Any:
        """The move that a revision's texts stand for."""
        ...


class ScotlandYardPlayed:
    """Scotland Yard by its usual preset."""

    wire: Any = scotland_yard_wire
    stub = ScotlandYardServiceStub

    def creation(self, random: Random) -> service_pb2.CreateGameRequest:
        return service_pb2.CreateGameRequest(preset="new", players=random.randint(2, 6))

    def any_of(self, legal: move_pb2.LegalMoves, random: Random) -> list[str]:
        pieces = list(legal.pieces)
        if not pieces:
            return []
        together = len(pieces) > 1 and random.random() < TOGETHER
        chosen = random.sample(pieces, random.randint(2, len(pieces)) if together else 1)
        return [random.choice(list(self._moves(piece, random))) for piece in chosen]

    def _moves(self, piece: move_pb2.PieceMoves, random: Random) -> Iterator[str]:
        name = move_pb2.Piece.Name(piece.piece).removeprefix("PIECE_").lower()
        if piece.may_pass:
            yield f"{name} pass"
        if piece.doubles and random.random() < DOUBLE:
            for group in piece.doubles:
                for second in group.seconds:
                    yield f"{name} {group.first.text} {second.text}"
            return
        for ride in piece.rides:
            yield ride.text if ride.text.startswith(name) else f"{name} {ride.text}"

    def move(self, words: Sequence[str]) -> service_pb2.PlayMoveRequest:
        return service_pb2.PlayMoveRequest(moves=[move_pb2.Move(text=text) for text in words])

    def options(self, record: Any) -> Any:
        seats = [[Piece(piece) for piece in seat.pieces] for seat in record.seats]
        return scotland_yard_edition.resolve(record.preset, record.players, seats)

    def read(self, texts: Sequence[str]) -> Any:
        moves = [scotland_yard_notation.parse(text) for text in texts]
        if len(moves) == 1:
            return moves[0]
        return Together(tuple(move for move in moves if isinstance(move, Travel | Pass)))


class CluedoPlayed:
    """Cluedo by its usual preset."""

    wire: Any = cluedo_wire
    stub = CluedoServiceStub

    def creation(self, random: Random) -> cluedo_pb2.CreateGameRequest:
        return cluedo_pb2.CreateGameRequest(preset="james-bond", players=random.randint(2, 6))

    def any_of(self, legal: cluedo_move_pb2.LegalMoves, random: Random) -> list[str]:
        pawn = (legal.roll.text or legal.end.text).partition(" ")[0]
        case = f"S{random.randint(1, 6)} W{random.randint(1, 6)}"
        texts = [show.text for show in legal.shows]
        texts += [there.text for there in legal.destinations]
        texts += [passage.text for passage in legal.passages]
        texts += [legal.roll.text] * legal.HasField("roll") + [legal.end.text] * legal.HasField("end")
        if legal.suggest_in:
            texts.append(f"{pawn} suggest {case} {legal.suggest_in}")
        if legal.may_accuse and random.random() < ACCUSES:
            texts = [f"{pawn} accuse {case} L{random.randint(1, 9)}"]
        return [random.choice(texts)] if texts else []

    def move(self, words: Sequence[str]) -> cluedo_pb2.PlayMoveRequest:
        (text,) = words
        return cluedo_pb2.PlayMoveRequest(move=cluedo_move_pb2.Move(text=text))

    def options(self, record: Any) -> Any:
        return cluedo_edition.resolve(record.preset, record.players, [card(seat.pawn) for seat in record.seats])

    def read(self, texts: Sequence[str]) -> Any:
        (text,) = texts
        return cluedo_notation.parse(text)


SCOTLAND_YARD: Played = ScotlandYardPlayed()
CLUEDO: Played = CluedoPlayed()
PLAYED = (SCOTLAND_YARD, CLUEDO)
