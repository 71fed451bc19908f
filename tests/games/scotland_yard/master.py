"""Scenes of the app game: the usual pieces far apart, with what the app keeps set up by hand."""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.games.scotland_yard.scenario import scene
from whitehall.games.core.seat import Viewer
from whitehall.games.scotland_yard.events import Event
from whitehall.games.scotland_yard.game import game
from whitehall.games.scotland_yard.master import MasterOptions, MasterOverrides
from whitehall.games.scotland_yard.state import LogEntry, MasterState, MeetingPoint, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Station, Ticket
from whitehall.games.scotland_yard.wire.views import write_event, write_view

FAR_APART = "red 104, blue 46, bobby1 2, bobby2 5"
"""Hunters of two players, each with a ride to where nobody is."""

HUNTERS_RIDE = ("red taxi 116", "blue bus 1", "bobby1 taxi 10", "bobby2 taxi 15")
"""One ride of each of them."""


def app_scene(turn: str, mr_x: int, *, trail: Sequence[int] = (), **given: Any) -> ScotlandYardState:
    """Two players and Mr X at a station; `trail` are the stations under the latest fields of his log.

    Of `given`, the names of the app game's options change these; all else is as `scene` takes it.
    """
    names = MasterOverrides.__slots__
    changes = {name: given.pop(name) for name in list(given) if name in names}
    places = given.pop("hunters", FAR_APART)
    state = scene(
        2,
        turn,
        f"mr_x {mr_x}, {places}",
        preset="master",
        master=MasterOverrides(**changes) if changes else None,
        **given,
    )
    log = tuple(LogEntry(state.round, Ticket.BLACK, Station(station)) for station in trail)
    return state._replace(log=log) if trail else state


def with_app(state: ScotlandYardState, **kept: Any) -> ScotlandYardState:
    """The state with other contents of the app."""
    assert state.master is not None
    return state._replace(master=state.master._replace(**kept))


def open_point(station: int, shown: int = 3) -> MeetingPoint:
    return MeetingPoint(Station(station), shown, 0)


def reached_point(station: int, reached: int = 5) -> MeetingPoint:
    return MeetingPoint(Station(station), 3, reached)


def kept(state: ScotlandYardState) -> MasterState:
    """What the app keeps of the state."""
    assert state.master is not None
    return state.master


def numbers(state: ScotlandYardState) -> MasterOptions:
    """The app game's options."""
    assert state.options.master is not None
    return state.options.master


def sent(state: ScotlandYardState, events: Iterable[Event], viewer: Viewer) -> bytes:
    """The view and the events as a viewer is sent them."""
    seen = [game.event_view(event, viewer) for event in events]
    written = [write_event(event).SerializeToString() for event in seen if event is not None]
    return write_view(game.view(state, viewer)).SerializeToString() + b"".join(written)
