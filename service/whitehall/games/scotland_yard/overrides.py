"""Overrides: what a host may change of a preset, and the house rules that go by a name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.sentences import must_be_not
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard.master import MasterOverrides
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, StartBy, StuckScope
from whitehall.games.scotland_yard.rulebook import KNOWN_HOUSE_RULE, WITHIN_RANGE
from whitehall.games.scotland_yard.ticket import Tickets


@dataclass(frozen=True, slots=True)
class Overrides:
    """What differs from the preset. None: as the preset has it."""

    house_rules: tuple[str, ...] = ()
    """Names of `HOUSE_RULES`. What is set beside them counts for more than what they set."""
    board: str | None = None
    end_by: EndBy | None = None
    rounds: int | None = None
    log_fields: int | None = None
    surfacing: tuple[int, ...] | None = None
    detective_tickets: Tickets | None = None
    """Each detective's hand; the shared one holds as many times that."""
    two_player_pool: Tickets | None = None
    """The shared hand itself, where there is one."""
    detective_black_tickets: int | None = None
    """House rule: so many black tickets for each detective, by land only."""
    mr_x_supply: MrXSupply | None = None
    box_tickets: Tickets | None = None
    """All normal tickets of the box, for a finite supply."""
    mr_x_hand: Tickets | None = None
    """Mr X's own hand, where he gets what detectives spend."""
    black_tickets: int | None = None
    double_tickets: int | None = None
    bobbies: int | None = None
    stuck_scope: StuckScope | None = None
    last_black_wins: bool | None = None
    start_by: StartBy | None = None
    start_cards_mr_x: tuple[int, ...] | None = None
    start_cards_hunters: tuple[int, ...] | None = None
    master: MasterOverrides | None = None
    """What differs of the app game's options; only in presets that play with it."""


NONE = Overrides()
"""The preset as it is."""


class HouseRule(NamedTuple):
    """A variant that goes by a name: what it is, for people, and what it sets."""

    title: str
    sets: Overrides


HOUSE_RULES: Mapping[str, HouseRule] = MappingProxyType(
    {
        "fast": HouseRule(
            "a game of 13 rounds in which Mr X surfaces at fields 3, 8 and 13",
            Overrides(end_by=EndBy.ROUNDS, rounds=13, log_fields=15, surfacing=(3, 8, 13)),
        ),
        "invisible": HouseRule("Mr X never surfaces", Overrides(surfacing=())),
    }
)
"""The house rules by name. The publisher's answers speak of both and print neither, so their numbers are ours."""

Range = tuple[int, int]
"""The least and the greatest value."""

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "rounds": (1, 48),
        "log_fields": (1, 64),
        "detective_tickets": (0, 99),
        "two_player_pool": (0, 198),
        "detective_black_tickets": (0, 99),
        "box_tickets": (0, 999),
        "mr_x_hand": (0, 99),
        "black_tickets": (0, 99),
        "double_tickets": (0, 16),
        "bobbies": (0, 2),
    }
)
"""The range of each number; of tickets, that of each kind."""


def given(overrides: Overrides | MasterOverrides) -> Iterator[tuple[str, Any]]:
    """What is set, by name."""
    for field in fields(overrides):
        value = getattr(overrides, field.name)
        if value is not None:
            yield field.name, value


def combined(overrides: Overrides) -> Overrides:
    """The overrides with their house rules worked in, each over those before. Raises `OptionsError`."""
    wanted = NONE
    for index, name in enumerate(overrides.house_rules):
        place = f"overrides.house_rules[{index}]"
        if name not in HOUSE_RULES:
            known = ", ".join(HOUSE_RULES)
            reason = Text(
                f"there is no house rule {name!r}; there are: {known}",
                f"il n'y a pas de variante {name!r} ; il y a : {known}",
            )
            raise OptionsError(place, reason, KNOWN_HOUSE_RULE)
        if name in overrides.house_rules[:index]:
            reason = Text(f"{name!r} is named twice", f"{name!r} est nommée deux fois")
            raise OptionsError(place, reason, KNOWN_HOUSE_RULE)
        wanted = _over(wanted, HOUSE_RULES[name].sets)
    wanted = _over(wanted, overrides)
    for name, (least, greatest) in RANGES.items():
        for place, number in _numbers(name, getattr(wanted, name)):
            if not least <= number <= greatest:
                raise OptionsError(f"overrides.{place}", must_be_not(least, greatest, number), WITHIN_RANGE)
    return replace(wanted, house_rules=())


def _over(below: Overrides, above: Overrides) -> Overrides:
    return replace(below, **dict(given(above)))


def _numbers(name: str, value: int | Tickets | None) -> Iterator[tuple[str, int]]:
    """The numbers of an option, each with its place: one for each kind of tickets."""
    if isinstance(value, Tickets):
        for kind, number in value._asdict().items():
            yield f"{name}.{kind}", number
    elif value is not None:
        yield name, value
