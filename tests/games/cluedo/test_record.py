"""Records: a game as text, which reads as the same game, plays through by the rules, and tells a slip by its place."""

from dataclasses import fields

import pytest

from tests.games.cluedo.recorded import a_record
from whitehall.games.cluedo.card import suspect, weapon
from whitehall.games.cluedo.moves import EndTurn, Passage, Roll
from whitehall.games.cluedo.options import AccusationMoment, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.record import Record, Result, digest, text
from whitehall.games.cluedo.record_reading import parse
from whitehall.games.cluedo.replay import replay
from whitehall.games.core.record_tag import RecordError

EVERYTHING = Overrides(
    board="mansion",
    movement=Movement.UP_TO,
    accusations=AccusationMoment.ANY_TIME,
    dice=DiceSource.PHYSICAL,
    leftovers=Leftovers.FACE_UP,
    neutral_cards=3,
    first_dealt=1,
    suspects=("Ω", 'a "quoted" one', "two\nlines"),
    weapons=("Rope / Cord", "[Pipe]"),
    locations=tuple(f"Place {number}" for number in range(9)),
    room_slots=(9, 8, 7, 6, 5, 4, 3, 2, 1),
)


@pytest.fixture(scope="module")
def record() -> Record:
    return a_record(3, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_record_reads_as_the_same_record_and_plays_through(players: int, seed: int) -> None:
    record = a_record(players, seed)
    assert parse(text(record)) == record
    assert text(parse(text(record))) == text(record)
    assert replay(record) == ()
    assert digest(record) == record.digest


def test_every_option_is_kept() -> None:
    assert all(getattr(EVERYTHING, field.name) is not None for field in fields(EVERYTHING))
    record = a_record(2, 5, overrides=EVERYTHING)
    assert parse(text(record)) == record
    assert replay(record) == ()


def test_an_abandoned_game_is_kept_too(record: Record) -> None:
    broken_off = a_record(3, 1, turns=2)
    assert broken_off.result is None
    assert text(broken_off).endswith("\nabandoned\n")
    assert parse(text(broken_off)) == broken_off
    assert replay(broken_off) == ()


def test_a_game_that_was_never_dealt_is_kept_too(record: Record) -> None:
    bare = record._replace(draws=(), turns=(), result=None)
    assert parse(text(bare)) == bare
    assert replay(bare) == ()


def test_reading_forgives_spaces_empty_lines_and_the_order_of_tags(record: Record) -> None:
    written = text(record)
    digest_tag = next(line for line in written.split("\n") if line.startswith("[Digest"))
    loose = f"{digest_tag}\n{written.replace(digest_tag, '')}".replace("\n", " \t\r\n\n  ").replace(" / ", "  /")
    assert parse(loose) == record


def _fault(record: Record) -> str:
    (fault,) = replay(record)
    return f"{fault.place}: {fault.text.en}"


def test_what_cannot_be_in_a_record_is_told_by_its_place(record: Record) -> None:
    first, *others = record.turns
    s1 = suspect(1)
    assert _fault(record._replace(turns=((Passage(s1, s1), *first), *others))).startswith("turn 1: S1 passage")
    assert "CL-TURN-07" in _fault(record._replace(turns=((EndTurn(s1), *first), *others)))
    assert _fault(record._replace(turns=((Roll(s1),), *others))).startswith("turn 2: turn 1 is not over")
    assert _fault(record._replace(result=Result(s1, "CL-END-01"))).startswith("result")
    assert _fault(record._replace(draws=record.draws[:5])).startswith("draws")
    assert _fault(record._replace(draws=(*record.draws, record.draws[-1]))).startswith("draws")
    assert _fault(record._replace(players=2)).startswith("seats")
    seat = record.seats[0]._replace(pawn=weapon(1))
    assert _fault(record._replace(seats=(seat, *record.seats[1:]))).startswith("seats[0].pawn")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('[Game "cluedo"]', '[Game "chess"]', (1, 7)),
        ('[Game "cluedo"]', "[Game cluedo]", (1, 1)),
        ('[Game "cluedo"]', '[Sport "cluedo"]', (1, 2)),
        ('[Preset "james-bond"]', '[Preset "james" "bond"]', (4, 1)),
        ('[Players "3"]', '[Players "three"]', (5, 10)),
        ('"S1"]', '"S1x"]', (6, 17)),
        ("1. S1 roll", "1. S1 rol", (-1, 7)),
        ("1. S1 roll", "2. S1 roll", (-1, 1)),
        ("1. S1 roll", "1. S1 roll / S1 walk 7", (-1, 22)),
    ],
)
def test_what_is_no_record_is_refused_with_line_and_column(
    record: Record, old: str, new: str, place: tuple[int, int]
) -> None:
    written = text(record)
    assert old in written
    line = written[: written.index(old)].count("\n") + 1
    with pytest.raises(RecordError) as error:
        parse(written.replace(old, new, 1))
    assert (error.value.line, error.value.column) == (line if place[0] < 0 else place[0], place[1])


@pytest.mark.parametrize("tag", ["Game", "Id", "Ruleset", "Preset", "Players", "Commitment", "Seed"])
def test_a_tag_is_missed_or_stands_once_too_often(record: Record, tag: str) -> None:
    written = text(record)
    line = next(line for line in written.split("\n") if line.startswith(f"[{tag} "))
    for changed, reason in ((written.replace(f"{line}\n", "", 1), "is missing"), (f"{line}\n{written}", "too often")):
        with pytest.raises(RecordError, match=f"the tag {tag} .*{reason}"):
            parse(changed)
