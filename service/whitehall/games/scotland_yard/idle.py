"""Idle options: those that change nothing beside the others, and why. They are refused where a host asks for them, and
left out where what is in force is told.
"""

from collections.abc import Mapping

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.rulebook import OPTION_HAS_EFFECT
from whitehall.games.scotland_yard.sentences import NO_ACTIONS, OWN_HANDS

Idle = Mapping[str, Text]
"""Options by their names, with the reason for each."""

_OF_ACTIONS = ("action_when_surfaced", "per_game_cap", "cooldown", "offered")
_OF_ANSWERS = ("masts", "locate_near", "locate_medium", "scan_mast", "analysis_start", "landmarks")
_OF_LANDMARKS = ("near_radius", "recent_window")
_OF_FLIGHTS = ("helicopter_grant", "helicopter_in_double", "helicopter_reaches")
_OF_MEETINGS = ("meeting_distance", "announce_visit", "helicopter_reaches")


def refuse_idle(given: Overrides | MasterOverrides, idle: Idle, within: str) -> None:
    """Raises `OptionsError` for an option that is idle: a promise that the game does not keep."""
    for name, reason in idle.items():
        if getattr(given, name) is not None:
            raise OptionsError(f"{within}.{name}", reason, OPTION_HAS_EFFECT)


def idle(*, pooled: bool, has_pool: bool, end_by: EndBy, mr_x_supply: MrXSupply, start_by: StartBy) -> Idle:
    """The idle ones of the options that all presets have. `has_pool` says that the shared hand itself was given."""
    found: dict[str, Text] = {}
    if end_by != EndBy.ROUNDS:
        found["rounds"] = Text(
            "a full log ends the game, and its fields are the rounds there can be",
            "une tablette pleine termine la partie, et ses cases sont les tours possibles",
        )
    if mr_x_supply != MrXSupply.FINITE:
        found["box_tickets"] = Text(
            f"with mr_x_supply {mr_x_supply.word} nothing counts the box",
            f"avec mr_x_supply {mr_x_supply.word}, rien ne compte la boîte",
        )
    if mr_x_supply != MrXSupply.FROM_DETECTIVES:
        found["mr_x_hand"] = Text(
            f"with mr_x_supply {mr_x_supply.word} Mr X has no hand of normal tickets",
            f"avec mr_x_supply {mr_x_supply.word}, Mister X n'a pas de main de tickets normaux",
        )
    if not pooled:
        found["two_player_pool"] = OWN_HANDS
    elif has_pool:
        found["detective_tickets"] = Text(
            "two_player_pool says what the detectives hold", "two_player_pool dit déjà ce que tiennent les détectives"
        )
    if start_by == StartBy.CHOICE:
        no_cards = Text(
            f"with start_by {start_by.word} nobody draws a start card",
            f"avec start_by {start_by.word}, personne ne tire de carte de départ",
        )
        found |= dict.fromkeys(("start_cards_mr_x", "start_cards_hunters"), no_cards)
    return found


def idle_of_app(options: MasterOptions) -> Idle:
    """The idle ones of the app game's options."""
    found: dict[str, Text] = {}
    if not options.actions_per_round:
        found |= dict.fromkeys((*_OF_ACTIONS, *_OF_ANSWERS, *_OF_LANDMARKS), NO_ACTIONS)
    elif not options.landmarks:
        found |= dict.fromkeys(_OF_LANDMARKS, Text("there are no landmarks", "il n'y a pas de lieux"))
    if not options.meeting_fields:
        no_meetings = Text("there are no meeting points", "il n'y a pas de points de rencontre")
        found |= dict.fromkeys(_OF_MEETINGS, no_meetings)
    if not options.helicopter_tickets:
        found |= dict.fromkeys(_OF_FLIGHTS, Text("there is no helicopter", "il n'y a pas d'hélicoptère"))
    if not options.meetings_to_survive:
        found["stuck_win_needs_meeting"] = Text(
            "Mr X needs no meeting point", "Mister X n'a besoin d'aucun point de rencontre"
        )
    return found
