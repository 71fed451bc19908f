"""The numbers of requests that README.md promises are those of the protos."""

from __future__ import annotations

import re
from typing import Any

from google.protobuf.descriptor import Descriptor

from tests.docs.page import ROOT
from whitehall.gen.buf.validate import validate_pb2
from whitehall.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_service_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import position_pb2, service_pb2

BATCHES = re.compile(
    r"At most (\d+) positions in a message, (\d+) hunters' moves in a `PlayMove`, "
    r"(\d+) revisions on a page of `ListEvents`"
)


def rules(kind: Descriptor, name: str) -> Any:
    """What the proto says of a field's values."""
    return kind.fields_by_name[name].GetOptions().Extensions[validate_pb2.field]


def test_the_sizes_of_batches_are_those_of_the_protos() -> None:
    stated = BATCHES.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert stated is not None, "README.md tells how large a batch may be"
    positions, moves, revisions = map(int, stated.groups())
    asked = [kind for kind in position_pb2.DESCRIPTOR.message_types_by_name.values() if kind.name.endswith("Request")]
    counted = [rules(kind, "positions").repeated.max_items for kind in asked if "positions" in kind.fields_by_name]
    assert max(counted) == positions
    assert rules(service_pb2.PlayMoveRequest.DESCRIPTOR, "moves").repeated.max_items == moves
    for service in (service_pb2, cluedo_service_pb2):
        assert rules(service.ListEventsRequest.DESCRIPTOR, "page_size").int32.lte == revisions
