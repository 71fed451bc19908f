"""The benchmark's own arithmetic: spreads, ratios, verdicts, and where they are written."""

from __future__ import annotations

import asyncio

import pytest

from tests.bench.bars import at_least, at_most, below, unmeasured
from tests.bench.contest import Contest, Round
from tests.bench.load import Slice, closed_loop, percentile
from tests.bench.report import CHART_WIDTH, chart, replaced


class Scripted:
    """A side whose turns are known beforehand."""

    def __init__(self, *turns: Slice) -> None:
        self._turns = iter(turns)

    async def prepare(self) -> None:
        pass

    async def turn(self, seconds: float) -> Slice:
        return next(self._turns)


def a_turn(done: int, cpu_seconds: float = 1.0) -> Slice:
    return Slice(done, 1.0, cpu_seconds, (0.001,) * done)


async def test_a_round_joins_two_turns_of_each_side_and_the_first_one_does_not_count() -> None:
    subject = Scripted(*map(a_turn, (1, 1, 10, 30)))
    rival = Scripted(*map(a_turn, (1, 1, 50, 50)))
    contest = Contest("any", subject, rival, 0.1)
    await contest.play_round(0)
    await contest.play_round(1)
    assert contest.rounds == [Round(a_turn(10) + a_turn(30), a_turn(50) + a_turn(50))]
    assert contest.ratio(lambda turn: turn.rate) == (0.4, 0.4, 0.4)


async def test_a_contest_may_have_several_rounds_for_each_one_of_the_others() -> None:
    contest = Contest("any", Scripted(*map(a_turn, range(8))), None, 0.1, often=2)
    await contest.play_round(0)
    await contest.play_round(1)
    assert contest.rounds == [Round(a_turn(4) + a_turn(5), None), Round(a_turn(6) + a_turn(7), None)]


def test_a_ratio_is_taken_within_a_round_and_the_median_counts() -> None:
    """A slow round is slow for both sides, so its ratio is as good as another's."""
    contest = Contest("any", Scripted(), Scripted(), 0.1)
    contest.rounds = [Round(a_turn(9), a_turn(10)), Round(a_turn(90), a_turn(100)), Round(a_turn(50), a_turn(100))]
    assert contest.ratio(lambda turn: turn.rate) == (0.9, 0.5, 0.9)


def test_capacity_is_what_a_core_can_do() -> None:
    assert a_turn(100, cpu_seconds=0.5).capacity == 200


async def test_a_closed_loop_counts_what_every_worker_was_answered() -> None:
    answered = 0

    async def ask() -> int:
        nonlocal answered
        await asyncio.sleep(0)
        answered += 1
        return 3

    done, elapsed, latencies = await closed_loop([ask] * 4, 0.01)
    assert done == 3 * answered
    assert len(latencies) == answered
    assert elapsed >= 0.01


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.99, 99), (1.0, 100), (0.0, 1)])
def test_a_percentile_is_the_value_that_so_many_do_not_exceed(share: float, expected: int) -> None:
    assert percentile(range(100, 0, -1), share) == expected


def test_verdicts_hold_the_measured_number_against_the_bound() -> None:
    assert at_least("a", 0.90, 0.90, "{:.2f}").verdict == "met"
    assert at_least("a", 0.90, 0.899, "{:.2f}").verdict == "missed"
    assert at_most("a", 8, 8.0, "{:.1f}").verdict == "met"
    assert at_most("a", 8, 8.01, "{:.1f}").verdict == "missed"
    assert below("a", 1, 1.0, "{:.2f}").verdict == "missed"
    assert below("a", 1, 0.99, "{:.2f}").verdict == "met"
    assert unmeasured("a", "< 1", "there is no node on this machine").verdict == "not measured"


def test_a_chart_reaches_its_line_where_the_bar_is_just_met() -> None:
    met, missed, lacking = chart(
        [at_least("met", 1, 1.0, "{}"), at_most("missed", 1, 2.0, "{}"), unmeasured("lacking", "< 1", "no node")]
    )
    assert "#" * CHART_WIDTH + "|" in met
    assert "#" * (CHART_WIDTH // 2) + " " * (CHART_WIDTH // 2) + "|" in missed
    assert lacking.endswith("not measured")


def test_only_what_stands_between_the_markers_is_renewed() -> None:
    text = "before\n<!-- bars -->\nold\n<!-- /bars -->\nafter\n"
    renewed = replaced(text, "bars", "new")
    assert renewed == "before\n<!-- bars -->\nnew\n<!-- /bars -->\nafter\n"
    assert replaced(renewed, "bars", "old") == text


def test_a_document_without_the_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for bars"):
        replaced("<!-- bars -->", "bars", "new")
