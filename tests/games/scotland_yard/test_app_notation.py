"""The app game in a line: what it has found and shown in positions, and what it answered in public logs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.scotland_yard.changes import any_master_changes, possible_changes
from tests.games.scotland_yard.recaller import app_game
from tests.games.scotland_yard.test_option_words import without_landmarks
from whitehall.games.core.fault import InvalidField, OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.seat import Seat
from whitehall.games.scotland_yard import log_notation, log_reading, position_notation
from whitehall.games.scotland_yard.app_options import app_options
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.deduction import possible_locations
from whitehall.games.scotland_yard.differences import app_in_force, changes, in_force
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.findings import Analysed, Answer, Interrogated, Located, Scanned, StatementHeard
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.landmarks import london
from whitehall.games.scotland_yard.log_notation import PublicLog
from whitehall.games.scotland_yard.master import Landmark, MasterOverrides, Nearness, SpecialAction
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.state import MasterState, MeetingPoint, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

LANDMARKS = [landmark.name for landmark in london()]
names = st.sampled_from(LANDMARKS)
stations = st.integers(1, 199).map(Station)
answers = st.one_of(
    st.builds(Analysed, st.lists(stations, max_size=5).map(tuple)),
    st.builds(Located, st.lists(st.sampled_from(Nearness), min_size=4, max_size=4).map(tuple)),
    st.builds(Scanned, st.integers(0, 20)),
    st.builds(Interrogated, st.lists(names, max_size=3).map(tuple)),
    st.builds(StatementHeard, names, st.integers(0, 5)),
)
"""Anything that an app game with the usual options may answer."""

rides = st.builds(PublicRide, st.sampled_from(Ticket), st.none() | stations)
rounds = st.builds(
    PublicRound,
    st.lists(stations, max_size=4).map(tuple),
    st.lists(rides, max_size=2).map(tuple),
    st.none() | st.builds(Tickets, *[st.integers(0, 99)] * 3),
    st.none() | st.integers(0, 9),
    st.none() | st.integers(0, 3),
    st.lists(answers, max_size=3).map(tuple),
)
SCENE = "master 2 4 hunters mr_x@45 red@104 blue@46 bobby1@2 bobby2@5"


def app_options_of(seed: int) -> ScotlandYardOptions:
    """An app game, in two thirds of the cases with other options than its preset's, and London's own landmarks."""
    random, players = Random(seed), 2 + seed % 5
    try:
        return resolve("master", players, changes=without_landmarks(possible_changes(random, "master", players)))
    except OptionsError:  # only the landmarks made an option next to them fit
        return resolve("master", players)


def kept(state: ScotlandYardState) -> MasterState:
    assert state.master is not None
    return state.master


@pytest.mark.parametrize("seed", range(12))
def test_every_position_of_an_app_game_goes_to_a_line_and_back(seed: int) -> None:
    """With all that the app keeps, so that the same moves are legal there as in the game itself."""
    for state, _ in app_game(app_options_of(seed), seed, Seat(1)):
        if state.phase not in (Phase.MR_X, Phase.HUNTERS):
            continue
        line = position_notation.text(state)
        again = position_notation.parse(line)
        assert position_notation.text(again) == line
        assert kept(again) == kept(state)
        # In a position one seat moves all hunters; in a game they may have one each.
        sides = (Seat(0),) if state.phase is Phase.MR_X else state.options.hunter_seats
        legal = {move for seat in sides for move in game.legal_moves(state, seat)}
        assert set(game.legal_moves(again, game.to_move(again)[0])) == legal


def test_what_the_app_keeps_is_written_word_by_word() -> None:
    line = (
        f"{SCENE} double:1 moves:5 helicopter:0 offered:locate/scan point:1/3@88 point:3@17 finding:1/1:scan:8 "
        f'finding:2/3:interrogate:"King\'s Cross"/"BT Tower" finding:2/3:hear:"BT Tower"/0 '
        "finding:3/4:locate:far/near/medium/far finding:4/5:analysis:69/103"
    )
    master = kept(position_notation.parse(line))
    assert master.helicopter_tickets == 0
    assert master.offered == (SpecialAction.LOCATE, SpecialAction.SCAN)
    assert master.meeting_points == (MeetingPoint(Station(88), 1, 3), MeetingPoint(Station(17), 3, 0))
    assert [(finding.round, finding.field) for finding in master.findings] == [(1, 1), (2, 3), (2, 3), (3, 4), (4, 5)]
    assert [finding.answer for finding in master.findings] == [
        Scanned(8),
        Interrogated(("King's Cross", "BT Tower")),
        StatementHeard("BT Tower", 0),
        Located((Nearness.FAR, Nearness.NEAR, Nearness.MEDIUM, Nearness.FAR)),
        Analysed((Station(69), Station(103))),
    ]
    assert position_notation.text(position_notation.parse(line)).endswith(line.partition(" moves:5 ")[2])


@pytest.mark.parametrize(
    ("said", "column", "reason"),
    [
        ("helicopter:x", 12, "expected a number of tickets from 0 to 999"),
        ("helicopter:99999999999", 12, "expected a number of tickets from 0 to 999"),
        ("helicopter:2", 1, "must be 0 to 1"),
        ("helicopter:1 helicopter:1", 14, "stands here twice"),
        ("offered:scan/tram", 14, "expected each of analysis, locate, scan, interrogate once at most"),
        ("offered:scan/scan", 14, "expected each of analysis, locate, scan, interrogate once at most"),
        ("point:88", 7, "expected a meeting point, such as 3@88 or 3/9@88"),
        ("point:3@88 point:3@200", 12, "there is no station 200"),
        ("point:3@88 point:3/2@17", 12, "must be after field 3, when he was shown it"),
        ("point:1/2@88 point:1/2@17", 1, "a game is won when 2 are reached"),
        ("finding:scan:8", 9, "expected round, fields and an answer"),
        ("finding:1/1:tram:8", 13, "expected analysis, locate, scan, interrogate or hear"),
        ("finding:1/1:scan:x", 18, "expected a number of taxi moves"),
        ("finding:1/1:locate:far/nearby", 24, "expected near, medium or far for each mast"),
        ("finding:1/1:locate:far/near", 1, "must tell of the masts 13, 184, 94, 108, in this order"),
        ("finding:1/1:analysis:1/2/x", 22, "expected stations with slashes between them"),
        ("finding:1/1:analysis:1/200", 1, "there is no station 200"),
        ("finding:1/1:analysis:69/69/2", 1, "station 69 is there twice"),
        ("finding:1/1:analysis:69/2", 1, "must ascend"),
        ("finding:1/1:analysis:69/103/69", 1, "station 69 is there twice"),
        ("finding:1/1:analysis:", 1, "must be 1 station or more"),
        ("finding:1/1:scan:999", 1, "must be 0 to 998"),
        ('finding:1/1:hear:"Harrods"/3', 1, "must be less than 3"),
        ("finding:1/1:interrogate:Paddington", 25, "expected landmarks in quotes"),
        ('finding:1/1:interrogate:"Paddington', 25, "expected landmarks in quotes"),
        ('finding:1/1:interrogate:"Eiffel Tower"', 1, "there is no landmark 'Eiffel Tower'"),
        ('finding:1/1:interrogate:"Harrods"/"Harrods"', 1, "'Harrods' is there twice"),
        ('finding:1/1:hear:"King\'s Cross"', 18, "expected a landmark in quotes and how many moves ago"),
        ("finding:2/2:scan:8 finding:1/1:scan:8", 20, "must be 2 to 4: the latest come last"),
        ("finding:1/1:scan:8 finding:5/5:scan:8", 20, "must be 1 to 4: the latest come last"),
        ('finding:1/1:hear:"King\'s Cross"/1 point:x', 41, "expected a meeting point"),
    ],
)
def test_what_is_wrong_about_the_app_is_told_with_its_column(said: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        position_notation.parse(f"{SCENE} {said}")
    assert caught.value.reason.startswith(reason)
    assert caught.value.column == len(SCENE) + 1 + column


def test_without_the_app_nothing_of_it_is_read() -> None:
    line = "new 3 1 mr_x mr_x@45 red@13 blue@26 bobby1@29 bobby2@34 point:3@88"
    with pytest.raises(NotationError) as caught:
        position_notation.parse(line)
    assert (caught.value.reason, caught.value.column) == ("preset new plays without the app", 57)


# --- logs -------------------------------------------------------------------------------------------------------------


@given(st.builds(PublicLog, st.just(LONDON_2013), st.lists(rounds, max_size=5).map(tuple), *[st.none()] * 3))
def test_any_rounds_with_answers_go_to_a_line_and_back(log: PublicLog) -> None:
    assert log_notation.parse(log_notation.text(log)) == log


@given(st.integers(0, 1 << 30))
def test_so_do_the_app_s_options(seed: int) -> None:
    of_app = any_master_changes(Random(seed), seed % 7)
    log = PublicLog(LONDON_2013, (), master=without_landmarks(Overrides(master=of_app)).master or MasterOverrides())
    assert log_notation.parse(log_notation.text(log)) == log


def log_of(state: ScotlandYardState) -> PublicLog:
    """What the detectives' side can have written down of an app game, from its very beginning."""
    view = game.view(state, Seat(1))
    flights = [field.number for field in view.log if field.ticket is Ticket.HELICOPTER]
    found = []
    for number, start in enumerate(state.round_starts, 1):
        fields = [field for field in view.log if field.round == number]
        flown = sum(1 for flight in flights if fields and flight < fields[0].number)
        found.append(
            PublicRound(
                start.hunters,
                tuple(PublicRide(field.ticket, field.station if field.surfaced else None) for field in fields),
                start.supply,
                None,
                kept(state).helicopter_tickets + len(flights) - flown,
                tuple(finding.answer for finding in kept(state).findings if finding.round == number),
            )
        )
    drawn = state.round_starts[0].hunters
    cards = tuple(card for card in state.options.start_cards_mr_x if card not in drawn)
    usual = app_in_force(app_options(board(LONDON_2013), MasterOverrides()))
    of_app = changes(in_force(state.options), Overrides(master=usual)).master or MasterOverrides()
    now = state.hunters if state.phase is Phase.HUNTERS else None
    return PublicLog(LONDON_2013, tuple(found), cards, now, of_app)


@pytest.mark.parametrize("seed", range(4))
def test_a_line_of_an_app_game_says_as_much_as_a_seat_s_own_view(seed: int) -> None:
    """What may be deduced from it is the same, move by move. Nobody counts black tickets here: there are some left."""
    options = resolve("master", 2 + seed, changes=Overrides(black_tickets=60))
    for state, _ in app_game(options, seed, Seat(1)):
        if state.phase not in (Phase.MR_X, Phase.HUNTERS):
            continue
        line = log_notation.text(log_of(state))
        log = log_reading.read(line)
        assert possible_locations(log.evidence()) == possible_locations(game.view(state, Seat(1)))


def test_withheld_answers_and_landmarks_have_no_words() -> None:
    withheld: list[Answer] = [Analysed(None), Located(None), Scanned(None), Interrogated(None)]
    for answer in withheld:
        this = PublicRound((), (PublicRide(Ticket.TAXI),), answers=(answer,))
        with pytest.raises(InvalidField) as caught:
            log_notation.text(PublicLog(LONDON_2013, (this,), master=MasterOverrides()))
        assert caught.value.field == "rounds[0].answers[0]"
    own = MasterOverrides(landmarks=(Landmark("Harrods", (Station(1),)),))
    with pytest.raises(InvalidField) as caught:
        log_notation.text(PublicLog(LONDON_2013, (), master=own))
    assert caught.value.field == "master.landmarks"


@pytest.mark.parametrize(
    ("wrong", "column", "reason"),
    [
        ("paris master | taxi", 1, "there is no board 'paris'"),
        ("london-2013 option:master.recent_window=4 | taxi", 13, "expected start: or now:"),
        ("london-2013 master option:rounds=13", 20, "expected an option of the app game"),
        ("london-2013 master option:master.mast=13", 27, "there is no option 'master.mast'"),
        ("london-2013 master option:master.recent_window=9", 20, "must be 1 to 6, not 9"),
        ("london-2013 master option:master.masts=13,13 start:1", 43, "station 13 is there twice"),
        ("london-2013 master option:master.locate_near=10 start:1", 20, "master.locate_medium: must be more than"),
        ("london-2013 master option:master.landmarks=1@1,1", 27, "a table of landmarks has no notation in one line"),
        ("london-2013 master start:1 option:master.recent_window=4", 28, "expected start: or now:"),
        ("london-2013 master | taxi scan:x", 32, "expected a number of taxi moves"),
        ("london-2013 master | taxi interrogate:\"King's Cross | taxi", 39, "expected landmarks in quotes"),
    ],
)
def test_what_is_wrong_in_a_log_is_told_with_its_column(wrong: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        log_reading.read(wrong)
    assert caught.value.reason.startswith(reason)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("wrong", "at", "reason"),
    [
        ("london-2013 start:35/200", "200", "there is no station 200"),
        ("london-2013 now:13/13 | 13/26 taxi", "13 |", "station 13 is there twice"),
        ("london-2013 now:26 | 13/14 taxi", "26", "must be 2 stations, as in the first round"),
        ("london-2013 | 13/26 taxi | 14/500 taxi", "500", "there is no station 500"),
        ("london-2013 | 13/26 taxi | 14 taxi", "14", "must be 2 stations, as in the first round"),
        ("london-2013 | taxi | | taxi", " | taxi", "must be there: Mr X moves in every round"),
        ("london-2013 | taxi bus black", "black", "must be 2 at most, for a double move"),
        ("london-2013 | taxi black@500 black:4", "black@", "there is no station 500"),
        ("london-2013 | taxi supply:0/1/1", "supply", "0 taxi tickets cannot pay for 1 rides"),
        ("london-2013 | 13 black black black:1", "black:1", "1 black tickets cannot pay for 2 rides"),
        (
            "london-2013 master option:master.actions_per_round=0 | taxi scan:8",
            "scan",
            "must be left out: there are no special actions",
        ),
        ("london-2013 | taxi helicopter:1", "helicopter:1", "must be left out where there is no app"),
        ("london-2013 | taxi scan:8", "scan:8", "must be left out where there is no app"),
        ("london-2013 master | helicopter helicopter:0", "helicopter:0", "0 helicopter tickets cannot pay for 1 rides"),
        (
            'london-2013 master | taxi | bus interrogate:"Eiffel | Tower"',
            "interrogate",
            "there is no landmark 'Eiffel | Tower'",
        ),
        (
            "london-2013 master | taxi locate:far/near",
            "locate",
            "must tell of the masts 13, 184, 94, 108, in this order",
        ),
        ("london-2013 master | taxi analysis:1/200", "analysis", "there is no station 200"),
        ("london-2013 master | taxi scan:8 analysis:69/69/2", "analysis", "station 69 is there twice"),
        ("london-2013 master | taxi analysis:69/2", "analysis", "must ascend"),
        ("london-2013 master | taxi analysis:", "analysis", "must be 1 station or more, as he is somewhere"),
        ("london-2013 master | taxi scan:999", "scan", "must be 0 to 998"),
        ('london-2013 master | taxi hear:"Harrods"/1', "hear", "must be one where the interrogation before it saw him"),
        (
            'london-2013 master | taxi scan:8 interrogate:"Harrods" hear:"Harrods"/3',
            "hear",
            "must be less than 3",
        ),
    ],
)
def test_so_is_what_no_table_can_have_written_down(wrong: str, at: str, reason: str) -> None:
    log = log_reading.read(wrong)
    with pytest.raises(InvalidField) as caught:
        log.evidence()
    assert caught.value.reason == reason
    assert log_reading.place(wrong, caught.value.field) == wrong.rindex(at) + 1


@given(st.lists(st.sampled_from(["|", "taxi", "scan:8", "13/26", '"', "helicopter", "master", "now:1", "bus@500"])))
def test_every_fault_of_evidence_has_a_place_in_its_line(words: list[str]) -> None:
    line = " ".join(["london-2013", *words])
    column = 1
    try:
        log_reading.read(line).evidence()
    except NotationError as error:
        column = error.column
    except InvalidField as error:
        column = log_reading.place(line, error.field)
    assert 1 <= column <= len(line) + 1
