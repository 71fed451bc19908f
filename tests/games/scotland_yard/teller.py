"""How a transcript of Scotland Yard reads: events and views in one line or two each, `?` for what is covered."""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from pathlib import Path

from whitehall.games.scotland_yard import notation
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.events import (
    ActionsOffered,
    DoubleDeclared,
    Event,
    GameEnded,
    HunterPassed,
    HunterTravelled,
    MeetingPointReached,
    MeetingPointShown,
    MrXCaught,
    MrXTravelled,
    Placed,
    PlacingBegan,
)
from whitehall.games.scotland_yard.findings import (
    Analysed,
    Answer,
    Interrogated,
    Located,
    Scanned,
    StatementHeard,
)
from whitehall.games.scotland_yard.moves import Move
from whitehall.games.scotland_yard.options import ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Station, Ticket, Tickets
from whitehall.games.scotland_yard.view import LogField, MasterView, ScotlandYardView

LETTERS = {Ticket.TAXI: "t", Ticket.BUS: "b", Ticket.UNDERGROUND: "u", Ticket.BLACK: "x", Ticket.HELICOPTER: "h"}


class ScotlandYardTeller:
    """Tells games of Scotland Yard, for `tests.games.transcript`."""

    folder = Path(__file__).with_name("transcripts")

    def options(self, header: Mapping[str, str]) -> ScotlandYardOptions:
        start_by = StartBy[header["start_by"].upper()] if "start_by" in header else None
        return resolve(header["preset"], int(header["players"]), changes=Overrides(start_by=start_by))

    def move(self, text: str) -> Move:
        return notation.parse(text)

    def text(self, move: Move) -> str:
        return notation.text(move)

    def event(self, event: Event) -> str:
        match event:
            case PlacingBegan(offered):
                return f"the hunters are placed on {' '.join(map(str, offered)) or 'any stations'}"
            case Placed(piece, station, chosen):
                return f"{name(piece)} {'is placed' if chosen else 'starts'} on {covered(station)}"
            case DoubleDeclared(remaining):
                return f"mr_x lays out a double ticket, {remaining} left"
            case MrXTravelled(number, ticket, station, surfaced):
                return (
                    f"mr_x fills field {number}: {name(ticket)} {covered(station)}{', surfacing' if surfaced else ''}"
                )
            case HunterTravelled(piece, ticket, station):
                return f"{name(piece)} rides by {name(ticket)} to {station}"
            case HunterPassed(piece, reason):
                return f"{name(piece)} passes: {reason.name.lower()}"
            case MrXCaught(piece, station):
                return f"{name(piece)} catches mr_x on {station}"
            case GameEnded(outcome):
                return f"the game is over: seats {', '.join(map(str, outcome.winners))} win by {outcome.rule.id}"
            case ActionsOffered(actions):
                return f"the app offers {', '.join(map(name, actions))}"
            case MeetingPointShown(station):
                return f"the app shows a meeting point on {station}"
            case MeetingPointReached(station, number, _):
                return f"mr_x reaches meeting point {number} on {covered(station)}"
            case _:
                return answer(event)

    def view(self, view: ScotlandYardView) -> Iterator[str]:
        """`*` marks a hunter that has moved, `!` a field where Mr X surfaced, `|` the end of a round on his log."""
        hunters = (
            f"{name(hunter.piece)} {covered(hunter.station or None)}{'*' if hunter.has_moved else ''}"
            + (f" ({counts(hunter.tickets)})" if hunter.tickets else "")
            for hunter in view.hunters
        )
        yield f"round {view.round}, {name(view.phase)}: {', '.join(hunters)}"
        began = "".join(
            f"; round {len(view.round_starts)} began on {' '.join(map(str, start.hunters))} with {counts(start.supply)}"
            for start in view.round_starts[-1:]
        )
        yield f"supply {counts(view.supply)}, black {view.black_tickets}, double {view.double_tickets}{began}"
        if view.master is not None:
            yield from app(view.master)
        if view.offered:
            yield f"still to be taken: {' '.join(map(str, view.offered))}"
        yield f"mr_x {covered(view.mr_x)}; log: {covered(view.start)}{''.join(self._log(view.log))}"
        if view.outcome is not None:
            yield f"won by {', '.join(map(str, view.outcome.winners))}: {view.outcome.rule.id}"

    def _log(self, log: tuple[LogField, ...]) -> Iterator[str]:
        """Behind the start station, each field as a letter for the ticket (x for black) and the station."""
        last_round = 0
        for field in log:
            yield " " if field.round == last_round else " | "
            yield f"{LETTERS[field.ticket]}{covered(field.station)}{'!' if field.surfaced else ''}"
            last_round = field.round


def name(value: IntEnum) -> str:
    return value.name.lower()


def covered(station: Station | None) -> str:
    return "?" if station is None else str(station)


def counts(tickets: Tickets) -> str:
    return "/".join(map(str, tickets))


def answer(given: Answer) -> str:
    match given:
        case Analysed(stations):
            return f"analysis: {listed(stations)}"
        case Located(nearness):
            return f"locate: {listed(None if nearness is None else map(name, nearness))}"
        case Scanned(distance):
            return f"scan: {'?' if distance is None else distance}"
        case Interrogated(landmarks):
            return f"interrogate: {'?' if landmarks is None else ', '.join(landmarks) or 'nobody has seen him'}"
        case StatementHeard(landmark, moves_ago):
            return f"witnesses at {landmark}: {moves_ago} moves ago"


def listed(values: Iterable[object] | None) -> str:
    return "?" if values is None else " ".join(map(str, values))


def app(master: MasterView) -> Iterator[str]:
    """What the app shows: `+` marks a meeting point that he has reached."""
    available = " ".join(map(name, master.available)) or "nothing"
    choices = f", to be heard: {', '.join(master.choices)}" if master.choices else ""
    yield f"helicopter {master.helicopter_tickets}, the app offers {available}{choices}"
    if master.meeting_points is not None:
        points = (f"{point.station}{'+' if point.reached else ''}" for point in master.meeting_points)
        yield f"meeting points: {' '.join(points) or 'none'}"
    if master.findings:
        last = master.findings[-1]
        yield f"{len(master.findings)} findings, the last at field {last.field}: {answer(last.answer)}"
