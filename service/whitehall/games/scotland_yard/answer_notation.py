"""Notation of what special actions answered: one word each, in positions and in public logs.

analysis:69/103/104               the stations that Analysis left
locate:far/near/medium/medium     one for each mast, in the order of the options
scan:8                            taxi moves from one of the masts
interrogate:"King's Cross"        the landmarks where he has been seen, with slashes between them; none at none
hear:"King's Cross"/2             what the witnesses there say: so many moves ago
"""

import re
from typing import NoReturn

from whitehall.games.core.fault import BadInput
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.master import Nearness, SpecialAction
from whitehall.games.scotland_yard.notation import ACTIONS, HEAR
from whitehall.games.scotland_yard.station_notation import STATIONS, read_stations

WITHHELD = Text("an answer that was withheld has no notation", "une réponse qui n'a pas été donnée n'a pas de notation")

_ACTIONS = {word: action for action, word in ACTIONS.items()}
_NEARNESS = Nearness.by_word()
_NAME = '"[^"/]+"'
_STATIONS = re.compile(f"(?:{STATIONS})?")
_DISTANCE = re.compile("0|[1-9][0-9]{0,3}")
_LANDMARKS = re.compile(f"(?:{_NAME}(?:/{_NAME})*)?")
_STATEMENT = re.compile(f"({_NAME})/(0|[1-9][0-9]?)")


def text(answer: Answer) -> str:
    """The word. Raises `BadInput` for an answer that was withheld: it has none."""
    match answer:
        case Analysed(tuple(stations)):
            return f"{ACTIONS[SpecialAction.ANALYSIS]}:{'/'.join(map(str, stations))}"
        case Located(tuple(nearness)):
            return f"{ACTIONS[SpecialAction.LOCATE]}:{'/'.join(each.word for each in nearness)}"
        case Scanned(int(distance)):
            return f"{ACTIONS[SpecialAction.SCAN]}:{distance}"
        case Interrogated(tuple(landmarks)):
            return f"{ACTIONS[SpecialAction.INTERROGATION]}:{'/'.join(_quoted(name) for name in landmarks)}"
        case StatementHeard(str(landmark), int(moves_ago)):
            return f"{HEAR}:{_quoted(landmark)}/{moves_ago}"
        case _:
            raise BadInput(WITHHELD)


def parse(word: str) -> Answer | None:
    """The answer that a word says; None where it says something else. Raises `NotationError`."""
    name, colon, said = word.partition(":")
    if not colon or (name != HEAR and name not in _ACTIONS):
        return None
    before = len(name) + 1
    if name == HEAR:
        heard = _STATEMENT.fullmatch(said)
        if heard is None:
            example = '"King\'s Cross"/2'
            what = Text(
                f"a landmark in quotes and how many moves ago, such as {example}",
                f"un lieu entre guillemets et il y a combien de coups, comme {example}",
            )
            _fail(expected(what), before)
        return StatementHeard(heard[1].strip('"'), int(heard[2]))
    match _ACTIONS[name]:
        case SpecialAction.ANALYSIS:
            if not _STATIONS.fullmatch(said):
                _fail(
                    expected(
                        Text("stations with slashes between them", "des stations séparées par des barres obliques")
                    ),
                    before,
                )
            return Analysed(read_stations(said) if said else ())
        case SpecialAction.LOCATE:
            return Located(tuple(_nearness(said, before)))
        case SpecialAction.SCAN:
            if not _DISTANCE.fullmatch(said):
                _fail(expected(Text("a number of taxi moves", "un nombre de trajets en taxi")), before)
            return Scanned(int(said))
        case SpecialAction.INTERROGATION:
            if not _LANDMARKS.fullmatch(said):
                what = Text(
                    "landmarks in quotes with slashes between them",
                    "des lieux entre guillemets, séparés par des barres obliques",
                )
                _fail(expected(what), before)
            return Interrogated(tuple(quoted.strip('"') for quoted in said.split("/") if quoted))


def _nearness(said: str, before: int) -> list[Nearness]:
    found = []
    for word in said.split("/"):
        if word not in _NEARNESS:
            words = either([*_NEARNESS])
            what = Text(
                f"{words.en} for each mast, with slashes between them",
                f"{words.fr} pour chaque antenne, avec des barres obliques entre eux",
            )
            _fail(expected(what), before)
        found.append(_NEARNESS[word])
        before += len(word) + 1
    return found


def _quoted(name: str) -> str:
    return f'"{name}"'


def _fail(why: Text, before: int) -> NoReturn:
    """What is wrong stands after so many characters of the word."""
    raise NotationError(why, before + 1)
