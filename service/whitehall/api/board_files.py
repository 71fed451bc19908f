"""An operator's own boards: files of a folder, read before the service answers its first call.

Whatever lies in the folder, reading it ends soon and takes little memory, and a fault is told by its file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from whitehall.api.hosted import Hosted
from whitehall.games.core.boards import NameTaken
from whitehall.games.core.fault import BadBoard

LARGEST_FILE_BYTES = 1 << 20
MOST_FILES = 100


class BoardFileError(Exception):
    """A file is no board, or the folder no folder of boards; the text names it and says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


def add_boards(folder: Path, games: Mapping[str, Hosted], warn: Callable[[str], None]) -> None:
    """Adds the boards of a folder to the games: those of each game lie in a folder that bears the game's name.

    Files that do not end in `.json`, in small letters or large ones, and all whose name begins with a dot, are left
    alone. `warn` is told in a sentence where there is no board at all. Raises `BoardFileError`.
    """
    root = _resolved(folder)
    found = 0
    for game_folder in _entries(folder):
        if game_folder.name not in games:
            known = ", ".join(games)
            raise BoardFileError(game_folder, f"each entry has to be a folder with a game's name: {known}")
        files = [entry for entry in _entries(game_folder) if entry.suffix.lower() == ".json"]
        if len(files) > MOST_FILES:
            raise BoardFileError(game_folder, f"holds more than {MOST_FILES} boards")
        found += len(files)
        _add(files, root, games[game_folder.name])
    if not found:
        places = " or ".join(f"{name}/" for name in games)
        warn(f"{folder}: holds no board; boards are files that end in .json, in {places}")


def _add(files: Sequence[Path], root: Path, game: Hosted) -> None:
    """Adds the boards of one game. Each has a name of its own, as the file of another could be changed unseen."""
    by_name: dict[str, Path] = {}
    for file in files:
        try:
            name = game.catalog.add_board(_text(file, root))
        except NameTaken as error:
            raise BoardFileError(file, f"{error}{_also_in(by_name.get(error.name))}") from error
        except BadBoard as error:
            raise BoardFileError(file, str(error)) from error
        if name in by_name:
            raise BoardFileError(file, f"name: the board {name!r} is there already{_also_in(by_name[name])}")
        by_name[name] = file


def _also_in(file: Path | None) -> str:
    return f", in {file}" if file is not None else ""


def _entries(folder: Path) -> Iterator[Path]:
    """What lies in a folder, by name."""
    try:
        yield from sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise BoardFileError(folder, _words(error)) from error


def _resolved(path: Path) -> Path:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError in some versions
        raise BoardFileError(path, _words(error)) from error


def _text(file: Path, root: Path) -> str:
    target = _resolved(file)
    if not target.is_relative_to(root):
        raise BoardFileError(file, "is a link that leads out of the folder")
    if not target.is_file():
        raise BoardFileError(file, "is no plain file")
    try:
        with target.open("rb") as opened:
            data = opened.read(LARGEST_FILE_BYTES + 1)
        if len(data) > LARGEST_FILE_BYTES:
            raise BoardFileError(file, f"is larger than {LARGEST_FILE_BYTES} bytes")
        return data.decode("utf-8-sig")  # editors on Windows begin a file with the mark of UTF-8
    except OSError as error:
        raise BoardFileError(file, _words(error)) from error
    except UnicodeDecodeError as error:
        raise BoardFileError(file, "is no UTF-8 text") from error


def _words(error: Exception) -> str:
    return f"can't be read: {getattr(error, 'strerror', None) or error}"
