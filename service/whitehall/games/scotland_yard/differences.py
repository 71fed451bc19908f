"""Differences: what a game's options change of its preset, told as a host could have asked for it."""

from dataclasses import fields, replace
from typing import Any

from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.ticket import Tickets


def in_force(options: ScotlandYardOptions) -> Overrides:
    """Everything that is in force, without what would have no effect: asked for, it makes the same options again."""
    finite, draws = options.mr_x_supply == MrXSupply.FINITE, options.start_by != StartBy.CHOICE
    all_hands = [options.hands * count for count in options.hand]
    box = Tickets(*(held + left for held, left in zip(all_hands, options.supply, strict=True)))
    return Overrides(
        board=options.board.name,
        end_by=options.end_by,
        rounds=options.rounds if options.end_by == EndBy.ROUNDS else None,
        log_fields=options.log_fields,
        surfacing=options.surfacing,
        detective_tickets=None if options.pooled else options.hand,
        two_player_pool=options.hand if options.pooled else None,
        detective_black_tickets=options.black_hand // len(options.detectives) if options.pooled else options.black_hand,
        mr_x_supply=options.mr_x_supply,
        box_tickets=box if finite else None,
        mr_x_hand=options.supply if options.mr_x_supply == MrXSupply.FROM_DETECTIVES else None,
        black_tickets=options.black_tickets,
        double_tickets=options.double_tickets,
        bobbies=len(options.bobbies),
        stuck_scope=options.stuck_scope,
        last_black_wins=options.last_black_wins,
        start_by=options.start_by,
        start_cards_mr_x=options.start_cards_mr_x if draws else None,
        start_cards_hunters=options.start_cards_hunters if draws else None,
        master=None if options.master is None else app_in_force(options.master),
    )


def app_in_force(options: MasterOptions) -> MasterOverrides:
    """The same of the app game's options."""
    of_actions = ("action_when_surfaced", "per_game_cap", "cooldown", "offered", "scan_mast", "analysis_start")
    of_flights = ("helicopter_grant", "helicopter_in_double", "helicopter_reaches")
    of_meetings = ("meeting_distance", "announce_visit")
    idle = {
        *(of_actions if not options.actions_per_round else ()),
        *(of_flights if not options.helicopter_tickets else ()),
        *(of_meetings if not options.meeting_fields else ()),
        *(("stuck_win_needs_meeting",) if not options.meetings_to_survive else ()),
    }
    names = [field.name for field in fields(options)]
    return MasterOverrides(**{name: getattr(options, name) for name in names if name not in idle})


def changes(wanted: Overrides, usual: Overrides) -> Overrides:
    """What is in force in one game and not in another. What is left out as it has no effect differs in nothing."""
    differing = replace(NONE, **_differing(wanted, usual))
    if wanted.master is None or usual.master is None:
        return differing
    of_app = _differing(wanted.master, usual.master)
    return replace(differing, master=MasterOverrides(**of_app) if of_app else None)


def _differing(wanted: Overrides | MasterOverrides, usual: Overrides | MasterOverrides) -> dict[str, Any]:
    given = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    return {name: value for name, value in given.items() if value is not None and value != getattr(usual, name)}
