"""The boards of one game by name: those that its package brings, and those that an operator adds."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Generic, Protocol, TypeVar

from whitehall.games.core.fault import BadBoard
from whitehall.games.core.sentences import no_board
from whitehall.games.core.text import Text


class Named(Protocol):
    """A board, as far as it matters here: two that are equal are the same."""

    @property
    def name(self) -> str: ...


BoardT = TypeVar("BoardT", bound=Named)


class NameTaken(BadBoard):
    """There is another board of that name."""

    def __init__(self, name: str) -> None:
        words = Text(f"there is another board {name!r}", f"il y a un autre plateau {name!r}")
        super().__init__(words.at("name"))
        self.name = name


class Boards(Generic[BoardT]):
    """Boards are made when first asked for. An operator's are added while the service starts, and stay for good."""

    def __init__(self, package: str, packaged: tuple[str, ...], load: Callable[[str], BoardT]) -> None:
        """`packaged` names JSON texts in the folder `data` of the package; `load` reads one, or raises `BadBoard`."""
        self._package = package
        self._packaged = packaged
        self._load = load
        self._added: dict[str, BoardT] = {}
        self._from_package = cache(self._read)

    def names(self) -> tuple[str, ...]:
        """The names of all boards that games can be played on: those of the package first."""
        return (*self._packaged, *self._added)

    def board(self, name: str) -> BoardT:
        """The board of that name. Raises `BadBoard` if there is none."""
        if name in self._added:
            return self._added[name]
        if name not in self._packaged:
            raise BadBoard(no_board(name, self.names()))
        return self._from_package(name)

    def add(self, text: str) -> BoardT:
        """Adds an operator's board, or finds it there already. Raises `BadBoard`; `NameTaken` where its name is
        another's.
        """
        made = self._load(text)
        if made.name in self.names() and self.board(made.name) != made:
            raise NameTaken(made.name)
        if made.name not in self.names():
            self._added[made.name] = made
        return self.board(made.name)

    def _read(self, name: str) -> BoardT:
        return self._load(files(self._package).joinpath("data", f"{name}.json").read_text(encoding="utf-8"))
