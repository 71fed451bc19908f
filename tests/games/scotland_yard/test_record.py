"""Records as text: one form for each, and errors that point at the place."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.scotland_yard.recorded import a_record
from whitehall.games.core.chance import Draw
from whitehall.games.core.record import RecordedSeed
from whitehall.games.core.record_tag import RecordError
from whitehall.games.scotland_yard.notation import parse as move
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.record import (
    Placement,
    Record,
    RecordedSeat,
    Result,
    digest,
    text,
)
from whitehall.games.scotland_yard.record_reading import parse
from whitehall.games.scotland_yard.replay import replay
from whitehall.games.scotland_yard.ticket import Station, Tickets

SEED = "0f" * 32
SHORT = f"""\
[Game "scotland-yard"]
[Id "abcdefghijklmnopqrstuvwxyz"]
[Ruleset "1"]
[Preset "new"]
[Players "3"]
[Seat "mr_x" "mr_x"]
[Seat "Zoë" "red blue"]
[Commitment "{SEED}"]
[Seed "{SEED}"]
[ClientSeed "host" "a \\"b\\""]
[ClientSeed "1" ""]
[Draw "start card of red" "16" "7"]
[Start "red 13" "mr_x 45"]

1. mr_x taxi 46 / red taxi 4; bobby1 pass / blue taxi 15;
2. mr_x double taxi 45 black 58

mr_x wins SY-END-04
"""


def test_each_part_of_a_record_has_its_place_in_the_text() -> None:
    record = Record(
        game_id="abcdefghijklmnopqrstuvwxyz",
        ruleset=1,
        preset="new",
        players=3,
        seats=(RecordedSeat("mr_x", (Piece.MR_X,)), RecordedSeat("Zoë", (Piece.RED, Piece.BLUE))),
        commitment=SEED,
        server_seed=SEED,
        client_seeds=(RecordedSeed(-1, 'a "b"'), RecordedSeed(1, "")),
        draws=(Draw("start card of red", 16, 7),),
        start=(Placement(Piece.RED, Station(13)), Placement(Piece.MR_X, Station(45))),
        turns=(
            (move("mr_x taxi 46"), move("red taxi 4; bobby1 pass"), move("blue taxi 15;")),
            (move("double taxi 45 black 58"),),
        ),
        result=Result(mr_x_wins=True, rule="SY-END-04"),
    )
    assert text(record) == SHORT
    assert parse(SHORT) == record


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_records_of_games_go_to_text_and_back_and_to_the_same_text_again(players: int) -> None:
    for seed in range(12):
        record = a_record(players, seed, rounds=seed if seed % 3 == 0 else 99)
        written = text(record)
        assert parse(written) == record
        assert text(parse(written)) == written
        assert digest(parse(written)) == record.digest


CHANGES = {
    "every kind of option": Overrides(
        board="london-classic",
        end_by=EndBy.ROUNDS,
        rounds=10,
        log_fields=12,
        surfacing=(2, 5),
        detective_tickets=Tickets(9, 7, 3),
        detective_black_tickets=1,
        mr_x_supply=MrXSupply.FINITE,
        box_tickets=Tickets(57, 45, 23),
        black_tickets=3,
        double_tickets=1,
        bobbies=0,
        stuck_scope=StuckScope.ALL_HUNTERS,
        last_black_wins=True,
        start_by=StartBy.CARDS,
        start_cards_mr_x=(35, 45, 51, 71, 78, 104),
        start_cards_hunters=(13, 26, 29, 34, 50, 53, 91),
    ),
    "no surfacing": Overrides(surfacing=()),
    "a hand of his own": Overrides(mr_x_supply=MrXSupply.FROM_DETECTIVES, mr_x_hand=Tickets(4, 3, 3)),
    "chosen starts": Overrides(start_by=StartBy.CHOICE),
    "distributed hunters": Overrides(start_by=StartBy.DISTRIBUTION),
    "off": Overrides(last_black_wins=False, double_tickets=0),
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_options_that_differ_from_the_preset_are_told_and_played_by(changes: Overrides) -> None:
    for seed in range(3):
        record = a_record(4, seed, overrides=changes)
        assert parse(text(record)) == record
        assert text(parse(text(record))) == text(record)
        assert replay(record) == ()
        assert replay(record._replace(overrides=Overrides(rounds=2)))


@pytest.mark.parametrize("start_by", [StartBy.CHOICE, StartBy.DISTRIBUTION])
def test_choose_a_record_tells_who_was_placed_where_in_order_and_a_false_placement_is_found(start_by: StartBy) -> None:
    record = a_record(3, 1, overrides=Overrides(start_by=start_by))
    assert sorted(placement.piece for placement in record.start) == [1, 2, 3, 7, 8]
    assert replay(record) == ()
    first, *others = record.start
    assert replay(record._replace(start=(*others, first)))[0].place == "start"
    assert replay(record._replace(start=tuple(others)))
    shared = first._replace(station=others[0].station)
    assert replay(record._replace(start=(shared, *others)))[0].place == "start"


@pytest.mark.parametrize("start_by", [StartBy.CHOICE, StartBy.DISTRIBUTION])
def test_choose_a_game_abandoned_while_pieces_were_placed_has_a_record_too(start_by: StartBy) -> None:
    record = a_record(3, 1, rounds=-1, overrides=Overrides(start_by=start_by))
    whole = a_record(3, 1, overrides=Overrides(start_by=start_by)).start
    for placed in range(len(record.start), len(whole)):
        broken_off = record._replace(start=whole[:placed])
        assert parse(text(broken_off)) == broken_off
        assert replay(broken_off) == ()


def test_choose_a_placement_among_the_turns_is_refused_with_its_place() -> None:
    with pytest.raises(RecordError) as caught:
        parse(SHORT.replace("blue taxi 15;", "blue start 15"))
    assert (caught.value.line, caught.value.reason) == (15, "pieces are placed before the turns, in the tag Start")


@pytest.mark.parametrize("players", [2, 6])
def test_records_of_the_classic_edition_are_played_by_its_rules(players: int) -> None:
    record = a_record(players, 1, preset="classic")
    assert parse(text(record)) == record
    assert replay(record) == ()
    assert replay(record._replace(preset="new"))


@pytest.mark.parametrize(
    ("option", "column", "reason"),
    [
        ('"colour" "red"', 9, "there is no option 'colour'; there are: board, end_by"),
        ('"rounds" "many"', 18, "expected a number from 0 to 999"),
        ('"surfacing" "3, 8"', 21, "expected numbers with spaces between them, such as 3 8 13"),
        ('"mr_x_hand" "4/3"', 21, "expected taxi, bus and underground tickets"),
        ('"end_by" "bell"', 18, "expected rounds or log_full"),
        ('"last_black_wins" "yes"', 27, "expected true or false"),
        ('"rounds"', 1, "the tag takes 2 values"),
    ],
)
def test_an_option_that_cannot_be_read_is_told_with_its_place(option: str, column: int, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(spoilt('[Seat "mr_x"', f'[Option {option}]\n[Seat "mr_x"'))
    assert (caught.value.line, caught.value.column) == (6, column)
    assert caught.value.reason.startswith(reason)


def test_an_option_stands_once() -> None:
    twice = '[Option "rounds" "9"]\n[Option "rounds" "9"]\n[Seat "mr_x"'
    with pytest.raises(RecordError, match="line 7, column 9: stands here twice"):
        parse(spoilt('[Seat "mr_x"', twice))


def test_reading_forgives_spaces_empty_lines_and_the_order_of_tags() -> None:
    lines = SHORT.replace(" / ", "  /").replace("[Seed ", "  [Seed   ").split("\n")
    lines[:5] = reversed(lines[:5])
    assert parse("\r\n\r\n".join(lines)) == parse(SHORT)


def spoilt(old: str, new: str) -> str:
    assert SHORT.count(old) == 1
    return SHORT.replace(old, new)


@pytest.mark.parametrize(
    ("wrong", "line", "column", "reason"),
    [
        ("", 1, 1, "the tag Game is missing"),
        (spoilt('[Preset "new"]\n', ""), 18, 1, "the tag Preset is missing"),
        (spoilt('"scotland-yard"', '"chess"'), 1, 7, "expected scotland-yard"),
        (spoilt('[Id "', '[Id "x"]\n[Id "'), 3, 1, "the tag Id stands here once too often"),
        (spoilt("[Ruleset ", "[Rules "), 3, 2, "there is no tag Rules; there are: Game, Id"),
        (spoilt('[Players "3"]', '[Players "three"]'), 5, 10, "expected a number from 1 to 99"),
        (spoilt('[Players "3"]', '[Players "3"'), 5, 1, "expected a tag such as"),
        (spoilt('[Players "3"]', '[Players "3" "4"]'), 5, 1, "the tag takes one value"),
        (spoilt('"red blue"', '"red pink"'), 7, 13, "there is no piece 'pink'"),
        (spoilt('"red blue"', '""'), 7, 13, "there is no piece ''"),
        (spoilt("Zoë", "Zo\\q"), 7, 10, "expected a text as JSON writes it"),
        (spoilt("Zoë", "Zo\\ud800"), 7, 7, "half a character is no text"),
        (spoilt(f'[Seed "{SEED}"]', f'[Seed "{SEED[:-1]}"]'), 9, 7, "expected 64 hexadecimal digits"),
        (spoilt('"16" "7"', '"16" "16"'), 12, 32, "expected a number from 0 to 15"),
        (spoilt('"red 13"', '"red13"'), 13, 8, "expected a piece and its station"),
        (spoilt("1. mr_x", "2. mr_x"), 15, 1, "expected turn 1"),
        (spoilt("mr_x taxi 46 / ", ""), 15, 4, "a turn is one move of mr_x, then moves of hunters"),
        (spoilt("red taxi 4;", "mr_x taxi 4;"), 15, 19, "a turn is one move of mr_x, then moves of hunters"),
        (
            spoilt("blue taxi 15", "blue tram 15"),
            15,
            50,
            "expected taxi, bus, underground, black, helicopter, pass, start or double",
        ),
        (spoilt("black 58", "black"), 16, 29, "expected the number of a station"),
        (spoilt("mr_x wins", "mr_x won"), 18, 1, "expected a tag, a numbered turn or the result"),
        (spoilt("mr_x wins SY-END-04\n", ""), 18, 1, "the result is missing"),
        (SHORT + "abandoned\n", 19, 1, "nothing may follow the result"),
        (spoilt("2. mr_x", '[Digest "x"]\n2. mr_x'), 16, 1, "tags stand before the turns"),
    ],
)
def test_an_error_tells_line_column_and_reason(wrong: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(wrong)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.reason.startswith(reason)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


WHOLE = text(a_record(2, 1))


@given(st.integers(0, len(WHOLE)), st.integers(0, 12), st.text(max_size=6) | st.sampled_from(['"', "[", "\n", " / "]))
@example(0, 0, "[" * 6)
def test_whatever_is_changed_in_a_record_it_is_read_or_the_place_is_told(place: int, cut: int, put: str) -> None:
    check_reading(WHOLE[:place] + put + WHOLE[place + cut :])


@given(st.text(alphabet=st.sampled_from('[]" \n./;15abGame\\u') | st.characters(), max_size=60))
def test_any_text_is_read_or_the_place_is_told(wrong: str) -> None:
    check_reading(wrong)


def check_reading(wrong: str) -> None:
    fault = None
    try:
        record = parse(wrong)
    except RecordError as error:
        fault = error
    else:
        assert parse(text(record)) == record
    if fault is not None:
        lines = wrong.split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
