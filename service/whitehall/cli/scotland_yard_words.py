"""Words: what the terminal says about a game of Scotland Yard, made from the messages that a seat receives.

Colours are for terminals; `click.echo` leaves them out elsewhere.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import click

from whitehall.gen.whitehall.scotlandyard.v1 import game_pb2, master_pb2, move_pb2

HELP = """\
  red bus 105                  a piece, a ticket, a station: taxi, bus, underground, black (Mr X only)
  taxi 86                      the same, where you have one piece
  double taxi 86 black 52      Mr X spends a double ticket and rides twice
  red bus 105; bobby1 taxi 31  several hunters at once
  red pass                     only where a hunter cannot move
  red start 13                 before the first round, where players place their pieces: a piece, a station
  helicopter 47                Mr X flies to any free station; with the app only
  detectives locate            a special action of the app: locate, scan, analysis or interrogate
  hear "King's Cross"          the landmark whose witnesses are heard, where the app has found several
  moves                        what you may play now
  moves double taxi 86         the second halves that may follow this first one
  table                        the board, the tickets and the log
  quit                         leave the game (so does the end of input)"""

ROUNDS_PER_LINE = 6
"""Of the log, lest lines grow too long for a terminal."""

ANSWERS_SHOWN = 3
"""The app's latest answers in the table."""

_COLOURS = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow", "purple": "magenta", "mr_x": "cyan"}
_PASSES = {
    game_pb2.PASS_REASON_NO_TICKET: "it has no ticket for any line there",
    game_pb2.PASS_REASON_BLOCKED: "every way is blocked",
}


def piece_word(piece: move_pb2.Piece.ValueType) -> str:
    """A piece's name in notation."""
    return move_pb2.Piece.Name(piece).removeprefix("PIECE_").lower()


def table(game: game_pb2.Game) -> Iterator[str]:
    """Everything that lies open to the viewer, line by line."""
    view = game.view
    turn = ", ".join(game.info.seats[seat].name for seat in game.info.to_move)
    title = f"Round {view.round} of {view.rounds}" if view.round else "Before the first round"
    yield click.style(title, bold=True) + (f", to move: {turn}" if turn else "")
    mr_x = view.mr_x
    special = f"black {mr_x.black_tickets}  double {mr_x.double_tickets}"
    if view.HasField("master"):
        special += f"  helicopter {view.master.helicopter_tickets}"
    yield _row("mr_x", _station(mr_x), special)
    for hunter in view.hunters:
        hand = _tickets(hunter.tickets) if hunter.HasField("tickets") else "needs no tickets"
        if hunter.HasField("tickets") and view.options.detective_black_tickets:
            hand += f"  black {hunter.tickets.black}"
        yield _row(
            piece_word(hunter.piece), str(hunter.station or "-"), hand + ("  (has moved)" if hunter.has_moved else "")
        )
    yield _row("supply", "", _tickets(view.supply) if view.HasField("supply") else "has no end")
    if view.offered:
        yield _row("start", "", " ".join(map(str, view.offered)))
    yield from app(view.master)
    yield from log(view)


def app(master: master_pb2.MasterView) -> Iterator[str]:
    """What the app shows to this viewer: what it offers, where Mr X has to go, what it has answered lately."""
    if master.available:
        yield _row("app", "", f"offers {', '.join(map(_action, master.available))}")
    for landmark in master.choices:
        yield _row("app", "", f'you may hear "{landmark}"')
    if master.meeting_points:
        points = [f"{point.station}{' (reached)' if point.reached else ''}" for point in master.meeting_points]
        yield _row("app", "", f"meeting points {', '.join(points)}")
    for finding in master.findings[-ANSWERS_SHOWN:]:
        yield _row("app", "", f"round {finding.round}, field {finding.field}: {answer(finding.answer)}")


def answer(message: master_pb2.Answer | game_pb2.Event) -> str:
    """What the app answered, as far as the viewer may know it."""
    match message.WhichOneof("kind"):
        case "analysed":
            return f"analysis: {_joined(message.analysed.stations)}"
        case "located":
            return f"locate: {_joined(map(_nearness, message.located.nearness))}"
        case "scanned":
            scanned = message.scanned
            return f"scan: {scanned.distance if scanned.HasField('distance') else '?'}"
        case "interrogated":
            found = message.interrogated
            marks = _joined(found.question_marks.landmarks, ", ", "nobody has seen him")
            return f"interrogate: {marks if found.HasField('question_marks') else '?'}"
        case "statement_heard":
            heard = message.statement_heard
            return f"{heard.landmark}: {heard.moves_ago} moves ago" if heard.HasField("landmark") else "witnesses: ?"
        case _:
            return ""


def _joined(words: Iterable[object], between: str = " ", nothing: str = "?") -> str:
    return between.join(map(str, words)) or nothing


def _action(action: master_pb2.SpecialAction.ValueType) -> str:
    return master_pb2.SpecialAction.Name(action).removeprefix("SPECIAL_ACTION_").lower()


def _nearness(nearness: master_pb2.Nearness.ValueType) -> str:
    return master_pb2.Nearness.Name(nearness).removeprefix("NEARNESS_").lower()


def log(view: game_pb2.View) -> Iterator[str]:
    """Mr X's log, begun by his start where the viewer knows it; then where he surfaces next."""
    entries = [f"start {view.mr_x.start}"] if view.mr_x.HasField("start") else []
    entries += [" + ".join(map(_field, fields)) for _, fields in groupby(view.log, key=lambda field: field.round)]
    for first in range(0, len(entries), ROUNDS_PER_LINE):
        yield _row("log", "", ", ".join(entries[first : first + ROUNDS_PER_LINE]))
    ahead = [number for number in view.surfacing if number > len(view.log)]
    if ahead and not view.HasField("outcome"):
        yield _row("log", "", f"he surfaces at field {ahead[0]} of {view.log_fields}; {len(view.log)} are filled")


def moves(legal: move_pb2.LegalMoves) -> Iterator[str]:
    """The legal moves, by piece and ticket."""
    for action in legal.actions:
        yield _row("app", "", action.text)
    for each in legal.pieces:
        by_ticket = groupby(each.rides, key=lambda ride: ride.ticket)
        rides = [f"{_ticket(ticket)} {_numbers(rides)}" for ticket, rides in by_ticket]
        if each.flights:
            rides.append(f"helicopter to any of {len(each.flights)} free stations")
        if each.starts:
            rides = [f"start {' '.join(map(str, each.starts))}"]
        yield _row(piece_word(each.piece), "", " | ".join(rides) or "pass")
        if each.doubles:
            first = each.doubles[0].first.text
            number = sum(len(double.seconds) for double in each.doubles)
            yield _row("", "", f"and {number} double moves; those that begin like this one: moves {first}")


def doubles(legal: move_pb2.LegalMoves, first: str) -> Iterator[str]:
    """The second halves that may follow a first one, which is written `double taxi 86`."""
    for each in legal.pieces:
        for double in each.doubles:
            if double.first.text == first:
                by_ticket = groupby(double.seconds, key=lambda ride: ride.ticket)
                for ticket, rides in by_ticket:
                    yield _row("", "", f"{first} {_ticket(ticket)} {_numbers(rides)}")
                return
    yield _row("", "", f"no double move begins with: {first}")


def news(events: Iterable[game_pb2.Event]) -> Iterator[str]:
    """What has happened, as far as the table does not show it."""
    for event in events:
        match event.WhichOneof("kind"):
            case "double_declared":
                yield f"  {_coloured('mr_x')} lays out a double ticket"
            case "mr_x_travelled" if event.mr_x_travelled.surfaced:
                yield f"  {_coloured(event.text)}, and surfaces"
            case "mr_x_travelled" | "hunter_travelled":
                yield f"  {_coloured(event.text)}"
            case "placing_began":
                stations = " ".join(map(str, event.placing_began.offered))
                yield f"  the hunters share out {stations}" if stations else "  all choose where they start"
            case "placed" if event.placed.chosen:
                yield f"  {_coloured(event.text)}"
            case "actions_offered":
                yield f"  the app offers {', '.join(map(_action, event.actions_offered.actions))}"
            case "analysed" | "located" | "scanned" | "interrogated" | "statement_heard":
                yield f"  {answer(event)}"
            case "meeting_point_shown":
                yield f"  a meeting point: {event.meeting_point_shown.station}"
            case "meeting_point_reached":
                yield f"  {_coloured('mr_x')} has reached meeting point {event.meeting_point_reached.number}"
            case "hunter_passed":
                yield f"  {_coloured(event.text)}: {_PASSES[event.hunter_passed.reason]}"
            case "mr_x_caught":
                caught = event.mr_x_caught
                yield f"  {_coloured(piece_word(caught.piece))} catches mr_x at {caught.station}"


def result(game: game_pb2.Game, rule: str) -> Iterator[str]:
    """How the game ended, with the sentence of the rule that ended it, and the log, which lies open now."""
    outcome = game.view.outcome
    winners = " and ".join(game.info.seats[seat].name for seat in outcome.winners) or "nobody"
    yield click.style(f"Winner: {winners}. {outcome.rule}: {rule}", bold=True)
    yield from log(game.view)


def _row(name: str, station: str, words: str) -> str:
    return f"  {_coloured(f'{name:<7}')} {station:>3}  {words}"


def _coloured(text: str) -> str:
    """The text in its piece's colour."""
    piece = text.partition(" ")[0]
    return click.style(text, fg=_COLOURS[piece]) if piece in _COLOURS else text


def _station(mr_x: game_pb2.MrX) -> str:
    return str(mr_x.station) if mr_x.HasField("station") else "?"


def _tickets(tickets: move_pb2.Tickets) -> str:
    return f"taxi {tickets.taxi}  bus {tickets.bus}  underground {tickets.underground}"


def _field(field: game_pb2.LogField) -> str:
    station = field.station if field.HasField("station") else "?"
    return f"{field.number} {_ticket(field.ticket)} {station}" + (" (surfaced)" if field.surfaced else "")


def _ticket(ticket: move_pb2.Ticket.ValueType) -> str:
    return move_pb2.Ticket.Name(ticket).removeprefix("TICKET_").lower()


def _numbers(rides: Iterable[move_pb2.LegalRide]) -> str:
    return " ".join(str(ride.station) for ride in rides)
