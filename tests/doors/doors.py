"""Every door but gRPC's own, by its name. A new protocol is one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.doors.connect import ConnectDoor
from tests.doors.door import Door
from tests.doors.grpc_web import GrpcWebDoor
from tests.doors.rest import RestDoor

DOORS: Mapping[str, Callable[[str], Door]] = {
    "connect-json": lambda address: ConnectDoor(address, "json"),
    "connect-proto": lambda address: ConnectDoor(address, "proto"),
    "connect-get": lambda address: ConnectDoor(address, "json", by_get=True),
    "rest": RestDoor,
    "grpc-web": GrpcWebDoor,
    "grpc-web-text": lambda address: GrpcWebDoor(address, as_text=True),
}
"""What makes each door, from the host:port of HTTP."""
