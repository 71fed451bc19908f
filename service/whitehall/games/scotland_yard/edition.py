"""Editions: the rulebooks' tables as data, and how a game's options are made from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from whitehall.games.core.fault import BadBoard, OptionsError
from whitehall.games.core.sentences import must_be_not
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import boards, landmarks, master_changes, overrides, rulebook
from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.contradictions import contradictions
from whitehall.games.scotland_yard.idle import idle, refuse_idle
from whitehall.games.scotland_yard.master import AnalysisStart, HelicopterGrant, MasterOptions, ScanMast, SpecialAction
from whitehall.games.scotland_yard.options import (
    PLENTY,
    EndBy,
    MrXSupply,
    ScotlandYardOptions,
    StartBy,
    StuckScope,
)
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.piece import BOBBIES, DETECTIVES, Piece
from whitehall.games.scotland_yard.seating import checked_seats, usual_seats
from whitehall.games.scotland_yard.sentences import without_app
from whitehall.games.scotland_yard.ticket import Station, Tickets


class Hunters(NamedTuple):
    """How many detectives and Bobbies hunt, and whether the detectives spend from one shared hand."""

    detectives: int
    bobbies: int
    pooled: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """One edition's table."""

    name: str
    title: str
    """One line about it, for people."""
    board: str
    hunters: Mapping[int, Hunters]
    """By the number of players, Mr X's included."""
    end_by: EndBy
    rounds: int
    log_fields: int
    surfacing: tuple[int, ...]
    box: Tickets
    """All normal tickets of the box. A finite supply is what the detectives' hands leave of them."""
    hand: Tickets
    """The tickets of each detective."""
    mr_x_supply: MrXSupply
    mr_x_hand: Tickets | None
    """Mr X's own hand; None where he draws from a supply."""
    black_tickets: int | None
    """Mr X's black tickets; None: as many as there are detectives, the box holding five."""
    double_tickets: int
    start_by: StartBy
    start_cards_mr_x: tuple[int, ...]
    start_cards_hunters: tuple[int, ...]
    master: MasterOptions | None = None
    """What the app adds; None in editions without it."""


NEW = Preset(
    name="new",
    title="Scotland Yard with Bobbies and a common supply of tickets",
    board=boards.LONDON_2013,
    hunters=MappingProxyType(
        {
            2: Hunters(detectives=2, bobbies=2, pooled=True),
            3: Hunters(detectives=2, bobbies=2),
            4: Hunters(detectives=3, bobbies=1),
            5: Hunters(detectives=4, bobbies=0),
            6: Hunters(detectives=5, bobbies=0),
        }
    ),
    end_by=EndBy.ROUNDS,
    rounds=22,
    log_fields=24,
    surfacing=(3, 8, 13, 18, 24),
    box=Tickets(taxi=57, bus=45, underground=23),
    hand=Tickets(taxi=11, bus=8, underground=4),
    mr_x_supply=MrXSupply.FINITE,
    mr_x_hand=None,
    black_tickets=5,
    double_tickets=2,
    start_by=StartBy.CARDS,
    start_cards_mr_x=(35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172),
    start_cards_hunters=(13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174),
)
"""The edition with Bobbies."""

_CLASSIC_CARDS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198)
"""One deck from which the hunters draw, and then Mr X."""

CLASSIC = Preset(
    name="classic",
    title="Scotland Yard as it was from 1983 to 2003: no Bobbies, and what detectives spend is Mr X's",
    board=boards.LONDON_CLASSIC,
    hunters=MappingProxyType(
        {
            2: Hunters(detectives=4, bobbies=0),
            3: Hunters(detectives=4, bobbies=0),
            4: Hunters(detectives=3, bobbies=0),
            5: Hunters(detectives=4, bobbies=0),
            6: Hunters(detectives=5, bobbies=0),
        }
    ),
    end_by=EndBy.LOG_FULL,
    rounds=24,
    log_fields=24,
    surfacing=(3, 8, 13, 18, 24),
    box=Tickets(taxi=54, bus=43, underground=23),
    hand=Tickets(taxi=10, bus=8, underground=4),
    mr_x_supply=MrXSupply.FROM_DETECTIVES,
    mr_x_hand=Tickets(taxi=4, bus=3, underground=3),
    black_tickets=None,
    double_tickets=2,
    start_by=StartBy.CARDS,
    start_cards_mr_x=_CLASSIC_CARDS,
    start_cards_hunters=_CLASSIC_CARDS,
)
"""The editions from 1983 to 2003, without Bobbies."""

MASTER = replace(
    NEW,
    name="master",
    title="Scotland Yard Master: special actions, meeting points and a helicopter, as the app had them",
    box=Tickets(taxi=62, bus=49, underground=25),
    start_by=StartBy.DISTRIBUTION,
    master=MasterOptions(
        actions_per_round=1,
        action_when_surfaced=False,
        per_game_cap=0,
        cooldown=0,
        offered=len(SpecialAction),
        masts=(Station(13), Station(184), Station(94), Station(108)),
        locate_near=5,
        locate_medium=10,
        scan_mast=ScanMast.RANDOM,
        analysis_start=AnalysisStart.CARDS,
        landmarks=landmarks.london(),
        near_radius=0,
        recent_window=3,
        meeting_fields=(3, 8, 13, 18),
        meeting_distance=6,
        meetings_to_survive=1,
        meetings_to_win=2,
        announce_visit=False,
        helicopter_tickets=1,
        helicopter_grant=HelicopterGrant.START,
        helicopter_in_double=False,
        helicopter_reaches=False,
        stuck_win_needs_meeting=True,
    ),
)
"""The edition with the app, of 2013. What the app keeps to itself is a default of ours."""

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in (NEW, CLASSIC, MASTER)})
"""The presets by name."""


def resolve(
    preset: str,
    players: int,
    seats: Sequence[Sequence[Piece]] | None = None,
    changes: Overrides = overrides.NONE,
) -> ScotlandYardOptions:
    """The options of a game for 2 to 6 players, Mr X's included, with the host's changes to the preset.

    Without `seats`, seat 0 is Mr X's and each further player has a seat with an equal share of the detectives. With
    them one person may play any of several detectives. Raises `OptionsError` for what cannot work.
    """
    edition = PRESETS.get(preset)
    if edition is None:
        known = ", ".join(PRESETS)
        reason = Text(
            f"there is no preset {preset!r}; there are: {known}",
            f"il n'y a pas de préréglage {preset!r} ; il y a : {known}",
        )
        raise OptionsError("preset", reason, rulebook.KNOWN_PRESET)
    hunters = edition.hunters.get(players)
    if hunters is None:
        reason = must_be_not(min(edition.hunters), max(edition.hunters), players)
        raise OptionsError("players", reason, rulebook.NUMBER_OF_PLAYERS)
    wanted = overrides.combined(changes)
    detectives = DETECTIVES[: hunters.detectives]
    bobbies = BOBBIES[: hunters.bobbies if wanted.bobbies is None else wanted.bobbies]
    end_by = wanted.end_by or edition.end_by
    log_fields = wanted.log_fields or edition.log_fields
    hand = wanted.detective_tickets or edition.hand
    mr_x_supply = wanted.mr_x_supply or edition.mr_x_supply
    start_by = wanted.start_by or edition.start_by
    changes_nothing = idle(
        pooled=hunters.pooled,
        has_pool=wanted.two_player_pool is not None,
        end_by=end_by,
        mr_x_supply=mr_x_supply,
        start_by=start_by,
    )
    refuse_idle(wanted, changes_nothing, "overrides")
    all_hands = wanted.two_player_pool or _times(hand, hunters.detectives)
    black_hand = wanted.detective_black_tickets or 0
    black_tickets = min(hunters.detectives, 5) if edition.black_tickets is None else edition.black_tickets
    cards_of_mr_x = edition.start_cards_mr_x if wanted.start_cards_mr_x is None else wanted.start_cards_mr_x
    cards_of_hunters = edition.start_cards_hunters if wanted.start_cards_hunters is None else wanted.start_cards_hunters
    if start_by == StartBy.CHOICE:
        cards_of_mr_x = cards_of_hunters = ()
    options = ScotlandYardOptions(
        preset=preset,
        players=players,
        board=_board(edition.board if wanted.board is None else wanted.board),
        seats=usual_seats(detectives, players - 1)
        if seats is None
        else checked_seats(seats, detectives, hunters.pooled),
        detectives=detectives,
        bobbies=bobbies,
        pooled=hunters.pooled,
        end_by=end_by,
        rounds=log_fields if end_by == EndBy.LOG_FULL else wanted.rounds or edition.rounds,
        log_fields=log_fields,
        surfacing=edition.surfacing if wanted.surfacing is None else wanted.surfacing,
        hand=all_hands if hunters.pooled else hand,
        black_hand=black_hand * hunters.detectives if hunters.pooled else black_hand,
        mr_x_supply=mr_x_supply,
        supply=_supply(edition, wanted, mr_x_supply, all_hands),
        black_tickets=black_tickets if wanted.black_tickets is None else wanted.black_tickets,
        double_tickets=edition.double_tickets if wanted.double_tickets is None else wanted.double_tickets,
        stuck_scope=wanted.stuck_scope or StuckScope.DETECTIVES,
        last_black_wins=bool(wanted.last_black_wins),
        start_by=start_by,
        start_cards_mr_x=tuple(Station(card) for card in cards_of_mr_x),
        start_cards_hunters=tuple(Station(card) for card in cards_of_hunters),
        master=_app_game(edition, wanted, log_fields),
    )
    for fault in contradictions(options):
        raise fault
    return options


def _board(name: str) -> Board:
    try:
        return boards.board(name)
    except BadBoard as error:
        raise OptionsError("overrides.board", error.text, rulebook.KNOWN_BOARD) from error


def _app_game(edition: Preset, wanted: Overrides, log_fields: int) -> MasterOptions | None:
    if edition.master is None:
        if wanted.master is not None:
            raise OptionsError("overrides.master", without_app(edition.name), rulebook.MASTER_IN_APP_GAME)
        return None
    # A shorter log has no room for the usual meeting points that come late.
    meeting_fields = tuple(field for field in edition.master.meeting_fields if field <= log_fields)
    usual = replace(edition.master, meeting_fields=meeting_fields)
    return usual if wanted.master is None else master_changes.changed(usual, wanted.master)


def _supply(edition: Preset, wanted: Overrides, mr_x_supply: MrXSupply, all_hands: Tickets) -> Tickets:
    """What Mr X can draw from at the start."""
    if mr_x_supply == MrXSupply.UNLIMITED:
        return PLENTY
    if mr_x_supply == MrXSupply.FROM_DETECTIVES:
        own = wanted.mr_x_hand or edition.mr_x_hand
        if own is None:
            reason = Text("must be given with this supply", "doit être donnée avec cette pioche")
            raise OptionsError("overrides.mr_x_hand", reason, rulebook.MR_X_HAND_GIVEN)
        return own
    box = wanted.box_tickets or edition.box
    if any(held > there for held, there in zip(all_hands, box, strict=True)):
        listed = "/".join(map(str, all_hands))
        reason = Text(
            f"must hold the detectives' {listed} tickets", f"doit contenir les {listed} tickets des détectives"
        )
        raise OptionsError("overrides.box_tickets", reason, rulebook.BOX_HOLDS_HANDS)
    return Tickets(*(there - held for held, there in zip(all_hands, box, strict=True)))


def _times(tickets: Tickets, number: int) -> Tickets:
    """So many times these tickets."""
    return Tickets(*(number * count for count in tickets))
