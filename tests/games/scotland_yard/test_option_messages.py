"""Options as messages and as stored bytes: nothing is lost, and games from before there were options go on."""

from random import Random

import pytest

from tests.games.chance import SeededChance
from tests.games.scotland_yard.changes import possible_changes
from whitehall.games.core.fault import InvalidField
from whitehall.games.scotland_yard.edition import PRESETS, resolve
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import (
    AnalysisStart,
    HelicopterGrant,
    Landmark,
    MasterOverrides,
    ScanMast,
)
from whitehall.games.scotland_yard.options import EndBy, MrXSupply, ScotlandYardOptions, StartBy, StuckScope
from whitehall.games.scotland_yard.overrides import Overrides
from whitehall.games.scotland_yard.ticket import Station, Tickets
from whitehall.games.scotland_yard.wire.options import read_overrides, write_options
from whitehall.games.scotland_yard.wire.storage import decode_options, decode_state, encode_options, encode_state
from whitehall.gen.whitehall.scotlandyard.store.v1 import state_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import master_pb2, move_pb2, options_pb2


def some_options(seed: int) -> ScotlandYardOptions:
    random = Random(seed)
    preset, players = random.choice(list(PRESETS)), random.randint(2, 6)
    return resolve(preset, players, changes=possible_changes(random, preset, players))


@pytest.mark.parametrize("seed", range(150))
def test_what_is_in_force_makes_the_same_game_when_it_is_asked_for(seed: int) -> None:
    options = some_options(seed)
    sent = options_pb2.Options.FromString(write_options(options).SerializeToString())
    assert resolve(options.preset, options.players, options.seats, read_overrides(sent)) == options


@pytest.mark.parametrize("seed", range(150))
def test_options_and_states_come_out_of_the_store_as_they_went_in(seed: int) -> None:
    options = some_options(seed)
    assert decode_options(encode_options(options)) == options
    state, _ = game.setup(options, SeededChance(seed))
    assert decode_state(options, encode_state(state)) == state


@pytest.mark.parametrize("players", [2, 3, 6])
def test_games_that_were_stored_before_there_were_options_are_still_read(players: int) -> None:
    options = resolve("new", players)
    stored = state_pb2.Options.FromString(encode_options(options))
    for field in ("end_by", "mr_x_supply", "stuck_scope", "black_hand", "last_black_wins", "start_by"):
        stored.ClearField(field)
    assert decode_options(stored.SerializeToString()) == options
    state, _ = game.setup(options, SeededChance(1))
    snapshot = state_pb2.State.FromString(encode_state(state))
    assert not snapshot.black_hands
    assert decode_state(options, snapshot.SerializeToString()) == state


def test_every_option_is_read_from_its_field() -> None:
    tickets = move_pb2.Tickets(taxi=1, bus=2, underground=3)
    message = options_pb2.Options(
        house_rules=["fast"],
        board="london-2013",
        end_by=options_pb2.END_BY_LOG_FULL,
        rounds=1,
        log_fields=2,
        surfacing=options_pb2.Surfacing(fields=[3]),
        detective_tickets=tickets,
        two_player_pool=tickets,
        detective_black_tickets=0,
        mr_x_supply=options_pb2.MR_X_SUPPLY_FROM_DETECTIVES,
        box_tickets=tickets,
        mr_x_hand=tickets,
        black_tickets=0,
        double_tickets=0,
        bobbies=0,
        stuck_scope=options_pb2.STUCK_SCOPE_ALL_HUNTERS,
        last_black_wins=False,
        start_by=options_pb2.START_BY_CHOICE,
        start_cards_mr_x=options_pb2.StartCards(stations=[4, 5]),
        start_cards_hunters=options_pb2.StartCards(stations=[6]),
        master=every_master_option(),
    )
    assert len(message.ListFields()) == len(options_pb2.Options.DESCRIPTOR.fields)
    counts = Tickets(1, 2, 3)
    assert read_overrides(message) == Overrides(
        house_rules=("fast",),
        board="london-2013",
        end_by=EndBy.LOG_FULL,
        rounds=1,
        log_fields=2,
        surfacing=(3,),
        detective_tickets=counts,
        two_player_pool=counts,
        detective_black_tickets=0,
        mr_x_supply=MrXSupply.FROM_DETECTIVES,
        box_tickets=counts,
        mr_x_hand=counts,
        black_tickets=0,
        double_tickets=0,
        bobbies=0,
        stuck_scope=StuckScope.ALL_HUNTERS,
        last_black_wins=False,
        start_by=StartBy.CHOICE,
        start_cards_mr_x=(4, 5),
        start_cards_hunters=(6,),
        master=MasterOverrides(
            actions_per_round=0,
            action_when_surfaced=False,
            per_game_cap=0,
            cooldown=0,
            offered=1,
            masts=(Station(7), Station(8)),
            locate_near=0,
            locate_medium=0,
            scan_mast=ScanMast.FARTHEST,
            analysis_start=AnalysisStart.ALL,
            landmarks=(Landmark("Here", (Station(9),), 1.5, 2.5),),
            near_radius=0,
            recent_window=1,
            meeting_fields=(10, 11),
            meeting_distance=1,
            meetings_to_survive=0,
            meetings_to_win=0,
            announce_visit=False,
            helicopter_tickets=0,
            helicopter_grant=HelicopterGrant.MEETING_POINT,
            helicopter_in_double=False,
            helicopter_reaches=False,
            stuck_win_needs_meeting=False,
        ),
    )
    assert read_overrides(options_pb2.Options()) == Overrides()
    assert read_overrides(options_pb2.Options(surfacing=options_pb2.Surfacing())) == Overrides(surfacing=())


def every_master_option() -> master_pb2.MasterOptions:
    """Every option of the app game, as little as it can be; what is 0 or false must not count as left out."""
    message = master_pb2.MasterOptions(
        actions_per_round=0,
        action_when_surfaced=False,
        per_game_cap=0,
        cooldown=0,
        offered=1,
        masts=master_pb2.Masts(stations=[7, 8]),
        locate_near=0,
        locate_medium=0,
        scan_mast=master_pb2.SCAN_MAST_FARTHEST,
        analysis_start=master_pb2.ANALYSIS_START_ALL,
        landmarks=master_pb2.Landmarks(landmarks=[master_pb2.Landmark(name="Here", stations=[9], x=1.5, y=2.5)]),
        near_radius=0,
        recent_window=1,
        meeting_fields=master_pb2.MeetingFields(fields=[10, 11]),
        meeting_distance=1,
        meetings_to_survive=0,
        meetings_to_win=0,
        announce_visit=False,
        helicopter_tickets=0,
        helicopter_grant=master_pb2.HELICOPTER_GRANT_MEETING_POINT,
        helicopter_in_double=False,
        helicopter_reaches=False,
        stuck_win_needs_meeting=False,
    )
    assert len(message.ListFields()) == len(master_pb2.MasterOptions.DESCRIPTOR.fields)
    return message


def test_black_tickets_are_no_part_of_normal_ones() -> None:
    message = options_pb2.Options(mr_x_hand=move_pb2.Tickets(black=1))
    with pytest.raises(InvalidField) as refused:
        read_overrides(message)
    assert refused.value.field == "overrides.mr_x_hand.black"
