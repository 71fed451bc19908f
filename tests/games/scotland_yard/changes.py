"""Random changes to a preset: some that can be played, and any that can be written down."""

from math import ldexp
from random import Random
from typing import Any

from whitehall.games.core.fault import OptionsError
from whitehall.games.scotland_yard.edition import resolve
from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOverrides,
    ScanMast,
)
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import HOUSE_RULES, NONE, Overrides
from whitehall.games.scotland_yard.ticket import Station, Tickets

LONGEST = 30
"""No random game has more rounds than this."""
FARTHEST = 10_000
"""No label of a map stands farther from its left or upper edge."""


def any_changes(random: Random, number: int) -> Overrides:
    """So many of the options, set to something or other, whether or not they go together."""
    tickets = [Tickets(*(random.randint(0, most) for _ in range(3))) for most in (3, 12, 60)]
    deck = tuple(random.sample(range(1, 200), random.randint(1, 20)))
    wanted: dict[str, Any] = {
        "house_rules": tuple(random.sample(list(HOUSE_RULES), random.randint(1, 2))),
        "board": random.choice(["london-2013", "london-classic"]),
        "end_by": random.choice(list(EndBy)),
        "rounds": random.randint(1, LONGEST),
        "log_fields": random.randint(1, LONGEST),
        "surfacing": tuple(sorted(random.sample(range(1, 25), random.randint(0, 6)))),
        "detective_tickets": random.choice(tickets),
        "two_player_pool": random.choice(tickets),
        "detective_black_tickets": random.randint(0, 3),
        "mr_x_supply": random.choice(list(MrXSupply)),
        "box_tickets": random.choice(tickets),
        "mr_x_hand": random.choice(tickets),
        "black_tickets": random.randint(0, 6),
        "double_tickets": random.randint(0, 5),
        "bobbies": random.randint(0, 2),
        "stuck_scope": random.choice(list(StuckScope)),
        "last_black_wins": random.random() < 0.5,
        "start_by": random.choice(list(StartBy)),
        "start_cards_mr_x": deck,
        "start_cards_hunters": tuple(random.sample(range(1, 200), random.randint(4, 20))),
        "master": any_master_changes(random, random.randint(1, 6)),
    }
    return Overrides(**{name: wanted[name] for name in random.sample(list(wanted), number)})


def any_master_changes(random: Random, number: int) -> MasterOverrides:
    """So many of the app game's options, set to something or other, whether or not they go together."""
    landmarks = [
        Landmark(
            f"Landmark {index}",
            tuple(Station(place) for place in sorted(random.sample(range(1, 200), 3))),
            any_coordinate(random),
            any_coordinate(random),
        )
        for index in range(random.randint(0, 12))
    ]
    near = random.randint(0, 8)
    wanted: dict[str, Any] = {
        "actions_per_round": random.randint(0, 4),
        "action_when_surfaced": random.random() < 0.5,
        "per_game_cap": random.randint(0, 4),
        "cooldown": random.randint(0, 3),
        "offered": random.randint(1, 4),
        "masts": tuple(Station(place) for place in random.sample(range(1, 200), random.randint(1, 6))),
        "locate_near": near,
        "locate_medium": near + random.randint(0, 6),
        "scan_mast": random.choice(list(ScanMast)),
        "analysis_start": random.choice(list(AnalysisStart)),
        "landmarks": tuple(landmarks),
        "near_radius": random.randint(0, 2),
        "recent_window": random.randint(1, 5),
        "meeting_fields": tuple(sorted(random.sample(range(1, 25), random.randint(0, 6)))),
        "meeting_distance": random.randint(1, 20),
        "meetings_to_survive": random.randint(0, 3),
        "meetings_to_win": random.randint(0, 4),
        "announce_visit": random.random() < 0.5,
        "helicopter_tickets": random.randint(0, 3),
        "helicopter_grant": random.choice(list(HelicopterGrant)),
        "helicopter_in_double": random.random() < 0.5,
        "helicopter_reaches": random.random() < 0.5,
        "stuck_win_needs_meeting": random.random() < 0.5,
    }
    return MasterOverrides(**{name: wanted[name] for name in random.sample(list(wanted), number)})


def any_coordinate(random: Random) -> float:
    """Where something may stand on a map: round numbers, odd ones, and some that are next to nothing."""
    next_to_nothing = ldexp(random.random(), -random.randrange(1075))
    return random.choice([0.0, float(random.randint(1, FARTHEST)), random.uniform(0, FARTHEST), next_to_nothing])


def possible_changes(random: Random, preset: str, players: int) -> Overrides:
    """Changes with which a game can be made: none in a third of the cases."""
    if random.random() < 1 / 3:
        return NONE
    for _ in range(100):
        changes = any_changes(random, random.randint(1, 6))
        try:
            resolve(preset, players, changes=changes)
        except OptionsError:
            continue
        return changes
    return NONE
