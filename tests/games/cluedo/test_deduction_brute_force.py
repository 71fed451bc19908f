"""Deduction with few cards, against every deal that there is."""

from itertools import combinations
from random import Random

import pytest

from tests.games.cluedo.heavy_logs import heaviest
from tests.games.cluedo.small_decks import (
    Deal,
    SmallGame,
    answer,
    fitting,
    owners,
    small_game,
    solution,
    solutions,
    tampered,
)
from whitehall.games.cluedo import counting
from whitehall.games.cluedo.card import Case, location
from whitehall.games.cluedo.counting import any_deal, count_deals, count_solutions
from whitehall.games.cluedo.deduction import ENVELOPE, Contradiction, possible_solutions
from whitehall.games.cluedo.evidence import SeenAccusation, constraints_of
from whitehall.games.cluedo.explanation import Conclusion, NotCertain, explain
from whitehall.games.cluedo.prospects import cases_in, prospects
from whitehall.games.core.seat import Seat
from whitehall.games.core.wanted import always

EFFORT = [pytest.param(120, id="gate"), pytest.param(3000, id="thorough", marks=pytest.mark.slow)]


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_all_numbers_equal_those_of_looking_at_every_deal(games: int) -> None:
    for seed in range(games):
        game = small_game(Random(seed))
        deals = fitting(game.deals(), game.events)
        found = possible_solutions(game.evidence())
        assert found.deals == len(deals), seed
        assert found.solutions == solutions(deals), seed
        assert found.owners == owners(deals), seed
        assert found.certain == {card: next(iter(able)) for card, able in owners(deals).items() if len(able) == 1}, seed


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_what_a_seat_saw_after_its_own_wrong_accusation_leaves_the_deals_with_that_envelope(games: int) -> None:
    """Every envelope is tried that fits the hand: those that fit nothing else too, which contradict an event."""
    fitted = contradicted = 0
    for seed in range(games):
        game = small_game(Random(seed))
        own = [
            number
            for number, event in enumerate(game.events)
            if isinstance(event, SeenAccusation) and event.seat == game.seat
        ]
        for number in own:
            at_first = game.deals()
            accusation = game.events[number]
            for envelope in solutions(at_first).keys() - {accusation.case}:
                events = list(game.events)
                events[number] = SeenAccusation(accusation.seat, accusation.case, envelope)
                looked = game._replace(events=tuple(events))
                left = [fitting(at_first, events[: end + 1]) for end in range(len(events))]
                if left[-1]:
                    fitted += 1
                    found = possible_solutions(looked.evidence())
                    assert found.solutions == solutions(left[-1]) == {envelope: len(left[-1])}, seed
                    assert found.owners == owners(left[-1]), seed
                    continue
                contradicted += 1
                with pytest.raises(Contradiction) as refused:
                    possible_solutions(looked.evidence())
                assert refused.value.event == next(event for event, some in enumerate(left) if not some), seed
    assert min(fitted, contradicted) > games // 4


def test_numbers_are_the_same_when_each_has_all_the_room_that_it_could_ever_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In vectors numbers stand side by side, and one that outgrew its field would spoil its neighbour."""
    logs = [constraints_of(heaviest(seed, showings)) for seed, showings in ((0, 0), (1, 5))]
    narrow = [counting.count(constraints) for constraints in logs]
    monkeypatch.setattr("whitehall.games.cluedo.deals._most_ways", lambda simplified: 7 ** len(simplified.free))
    assert [counting.count(constraints) for constraints in logs] == narrow


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_numbers_are_the_same_when_they_are_counted_in_many_parts(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would take too much memory is counted in parts; here nearly everything is made to seem too much."""
    parts = 0
    random = Random(0)
    for seed in range(games // 2):
        game = small_game(Random(seed))
        deals = fitting(game.deals(), game.events)
        constraints = constraints_of(game.evidence())
        monkeypatch.setattr(counting, "MOST_BYTES", random.choice((3_000, 6_000, 12_000)))
        counts = counting.count(constraints)
        parts += len(list(counting._parts(constraints, always)))
        assert counts.total == count_deals(constraints) == len(deals), seed
        assert sum(count_solutions(constraints).values()) == len(deals), seed
        numbers = owners(deals)
        places = (*range(game.players), ENVELOPE)
        assert counts.owners == [[numbers[card][owner] for owner in places] for card in game.evidence().hidden], seed
    assert parts > games // 2 + games // 4  # of half as many games


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_a_contradiction_names_the_first_event_that_leaves_no_deal(games: int) -> None:
    contradictions = 0
    for seed in range(games):
        game = tampered(Random(-seed), small_game(Random(seed)))
        deals = game.deals()
        left = [fitting(deals, game.events[: number + 1]) for number in range(len(game.events))]
        first = next((number for number, some in enumerate(left) if not some), None)
        if first is None:
            assert possible_solutions(game.evidence()).deals == len(left[-1]), seed
            continue
        contradictions += 1
        with pytest.raises(Contradiction) as refused:
            possible_solutions(game.evidence())
        assert refused.value.event == first, seed
        assert not any_deal(constraints_of(game.evidence()))
    assert contradictions > games // 4


def holds(deals: list[Deal], conclusion: Conclusion) -> bool:
    card, owner, has = conclusion
    return all((deal[card] == owner) == has for deal in deals)


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_an_explanation_forces_its_conclusion_and_no_event_of_it_can_be_left_out(games: int) -> None:
    explained = several = 0
    for seed in range(games // 3):
        game = small_game(Random(seed))
        at_first = game.deals()
        deals = fitting(at_first, game.events)
        for card in game.cards:
            for owner in range(-2, game.players):
                for has in (True, False):
                    conclusion = Conclusion(card, owner, has)
                    if not holds(deals, conclusion):
                        with pytest.raises(NotCertain):
                            explain(game.evidence(), conclusion)
                        continue
                    events = explain(game.evidence(), conclusion)
                    assert list(events) == sorted(set(events))
                    assert holds(fitting(at_first, [game.events[event] for event in events]), conclusion), seed
                    for fewer in combinations(events, len(events) - 1) if events else ():
                        left = fitting(at_first, [game.events[event] for event in fewer])
                        assert not holds(left, conclusion), (seed, conclusion, events)
                    explained += 1
                    several += len(events) > 1
    assert explained > several > games // 3


def expected_solutions(game: SmallGame, deals: list[Deal], seat: int, case: Case) -> float:
    """How many solutions are left on average, from all deals and all that may be shown: an average of numbers that are
    found by looking, answer by answer.
    """
    answers: dict[object, list[tuple[Deal, float]]] = {}
    for deal in deals:
        _, refuter, held = answer(deal, game.players, seat, case)
        for card in (*held,) or (None,):
            answers.setdefault((refuter, card), []).append((deal, 1 / max(1, len(held))))
    left = [(sum(weight for _, weight in some), len({solution(deal) for deal, _ in some})) for some in answers.values()]
    return sum(weight * number for weight, number in left) / len(deals)


@pytest.mark.parametrize("games", EFFORT)
@pytest.mark.timeout(1800)
def test_what_a_suggestion_promises_is_the_average_over_all_deals_and_answers(games: int) -> None:
    promising = 0
    for seed in range(games // 3):
        game = small_game(Random(seed))
        deals = fitting(game.deals(), game.events)
        seat = Seat(0 if game.seat is None else game.seat)
        cases = cases_in(game.evidence(), location(1))
        found = {prospect.case: prospect.expected for prospect in prospects(game.evidence(), seat, cases)}
        assert list(found) == list(cases)
        for case, expected in found.items():
            assert float(expected) == pytest.approx(expected_solutions(game, deals, seat, case)), (seed, case)
            assert 1 <= expected <= len(solutions(deals))
        best = min(found.values())
        assert float(best) == pytest.approx(min(expected_solutions(game, deals, seat, case) for case in cases))
        promising += best < len(solutions(deals))
    assert promising > games // 6
