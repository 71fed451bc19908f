"""Options on the wire: what a host asks for, and everything that is in force."""

from collections.abc import Iterable
from functools import lru_cache

from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.overrides import Overrides
from whitehall.games.cluedo.theme import Name
from whitehall.games.cluedo.wire.numbers import (
    accusation_moment_number,
    dice_source_number,
    leftovers_number,
    movement_number,
)
from whitehall.gen.whitehall.cluedo.v1 import options_pb2

_CHOICES = {
    "movement": Movement,
    "accusations": AccusationMoment,
    "dice": DiceSource,
    "leftovers": Leftovers,
}


def read_overrides(message: options_pb2.Options) -> Overrides:
    """What a host asks for."""
    asked: dict[str, object] = {}
    for field, value in message.ListFields():
        match value:
            case options_pb2.Names():
                asked[field.name] = tuple(value.names)
            case options_pb2.RoomSlots():
                asked[field.name] = tuple(value.slots)
            case int() if field.name in _CHOICES:
                asked[field.name] = _CHOICES[field.name](value)
            case _:
                asked[field.name] = value
    return Overrides(**asked)  # type: ignore[arg-type]  # the message has the same fields


@lru_cache(256)
def write_options(options: CluedoOptions) -> options_pb2.Options:
    """Everything that is in force, as a host could have asked for it. One message for all games that have the same."""
    theme = options.theme
    return options_pb2.Options(
        board=options.board.name,
        movement=movement_number(options.movement),
        accusations=accusation_moment_number(options.accusations),
        dice=dice_source_number(options.dice),
        leftovers=leftovers_number(options.leftovers),
        neutral_cards=options.neutral_cards if options.players == 2 else None,
        first_dealt=options.first_dealt,
        suspects=_names(theme.suspects),
        weapons=_names(theme.weapons),
        locations=_names(theme.locations),
        room_slots=options_pb2.RoomSlots(slots=theme.slots),
    )


def _names(names: Iterable[Name]) -> options_pb2.Names:
    return options_pb2.Names(names=[name.text for name in names])
