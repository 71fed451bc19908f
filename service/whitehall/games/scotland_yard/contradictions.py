"""Contradictions: what a game's options, each sound by itself, cannot be together."""

from collections.abc import Iterator

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.sentences import MUST_ASCEND, at_least
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import master_changes, rulebook
from whitehall.games.scotland_yard.ascent import descent
from whitehall.games.scotland_yard.options import EndBy, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.sentences import no_field, no_station_on, station_twice


def contradictions(options: ScotlandYardOptions) -> Iterator[OptionsError]:
    """All that is wrong with the options together."""
    needed = options.rounds + options.double_tickets
    if options.end_by == EndBy.ROUNDS and options.log_fields < needed:
        rounds, doubles = options.rounds, options.double_tickets
        reason = Text(
            f"must be {needed} or more for {rounds} rounds and {doubles} double tickets",
            f"au moins {needed} pour {rounds} tours et {doubles} tickets Coup double",
        )
        yield OptionsError("overrides.log_fields", reason, rulebook.LOG_HOLDS_GAME)
    if (second := descent(options.surfacing)) is not None:
        yield OptionsError(f"overrides.surfacing.fields[{second}]", MUST_ASCEND, rulebook.SURFACING_ON_LOG)
    for index, field in enumerate(options.surfacing):
        if not 1 <= field <= options.log_fields:
            reason = no_field(field, options.log_fields)
            yield OptionsError(f"overrides.surfacing.fields[{index}]", reason, rulebook.SURFACING_ON_LOG)
    if options.last_black_wins and not options.black_tickets:
        reason = Text("cannot be with no black ticket", "impossible sans Black Ticket")
        yield OptionsError("overrides.last_black_wins", reason, rulebook.BLACK_TO_SPEND)
    if options.start_by == StartBy.CHOICE:
        yield from _choice_faults(options)
    else:
        yield from _card_faults(options)
    if options.master is not None:
        yield from master_changes.faults(options.board, options.log_fields, options.master)


def _choice_faults(options: ScotlandYardOptions) -> Iterator[OptionsError]:
    pieces = len(options.hunters) + 1
    if len(options.board.stations) < pieces:
        reason = Text(
            f"has too few stations for {pieces} pieces to start on",
            f"a trop peu de stations pour le départ de {pieces} pions",
        )
        yield OptionsError("overrides.board", reason, rulebook.STATION_FOR_ALL)


def _card_faults(options: ScotlandYardOptions) -> Iterator[OptionsError]:
    decks = {"start_cards_hunters": options.start_cards_hunters, "start_cards_mr_x": options.start_cards_mr_x}
    for name, cards in decks.items():
        for index, card in enumerate(cards):
            place = f"overrides.{name}.stations[{index}]"
            if card not in options.board.coordinates:
                yield OptionsError(place, no_station_on(options.board.name, card), rulebook.CARDS_ON_BOARD)
            elif card in cards[:index]:
                yield OptionsError(place, station_twice(card), rulebook.CARDS_ON_BOARD)
    hunters, in_both = len(options.hunters), set(options.start_cards_hunters) & set(options.start_cards_mr_x)
    if len(options.start_cards_hunters) < hunters:
        yield OptionsError("overrides.start_cards_hunters", at_least(hunters), rulebook.CARDS_FOR_ALL)
    drawn = min(hunters, len(in_both))
    if len(options.start_cards_mr_x) <= drawn:
        reason = Text(
            f"must be {drawn + 1} or more, as the hunters may draw {drawn} of them",
            f"au moins {drawn + 1}, car les poursuivants peuvent en tirer {drawn}",
        )
        yield OptionsError("overrides.start_cards_mr_x", reason, rulebook.CARDS_FOR_ALL)
