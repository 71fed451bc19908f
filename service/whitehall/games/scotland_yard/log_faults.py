"""What is wrong with a log that somebody has written down: the fields that no game can have led to."""

from collections.abc import Iterator, Sequence

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.sentences import must_be
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.answer_faults import faults
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.findings import Answer, Interrogated, StatementHeard
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.overrides import RANGES
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.public_round import PublicRound
from whitehall.games.scotland_yard.sentences import NO_ACTIONS, NO_APP, must_be_left_out, no_station, station_twice
from whitehall.games.scotland_yard.ticket import Station, Ticket

MOST_RIDES = 2
"""A double move is two rides in one round."""

MOST_FIELDS = RANGES["log_fields"][1]
"""No game's log has more fields, and so none has more rides, or more rounds: with each the numbers of routes grow."""

MOST_HUNTERS = len(Piece) - 1
"""Every piece but Mr X."""

MOST_TICKETS = RANGES["black_tickets"][1]
"""Nobody has more of the tickets that never come back; of those in the supply there may be more."""


def check_log(
    board: Board,
    rounds: Sequence[PublicRound],
    *,
    start: Sequence[Station] | None = None,
    hunters: Sequence[Station] | None = None,
    sound: int = 0,
    app: bool = False,
) -> None:
    """Raises `InvalidField` for a log that is no log. So many rounds as `sound` says, at its beginning and each with
    rides, are those of another log on the same board that was checked already. Without the `app` nobody flies, and
    nothing answers.
    """
    for fault in _faults(board, rounds, start, hunters, sound, app):
        raise fault


def _faults(
    board: Board,
    rounds: Sequence[PublicRound],
    start: Sequence[Station] | None,
    hunters: Sequence[Station] | None,
    sound: int,
    app: bool,
) -> Iterator[InvalidField]:
    """What is wrong with a log."""
    yield from _station_faults(board, "start", start or ())
    yield from _length_faults(rounds)
    for number, this in enumerate(rounds[sound:], sound):
        place = f"rounds[{number}]"
        yield from _station_faults(board, f"{place}.hunters", this.hunters)
        if len(this.hunters) > MOST_HUNTERS:
            reason = Text(
                f"no game has more than {MOST_HUNTERS} hunters",
                f"aucune partie n'a plus de {MOST_HUNTERS} poursuivants",
            )
            yield InvalidField(f"{place}.hunters[{MOST_HUNTERS}]", reason)
        if len(this.hunters) != len(rounds[0].hunters):
            yield InvalidField(f"{place}.hunters", _as_many(rounds[0]))
        if len(this.rides) > MOST_RIDES:
            reason = Text(
                f"must be {MOST_RIDES} at most, for a double move", f"{MOST_RIDES} au plus, pour un coup double"
            )
            yield InvalidField(f"{place}.rides", reason)
        if not this.rides and number + 1 < len(rounds):
            reason = Text("must be there: Mr X moves in every round", "il en faut : Mister X se déplace à chaque tour")
            yield InvalidField(f"{place}.rides", reason)
        for half, ride in enumerate(this.rides):
            if ride.station is not None and ride.station not in board.coordinates:
                yield InvalidField(f"{place}.rides[{half}].station", no_station(ride.station))
        for name, left in (("black_tickets", this.black_tickets), ("helicopter_tickets", this.helicopter_tickets)):
            if left is not None and not 0 <= left <= MOST_TICKETS:
                yield InvalidField(f"{place}.{name}", must_be(0, MOST_TICKETS))
        if this.helicopter_tickets and not app:
            yield InvalidField(f"{place}.helicopter_tickets", NO_APP)
        if this.answers and not app:
            yield InvalidField(f"{place}.answers", NO_APP)
        yield from _ticket_faults(place, this)
    if hunters is not None:
        yield from _station_faults(board, "hunters", hunters)
        if not rounds or not rounds[-1].rides:
            reason = Text(
                "must be left out while Mr X is to move: they stand as his round began",
                "à omettre tant que Mister X doit jouer : ils sont comme au début de son tour",
            )
            yield InvalidField("hunters", reason)
        elif len(hunters) != len(rounds[0].hunters):
            yield InvalidField("hunters", _as_many(rounds[0]))


def _length_faults(rounds: Sequence[PublicRound]) -> Iterator[InvalidField]:
    """What makes a log longer than that of any game."""
    if len(rounds) * MOST_RIDES <= MOST_FIELDS:
        return
    fields = 0
    for number, this in enumerate(rounds):
        fields += len(this.rides)
        if number == MOST_FIELDS:
            reason = Text(f"no game has more than {number} rounds", f"aucune partie n'a plus de {number} tours")
            yield InvalidField(f"rounds[{number}]", reason)
        if fields > MOST_FIELDS:
            reason = Text(
                f"no log has more than {MOST_FIELDS} fields", f"aucune tablette n'a plus de {MOST_FIELDS} cases"
            )
            yield InvalidField(f"rounds[{number}].rides", reason)


def _as_many(first: PublicRound) -> Text:
    number = len(first.hunters)
    return Text(
        f"must be {number} stations, as in the first round", f"il faut {number} stations, comme au premier tour"
    )


def _station_faults(board: Board, field: str, stations: Sequence[Station]) -> Iterator[InvalidField]:
    # Hardly any list is at fault, and the quickest questions come first.
    if board.coordinates.keys() >= set(stations) and len(set(stations)) == len(stations):
        return
    for index, station in enumerate(stations):
        if station not in board.coordinates:
            yield InvalidField(f"{field}[{index}]", no_station(station))
        if station in stations[:index]:
            yield InvalidField(f"{field}[{index}]", station_twice(station))


def _ticket_faults(place: str, this: PublicRound) -> Iterator[InvalidField]:
    """Tickets that lie on the log though they were not there to be taken."""
    ridden = [ride.ticket for ride in this.rides]
    for ticket in dict.fromkeys(ridden):
        field, left = _left(this, ticket)
        if left is not None and left < ridden.count(ticket):
            word, rides = ticket.word, ridden.count(ticket)
            reason = Text(
                f"{left} {word} tickets cannot pay for {rides} rides",
                f"{left} tickets {word} ne paient pas {rides} trajets",
            )
            yield InvalidField(f"{place}.{field}", reason)


def _left(this: PublicRound, ticket: Ticket) -> tuple[str, int | None]:
    """Where a round says how many tickets of a kind were there, and how many."""
    if ticket == Ticket.BLACK:
        return "black_tickets", this.black_tickets
    if ticket == Ticket.HELICOPTER:
        return "helicopter_tickets", this.helicopter_tickets or 0
    return "supply", None if this.supply is None else this.supply.of(ticket)


def answer_faults(board: Board, rounds: Sequence[PublicRound], master: MasterOptions) -> Iterator[InvalidField]:
    """Answers that no app with these numbers gives, wherever he is."""
    for number, this in enumerate(rounds):
        field = f"rounds[{number}].answers"
        if this.answers and not master.actions_per_round:
            yield InvalidField(field, must_be_left_out(NO_ACTIONS))
        if this.answers and not this.rides:
            reason = Text(
                "must be left out while Mr X is to move: the app answers after his move",
                "à omettre tant que Mister X doit jouer : l'application répond après son déplacement",
            )
            yield InvalidField(field, reason)
        for index, answer in enumerate(this.answers):
            for fault in faults(answer, board, master):
                yield fault.below(f"{field}[{index}]")
        yield from _unasked(field, this.answers)


def _unasked(place: str, answers: Sequence[Answer]) -> Iterator[InvalidField]:
    """Statements of witnesses that nobody can have asked."""
    marked: tuple[str, ...] = ()
    for index, answer in enumerate(answers):
        match answer:
            case Interrogated(landmarks):
                marked = landmarks or ()
            case StatementHeard(str(landmark), _) if landmark not in marked:
                reason = Text(
                    "must be one where the interrogation before it saw him",
                    "doit être un lieu où l'interrogatoire précédent l'a vu",
                )
                yield InvalidField(f"{place}[{index}].statement_heard.landmark", reason)
