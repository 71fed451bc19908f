"""Options on the wire: what a host asks for, and everything that is in force."""

from functools import lru_cache

from whitehall.games.core.fault import InvalidField
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import overrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.wire.master_options import read_master_options, write_master_options
from whitehall.games.scotland_yard.wire.numbers import (
    end_by_number,
    mr_x_supply_number,
    start_by_number,
    stuck_scope_number,
)
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
    detectives, finite = len(options.detectives), options.mr_x_supply == MrXSupply.FINITE
    all_hands = Tickets(*(options.hands * count for count in options.hand))
    has_cards = options.start_by != StartBy.CHOICE
    box = Tickets(*(held + left for held, left in zip(all_hands, options.supply, strict=True)))
    return options_pb2.Options(
        board=options.board.name,
        end_by=end_by_number(options.end_by),
        rounds=options.rounds if options.end_by == EndBy.ROUNDS else None,
        log_fields=options.log_fields,
        surfacing=options_pb2.Surfacing(fields=options.surfacing),
        detective_tickets=None if options.pooled else _tickets(options.hand),
        two_player_pool=_tickets(options.hand) if options.pooled else None,
        detective_black_tickets=options.black_hand // detectives if options.pooled else options.black_hand,
        mr_x_supply=mr_x_supply_number(options.mr_x_supply),
        box_tickets=_tickets(box) if finite else None,
        mr_x_hand=_tickets(options.supply) if options.mr_x_supply == MrXSupply.FROM_DETECTIVES else None,
        black_tickets=options.black_tickets,
        double_tickets=options.double_tickets,
        bobbies=len(options.bobbies),
        stuck_scope=stuck_scope_number(options.stuck_scope),
        last_black_wins=options.last_black_wins,
        start_by=start_by_number(options.start_by),
        start_cards_mr_x=options_pb2.StartCards(stations=options.start_cards_mr_x) if has_cards else None,
        start_cards_hunters=options_pb2.StartCards(stations=options.start_cards_hunters) if has_cards else None,
        master=None if options.master is None else write_master_options(options.master),
    )


def _tickets(tickets: Tickets) -> move_pb2.Tickets:
    return move_pb2.Tickets(taxi=tickets.taxi, bus=tickets.bus, underground=tickets.underground)
