"""The start of a game: start cards put the pieces on the board, or the placing of the pieces begins."""

from whitehall.games.core.chance import Chance
from whitehall.games.scotland_yard import rounds
from whitehall.games.scotland_yard.events import Placed, PlacingBegan
from whitehall.games.scotland_yard.options import ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.rounds import Continued
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import NOWHERE, Station


def setup(options: ScotlandYardOptions, chance: Chance) -> Continued:
    """The position before anybody has done anything, and what was dealt."""
    if options.start_by == StartBy.CARDS:
        return _deal(options, chance)
    if options.start_by == StartBy.DISTRIBUTION:
        return _offer(options, chance)
    return _before_placing(options), (PlacingBegan(()),)


def _deal(options: ScotlandYardOptions, chance: Chance) -> Continued:
    """Each hunter draws a start card, then Mr X draws his, and the first round begins."""
    deck = list(options.start_cards_hunters)
    stations = tuple(_draw(f"start card of {piece.word}", deck, chance) for piece in options.hunters)
    start = _draw_for_mr_x(options, stations, chance)
    placed = [Placed(piece, station) for piece, station in zip(options.hunters, stations, strict=True)]
    state, events = rounds.begin(
        _before_placing(options)._replace(round=1, phase=Phase.MR_X, mr_x=start, hunters=stations, start=start)
    )
    return state, (*placed, Placed(Piece.MR_X, start), *events)


def _offer(options: ScotlandYardOptions, chance: Chance) -> Continued:
    """A card for each hunter is laid open, and Mr X draws his in secret."""
    deck = list(options.start_cards_hunters)
    numbers = range(1, len(options.hunters) + 1)
    offered = tuple(sorted(_draw(f"start card {number} of the hunters", deck, chance) for number in numbers))
    start = _draw_for_mr_x(options, offered, chance)
    state = _before_placing(options)._replace(mr_x=start, start=start, offered=offered)
    return state, (PlacingBegan(offered), Placed(Piece.MR_X, start))


def _draw_for_mr_x(options: ScotlandYardOptions, drawn: tuple[Station, ...], chance: Chance) -> Station:
    """In an edition with one common deck he draws from what the hunters have left."""
    deck = [card for card in options.start_cards_mr_x if card not in drawn]
    return _draw(f"start card of {Piece.MR_X.word}", deck, chance)


def _draw(label: str, deck: list[Station], chance: Chance) -> Station:
    return deck.pop(chance.draw(label, len(deck)))


def _before_placing(options: ScotlandYardOptions) -> ScotlandYardState:
    """Tickets dealt, and no piece on the board."""
    return ScotlandYardState(
        options=options,
        round=0,
        phase=Phase.PLACING,
        mr_x=NOWHERE,
        hunters=(NOWHERE,) * len(options.hunters),
        hands=(options.hand,) * options.hands,
        black_hands=(options.black_hand,) * options.hands,
        supply=options.supply,
        black_tickets=options.black_tickets,
        double_tickets=options.double_tickets,
        moves_made=0,
        moved=0,
        log=(),
        start=None,
        round_starts=(),
        outcome=None,
        master=None if options.master is None else MasterState.at_start(options.master),
    )
