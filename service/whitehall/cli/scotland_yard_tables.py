"""Tables of what the app would answer, each question and each answer one line: what `locate` and `scan` print."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from whitehall.api.json_writing import json_writer
from whitehall.cli.json_lines import is_json, read_line
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.wire import investigation
from whitehall.games.scotland_yard.words import places_of
from whitehall.gen.whitehall.scotlandyard.v1 import investigation_pb2, master_pb2

_STATION = re.compile("[1-9][0-9]{0,2}")
_LISTED = re.compile(r"(stations|nearness|distance)(?:\[([0-9]+)\])?")
_DISTANCE = re.compile("distance:([0-9]{1,3})")
_NEARNESS = {
    "any": master_pb2.NEARNESS_UNSPECIFIED,
    "near": master_pb2.NEARNESS_NEAR,
    "medium": master_pb2.NEARNESS_MEDIUM,
    "far": master_pb2.NEARNESS_FAR,
}

_write_located = json_writer(investigation_pb2.LocateTable)
_write_scanned = json_writer(investigation_pb2.ScanTable)

_kept = lru_cache(1 << 9)
"""Of a board's stations and of what its masts tell there are not many more questions. Most answers take some KiB."""

T = TypeVar("T", investigation_pb2.LocateQuestion, investigation_pb2.ScanQuestion)


@_kept
def locate(question: str) -> bytes:
    """What Locate answers, in the form of the API's `LocateTable`."""
    asked = _read(question, investigation_pb2.LocateQuestion(), _locate_word, "near far any medium")
    return _write_located(_answered(investigation.locate, asked, question))


@_kept
def scan(question: str) -> bytes:
    """What a Scan can answer, in the form of the API's `ScanTable`."""
    asked = _read(question, investigation_pb2.ScanQuestion(), _scan_word, "distance:8")
    return _write_scanned(_answered(investigation.scan, asked, question))


def _read(question: str, asked: T, word: Callable[[T, str], bool], example: str) -> T:
    """The question that a line holds: JSON, or a board and words that `word` takes in, such as the example."""
    if is_json(question):
        return read_line(question, type(asked))
    found = [(word, place + 1) for place, word in places_of(question)]
    if not found:
        raise NotationError(expected(Text("the name of a board", "le nom d'un plateau")), 1)
    asked.game.board = found[0][0]
    for text, column in found[1:]:
        if _STATION.fullmatch(text):
            asked.stations.append(int(text))
        elif not word(asked, text):
            what = Text(f"stations, or an answer such as {example}", f"des stations, ou une réponse comme {example}")
            raise NotationError(expected(what), column)
    return asked


def _locate_word(asked: investigation_pb2.LocateQuestion, text: str) -> bool:
    if text in _NEARNESS:
        asked.nearness.append(_NEARNESS[text])
    return text in _NEARNESS


def _scan_word(asked: investigation_pb2.ScanQuestion, text: str) -> bool:
    found = _DISTANCE.fullmatch(text)
    if found and not asked.HasField("distance"):
        asked.distance = int(found[1])
        return True
    return False


def _answered(answer: Callable[[T], bytes], asked: T, question: str) -> bytes:
    try:
        return answer(asked)
    except InvalidField as fault:
        if is_json(question):
            raise
        raise NotationError(fault.text, _column(fault.field, question)) from fault


def _column(field: str, question: str) -> int:
    """Where the line says what a field of the message holds; the board stands first."""
    board, *words = places_of(question)
    listed = _LISTED.fullmatch(field)
    if listed is None:
        return board[0] + 1
    stations = [place for place, word in words if _STATION.fullmatch(word)]
    others = [place for place, word in words if not _STATION.fullmatch(word)]
    return (stations[int(listed[2])] if listed[2] else others[0]) + 1
