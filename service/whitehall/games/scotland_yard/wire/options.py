"""Options on the wire: what a host asks for, and everything that is in force."""

from functools import lru_cache
from typing import Any

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import differences, overrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides, given
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.wire.master_options import read_master_options, write_master_options
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2, move_pb2, options_pb2

_NO_BLACK = Text("must be 0, they are counted elsewhere", "doit être 0, ils sont comptés ailleurs")
_CHOICES = {"end_by": EndBy, "mr_x_supply": MrXSupply, "stuck_scope": StuckScope, "start_by": StartBy}


def read_overrides(message: options_pb2.Options) -> Overrides:
    """What a host asks for. Raises `InvalidField`."""
    asked: dict[str, object] = {"house_rules": tuple(message.house_rules)}
    for field, value in message.ListFields():
        match value:
            case move_pb2.Tickets():
                if value.black:
                    raise InvalidField(f"overrides.{field.name}.black", _NO_BLACK)
                asked[field.name] = Tickets(value.taxi, value.bus, value.underground)
            case options_pb2.Surfacing():
                asked[field.name] = tuple(value.fields)
            case options_pb2.StartCards():
                asked[field.name] = tuple(value.stations)
            case master_pb2.MasterOptions():
                asked[field.name] = read_master_options(value)
            case int() if field.name in _CHOICES:
                asked[field.name] = _CHOICES[field.name](value)
            case str() | int():
                asked[field.name] = value
    return overrides.Overrides(**asked)  # type: ignore[arg-type]  # the message has the same fields


@lru_cache(256)
def write_options(options: ScotlandYardOptions) -> options_pb2.Options:
    """Everything that is in force, as a host could have asked for it. One message for all games that have the same."""
    told: dict[str, Any] = {}
    for name, value in given(differences.in_force(options)):
        match name:
            case "surfacing":
                told[name] = options_pb2.Surfacing(fields=value)
            case "start_cards_mr_x" | "start_cards_hunters":
                told[name] = options_pb2.StartCards(stations=value)
            case "master":
                told[name] = write_master_options(value)
            case _ if isinstance(value, Tickets):
                told[name] = move_pb2.Tickets(taxi=value.taxi, bus=value.bus, underground=value.underground)
            case _:
                told[name] = value
    return options_pb2.Options(**told)
