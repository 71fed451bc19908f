"""The service that the tests of doors call, and each door to it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import log, service, start_service, store, store_server, yard
from tests.api.service import Service
from tests.api.table import Yard
from tests.doors.door import Door, DoorChannel
from tests.doors.doors import DOORS

__all__ = ["log", "service", "start_service", "store", "store_server", "yard"]


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest, service: Service) -> Door:
    """One door after the other."""
    return DOORS[request.param](service.http)


@pytest.fixture
def door_yard(door: Door) -> Yard:
    """The stubs, calling through that door."""
    channel: Any = DoorChannel(door)
    return Yard(channel)
