"""Notation of what the app keeps of a position, as words after the others.

    helicopter:1                        Mr X's helicopter tickets
    offered:locate/scan                 the special actions of this round, used or not; left out where they are all four
    point:3@88                          a meeting point: the field after which it was shown, and its station
    point:3/9@88                        the same, and the field under which he reached it
    finding:4/5:scan:8                  the round, the filled fields, and what was answered then (`answer_notation`)

Points stand in the order in which they were shown, findings in that in which they were given.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import answer_notation
from whitehall.games.scotland_yard.findings import Finding
from whitehall.games.scotland_yard.master import MasterOptions, SpecialAction
from whitehall.games.scotland_yard.notation import ACTIONS, HEAR
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint
from whitehall.games.scotland_yard.station_notation import STATION
from whitehall.games.scotland_yard.ticket import Station
from whitehall.games.scotland_yard.ticket_notation import NUMBER, refuse_number

HELICOPTER = "helicopter:"
OFFERED = "offered:"
POINT = "point:"
FINDING = "finding:"
STARTS = (HELICOPTER, OFFERED, POINT, FINDING)
"""What the words begin with."""

_ACTIONS = {word: action for action, word in ACTIONS.items()}
_FIELD = "(0|[1-9][0-9]{0,2})"
_COUNT = re.compile(NUMBER)
_POINT = re.compile(f"{_FIELD}(?:/([1-9][0-9]{{0,2}}))?@({STATION})")
_FINDING = re.compile(f"{_FIELD}/{_FIELD}:")


class Helicopters(NamedTuple):
    """So many tickets."""

    number: int


class Offered(NamedTuple):
    """These special actions."""

    actions: tuple[SpecialAction, ...]


AppWord = Helicopters | Offered | MeetingPoint | Finding


def words(master: MasterState) -> Iterator[str]:
    """What the app keeps, word by word. Raises `BadInput` for answers that were withheld."""
    yield f"{HELICOPTER}{master.helicopter_tickets}"
    if master.offered != tuple(SpecialAction):
        yield f"{OFFERED}{'/'.join(ACTIONS[action] for action in master.offered)}"
    for point in master.meeting_points:
        yield f"{POINT}{point.shown}{f'/{point.reached}' if point.reached else ''}@{point.station}"
    for finding in master.findings:
        yield f"{FINDING}{finding.round}/{finding.field}:{answer_notation.text(finding.answer)}"


def parse(word: str) -> AppWord | None:
    """What a word says; None where it is none of these. Raises `NotationError`."""
    start = next((start for start in STARTS if word.startswith(start)), None)
    said = word.removeprefix(start or "")
    match start:
        case "helicopter:" if _COUNT.fullmatch(said):
            return Helicopters(int(said))
        case "helicopter:":
            refuse_number(len(HELICOPTER) + 1)
        case "offered:":
            return Offered(_offered(said))
        case "point:":
            return _point(said)
        case "finding:":
            return _finding(said)
    return None


def may_follow(said: Iterable[AppWord], word: AppWord) -> bool:
    """Whether a word may stand after these: there may be several points and findings, and one of everything else."""
    return isinstance(word, MeetingPoint | Finding) or not any(type(each) is type(word) for each in said)


def kept(said: Iterable[AppWord], options: MasterOptions) -> MasterState:
    """What the app keeps for all that was said, and as at the start of a game what was not."""
    master = MasterState.at_start(options)
    for word in said:
        match word:
            case Helicopters(number):
                master = master._replace(helicopter_tickets=number)
            case Offered(actions):
                master = master._replace(offered=actions)
            case MeetingPoint():
                master = master._replace(meeting_points=(*master.meeting_points, word))
            case Finding():
                master = master._replace(findings=(*master.findings, word))
    return master


def _offered(said: str) -> tuple[SpecialAction, ...]:
    found: set[SpecialAction] = set()
    before = len(OFFERED)
    for word in said.split("/") if said else ():
        if word not in _ACTIONS or _ACTIONS[word] in found:
            names = ", ".join(_ACTIONS)
            what = Text(f"each of {names} once at most", f"chacun de {names} une fois au plus")
            raise NotationError(expected(what), before + 1)
        found.add(_ACTIONS[word])
        before += len(word) + 1
    return tuple(action for action in SpecialAction if action in found)


def _point(said: str) -> MeetingPoint:
    found = _POINT.fullmatch(said)
    if not found:
        what = Text("a meeting point, such as 3@88 or 3/9@88", "un point de rencontre, comme 3@88 ou 3/9@88")
        raise NotationError(expected(what), len(POINT) + 1)
    return MeetingPoint(Station(int(found[3])), int(found[1]), int(found[2] or 0))


def _finding(said: str) -> Finding:
    moment = _FINDING.match(said)
    if not moment:
        what = Text("round, fields and an answer, such as 4/5:scan:8", "tour, cases et une réponse, comme 4/5:scan:8")
        raise NotationError(expected(what), len(FINDING) + 1)
    before = len(FINDING) + moment.end()
    try:
        answer = answer_notation.parse(said[moment.end() :])
    except NotationError as error:
        raise NotationError(error.text, before + error.column) from error
    if answer is None:
        words = either([*_ACTIONS, HEAR])
        what = Text(f"{words.en}, and what was answered", f"{words.fr}, et ce qui a été répondu")
        raise NotationError(expected(what), before + 1)
    return Finding(int(moment[1]), int(moment[2]), answer)
