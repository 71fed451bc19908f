"""Tables of what the app would answer, each question and each answer one line: what `locate` and `scan` print."""

import re
from collections.abc import Callable
from typing import TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from whitehall.cli.json_lines import is_json, read_line
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.wire import investigation
from whitehall.gen.whitehall.scotlandyard.v1 import investigation_pb2, master_pb2

_STATION = re.compile("[1-9][0-9]{0,2}")
_DISTANCE = re.compile("distance:([0-9]{1,3})")
_NEARNESS = {
    "any": master_pb2.NEARNESS_UNSPECIFIED,
    "near": master_pb2.NEARNESS_NEAR,
    "medium": master_pb2.NEARNESS_MEDIUM,
    "far": master_pb2.NEARNESS_FAR,
}

T = TypeVar("T", investigation_pb2.LocateQuestion, investigation_pb2.ScanQuestion)


def locate(question: str) -> bytes:
    """What Locate answers, in the form of the API's `LocateTable`."""
    asked = _read(question, investigation_pb2.LocateQuestion(), _locate_word, "near far any medium")
    return _answered(investigation.locate, asked, investigation_pb2.LocateTable())


def scan(question: str) -> bytes:
    """What a Scan can answer, in the form of the API's `ScanTable`."""
    asked = _read(question, investigation_pb2.ScanQuestion(), _scan_word, "distance:8")
    return _answered(investigation.scan, asked, investigation_pb2.ScanTable())


def _read(question: str, asked: T, word: Callable[[T, str], bool], example: str) -> T:
    """The question that a line holds: JSON, or a board and words that `word` takes in, such as the example."""
    if is_json(question):
        return read_line(question, type(asked))
    found = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", question)]
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


def _answered(answer: Callable[[T], bytes], asked: T, table: Message) -> bytes:
    table.ParseFromString(answer(asked))
    return json_format.MessageToJson(table, indent=None).encode()
