"""What every answer has to obey: revisions in order, and nothing that is another seat's."""

from __future__ import annotations

from collections.abc import Iterator

from whitehall_client.gen.whitehall.cluedo.v1 import game_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.scotlandyard.v1 import game_pb2 as yard_pb2

MR_X = 0
"""Mr X's seat."""


def yard_leaks(view: yard_pb2.View, seat: int | None) -> Iterator[str]:
    """What a view of Scotland Yard shows that is not its viewer's to see."""
    if (view.seat if view.HasField("seat") else None) != seat:
        yield "a view of another seat"
    if seat == MR_X or view.HasField("outcome"):
        return
    last = view.log[-1] if view.log else None
    shown = last.station if last is not None and last.surfaced else None
    if view.mr_x.HasField("station") and view.mr_x.station != shown:
        yield "Mr X's hidden station"
    if view.mr_x.HasField("start"):
        yield "Mr X's start"
    if any(field.HasField("station") and not field.surfaced for field in view.log):
        yield "a covered station of the log"


def cluedo_leaks(view: cluedo_pb2.View, seat: int | None) -> Iterator[str]:
    """What a view of Cluedo shows that is not its viewer's to see."""
    if (view.seat if view.HasField("seat") else None) != seat:
        yield "a view of another seat"
    if len(view.hand) != (0 if seat is None else view.hand_sizes[seat]):
        yield "a hand that is not the seat's"
    if view.HasField("envelope") and not view.HasField("outcome") and seat not in view.eliminated:
        yield "the envelope"
    if any(
        said.HasField("card") and (seat is None or seat not in (said.seat, said.refuter)) for said in view.suggestions
    ):
        yield "a card shown to others"


class Order:
    """Revisions as one viewer is told them."""

    def __init__(self, revision: int = 0) -> None:
        self.revision = revision

    def follows(self, revision: int) -> bool:
        """Whether this is the next one. It is then the latest."""
        is_next = self.revision in (0, revision - 1)
        self.revision = max(self.revision, revision)
        return is_next
