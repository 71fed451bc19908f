"""Frontends: what the terminal needs to know of one game so as to play it. All else about playing is the same."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from whitehall.cli.client import Client, Seat


class Bot(Protocol):
    """Plays seats: the same moves for the same seed and the same answers of the service."""

    def choose(self, seat: "Seat") -> str:
        """One of the seat's moves, in notation."""
        ...


class Frontend(Protocol):
    """One game in the terminal. Its messages are of the game's own types."""

    @property
    def game(self) -> str:
        """The game's name, as in the catalog."""
        ...

    @property
    def service(self) -> str:
        """The full name of its service."""
        ...

    @property
    def stub(self) -> Callable[..., Any]:
        """Makes the service's stub of a channel."""
        ...

    @property
    def requests(self) -> Any:
        """The module that holds the service's requests."""
        ...

    @property
    def preset(self) -> str:
        """The preset that is played."""
        ...

    @property
    def help(self) -> str:
        """How moves are typed, and what else can be."""
        ...

    def creation(self, client: "Client", players: int) -> Any:
        """The request for a new game, but for its request id and its seed."""
        ...

    def move(self, text: str) -> Any:
        """The request for a move in notation, but for its game and its request id."""
        ...

    def seat(self, name: str | None, players: int) -> int:
        """The number of the seat with that name, or of the usual one. Raises `ValueError`, which says the names."""
        ...

    def bot(self, seed: int) -> Bot:
        """A bot."""
        ...

    def prompt(self, game: Any) -> str:
        """What a person is asked by."""
        ...

    def moment(self, game: Any) -> int:
        """Grows whenever the table is worth a look again."""
        ...

    def table(self, game: Any) -> Iterator[str]:
        """Everything that lies open to the viewer, line by line."""
        ...

    def moves(self, legal: Any, asked: Sequence[str]) -> Iterator[str]:
        """The legal moves, or those of them that some words typed after `moves` ask for."""
        ...

    def news(self, events: Iterable[Any]) -> Iterator[str]:
        """What has happened."""
        ...

    def result(self, game: Any, rule: str) -> Iterator[str]:
        """How the game ended, with the sentence of the rule that ended it."""
        ...
