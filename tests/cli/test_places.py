"""Faults of notation: each is told with the line and column of what is at fault, whatever the game and the command.

Where a fault stands is drawn below the question; the words after the caret are how its reason begins.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.cluedo import recorded as cluedo
from tests.games.scotland_yard import recorded as scotland_yard
from whitehall.cli.cluedo_answers import refuter, solutions
from whitehall.cli.questions import Answer
from whitehall.cli.scotland_yard_answers import legal_moves, locations, validate
from whitehall.cli.scotland_yard_tables import locate, scan
from whitehall.cli.verification import Verdict, verify
from whitehall.games.cluedo import record as cluedo_record
from whitehall.games.core.notation import NotationError
from whitehall.games.scotland_yard import record as scotland_yard_record

DRAWN: dict[Answer, str] = {
    solutions: """
        1 players
        ^ must be 2 to 6
        7 players seat 0 holds S1
        ^ must be 2 to 6
        4 players first 4
                        ^ there is no seat 4
        4 players deck 0 6 9
                       ^ leaves no suspect for the envelope
        4 players deck 6 6 10
                           ^ 10 are too many
        6 players deck 3 2 3
                       ^ leaves too few cards
        4 players open S1 S7
                          ^ S7 is not in the deck
        4 players open S1 W1 S1
                             ^ S1 is there twice
        2 players open S1 S2 S3 S4 S5 S6
                       ^ leaves no suspect for the envelope
        6 players seat 6 holds S1 W1 L1
                       ^ there is no seat 6
        6 players seat 0 holds S1 W1
                               ^ must be 3 cards
        6 players seat 0 holds S1 W1 W1
                                     ^ W1 is there twice
        6 players seat 0 holds S1 L10 W1
                                  ^ L10 is not in the deck
        6 players open W1 W2 W3 seat 0 holds S1 W1
                                                ^ W1 lies open
        4 players | 4 accuse S1 W1 L1
                    ^ there is no seat 4
        4 players | 0 accuse S1 W1 L1 | 1 accuse S1 W7 L1
                                                    ^ W7 is not in the deck
        4 players | 2 accuse S1 W1 L1 | 2 suggest S1 W1 L1
                                        ^ seat 2 has accused wrongly before
        4 players | 0 suggest S7 W1 L1
                              ^ S7 is not in the deck
        4 players | 0 suggest S1 W1 L1; 2 pass
                                        ^ seat 2 is not asked then
        4 players | 3 suggest S1 W1 L1; 0 pass; 1 pass; 1 pass
                                                        ^ seat 1 is not asked then
        4 players | 0 suggest S1 W1 L1; 1 pass; 3 show
                                                ^ seat 3 is not asked then
        4 players | 0 suggest S1 W1 L1; 1 show S2
                                               ^ S2 was not named
        6 players seat 0 holds S2 W2 L2 | 1 accuse S1 W1 L1 saw S1 W1 L3
                                                                ^ only who has accused
        6 players seat 0 holds S2 W2 L2 | 0 accuse S1 W1 L1 saw S1 W1 L1
                                                                ^ holds what was accused
        6 players seat 0 holds S2 W2 L2 | 0 accuse S1 W1 L1 saw S1 W2 L3
                                                                   ^ W2 is in the hand of seat 0
        6 players seat 0 holds S2 W2 L2 | 0 accuse S1 W1 L1 saw S1 W1 L10
                                                                      ^ L10 is not in the deck
        6 players open S3 W3 L3 seat 0 holds S2 W2 L2 | 0 accuse S1 W1 L1 saw S3 W1 L1
                                                                              ^ S3 lies open
        6 players seat 0 holds S1 W1 L1 |  1 suggest S1 W1 L1; 2 pass; 3 pass; 4 pass; 5 pass; 0 pass
                                           ^ contradicts what is known before it
    """,
    refuter: """
        0 holds S1 | 0 suggest S4 W2 L3
                   ^ expected the hands of 2 to 6 seats
        0 holds S1; 1 holds W1 S1 | 0 suggest S4 W2 L3
                               ^ S1 is in the hand of seat 0 already
        0 holds S1; 1 holds W1 | 2 suggest S4 W2 L3
                                 ^ there is no seat 2
    """,
    locations: """
        atlantis | taxi
        ^ there is no board 'atlantis'
        london-2013 start:35/200
                             ^ there is no station 200
        london-2013 start:35/45/35
                                ^ station 35 is there twice
        london-2013 now:13 | 14 taxi | 15
                        ^ must be left out while Mr X is to move
        london-2013 now:13/26 | 14 taxi
                        ^ must be 1 stations, as in the first round
        london-2013 now:13/200 | 14/26 taxi
                           ^ there is no station 200
        london-2013 | 13/200 taxi
                         ^ there is no station 200
        london-2013 | 13/26 taxi | 13/26/29 taxi
                                   ^ must be 2 stations, as in the first round
        london-2013 | 13/13 taxi
                         ^ station 13 is there twice
        london-2013 | 1/2/3/4/5/6/7/8 taxi
                                    ^ no game has more than 7 hunters
        london-2013 | taxi bus black
                               ^ must be 2 at most, for a double move
        london-2013 | 13 | 14 taxi
                        ^ must be there: Mr X moves in every round
        london-2013 | taxi@200
                      ^ there is no station 200
        london-2013 | taxi black:100
                           ^ must be 0 to 99
        london-2013 | taxi helicopter:1
                           ^ must be left out where there is no app
        london-2013 | bus bus supply:4/1/3
                              ^ 1 bus tickets cannot pay for 2 rides
        london-2013 | taxi scan:8
                           ^ must be left out where there is no app
        london-2013 | taxi scan:8 scan:9
                           ^ must be left out where there is no app
        london-2013 master | scan:8 scan:9
                             ^ must be left out while Mr X is to move
        london-2013 master option:master.recent_window=4 | taxi interrogate:"King's Cross" hear:"King's Cross"/4
                                                                                           ^ must be less than 4
        london-2013 master option:master.per_game_cap=999
                           ^ must be 0 to 99
    """,
    legal_moves: """
        newest 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34
        ^ there is no preset 'newest'
        new 9 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34
            ^ must be 2 to 6
        new option:rounds=99 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34
            ^ must be
        new 3 23 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34
              ^ must be 1 to 22
        new 3 1 mr_x mr_x@200 red@13 blue@26 bobby1@29 bobby2@34
                     ^ there is no station 200
        new 3 1 mr_x mr_x@45 red@13 blue@26:12/0/0 bobby1@29 bobby2@34
                                    ^ each kind of ticket must be 0 to 11/8/4
        new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 double:3
                                                                ^ must be 0 to 2
        new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 helicopter:1
                                                                ^ preset new plays without the app
        master 3 2 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 helicopter:9
                                                                   ^ must be 0 to 1
        master 3 2 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 moves:1 finding:1/1:scan:8 finding:3/1:scan:8
                                                                                              ^ must be 1: the latest
    """,
    validate: """
        new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@26 | taxi 46
                                                      ^ two pieces cannot share a station
        new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 | red double taxi 46 taxi 45
                                                                  ^ only mr_x makes a double move
    """,
    locate: """
        atlantis 1
        ^ there is no board 'atlantis'
        london-2013 13 200
                       ^ there is no station 200
        london-2013 near far any
                    ^ must be one for each of the 4 masts
    """,
    scan: """
        london-2013 200
                    ^ there is no station 200
    """,
}


def cases() -> list[tuple[Answer, str, int, str]]:
    found: list[tuple[Answer, str, int, str]] = []
    for answer, drawing in DRAWN.items():
        lines = [line[8:] for line in drawing.strip("\n").split("\n")]
        for question, told in zip(lines[::2], lines[1::2], strict=False):
            before, _, reason = told.partition("^ ")
            found.append((answer, question, len(before) + 1, reason))
    return found


@pytest.mark.parametrize(("answer", "question", "column", "reason"), cases())
def test_what_a_line_cannot_say_is_told_where_the_line_says_it(
    answer: Answer, question: str, column: int, reason: str
) -> None:
    with pytest.raises(NotationError) as refused:
        answer(question)
    assert refused.value.reason.startswith(reason)
    assert refused.value.column == column


CARDS = st.sampled_from(["S1", "S2", "S6", "S7", "W1", "W2", "W6", "W7", "L1", "L2", "L9", "L10"])
SEATS = st.integers(0, 6).map(str)
CASES = st.tuples(*(st.sampled_from(f"{letter}1 {letter}2 {letter}10".split()) for letter in "SWL")).map(" ".join)
HANDS = st.lists(CARDS, min_size=1, max_size=6).map(" ".join)
LOGS = st.builds(
    " | ".join,
    st.tuples(
        st.builds(
            "{} players{}{}".format,
            st.integers(2, 6),
            HANDS.map(" open {}".format) | st.just(""),
            st.builds(" seat {} holds {}".format, SEATS, HANDS) | st.just(""),
        ),
        st.builds("{} accuse {} saw {}".format, SEATS, CASES, CASES)
        | st.builds("{} suggest {}; {} pass; {} show {}".format, SEATS, CASES, SEATS, SEATS, CARDS),
    ),
)
QUESTIONS: dict[Answer, st.SearchStrategy[str]] = {
    solutions: LOGS,
    refuter: st.builds("0 holds {}; 1 holds {} | {} suggest {}".format, HANDS, HANDS, SEATS, CASES),
    locations: st.builds(
        "london-2013 start:{0}/{1} now:{2} | {3} {4}{5} | {6} taxi".format,
        *(st.integers(1, 205) for _ in range(4)),
        st.sampled_from(["taxi", "bus black", "taxi taxi taxi", "helicopter", "taxi scan:8", "taxi black:0 black"]),
        st.integers(1, 205).map("@{}".format) | st.just(""),
        st.sampled_from(["13", "13/200", "7/7", "1/2"]),
    ),
    legal_moves: st.builds(
        "new {} {} hunters mr_x@{} red@{}:{}/8/4! blue@26 bobby1@{} bobby2@34 black:{} moves:{}".format,
        st.sampled_from([2, 3, 7]),
        st.sampled_from([1, 2, 22, 23]),
        st.integers(1, 205),
        st.sampled_from([13, 26, 200]),
        st.integers(9, 13),
        st.sampled_from([29, 34, 201]),
        st.integers(0, 7),
        st.integers(0, 3),
    ),
    scan: st.builds(
        "london-2013 {} {} distance:{}".format, *(st.integers(1, 205) for _ in range(2)), st.integers(0, 99)
    ),
}


@pytest.mark.parametrize("answer", QUESTIONS)
@given(data=st.data())
def test_whatever_a_line_says_its_fault_has_the_column_of_a_word(answer: Answer, data: st.DataObject) -> None:
    question = data.draw(QUESTIONS[answer])
    column = slip_in(answer, question)
    ends = [found.end() + 1 for found in re.finditer(r"\S+", question)]
    begins = [found.start() + 1 for found in re.finditer(r"(?<![^\s/:])[^\s/:]|;|\|", question)]
    assert column is None or column in begins or column in ends


def slip_in(answer: Answer, question: str) -> int | None:
    """The column of the slip; None for an answer."""
    try:
        answer(question)
    except NotationError as error:
        return error.column
    return None


YARD = scotland_yard_record.text(scotland_yard.a_record(3, 1)._replace(digest=""))
MANSION = cluedo_record.text(cluedo.a_record(3, 1)._replace(digest=""))


@pytest.mark.parametrize(
    ("record", "old", "new", "place", "token"),
    [
        (YARD, '[Preset "new"]', '[Preset "newest"]', "preset", '"newest"'),
        (YARD, '[Players "3"]', '[Players "9"]', "players", '"9"'),
        (YARD, '[Players "3"]', '[Players "2"]', "seats", '"Ann'),
        (YARD, '[Players "3"]', '[Players "3"]\n[Option "rounds" "99"]', "overrides.rounds", '"99"'),
        (
            YARD,
            '[Players "3"]',
            '[Players "3"]\n[Option "bobbies" "1"]\n[Option "surfacing" "8 3"]',
            "overrides.surfacing.fields[1]",
            '"8 3"',
        ),
        (
            YARD,
            '[Preset "new"]',
            '[Preset "master"]\n[Option "master.cooldown" "999"]',
            "overrides.master.cooldown",
            '"999"',
        ),
        (
            YARD,
            '[Preset "new"]',
            '[Preset "master"]\n[Option "master.masts" "13 200"]',
            "overrides.master.masts.stations[1]",
            '"13 200"',
        ),
        (
            YARD,
            '[Preset "new"]',
            '[Preset "new"]\n[Option "detective_tickets" "11/8/999"]',
            "overrides.detective_tickets.underground",
            '"11/8/999"',
        ),
        (YARD, '"7"]', '"8"]', "draw 2", '"8"'),
        (YARD, '"red 138" "blue 94"', '"red 138" "blue 95"', "start", '"blue 95"'),
        (YARD, '"mr_x 71"]', '"mr_x 71" "mr_x 72"]', "start", '"mr_x 72"'),
        (YARD, "blue taxi 95", "blue taxi 199", "turn 2", "blue taxi 199"),
        (YARD, "bobby1 bus 163 / ", "", "turn 3", "mr_x"),
        (YARD, "mr_x wins SY-END-03", "mr_x wins SY-END-04", "result", "mr_x wins"),
        (MANSION, '[Preset "james-bond"]', '[Preset "goldfinger"]', "preset", '"goldfinger"'),
        (MANSION, '[Players "3"]', '[Players "7"]', "players", '"7"'),
        (MANSION, '[Players "3"]', '[Players "2"]', "seats", '"Ann'),
        (MANSION, '"Ann “1”" "S2"', '"Ann “1”" "S1"', "seats[1].pawn", '"S1"'),
        (MANSION, '[Players "3"]', '[Players "3"]\n[Option "neutral_cards" "3"]', "overrides.neutral_cards", '"3"'),
        (MANSION, '"18" "2"', '"18" "3"', "draw 4", '"3"'),
        (MANSION, "S3 show W3 / S2 end\n3.", "S3 show W2 / S2 end\n3.", "turn 2", "S3 show W2"),
        (MANSION, "S1 roll / S1 walk 19,7\n", "S1 roll\n", "turn 2", "S2 roll"),
        (MANSION, "S1 roll / S1 walk 19,7\n", "S1 roll /   S1 walk 1,7\n", "turn 1", "S1 walk 1,7"),
        (MANSION, "nobody wins CL-END-02", "S1 wins CL-END-01", "result", "S1 wins"),
    ],
)
def test_what_cannot_be_in_a_record_is_told_where_its_text_says_it(
    record: str, old: str, new: str, place: str, token: str
) -> None:
    assert record.count(old) == 1
    wrong = record.replace(old, new)
    found = {fault.place: fault for fault in verify(wrong).faults}[place]
    assert found.at is not None
    line = wrong.split("\n")[found.at.line - 1]
    assert line[found.at.column - 1 :].startswith(token)
    assert token not in line[: found.at.column - 1]


@pytest.mark.parametrize("record", [YARD, MANSION], ids=["scotland-yard", "cluedo"])
@pytest.mark.parametrize("tag", ["Commitment", "Digest"])
def test_a_hash_that_is_not_that_of_the_rest_is_told_at_its_tag(record: str, tag: str) -> None:
    lines = [line for line in record.split("\n") if not line.startswith("[Commitment")]
    lines[7:7] = [f'[Commitment "{"0" * 64}"]', f'[Digest "{"0" * 64}"]']
    found = {fault.place: fault for fault in verify("\n".join(lines)).faults}[tag.lower()]
    assert found.at == (lines.index(f'[{tag} "{"0" * 64}"]') + 1, len(f"[{tag} ") + 1)


def test_a_draw_too_few_or_too_many_is_told_where_it_would_stand() -> None:
    """One that is missing is told at the last there is."""
    lines = YARD.split("\n")
    last = max(number for number, line in enumerate(lines) if line.startswith("[Draw"))
    for changed, line in (
        ([*lines[: last + 1], lines[last], *lines[last + 1 :]], last + 2),
        (lines[:last] + lines[last + 1 :], last),
    ):
        found = {fault.place: fault for fault in verify("\n".join(changed)).faults}["draws"]
        assert found.at == (line, len("[Draw ") + 1)


def test_places_are_those_of_a_text_and_json_has_fields() -> None:
    assert verify("").verdict is Verdict.UNREADABLE
    assert verify("").faults[0].at == (1, 1)
    assert verify("{}").faults[0].at is None
