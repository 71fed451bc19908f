"""Reading public logs: from a line to the log on its board, or to the column where the line makes none."""

import re

from whitehall.games.core.fault import BadBoard, OptionsError
from whitehall.games.scotland_yard import boards, log_notation, option_words
from whitehall.games.scotland_yard.app_options import app_options
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.findings import Answer
from whitehall.games.scotland_yard.log_notation import Count, PublicLog
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.public_log import Log
from whitehall.games.scotland_yard.public_round import PublicRide
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.words import fail, places_of, words_of

_ROUND = re.compile(r"rounds\[([0-9]+)\](?:\.([a-z_]+)(?:\[([0-9]+)\])?)?")
_LIST = re.compile(r"(start|hunters)(?:\[([0-9]+)\])?")
_NAMES = {"hunters": "now:", "start": "start:"}
"""The words before the first bar that list stations, by their fields."""


def read(text: str) -> Log:
    """The log that a line says. Whether it makes sense is for its evidence to say, and `place` knows where a fault of
    that is. Raises `NotationError`.
    """
    said = log_notation.parse(text)
    try:
        board = boards.board(said.board)
    except BadBoard as error:
        fail(error.text, text, 0)
    return Log(board, said.rounds, said.start, said.hunters, _app_game(said, board, text))


def _app_game(said: PublicLog, board: Board, text: str) -> MasterOptions | None:
    if said.master is None:
        return None
    try:
        return app_options(board, said.master)
    except OptionsError as error:
        # They follow the board and the word for the app.
        words = [word for word in words_of(log_notation.parts(text)[0]) if word.startswith(option_words.START)]
        wrong = option_words.wrong_word(error, words)
        assert wrong is not None, "every fault of theirs is an option's"
        fail(wrong.text, text, 2 + wrong.number, wrong.column)


def place(text: str, field: str) -> int:
    """The column of what a fault in a log's evidence names by its path; of the board where it names no part."""
    parts = log_notation.parts(text)
    number, within = 0, len(parts[0]) - len(parts[0].lstrip())
    if found := _ROUND.match(field):
        number = min(int(found[1]) + 1, len(parts) - 1)
        within = _in_round(parts[number], found[2] or "", None if found[3] is None else int(found[3]))
    elif found := _LIST.match(field):
        lists = [each for each in places_of(parts[0]) if each[1].startswith(_NAMES[found[1]])]
        within = _in_list(*lists[0], int(found[2] or 0)) if lists else within
    return sum(len(part) + 1 for part in parts[:number]) + within + 1


def _in_round(part: str, name: str, index: int | None) -> int:
    """So many characters into a round begins what a fault in it names; where that is not there, the round ends."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    for start, word in places_of(part):
        kinds.setdefault(_kind(log_notation.parse_word(word)), []).append((start, word))
    found = kinds.get(name, [])
    if name == "hunters" and found:
        return _in_list(*found[0], index or 0)
    if index is None:
        # Of rides as a whole nothing is said but that there are too many.
        index = len(found) - 1 if name == "rides" and found else 0
    chosen = found[index : index + 1]
    return chosen[0][0] if chosen else len(part.rstrip())


def _kind(said: PublicRide | Tickets | Count | Answer | None) -> str:
    """What field of a round a word of it tells."""
    match said:
        case None:
            return "hunters"
        case PublicRide():
            return "rides"
        case Tickets():
            return "supply"
        case Count(name, _):
            return f"{name}_tickets"
        case _:
            return "answers"


def _in_list(start: int, word: str, index: int) -> int:
    """So many characters into a part begins the station with this index, of a word with stations."""
    name, colon, stations = word.rpartition(":")
    before = stations.split("/")[:index]
    return start + len(name) + len(colon) + sum(len(station) + 1 for station in before)
