"""Public logs that grow: going on from the log before finds what starting over finds, in whatever order logs come."""

from __future__ import annotations

from random import Random

from tests.games.scotland_yard.detective import watched_game
from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.boards import LONDON_2013, LONDON_CLASSIC, board
from whitehall.games.scotland_yard.deduction import possible_locations
from whitehall.games.scotland_yard.followed_log import FollowedLogs
from whitehall.games.scotland_yard.locations import Contradiction, PossibleLocations
from whitehall.games.scotland_yard.public_log import evidence_from_log
from whitehall.games.scotland_yard.public_round import PublicRide, PublicRound
from whitehall.games.scotland_yard.ticket import Station, Ticket

Asked = tuple[Board, tuple[PublicRound, ...], tuple[Station, ...] | None, tuple[Station, ...] | None]
Found = PossibleLocations | int | str


def from_scratch(asked: Asked) -> Found:
    on, rounds, start, hunters = asked
    try:
        return possible_locations(evidence_from_log(on, rounds, start=start, hunters=hunters))
    except Contradiction as error:
        return error.field
    except InvalidField as error:
        return str(error)


def going_on(logs: FollowedLogs, asked: Asked) -> Found:
    on, rounds, start, hunters = asked
    try:
        return logs.locations(on, rounds, start=start, hunters=hunters)
    except Contradiction as error:
        return error.field
    except InvalidField as error:
        return str(error)


def growing(seed: int) -> list[Asked]:
    """Each moment of one game, as somebody writes it down, with where the hunters stand after some have moved."""
    asked: list[Asked] = []
    for _, detective in watched_game(2 + seed % 5, seed):
        rounds = tuple(detective.rounds)
        moved = rounds and rounds[-1].rides
        now = tuple(map(Station, detective.at.values())) if moved else None
        asked.append((board(LONDON_2013), rounds, None, now))
    return asked


def spoilt(random: Random, asked: Asked) -> Asked:
    """The same with a slip of the pen somewhere."""
    on, rounds, start, hunters = asked
    changed = list(rounds)
    index = random.randrange(len(changed))
    this = changed[index]
    match random.randrange(7):
        case 0:
            changed[index] = this._replace(hunters=tuple(map(Station, (500, *this.hunters[1:]))))
        case 1:
            changed[index] = this._replace(hunters=this.hunters[1:])
        case 2:
            changed[index] = this._replace(rides=())
        case 3:
            changed[index] = this._replace(rides=(PublicRide(Ticket.UNDERGROUND, Station(1)),))
        case 4:
            changed[index] = this._replace(rides=(PublicRide(Ticket.BLACK),), black_tickets=0)
        case 5:
            start = (Station(35), Station(35 if random.random() < 0.3 else 45))
        case _:
            on = board(LONDON_CLASSIC)
    return on, tuple(changed), start, hunters


def test_a_game_that_grows_is_answered_as_if_from_its_beginning() -> None:
    logs = FollowedLogs()
    for seed in range(5):
        for asked in growing(seed):
            assert going_on(logs, asked) == from_scratch(asked)


def test_so_are_logs_in_any_order_with_slips_among_them() -> None:
    random = Random(5)
    games = [growing(seed) for seed in range(3)]
    logs = FollowedLogs()
    found: list[Found] = []
    for _ in range(1_500):
        asked = random.choice(random.choice(games))
        if asked[1] and random.random() < 0.4:
            asked = spoilt(random, asked)
        found.append(going_on(logs, asked))
        assert found[-1] == from_scratch(asked)
    assert {type(each) for each in found} == {PossibleLocations, int, str}


def test_a_log_that_ends_where_the_last_one_went_on_forgets_what_came_after() -> None:
    logs = FollowedLogs()
    first = PublicRound((), (PublicRide(Ticket.TAXI, Station(8)),))
    second = PublicRound((), ())
    going_on(logs, (board(LONDON_2013), (first, first._replace(rides=(PublicRide(Ticket.TAXI),))), None, None))
    asked: Asked = (board(LONDON_2013), (first, second), None, None)
    assert going_on(logs, asked) == from_scratch(asked)
    assert logs.locations(board(LONDON_2013), (first,)).strong == (8,)
