"""Logs that people write down themselves: what counts as one, and what is missing from it."""

from collections.abc import Sequence
from typing import Any

import pytest

from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard.boards import LONDON_2013, board
from whitehall.games.scotland_yard.deduction import possible_locations, possible_trail
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.followed_log import FollowedLogs
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

LONDON = board(LONDON_2013)


def stations(*numbers: int) -> tuple[Station, ...]:
    return tuple(Station(number) for number in numbers)


def by(ticket: str, station: int | None = None) -> PublicRide:
    return PublicRide(Ticket[ticket.upper()], None if station is None else Station(station))


def round_of(*rides: PublicRide, hunters: Sequence[int] = (), **tickets: Any) -> PublicRound:
    return PublicRound(stations(*hunters), rides, **tickets)


def evidence(
    *rounds: PublicRound, start: Sequence[int] | None = None, hunters: Sequence[int] | None = None
) -> Evidence:
    known, now = (None if numbers is None else stations(*numbers) for numbers in (start, hunters))
    return evidence_from_log(LONDON, rounds, start=known, hunters=now)


def test_before_the_first_round_all_that_is_known_is_where_he_may_start() -> None:
    assert possible_locations(evidence()).strong == tuple(range(1, 200))
    assert possible_locations(evidence(start=(2, 13))).routes == {2: 1, 13: 1}


def test_a_log_without_hunters_gives_the_analysis_twice() -> None:
    found = possible_locations(evidence(round_of(by("taxi", 46)), round_of(by("bus"))))
    assert found.analysis == found.strong == (1, 34, 58, 78)


def test_a_surfacing_counts_wherever_it_stands_in_the_log() -> None:
    """He surfaces on 20, from where taxis lead to 2, 9 and 33."""
    found = possible_locations(evidence(round_of(by("taxi"), by("taxi", 20)), round_of(by("taxi"))))
    assert found.strong == (2, 9, 33)


def test_hunters_that_have_not_moved_are_no_news_and_those_that_have_rule_out_where_they_are() -> None:
    """From 20 a taxi leads to 2, 9 and 33."""
    rounds = round_of(by("taxi", 20), hunters=(94, 19)), round_of(by("taxi"), hunters=(94, 10))
    assert possible_locations(evidence(*rounds)).strong == (2, 9, 33)
    assert possible_locations(evidence(*rounds, hunters=(94, 10))).strong == (2, 9, 33)
    assert possible_locations(evidence(*rounds, hunters=(94, 2))).strong == (9, 33)


@pytest.mark.parametrize(
    ("supply", "black_tickets", "possible"),
    [
        (None, None, (2, 11, 21, 34)),
        (Tickets(0, 5, 5), None, (2, 11, 21, 34)),
        (Tickets(0, 5, 5), 1, (2, 11, 21, 34)),
        (Tickets(0, 5, 5), 0, (34,)),
        (None, 0, (2, 11, 21, 34)),
    ],
)
def test_tickets_that_nobody_counted_count_as_there(
    supply: Tickets | None, black_tickets: int | None, possible: tuple[int, ...]
) -> None:
    """It is his turn. From 10 a taxi leads to 2, 11 and 21, where only taxis stop, and to 34, where buses stop too."""
    rounds = round_of(by("taxi", 10)), round_of(by("taxi")), round_of(supply=supply, black_tickets=black_tickets)
    assert possible_locations(evidence(*rounds)).strong == possible


def test_the_trail_of_a_log_numbers_its_fields_from_1_and_the_start_0() -> None:
    """Taxis lead from 2 to 10 and 20; of the stations two rides away only 9 has a taxi to 19."""
    found = possible_trail(evidence(round_of(by("taxi"), by("taxi")), round_of(by("taxi", 19)), start=(2,)))
    assert found == {0: (2,), 1: (20,), 2: (9,), 3: (19,)}


FAULTS: dict[str, tuple[str, tuple[PublicRound, ...], dict[str, Sequence[int]]]] = {
    "a start that is no station": ("start[1]", (), {"start": (2, 200)}),
    "a start named twice": ("start[1]", (), {"start": (2, 2)}),
    "a hunter off the board": ("rounds[0].hunters[1]", (round_of(by("taxi"), hunters=(2, 0)),), {}),
    "two hunters on one station": ("rounds[0].hunters[1]", (round_of(by("taxi"), hunters=(2, 2)),), {}),
    "a hunter that joins later": (
        "rounds[1].hunters",
        (round_of(by("taxi"), hunters=(2,)), round_of(by("taxi"), hunters=(2, 3))),
        {},
    ),
    "three rides in a round": ("rounds[0].rides", (round_of(by("taxi"), by("taxi"), by("taxi")),), {}),
    "a round without a ride": ("rounds[0].rides", (round_of(), round_of(by("taxi"))), {}),
    "surfacing off the board": ("rounds[0].rides[1].station", (round_of(by("taxi"), by("taxi", 200)),), {}),
    "a taxi ride without a taxi ticket": (
        "rounds[0].supply",
        (round_of(by("taxi"), by("taxi"), supply=Tickets(1, 9, 9)),),
        {},
    ),
    "a black ride without a black ticket": ("rounds[0].black_tickets", (round_of(by("black"), black_tickets=0),), {}),
    "a hunter that is off the board now": ("hunters[0]", (round_of(by("taxi"), hunters=(2,)),), {"hunters": (777,)}),
    "a hunter that is gone now": ("hunters", (round_of(by("taxi"), hunters=(2, 3)),), {"hunters": (4,)}),
    "hunters that move out of turn": ("hunters", (round_of(hunters=(2,)),), {"hunters": (10,)}),
    "hunters before the first round": ("hunters", (), {"hunters": (10,)}),
}


@pytest.mark.parametrize(("field", "rounds", "rest"), FAULTS.values(), ids=FAULTS.keys())
def test_a_log_that_is_no_log_is_refused_by_the_field_at_fault(
    field: str, rounds: tuple[PublicRound, ...], rest: dict[str, Sequence[int]]
) -> None:
    with pytest.raises(InvalidField) as refused:
        evidence(*rounds, **rest)
    assert refused.value.field == field


def test_nobody_flies_without_the_app() -> None:
    """Neither a log of its own nor one that is followed; and flights with the app are none the worse for it."""
    app = resolve("master", 4).master
    flown = round_of(by("helicopter"), hunters=(1, 2, 3), helicopter_tickets=1)
    with_app = possible_locations(evidence_from_log(LONDON, [flown], master=app))
    for asked in (lambda: evidence(flown), lambda: FollowedLogs().locations(LONDON, [flown])):
        with pytest.raises(InvalidField, match=r"rounds\[0\]\.helicopter_tickets"):
            asked()
    assert possible_locations(evidence_from_log(LONDON, [flown], master=app)) == with_app
    assert with_app.strong == tuple(station for station in range(1, 200) if station not in (1, 2, 3))
