"""What a person at a cardboard game can write down of Mr X, and the evidence that it makes.

Nothing here needs a game that this service has dealt or judged: a board, the tickets on his log, the places where he
surfaced, and where the hunters stood in each round.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whitehall.games.scotland_yard.answers import AnswerBook, answer_book
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import CanMove, Clue, NotAmong, Step
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.log_faults import answer_faults, check_log
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.public_round import PublicRound
from whitehall.games.scotland_yard.station_sets import HELICOPTER_TICKET
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.timetable import BLACK_TICKET, LAND_TICKETS, ticket_set


class Log(NamedTuple):
    """A whole game so far, on its board."""

    board: Board
    rounds: tuple[PublicRound, ...]
    start: tuple[Station, ...] | None = None
    """Where he may have started; None: anywhere."""
    hunters: tuple[Station, ...] | None = None
    """Where they stand now; None: as the last round began."""
    master: MasterOptions | None = None
    """The numbers of the app game; None: without the app."""

    def evidence(self) -> Evidence:
        """What the log shows. Raises `InvalidField` for a log that is no log."""
        return evidence_from_log(self.board, self.rounds, start=self.start, hunters=self.hunters, master=self.master)


def evidence_from_log(
    board: Board,
    rounds: Sequence[PublicRound],
    *,
    start: Sequence[Station] | None = None,
    hunters: Sequence[Station] | None = None,
    master: MasterOptions | None = None,
) -> Evidence:
    """The evidence of a whole game so far.

    `start` lists the stations where he may have started (every one, if left out): the cards in his deck, without those
    that hunters drew from the same deck. `hunters` says where they stand now, after some or all of them have moved in
    the last round; left out, they stand as that round began. `master` are the numbers of the app game, which answers
    need. Raises `InvalidField` for a log that is no log.
    """
    if master is not None:
        rounds = tuple(_with_helicopters(rounds, master))
    check_log(board, rounds, start=start, hunters=hunters, app=master is not None)
    if master is not None:
        for fault in answer_faults(board, rounds, master):
            raise fault
    origin = board.stations if start is None else tuple(start)
    steps = tuple(_steps(rounds, None if hunters is None else tuple(hunters)))
    if master is None:
        return Evidence(board, origin, steps)
    book = answer_book(board, master)
    return Evidence(board, origin, tuple(_with_answers(book, rounds, steps)), book)


def _with_helicopters(rounds: Sequence[PublicRound], master: MasterOptions) -> Iterator[PublicRound]:
    """The rounds, with the helicopter tickets that he can have had left where nobody counted them.

    Flights lie openly on the log, so each leaves him one less of those that he is ever given.
    """
    most = master.helicopter_tickets
    for this in rounds:
        yield this if this.helicopter_tickets is not None else this._replace(helicopter_tickets=max(most, 0))
        most -= sum(ride.ticket == Ticket.HELICOPTER for ride in this.rides)


def steps_of_round(this: PublicRound, field: int) -> tuple[Step, ...]:
    """What a round shows: his place under the last field filled, seen again as the round begins, and his rides."""
    again = Step(field, None, None, tuple(_clues_between_rounds(this)))
    before = (NotAmong(this.hunters),)
    rides = [Step(number, ride.ticket, ride.station, before) for number, ride in enumerate(this.rides, field + 1)]
    return (again, *rides)


def step_now(hunters: tuple[Station, ...], field: int) -> Step:
    """What is seen of his place under the last field filled after hunters have moved in the last round."""
    return Step(field, None, None, (NotAmong(hunters),))


def _steps(rounds: Sequence[PublicRound], hunters_now: tuple[Station, ...] | None) -> list[Step]:
    steps = [Step(0, None, None, ())]
    for this in rounds:
        again, *rides = steps_of_round(this, steps[-1].field)
        steps[-1] = _together(steps[-1], again)
        steps += rides
    if hunters_now is not None:
        steps[-1] = _together(steps[-1], step_now(hunters_now, steps[-1].field))
    return steps


def _together(step: Step, again: Step) -> Step:
    """One step of a place that was seen again."""
    return Step(step.field, step.ticket, step.shown, step.clues + again.clues)


def _with_answers(book: AnswerBook, rounds: Sequence[PublicRound], steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, each round's last one with what was answered in it."""
    yield steps[0]
    field = 0
    for this in rounds:
        for half in range(1, len(this.rides) + 1):
            field += 1
            yield book.told(steps[field], this.answers, field) if half == len(this.rides) else steps[field]


def _clues_between_rounds(following: PublicRound) -> Iterator[Clue]:
    """What is seen of his place when a round begins."""
    yield NotAmong(following.hunters)
    # Where he did move, the ticket says more than that he could.
    if not following.rides:
        yield CanMove(following.hunters, _tickets(following))


def _tickets(this: PublicRound) -> int:
    """The set of the kinds of tickets that he could take; those that nobody counted count as there."""
    tickets = LAND_TICKETS if this.supply is None else ticket_set(this.supply)
    if this.black_tickets is None or this.black_tickets:
        tickets |= BLACK_TICKET
    return tickets | HELICOPTER_TICKET if this.helicopter_tickets else tickets
