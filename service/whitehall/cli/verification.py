"""Verification: whether a record is what it says, from the commitment to the result."""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from whitehall.api.json_reading import parse, read_members
from whitehall.api.wire import Wire
from whitehall.cli.json_lines import no_json
from whitehall.cli.retelling import Fault, differences
from whitehall.games.cluedo import record as cluedo_record
from whitehall.games.cluedo import record_reading as cluedo_reading
from whitehall.games.cluedo import replay as cluedo_replay
from whitehall.games.cluedo.wire import records as cluedo_records
from whitehall.games.cluedo.wire import wire as cluedo
from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard import record as scotland_yard_record
from whitehall.games.scotland_yard import record_reading as scotland_yard_reading
from whitehall.games.scotland_yard import replay as scotland_yard_replay
from whitehall.games.scotland_yard.wire import records as scotland_yard_records
from whitehall.games.scotland_yard.wire import wire as scotland_yard
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment
from whitehall.sessions.refusal import Refusal


class Recorded(NamedTuple):
    """How the records of one game are read, written and played. Each `Any` is of the game's own types."""

    name: str
    """As the tag `Game` has it."""
    wire: Wire
    parse: Callable[[str], Any]
    """A record from its text. Raises `ValueError`."""
    digest: Callable[[Any], str]
    read: Callable[[Any], Any]
    """A record from its message. Raises `ValueError`."""
    read_moves: Callable[[Sequence[str], str], Any]
    """What one revision of a message holds, and its path. Raises `InvalidField`."""
    options: Callable[[Any], Any]
    """What was in force in a record that can be replayed."""
    replay: Callable[[Any], Sequence[tuple[str, str]]]
    """What is wrong with a record as a game."""

    @property
    def ruleset(self) -> int:
        """The number of this release's rules."""
        return self.wire.rules.ruleset


GAMES = (
    Recorded(
        scotland_yard_record.GAME,
        scotland_yard,
        scotland_yard_reading.parse,
        scotland_yard_record.digest,
        scotland_yard_records.read_record,
        scotland_yard_records.read_recorded,
        scotland_yard_replay.options_of,
        scotland_yard_replay.replay,
    ),
    Recorded(
        cluedo_record.GAME,
        cluedo,
        cluedo_reading.parse,
        cluedo_record.digest,
        cluedo_records.read_record,
        cluedo_records.read_recorded,
        cluedo_replay.options_of,
        cluedo_replay.replay,
    ),
)
"""The games of which records can be verified. What names none is read as the first one's."""

_GAME_TAG = re.compile(r'^[ \t]*\[Game[ \t]+"([^"]*)"', re.MULTILINE)


class Verdict(StrEnum):
    """What can be said of a record."""

    GENUINE = "genuine"
    """Everything in it that can follow from its seeds, its moves and the rules does."""
    OTHER_RULESET = "other ruleset"
    """It was judged by rules that this release does not know. Its chance is as it says; its moves were not played."""
    FAULTY = "faulty"
    """Something in it cannot be."""
    UNREADABLE = "unreadable"
    """It is no record."""


class Verification(NamedTuple):
    """A verdict with its reasons."""

    verdict: Verdict
    game_id: str = ""
    ruleset: int = 0
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What is printed of it."""
        faults = [fault._asdict() for fault in self.faults]
        return {"verdict": self.verdict, "game_id": self.game_id, "ruleset": self.ruleset, "faults": faults}


def verify_bytes(data: bytes) -> Verification:
    """Judges a record as it stands in a file."""
    return verify(data.decode(errors="replace").removeprefix("\ufeff"))


def verify(text: str) -> Verification:
    """Judges a record: as text, or as the JSON of a `Record` or of the whole answer of GetRecord."""
    try:
        if text.lstrip().startswith("{"):
            return _verify_json(text)
        game = _game_of(text)
        record = game.parse(text)
    except ValueError as error:
        return Verification(Verdict.UNREADABLE, faults=(Fault("", str(error)),))
    faults: list[tuple[str, str]] = []
    if record.digest not in ("", game.digest(record)):
        faults.append(Fault("digest", "is not that of the rest"))
    faults += _chance_faults(record)
    if record.ruleset == game.ruleset:
        faults += game.replay(record)
    return _verification(game, record, faults)


def _game_of(text: str) -> Recorded:
    """The game that a text names."""
    named = _GAME_TAG.search(text)
    return next((game for game in GAMES if named and game.name == named[1]), GAMES[0])


def _verify_json(text: str) -> Verification:
    game, answer = _read_json(text)
    message = answer.record
    record = game.read(message)
    faults: list[tuple[str, str]] = list(_chance_faults(record))
    if message.info.commitment != message.fairness.commitment:
        faults.append(Fault("info.commitment", "is not that of the seed"))
    if answer.text and answer.text != game.wire.record_text(message):
        faults.append(Fault("text", "does not say what the record says"))
    if record.ruleset == game.ruleset:
        # What has a fault in the game itself is not worth telling again.
        faults += game.replay(record)
        faults += [] if faults else differences(game.wire, game.options(record), game.read_moves, message)
    return _verification(game, record, faults)


def _read_json(text: str) -> tuple[Recorded, Any]:
    """The game whose message it is, and the message. Raises `BadInput`.

    A record names no game, but no two games' records are alike.
    """
    try:
        tree: Any = parse(GAMES[0].wire.requests.GetRecordResponse, text.encode())
    except Refusal as refusal:
        raise no_json(refusal) from refusal
    answer = tree if "record" in tree else {"record": tree}
    faults: list[InvalidField] = []
    for game in GAMES:
        try:
            return game, read_members(game.wire.requests.GetRecordResponse, answer)
        except InvalidField as fault:
            faults.append(fault)
    # As its own game's it was read for longest.
    order = [f"record.{name}" for name in answer["record"]] if type(answer["record"]) is dict else []
    raise max(faults, key=lambda fault: next((n for n, name in enumerate(order) if fault.field.startswith(name)), 0))


def _verification(game: Recorded, record: Any, faults: Sequence[tuple[str, str]]) -> Verification:
    verdict = Verdict.GENUINE if record.ruleset == game.ruleset else Verdict.OTHER_RULESET
    found = tuple(Fault(*fault) for fault in faults)
    return Verification(Verdict.FAULTY if found else verdict, record.game_id, record.ruleset, found)


def _chance_faults(record: Any) -> Iterator[Fault]:
    """What does not follow from the seeds."""
    seed = bytes.fromhex(record.server_seed)
    if commitment(seed) != record.commitment:
        yield Fault("commitment", "is not that of the seed")
    chance = CommittedChance(seed, [ClientSeed(given.seat, given.seed) for given in record.client_seeds])
    for number, draw in enumerate(record.draws, 1):
        if chance.draw(draw.label, draw.bound) != draw.value:
            yield Fault(f"draw {number}", f"{draw.label}: the seeds give another result")
