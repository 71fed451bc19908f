"""Records, as far as they are the same in every game: what is in all of them, and how it stands in text.

    [Tag "value" "value"]
    ...

    1. move / move
    ...

    result

Each game's own `record` says what its seats, options, moves and results are; `record_reading` reads all of it back.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypedDict

from whitehall.games.core.chance import Draw
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text

HOST = "host"
"""Who gave the seed of seat -1."""
ABANDONED = "abandoned"
"""The result of a game that was ended before its end."""


class RecordedSeed(NamedTuple):
    """A seed that was mixed in: by which seat (-1: the host), and the text as it was given."""

    seat: int
    seed: str


class Common(TypedDict):
    """What the records of all games say alike, by the names of its parts."""

    game_id: str
    ruleset: int
    preset: str
    players: int
    commitment: str
    server_seed: str
    client_seeds: tuple[RecordedSeed, ...]
    draws: tuple[Draw, ...]
    digest: str


class AnyRecord(Protocol):
    """What every game's record says, under these names."""

    @property
    def game_id(self) -> str: ...
    @property
    def ruleset(self) -> int: ...
    @property
    def preset(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def commitment(self) -> str: ...
    @property
    def server_seed(self) -> str: ...
    @property
    def client_seeds(self) -> tuple[RecordedSeed, ...]: ...
    @property
    def draws(self) -> tuple[Draw, ...]: ...
    @property
    def digest(self) -> str: ...


def tags(
    game: str,
    record: AnyRecord,
    *,
    options: Iterable[Sequence[str]],
    seats: Iterable[Sequence[str]],
    start: Sequence[str] = (),
) -> Iterator[Sequence[str]]:
    """The tags of a record, each as its name and values. `start` are the values of that tag, which may be missing."""
    yield "Game", game
    yield "Id", record.game_id
    yield "Ruleset", str(record.ruleset)
    yield "Preset", record.preset
    yield "Players", str(record.players)
    yield from (("Option", *option) for option in options)
    yield from (("Seat", *seat) for seat in seats)
    yield "Commitment", record.commitment
    yield "Seed", record.server_seed
    for seat, seed in record.client_seeds:
        yield "ClientSeed", HOST if seat < 0 else str(seat), seed
    for draw in record.draws:
        yield "Draw", draw.label, str(draw.bound), str(draw.value)
    if start:
        yield "Start", *start
    if record.digest:
        yield "Digest", record.digest


def text(tags: Iterable[Sequence[str]], turns: Iterable[Iterable[str]], result: str) -> str:
    """Tags, moves by turns and the result as text, with a newline at the end."""
    written = [f"[{name} {' '.join(map(_quoted, values))}]" for name, *values in tags]
    numbered = [f"{number}. {' / '.join(turn)}" for number, turn in enumerate(turns, 1)]
    return "".join("\n".join(lines) + "\n\n" for lines in (written, numbered) if lines) + f"{result}\n"


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def digest_of(text: str) -> str:
    """The digest of a record whose text, without any digest, is this one."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_common(message: Any) -> Common:
    """What a record's message says that the messages of all games say alike, without a digest: a message has none.

    Raises `InvalidField` for a value that can't be drawn.
    """
    fairness = message.fairness
    return Common(
        game_id=message.info.game_id,
        ruleset=message.ruleset,
        preset=message.preset,
        players=message.players,
        commitment=fairness.commitment,
        server_seed=fairness.server_seed,
        client_seeds=tuple(RecordedSeed(seed.seat, seed.seed) for seed in fairness.client_seeds),
        draws=tuple(_draws(message.revisions)),
        digest="",
    )


def _draws(revisions: Iterable[Any]) -> Iterator[Draw]:
    for index, revision in enumerate(revisions):
        for number, draw in enumerate(revision.draws):
            if not 0 <= draw.value < draw.bound:
                reason = Text("must be 0 or more, and below the bound", "doit être au moins 0, et sous la limite")
                raise InvalidField(f"revisions[{index}].draws[{number}].value", reason)
            yield Draw(draw.label, draw.bound, draw.value)
