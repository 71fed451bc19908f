"""Differences: what a game's options change of its preset, told as a host could have asked for it."""

from dataclasses import fields, replace
from typing import Any

from whitehall.games.scotland_yard.idle import idle, idle_of_app
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.overrides import NONE, Overrides, given
from whitehall.games.scotland_yard.ticket import Tickets


def in_force(options: ScotlandYardOptions) -> Overrides:
    """Everything that is in force, without what would have no effect: asked for, it makes the same options again."""
    all_hands = [options.hands * count for count in options.hand]
    everything = Overrides(
        board=options.board.name,
        end_by=options.end_by,
        rounds=options.rounds,
        log_fields=options.log_fields,
        surfacing=options.surfacing,
        detective_tickets=options.hand,
        two_player_pool=options.hand,
        detective_black_tickets=options.black_hand // len(options.detectives) if options.pooled else options.black_hand,
        mr_x_supply=options.mr_x_supply,
        box_tickets=Tickets(*(held + left for held, left in zip(all_hands, options.supply, strict=True))),
        mr_x_hand=options.supply,
        black_tickets=options.black_tickets,
        double_tickets=options.double_tickets,
        bobbies=len(options.bobbies),
        stuck_scope=options.stuck_scope,
        last_black_wins=options.last_black_wins,
        start_by=options.start_by,
        start_cards_mr_x=options.start_cards_mr_x,
        start_cards_hunters=options.start_cards_hunters,
        master=None if options.master is None else app_in_force(options.master),
    )
    without_effect = idle(
        pooled=options.pooled,
        has_pool=options.pooled,
        end_by=options.end_by,
        mr_x_supply=options.mr_x_supply,
        start_by=options.start_by,
    )
    nothing: dict[str, Any] = dict.fromkeys(without_effect)
    return replace(everything, **nothing)


def app_in_force(options: MasterOptions) -> MasterOverrides:
    """The same of the app game's options."""
    everything = MasterOverrides(**{field.name: getattr(options, field.name) for field in fields(options)})
    return replace(everything, **dict.fromkeys(idle_of_app(options)))


def changes(wanted: Overrides, usual: Overrides) -> Overrides:
    """What is in force in one game and not in another. What is left out as it has no effect differs in nothing."""
    differing = replace(NONE, **_differing(wanted, usual))
    if wanted.master is None or usual.master is None:
        return differing
    of_app = _differing(wanted.master, usual.master)
    return replace(differing, master=MasterOverrides(**of_app) if of_app else None)


def _differing(wanted: Overrides | MasterOverrides, usual: Overrides | MasterOverrides) -> dict[str, Any]:
    return {name: value for name, value in given(wanted) if value != getattr(usual, name)}
