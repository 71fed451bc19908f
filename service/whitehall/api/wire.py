"""What the servicer needs of a game: its values as messages, and back. Each game's `wire` provides it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from google.protobuf.message import Message

from whitehall.games.core.game import Game
from whitehall.games.core.seat import Seat
from whitehall.games.core.wanted import IsWanted
from whitehall.sessions.codec import Codec

Work = Callable[[IsWanted], bytes]
"""What works an answer out that may take so long that others should not wait for it: it is called in a thread, asks
every few milliseconds whether it is still wanted, and raises `NoLongerWanted` if not.
"""


class Inquiry(Protocol):
    """What answers a request bit by bit. Each bit may take a while, so it is worked out as `Work` is."""

    def go_on(self) -> Message | None:
        """The next bit; None once all have been told. Raises `InvalidField` and `NoLongerWanted`."""
        ...

    def farewell(self, told: Any) -> Message | None:
        """How far the last bit that was `told` has come, if any was, and if it was not the last there is. May be asked
        while another one is worked out in a thread.
        """
        ...


class Wire(Codec, Protocol):
    """One game's messages. The names of methods, requests and answers are the same in every game."""

    @property
    def service(self) -> str:
        """The full name of the service for games in play."""
        ...

    @property
    def position_service(self) -> str:
        """The full name of the service for positions."""
        ...

    @property
    def rules(self) -> Game[Any, Any, Any, Any, Any, Any]:
        """The game's rules."""
        ...

    @property
    def requests(self) -> Any:
        """The module that holds the session methods' requests and answers by name."""
        ...

    @property
    def game_message(self) -> Callable[..., Any]:
        """`Game`: info and view."""
        ...

    @property
    def revision_message(self) -> Callable[..., Any]:
        """`Revision`: one revision as a viewer saw it."""
        ...

    @property
    def update_message(self) -> Callable[..., Any]:
        """`Update`: a revision and the game after it."""
        ...

    @property
    def recorded_revision_message(self) -> Callable[..., Any]:
        """`RecordedRevision`: one revision in full."""
        ...

    @property
    def position_messages(self) -> Any:
        """The module that holds the position methods' requests and answers by name."""
        ...

    @property
    def recurring(self) -> type[Message] | None:
        """What long lists of legal moves are made of: groups that are the same in many games. None where there are no
        such groups.
        """
        ...

    @property
    def questions(self) -> Mapping[str, Callable[[Any], bytes | Work]]:
        """By position method: what answers one question, as an encoded element of the answer's list, or what works that
        out. Either raises `InvalidField`.
        """
        ...

    @property
    def plain_questions(self) -> Mapping[str, Callable[[bytes], bytes | None]]:
        """By some of the position methods: what answers an encoded question that nobody has looked at yet, as
        `questions` would once it is found valid. None for questions, right or wrong, that have to go that way.
        """
        ...

    @property
    def inquiries(self) -> Mapping[str, Callable[[Any, IsWanted], Inquiry]]:
        """By position method that streams: what begins to answer a request, and says so at once. Raises
        `InvalidField`.
        """
        ...

    def read_options(self, request: Any) -> tuple[Any, tuple[str, ...]]:
        """Resolved options and seat names from a CreateGameRequest. Raises `InvalidField`."""
        ...

    def read_move(self, request: Any, options: Any, seat: Seat) -> Any:
        """The move that a ValidateMoveRequest or a PlayMoveRequest holds. Raises `InvalidField`."""
        ...

    def legal_moves(self, state: Any, seat: Seat, request: Any) -> bytes:
        """The seat's legal moves as an encoded `LegalMoves`, filtered as a ListLegalMovesRequest asks."""
        ...

    def write_view(self, view: Any) -> Message:
        """A view."""
        ...

    def write_deductions(self, view: Any, request: Any) -> bytes | Work:
        """What follows from a view, encoded as the `deductions` of the answer to a GetDeductionsRequest, or what works
        that out. Either raises `InvalidField`.
        """
        ...

    def possibilities(self, deductions: bytes) -> int:
        """How many stations or solutions such encoded deductions leave possible."""
        ...

    def write_event(self, event: Any) -> Message:
        """An event that has been cut to what its viewer may know."""
        ...

    def write_session_event(self, event: Any) -> Message:
        """A `common.v1.SessionEvent` as one of this game's events."""
        ...

    def made(self, move: Any, events: Sequence[Any]) -> list[str]:
        """The single moves of a move that were made, in notation."""
        ...

    def played(self, move: Any, events: Sequence[Any]) -> Mapping[str, Any]:
        """Fields that a PlayMoveResponse has in this game alone."""
        ...

    def write_record(self, options: Any, state: Any) -> Any:
        """A `Record` with what the game itself says; the servicer adds the history."""
        ...

    def record_text(self, record: Any) -> str:
        """A whole `Record` as text."""
        ...
