"""Verification: whether a record is what it says, from the commitment to the result."""

import codecs
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from operator import attrgetter
from typing import Any, NamedTuple

from whitehall.api.json_reading import parse, read_members
from whitehall.cli.json_lines import NO_OBJECT, no_json
from whitehall.cli.mishap import mishap
from whitehall.cli.recorded import Recorded, closest_game, game_of, recorded_games
from whitehall.cli.retelling import differences
from whitehall.cli.utf8 import decoded
from whitehall.games.core.fault import BadInput, InvalidField
from whitehall.games.core.record_places import place
from whitehall.games.core.record_tag import NO_SEED, Place, RecordError, is_seed
from whitehall.games.core.replay import Fault
from whitehall.games.core.text import Text
from whitehall.sessions.fairness import ClientSeed, CommittedChance, commitment
from whitehall.sessions.refusal import Refusal

MOST_BYTES = 16 << 20
"""No record is longer: those of the longest games are a hundred times shorter."""

_TOO_LARGE = Text(
    f"no record is longer than {MOST_BYTES >> 20} MiB", f"aucun enregistrement ne dépasse {MOST_BYTES >> 20} Mio"
)
_OF_OTHERS = Text("is not that of the rest", "n'est pas celle du reste")
_OF_ANOTHER_SEED = Text("is not that of the seed", "n'est pas celui de la graine")
_SAYS_ELSE = Text("does not say what the record says", "ne dit pas ce que dit l'enregistrement")
_ANOTHER_RESULT = Text("the seeds give another result", "les graines donnent un autre résultat")

_JSON = re.compile(r"\s*(?:\{|\[\s*[^\sA-Za-z])")
"""How JSON begins. A bracket with a letter is a tag of a record as text."""

_SEEDS = ("fairness.commitment", "fairness.server_seed")
_NEEDED = ("info.game_id", "ruleset", "preset", "players", "seats", *_SEEDS)
"""What no record is without: in the text of one it is what has a tag that must be there."""


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
    UNDECIDED = "undecided"
    """Whitehall itself has failed at it, which should not be."""


class Told(NamedTuple):
    """A fault as it is printed: its place in words, why, and its place in a text where it was found in one."""

    place: str
    text: Text
    at: Place | None = None

    def to_json(self, language: str) -> dict[str, Any]:
        """What is printed of it in a language."""
        at = {} if self.at is None else self.at._asdict()
        return {"place": self.place, "reason": self.text.spoken_in(language), **at}


class Verification(NamedTuple):
    """A verdict with its reasons."""

    verdict: Verdict
    game_id: str = ""
    ruleset: int = 0
    faults: tuple[Told, ...] = ()

    def to_json(self, language: str) -> dict[str, Any]:
        """What is printed of it in a language."""
        faults = [fault.to_json(language) for fault in self.faults]
        return {"verdict": self.verdict, "game_id": self.game_id, "ruleset": self.ruleset, "faults": faults}


def verify_bytes(data: bytes) -> Verification:
    """Judges a record as it stands in a file, of which a byte more than `MOST_BYTES` is enough. Raises nothing."""
    if len(data) > MOST_BYTES:
        return Verification(Verdict.UNREADABLE, faults=(Told("", _TOO_LARGE),))
    try:
        return verify(decoded(data.removeprefix(codecs.BOM_UTF8)))
    except RecordError as error:
        return _unreadable(error)
    except Exception as error:  # Whatever it is, other records are not to suffer from it.
        return Verification(Verdict.UNDECIDED, faults=(Told("", mishap(error).text),))


def verify(text: str) -> Verification:
    """Judges a record: as text, or as the JSON of a `Record` or of the whole answer of GetRecord."""
    try:
        if _JSON.match(text):
            return _verify_json(text)
        game = game_of(text)
        record = game.parse(text)
    except ValueError as error:
        return _unreadable(error)
    faults: list[Fault] = []
    if record.digest not in ("", game.digest(record)):
        faults.append(Fault("digest", _OF_OTHERS))
    faults += _chance_faults(record)
    if record.ruleset == game.ruleset:
        faults += game.replay(record)
    # A record knows no places, as hardly any is at fault: then its text is read once more.
    said = game.form.read(text) if faults else None
    told = [Told(fault.place, fault.text, said and place(said, fault)) for fault in faults]
    return _verification(game, record, told)


def _unreadable(error: ValueError) -> Verification:
    match error:
        case RecordError():
            told = Told("", error.text, Place(error.line, error.column))
        case BadInput():
            told = Told("", error.placed)
        case _:
            told = Told("", Text.of(str(error)))
    return Verification(Verdict.UNREADABLE, faults=(told,))


def _verify_json(text: str) -> Verification:
    game, answer = _read_json(text)
    message = answer.record
    _check_needed(message)
    record = game.read(message)
    faults = list(_chance_faults(record))
    if message.info.commitment != message.fairness.commitment:
        faults.append(Fault("info.commitment", _OF_ANOTHER_SEED))
    if answer.text and answer.text != game.wire.record_text(message):
        faults.append(Fault("text", _SAYS_ELSE))
    if record.ruleset == game.ruleset:
        # What has a fault in the game itself is not worth telling again.
        faults += game.replay(record)
        faults += [] if faults else differences(game.wire, game.options(record), game.read_moves, message)
    return _verification(game, record, [Told(fault.place, fault.text) for fault in faults])


def _read_json(text: str) -> tuple[Recorded, Any]:
    """The game whose message it is, and the message. Raises `BadInput`.

    A record in JSON names no game, but no two games' records are alike.
    """
    games = recorded_games().values()
    try:
        tree: Any = parse(next(iter(games)).answer, text.encode())
    except Refusal as refusal:
        raise no_json(refusal) from refusal
    if not isinstance(tree, dict):
        raise BadInput(NO_OBJECT)
    answer = tree if "record" in tree else {"record": tree}
    for game in games:
        with suppress(InvalidField):
            return game, read_members(game.answer, answer)
    # What is wrong is for its own game to say.
    game = closest_game(answer["record"])
    return game, read_members(game.answer, answer)


def _check_needed(record: Any) -> None:
    """Raises `InvalidField` for a message that says less than any record."""
    for path in _NEEDED:
        if not attrgetter(path)(record):
            raise InvalidField(f"record.{path}", Text("must be there", "doit être présent"))
    for path in _SEEDS:
        if not is_seed(attrgetter(path)(record)):
            raise InvalidField(f"record.{path}", NO_SEED)


def _verification(game: Recorded, record: Any, faults: Sequence[Told]) -> Verification:
    verdict = Verdict.GENUINE if record.ruleset == game.ruleset else Verdict.OTHER_RULESET
    return Verification(Verdict.FAULTY if faults else verdict, record.game_id, record.ruleset, tuple(faults))


def _chance_faults(record: Any) -> Iterator[Fault]:
    """What does not follow from the seeds."""
    seed = bytes.fromhex(record.server_seed)
    if commitment(seed) != record.commitment:
        yield Fault("commitment", _OF_ANOTHER_SEED)
    chance = CommittedChance(seed, [ClientSeed(given.seat, given.seed) for given in record.client_seeds])
    for number, draw in enumerate(record.draws, 1):
        if chance.draw(draw.label, draw.bound) != draw.value:
            yield Fault(f"draw {number}", _ANOTHER_RESULT.at(draw.label))
