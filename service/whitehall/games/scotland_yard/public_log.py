"""What a person at a cardboard game can write down of Mr X, and the evidence that it makes.

Nothing here needs a game that this service has dealt or judged: a board, the tickets on his log, the places where he
surfaced, and where the hunters stood in each round.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.sentences import must_be
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.answers import AnswerBook, answer_book
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.clues import CanMove, Clue, NotAmong, Step
from whitehall.games.scotland_yard.evidence import Evidence
from whitehall.games.scotland_yard.findings import Answer, Interrogated, Located, StatementHeard
from whitehall.games.scotland_yard.master import MasterOptions
from whitehall.games.scotland_yard.overrides import RANGES
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.sentences import NO_APP, no_landmark, no_station, station_twice
from whitehall.games.scotland_yard.station_sets import HELICOPTER_TICKET
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.timetable import BLACK_TICKET, LAND_TICKETS, ticket_set

MOST_RIDES = 2
"""A double move is two rides in one round."""

MOST_FIELDS = RANGES["log_fields"][1]
"""No game's log has more fields, and so none has more rides, or more rounds: with each the numbers of routes grow."""

MOST_HUNTERS = len(Piece) - 1
"""Every piece but Mr X."""

MOST_TICKETS = RANGES["black_tickets"][1]
"""Nobody has more of the tickets that never come back; of those in the supply there may be more."""


class PublicRide(NamedTuple):
    """One field of the log: the ticket on it, and the station where he showed himself, if he did."""

    ticket: Ticket
    station: Station | None = None


class PublicRound(NamedTuple):
    """One round: what lay open when it began, and how Mr X moved."""

    hunters: tuple[Station, ...]
    """Where the hunters stood when he was about to move; none where nobody wrote it down."""
    rides: tuple[PublicRide, ...]
    """One, or the two of a double move; none in the last round when he has not moved yet."""
    supply: Tickets | None = None
    """The normal tickets that he could draw from; None where nobody counted them."""
    black_tickets: int | None = None
    """The black tickets that he had left; None where nobody counted them."""
    helicopter_tickets: int | None = None
    """The helicopter tickets that he had left: none but in the app game. None where nobody counted them."""
    answers: tuple[Answer, ...] = ()
    """What the app answered in this round, after his move: none but in the app game."""


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
        for fault in _answer_faults(rounds, master):
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


def _answer_faults(rounds: Sequence[PublicRound], master: MasterOptions) -> Iterator[InvalidField]:
    """Answers that no app with these numbers gives, wherever he is."""
    for number, this in enumerate(rounds):
        field = f"rounds[{number}].answers"
        if this.answers and not this.rides:
            reason = Text(
                "must be left out while Mr X is to move: the app answers after his move",
                "à omettre tant que Mister X doit jouer : l'application répond après son déplacement",
            )
            yield InvalidField(field, reason)
        else:
            yield from _faults_of_answers(field, this.answers, master)


def _faults_of_answers(place: str, answers: Sequence[Answer], master: MasterOptions) -> Iterator[InvalidField]:
    known = [landmark.name for landmark in master.landmarks]
    marked: tuple[str, ...] = ()
    for index, answer in enumerate(answers):
        field = f"{place}[{index}]"
        match answer:
            case Located(tuple(nearness)) if len(nearness) != len(master.masts):
                masts = len(master.masts)
                reason = Text(f"must be {masts}, one for each mast", f"il en faut {masts}, une par antenne")
                yield InvalidField(f"{field}.located.nearness", reason)
            case Interrogated(landmarks):
                marked = landmarks or ()
                for number, name in enumerate(marked):
                    if name not in known:
                        path = f"{field}.interrogated.question_marks.landmarks[{number}]"
                        yield InvalidField(path, no_landmark(name))
            case StatementHeard(str(landmark), int(ago)):
                if landmark not in marked:
                    reason = Text(
                        "must be one where the interrogation before it saw him",
                        "doit être un lieu où l'interrogatoire précédent l'a vu",
                    )
                    yield InvalidField(f"{field}.statement_heard.landmark", reason)
                if ago not in range(master.recent_window):
                    window = master.recent_window
                    reason = Text(f"must be less than {window}", f"doit être inférieur à {window}")
                    yield InvalidField(f"{field}.statement_heard.moves_ago", reason)
