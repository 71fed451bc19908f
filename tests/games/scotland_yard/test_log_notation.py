"""Public logs as one line: one form for each, and errors that point at the word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.scotland_yard.detective import watched_game
from whitehall.games.core.notation import NotationError
from whitehall.games.scotland_yard.log_notation import PublicLog, parse, text
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets

LOG = "london-2013 start:35/45 now:15/26 | 13/26 taxi supply:35/29/15 black:5 | 14/26 bus black@86 | 14/25"
TICKETS = "expected a number of tickets from 0 to 999"
WORDS = "expected stations of hunters, a ticket, an answer, or once supply:, black: and helicopter:"


def stations(*numbers: int) -> tuple[Station, ...]:
    return tuple(map(Station, numbers))


def test_each_part_of_a_log_has_its_place_in_the_line() -> None:
    log = PublicLog(
        board="london-2013",
        rounds=(
            PublicRound(stations(13, 26), (PublicRide(Ticket.TAXI),), Tickets(35, 29, 15), 5),
            PublicRound(stations(14, 26), (PublicRide(Ticket.BUS), PublicRide(Ticket.BLACK, Station(86)))),
            PublicRound(stations(14, 25), ()),
        ),
        start=stations(35, 45),
        hunters=stations(15, 26),
    )
    assert text(log) == LOG
    assert parse(LOG) == log
    assert parse(LOG.replace(" |", "|").replace("| ", "|  ")) == log


def test_nothing_but_the_board_and_the_tickets_has_to_be_known() -> None:
    taxi, black = PublicRide(Ticket.TAXI), PublicRide(Ticket.BLACK)
    assert parse("london-2013") == PublicLog("london-2013", ())
    assert parse("london-2013 | taxi | black") == PublicLog(
        "london-2013", (PublicRound((), (taxi,)), PublicRound((), (black,)))
    )


@pytest.mark.parametrize("players", [2, 4, 6])
def test_logs_of_games_go_to_text_and_back(players: int) -> None:
    for _, detective in watched_game(players, seed=players):
        log = PublicLog("london-2013", tuple(detective.rounds))
        assert parse(text(log)) == log


@pytest.mark.parametrize(
    ("wrong", "column", "reason"),
    [
        ("", 1, "expected the name of a board"),
        (" | taxi", 1, "expected the name of a board"),
        ("london-2013 taxi", 13, "expected start: or now: with stations"),
        ("london-2013 now:13/", 13, "expected start: or now: with stations"),
        ("london-2013 now:13 now:14", 20, "stands here twice"),
        ("london-2013 | 13/26 helicopter:x", 32, TICKETS),
        ("london-2013 | 13/26 tram", 21, WORDS),
        ("london-2013 | 13/26 taxi 14", 26, "the hunters stand once, at the beginning of the round"),
        (
            "london-2013 | taxi black:1 black:1",
            28,
            WORDS,
        ),
        ("london-2013 | taxi@", 15, WORDS),
        ("london-2013 | taxi black:1000", 26, TICKETS),
        ("london-2013 | taxi supply:35/2900/15", 30, TICKETS),
        ("london-2013 | taxi supply:35/29", 27, "expected taxi, bus and underground tickets, such as 11/8/4"),
    ],
)
def test_an_error_tells_column_and_reason(wrong: str, column: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(wrong)
    assert caught.value.reason.startswith(reason)
    assert caught.value.column == column


@given(st.integers(0, len(LOG)), st.integers(0, 9), st.text(max_size=5) | st.sampled_from(["@", ":", "|", " ", "/9"]))
def test_whatever_is_changed_in_a_log_it_is_read_or_the_place_is_told(place: int, cut: int, put: str) -> None:
    wrong = LOG[:place] + put + LOG[place + cut :]
    fault = None
    try:
        log = parse(wrong)
    except NotationError as error:
        fault = error
    else:
        assert parse(text(log)) == log
    assert fault is None or 1 <= fault.column <= len(wrong) + 1
