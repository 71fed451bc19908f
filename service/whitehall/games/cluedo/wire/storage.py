"""Options and states as the bytes that the store keeps. Private and compact."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from whitehall.games.cluedo import boards
from whitehall.games.cluedo.card import Case, suspect
from whitehall.games.cluedo.moves import Dice
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.rulebook import RULES
from whitehall.games.cluedo.state import AccusationMade, CluedoState, Phase, SuggestionMade
from whitehall.games.cluedo.theme import Name, Theme
from whitehall.games.cluedo.wire.packing import (
    ANY_CARD,
    CASE,
    FLAG,
    NUMBER,
    REFUTER,
    SEAT,
    SEATS,
    Kind,
    pack_cards,
    pack_place,
    unpack_cards,
    unpack_place,
)
from whitehall.games.core.outcome import Outcome
from whitehall.games.core.seat import Seat
from whitehall.games.core.stored_board import stored_board
from whitehall.gen.whitehall.cluedo.store.v1 import state_pb2

_RULES = {rule.id: rule for rule in RULES}

_SUGGESTION = Kind(SuggestionMade, (NUMBER, SEAT, CASE, FLAG, FLAG, SEATS, REFUTER, ANY_CARD))
_ACCUSATION = Kind(AccusationMade, (NUMBER, SEAT, CASE, FLAG))


FORMAT = 1
"""The format of stored games, as `sessions` numbers them: whoever knows the game at all reads all of it."""


def format_of(options: CluedoOptions) -> int:
    """The oldest format whose readers overlook nothing of a game with these options."""
    return FORMAT


@lru_cache(256)
def encode_options(options: CluedoOptions) -> bytes:
    """What a game was made with. Asked for with every move of a game, and always the same."""
    theme = options.theme
    return state_pb2.Options(
        preset=options.preset,
        board=options.board.name,
        board_digest=options.board.digest,
        pawns=[pawn.number for pawn in options.seats],
        theme=theme.name,
        theme_about=theme.about,
        suspects=_names(theme.suspects),
        weapons=_names(theme.weapons),
        locations=_names(theme.locations),
        slots=theme.slots,
        movement=options.movement,
        accusations=options.accusations,
        dice=options.dice,
        leftovers=options.leftovers,
        neutral_cards=options.neutral_cards,
        first_dealt=options.first_dealt,
    ).SerializeToString()


@lru_cache(256)
def decode_options(data: bytes) -> CluedoOptions:
    """The options that were encoded; one value for all games that were made with the same.

    Raises `BoardUnavailable`.
    """
    message = state_pb2.Options.FromString(data)
    return CluedoOptions(
        preset=message.preset,
        seats=tuple(suspect(number) for number in message.pawns),
        board=stored_board(boards.board, message.board, message.board_digest),
        theme=Theme(
            name=message.theme,
            about=message.theme_about,
            suspects=_read_names(message.suspects),
            weapons=_read_names(message.weapons),
            locations=_read_names(message.locations),
            slots=tuple(message.slots),
        ),
        movement=Movement(message.movement),
        accusations=AccusationMoment(message.accusations),
        dice=DiceSource(message.dice),
        leftovers=Leftovers(message.leftovers),
        neutral_cards=message.neutral_cards,
        first_dealt=Seat(message.first_dealt),
    )


def _names(names: Iterable[Name]) -> list[state_pb2.Name]:
    return [state_pb2.Name(text=name.text, placeholder=name.placeholder) for name in names]


def _read_names(messages: Iterable[state_pb2.Name]) -> tuple[Name, ...]:
    return tuple(Name(message.text, message.placeholder) for message in messages)


def encode_state(state: CluedoState) -> bytes:
    """A state, without its options."""
    outcome = state.outcome
    return state_pb2.State(
        turn=state.turn,
        active=state.active,
        phase=state.phase,
        dice=state.dice or (),
        pawns=[pack_place(place) for place in state.pawns],
        weapons=pack_cards(state.weapons),
        called=pack_cards(state.called),
        envelope=pack_cards(state.envelope),
        hands=[number for hand in state.hands for number in pack_cards(hand)],
        face_up=pack_cards(state.face_up),
        suggestions=[number for made in state.suggestions for number in _SUGGESTION.pack(made)],
        accusations=[number for made in state.accusations for number in _ACCUSATION.pack(made)],
        eliminated=state.eliminated,
        winners=() if outcome is None else outcome.winners,
        ended_by="" if outcome is None else outcome.rule.id,
    ).SerializeToString()


def decode_state(options: CluedoOptions, data: bytes) -> CluedoState:
    """The state that was encoded."""
    message = state_pb2.State.FromString(data)
    dealt = iter(unpack_cards(message.hands))
    return CluedoState(
        options=options,
        turn=message.turn,
        active=Seat(message.active),
        phase=Phase(message.phase),
        dice=Dice(*message.dice) if message.dice else None,
        pawns=tuple(unpack_place(number) for number in message.pawns),
        weapons=unpack_cards(message.weapons),
        called=unpack_cards(message.called),
        envelope=Case(*unpack_cards(message.envelope)),
        hands=tuple(tuple(islice(dealt, size)) for size in options.hand_sizes),
        face_up=unpack_cards(message.face_up),
        suggestions=_SUGGESTION.unpack_all(message.suggestions),
        accusations=_ACCUSATION.unpack_all(message.accusations),
        eliminated=tuple(Seat(seat) for seat in message.eliminated),
        outcome=Outcome(tuple(Seat(seat) for seat in message.winners), _RULES[message.ended_by])
        if message.ended_by
        else None,
    )
