"""Words: what the terminal says about a game of Cluedo, made from the messages that a seat receives."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from whitehall.gen.whitehall.cluedo.v1 import game_pb2, move_pb2

HELP = """\
  roll                       roll the dice; `roll 4 5` where the table has dice of its own
  walk 7,4                   walk to a square: row and column
  enter L3                   walk into a room
  passage L6                 take a secret passage, in place of a roll
  suggest S4 W2 L3           in the room where you stand
  show W2                    when you are asked for a card
  accuse S4 W2 L3            look into the envelope
  end                        end your turn
  moves                      what you may do now
  moves 7,4                  the way to a square or a room (moves L3)
  table                      the board, your hand, and all suggestions
  quit                       leave the game (so does the end of input)"""

PLACES_PER_LINE = 12
"""Of the squares in reach, lest lines grow too long for a terminal."""

_ENDINGS = {
    game_pb2.TURN_END_REASON_NOTHING_LEFT: "there is nothing left to do",
    game_pb2.TURN_END_REASON_ELIMINATED: "out of the running",
}


def table(game: game_pb2.Game) -> Iterator[str]:
    """Everything that the viewer knows, line by line."""
    view = game.view
    turn = ", ".join(game.info.seats[seat].name for seat in game.info.to_move)
    yield click.style(f"Turn {view.turn}", bold=True) + (f", to move: {turn}" if turn else "")
    names = {each.card: each.name for each in view.cards}
    for pawn in view.pawns:
        player = game.info.seats[pawn.seat].name if pawn.HasField("seat") else "nobody"
        out = "  (out)" if pawn.HasField("seat") and pawn.seat in view.eliminated else ""
        called = "  (called in)" if pawn.called_in else ""
        yield _row(pawn.pawn, _place(pawn.place), f"{names[pawn.pawn]}, played by {player}{called}{out}")
    yield _row("weapons", "", ", ".join(f"{each.weapon} in {each.location}" for each in view.weapons))
    if view.face_up:
        yield _row("open", "", _named(view.face_up, names))
    if view.hand:
        yield _row("hand", "", _named(view.hand, names))
    for made in view.suggestions:
        yield _row("", "", _suggestion(game, made))
    if view.HasField("envelope"):
        yield _row("envelope", "", _case(view.envelope))


def moves(legal: move_pb2.LegalMoves) -> Iterator[str]:
    """The legal moves, by kind."""
    if legal.HasField("roll"):
        yield _row("", "", "roll, and say what the dice show" if legal.roll.physical else "roll")
    rooms = [there.place.room for there in legal.destinations if there.place.HasField("room")]
    squares = [_place(there.place) for there in legal.destinations if there.place.HasField("square")]
    if rooms:
        yield _row("", "", f"enter {' '.join(rooms)}")
    for first in range(0, len(squares), PLACES_PER_LINE):
        yield _row("", "", f"walk {' '.join(squares[first : first + PLACES_PER_LINE])}")
    if legal.passages:
        yield _row("", "", f"passage {' '.join(each.location for each in legal.passages)}")
    if legal.suggest_in:
        yield _row("", "", f"suggest any suspect and weapon in {legal.suggest_in}")
    if legal.shows:
        yield _row("", "", f"show {' '.join(each.card for each in legal.shows)}")
    if legal.may_accuse:
        yield _row("", "", "accuse anybody")
    if legal.HasField("end"):
        yield _row("", "", "end")


def ways(legal: move_pb2.LegalMoves, places: Sequence[str]) -> Iterator[str]:
    """The ways to some places."""
    for place in places:
        found = [there for there in legal.destinations if _place(there.place) == place.upper()]
        for there in found:
            squares = " ".join(f"{square.row},{square.column}" for square in there.path)
            yield _row("", place, f"{there.pips} pips: {squares or 'through the door'}")
        if not found:
            yield _row("", place, "is out of reach")


def news(events: Iterable[game_pb2.Event]) -> Iterator[str]:
    """What has happened."""
    for event in events:
        told = _told(event)
        if told:
            yield f"  {told}"


def _told(event: game_pb2.Event) -> str:
    match event.WhichOneof("kind"):
        case "dealt" if event.dealt.cards:
            return f"you are dealt {' '.join(event.dealt.cards)}"
        case "laid_open":
            return f"{' '.join(event.laid_open.cards)} lie open"
        case "rolled":
            return f"{event.rolled.pawn} {event.text}"
        case "stuck":
            return f"{event.stuck.pawn} cannot move"
        case "walked":
            return f"{event.walked.pawn} {event.text}"
        case "entered":
            return f"{event.entered.pawn} {event.text}"
        case "took_passage":
            return f"{event.took_passage.pawn} {event.text}"
        case "suggested":
            return f"seat {event.suggested.seat}: {event.text}"
        case "passed":
            return f"seat {event.passed.seat}: {event.text}"
        case "refuted":
            return f"seat {event.refuted.seat}: {event.text}"
        case "unrefuted":
            return "nobody can show a card"
        case "accused":
            right = "and is right" if event.accused.right else "and is wrong"
            return f"seat {event.accused.seat}: {event.text}, {right}"
        case "envelope_seen" if event.envelope_seen.HasField("envelope"):
            return f"you see {_case(event.envelope_seen.envelope)}"
        case "turn_ended" if event.turn_ended.reason in _ENDINGS:
            return f"seat {event.turn_ended.seat}: {_ENDINGS[event.turn_ended.reason]}"
        case "revealed":
            return f"in the envelope: {_case(event.revealed.envelope)}"
    return ""


def result(game: game_pb2.Game, rule: str) -> Iterator[str]:
    """How the game ended, with the sentence of the rule that ended it, and the solution."""
    outcome = game.view.outcome
    winners = " and ".join(game.info.seats[seat].name for seat in outcome.winners) or "nobody"
    yield click.style(f"Winner: {winners}. {outcome.rule}: {rule}", bold=True)
    names = {each.card: each.name for each in game.view.cards}
    envelope = game.view.envelope
    yield _row("envelope", "", _named((envelope.suspect, envelope.weapon, envelope.location), names))


def _suggestion(game: game_pb2.Game, made: game_pb2.Suggestion) -> str:
    name = {seat.seat: seat.name for seat in game.info.seats}
    passed = f"; {', '.join(name[seat] for seat in made.passed)} passed" if made.passed else ""
    shown = made.card if made.HasField("card") else "a card"
    answer = f"; {name[made.refuter]} showed {shown}" if made.HasField("refuter") else "; nobody showed a card"
    return f"{name[made.seat]} suggested {made.suspect} {made.weapon} {made.location}{passed}{answer}"


def _place(place: move_pb2.Place) -> str:
    return place.room if place.HasField("room") else f"{place.square.row},{place.square.column}"


def _case(case: move_pb2.Case) -> str:
    return f"{case.suspect} {case.weapon} {case.location}"


def _named(cards: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(f"{card} {names[card]}" for card in cards)


def _row(name: str, place: str, words: str) -> str:
    return f"  {name:<8} {place:>5}  {words}"
