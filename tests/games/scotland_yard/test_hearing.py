"""How much of what witnesses could tell is followed: never more than a question may take, enough for the edition.

Where landmarks are wide and memories long nearly every route has told something else, and with each ride there are five
times as many of them, or two hundred times by helicopter.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from tests.games.scotland_yard.recaller import app_game
from tests.games.scotland_yard.reference import reached
from tests.games.scotland_yard.scenario import DETECTIVES
from tests.games.scotland_yard.test_recollection import LONDON, by, interrogated
from whitehall.games.core.wanted import IsWanted, NoLongerWanted, always
from whitehall.games.scotland_yard.deduction import advance, knowledge_of, possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import MASTER, resolve
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.hearing import MOST_CASES
from whitehall.games.scotland_yard.locations import Contradiction, TooManyCases
from whitehall.games.scotland_yard.master import Landmark, MasterOptions, SpecialAction
from whitehall.games.scotland_yard.moves import UseAction
from whitehall.games.scotland_yard.prospects import Prospect, expected, prospects
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRound
from whitehall.games.scotland_yard.state import Phase
from whitehall.games.scotland_yard.ticket import Station

BOUND = "whitehall.games.scotland_yard.hearing.MOST_CASES"

ACTIONS = [UseAction(action) for action in SpecialAction]


def promises(evidence: Evidence, is_wanted: IsWanted = always) -> list[Prospect]:
    """What each special action promises."""
    return expected(evidence, ACTIONS, is_wanted)


Question = Callable[..., object]
QUESTIONS: Sequence[Question] = (possible_locations, possible_trail, promises)


def squares(number: int, stations: int, window: int = 6) -> MasterOptions:
    """The numbers of an app with so many landmarks, each of them so wide."""
    assert MASTER.master is not None
    random = Random(number)
    places = [sorted(random.sample(LONDON.stations, stations)) for _ in range(number)]
    landmarks = tuple(Landmark(f"Square {index}", tuple(place)) for index, place in enumerate(places))
    return replace(MASTER.master, landmarks=landmarks, recent_window=window)


def ridden(master: MasterOptions, ticket: str, rides: int) -> Evidence:
    """So many rides, after which witnesses at all landmarks have seen him."""
    asked = by(ticket, interrogated(*[landmark.name for landmark in master.landmarks]))
    return evidence_from_log(LONDON, [*([by(ticket)] * (rides - 1)), asked], master=master)


def asked_again_and_again(master: MasterOptions) -> Evidence:
    """Black rides with the same marks each time: many testimonies listen at the same time."""
    marks = interrogated(*[landmark.name for landmark in master.landmarks])
    return evidence_from_log(LONDON, [by("black") for _ in range(6)] + [by("black", marks)] * 6, master=master)


def seen_on_his_way(master: MasterOptions) -> Evidence:
    """The log of a route at random, with what the app would have answered of it every three rounds."""
    random, route, rounds = Random(2), [Station(100)], list[PublicRound]()
    for number in range(1, 25):
        route.append(Station(random.choice(sorted(reached(route[-1], "black")))))
        recent = set(route[1:][-master.recent_window :])
        marks = [landmark.name for landmark in master.landmarks if recent & set(landmark.stations)]
        rounds.append(by("black", interrogated(*marks)) if number % 3 == 0 and number > 9 else by("black"))
    return evidence_from_log(LONDON, rounds, master=master)


ENDLESS = {
    "six black rides past forty landmarks": ridden(squares(40, 20), "black", 6),
    "three flights past forty landmarks": ridden(squares(40, 20), "helicopter", 3),
    "all the landmarks there can be, as wide as can be": ridden(squares(100, 64), "black", 32),
    "many testimonies at once": asked_again_and_again(squares(30, 60)),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("evidence", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_would_take_minutes_is_refused_in_no_time(evidence: Evidence, question: Question) -> None:
    began = time.thread_time()
    with pytest.raises(TooManyCases) as refused:
        question(evidence)
    assert time.thread_time() - began < 2.0
    assert refused.value.field == "master"
    for way_out in ("landmarks", "recent_window", "hindsight"):
        assert way_out in refused.value.reason


def test_all_questions_together_end_in_time_where_each_is_just_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black rides past nine landmarks that take in nearly the whole board, an interrogation in every third round."""
    evidence = seen_on_his_way(squares(9, 64))
    began = time.thread_time()
    for question in QUESTIONS:
        question(evidence)
    assert time.thread_time() - began < 2.0
    monkeypatch.setattr(BOUND, MOST_CASES // 3)
    with pytest.raises(TooManyCases):
        possible_trail(evidence)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("evidence", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_is_worked_out_asks_every_50_milliseconds_whether_it_is_still_wanted(
    evidence: Evidence, question: Question
) -> None:
    """In the time that its thread has had, so that other work on the machine is not measured."""
    asked = [time.thread_time()]

    def is_wanted() -> bool:
        asked.append(time.thread_time())
        return True

    with pytest.raises(TooManyCases):
        question(evidence, is_wanted)
    assert max(later - earlier for earlier, later in pairwise(asked)) < 0.050
    answers = iter((True, True, False))
    with pytest.raises(NoLongerWanted):
        question(evidence, lambda: next(answers))


def app_logs(random: Random) -> Iterator[list[PublicRound]]:
    """Logs at random, with black rides, flights and what witnesses can have said of them."""
    assert MASTER.master is not None
    names = [landmark.name for landmark in MASTER.master.landmarks]
    while True:
        rounds = [by(random.choice(["taxi", "black", "black", "helicopter"])) for _ in range(random.randint(3, 8))]
        for index in range(2, len(rounds), 2):
            marks = interrogated(*[name for name in names if random.random() < 0.1])
            rounds[index] = rounds[index]._replace(answers=(marks,))
        yield rounds


@pytest.mark.parametrize("most", [2_000, 3_000, 30_000])
def test_a_bound_leaves_an_answer_as_it_is_or_refuses_it(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = answered = 0
    for rounds, _ in zip(app_logs(Random(most)), range(12), strict=False):
        log = evidence_from_log(LONDON, rounds, master=MASTER.master)
        for question in (possible_locations, possible_trail):
            whole = told(question, log)
            with monkeypatch.context() as bounded:
                bounded.setattr(BOUND, most)
                part = told(question, log)
            refused += part == "too many"
            answered += part != "too many"
            assert part in (whole, "too many")
    assert answered or most < 3_000
    assert refused or most > 3_000


def told(question: Question, evidence: Evidence) -> object:
    try:
        return question(evidence)
    except Contradiction as error:
        return error.field
    except TooManyCases:
        return "too many"


@pytest.mark.parametrize("games", [5, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.timeout(1800)
def test_the_options_of_the_edition_never_come_to_a_tenth_of_it(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refused, nor is an interrogation left out, in seeded games under a tenth of the bound."""
    monkeypatch.setattr(BOUND, MOST_CASES // 10)
    offered = 0
    for seed in range(games):
        known = None
        for state, _ in app_game(resolve("master", 2 + seed % 5), seed, DETECTIVES):
            view = game.view(state, DETECTIVES)
            known = knowledge_of(view) if known is None else advance(known, view)
            if state.phase == Phase.HUNTERS and not state.moved:
                possible_trail(view)
                assert view.master is not None
                promised = [prospect.move for prospect in prospects(view)]
                offered += UseAction(SpecialAction.INTERROGATION) in promised
                assert len(promised) == len(view.master.choices) + len(view.master.available)
    assert offered > 5 * games


def test_the_most_that_the_edition_leaves_open_is_followed() -> None:
    """Black tickets alone, nobody watching, and an interrogation that is answered by any landmark at all."""
    assert MASTER.master is not None
    for names in ([], ["King's Cross"], [landmark.name for landmark in MASTER.master.landmarks][:4]):
        log = [*[by("black")] * 20, by("black", interrogated(*names))]
        evidence = evidence_from_log(LONDON, log, master=MASTER.master)
        assert told(possible_locations, evidence) != "too many"
        assert told(possible_trail, evidence) != "too many"
