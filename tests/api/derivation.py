"""The chance of a game derived again: a second implementation, from the words of the documentation alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from whitehall.gen.whitehall.common.v1 import chance_pb2
from whitehall.gen.whitehall.scotlandyard.v1 import move_pb2, record_pb2

HUNTER_CARDS = [13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174]
MR_X_CARDS = [35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172]


def derive(fairness: chance_pb2.Fairness, draws: Sequence[chance_pb2.Draw]) -> list[int]:
    """The results of these draws, by the seeds."""
    text = b"whitehall chance 1"
    for client in fairness.client_seeds:
        text += f"|{client.seat}|{len(client.seed.encode())}|{client.seed}".encode()
    key = hmac.digest(bytes.fromhex(fairness.server_seed), text, "sha256")
    results = []
    for number, draw in enumerate(draws):
        attempt, result = 0, 2**64
        while result >= 2**64 // draw.bound * draw.bound:
            message = f"{number}|{draw.label}|{draw.bound}|{attempt}".encode()
            result = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
            attempt += 1
        results.append(result % draw.bound)
    return results


def check_chance(record: record_pb2.Record, commitment: str) -> None:
    """The seed is the one that was committed to, the draws follow from it, and the cards from the draws."""
    assert hashlib.sha256(bytes.fromhex(record.fairness.server_seed)).hexdigest() == commitment
    assert record.fairness.commitment == commitment
    draws = [draw for revision in record.revisions for draw in revision.draws]
    assert [draw.value for draw in draws] == derive(record.fairness, draws)
    deck, placed = list(HUNTER_CARDS), {}
    for draw in draws:
        piece = draw.label.removeprefix("start card of ")
        cards = MR_X_CARDS if piece == "mr_x" else deck
        assert draw.bound == len(cards)
        placed[piece] = cards[draw.value]
        deck = [card for card in deck if card != placed[piece]]
    dealt = {
        move_pb2.Piece.Name(event.placed.piece).removeprefix("PIECE_").lower(): event.placed.station
        for revision in record.revisions
        for event in revision.events
        if event.HasField("placed")
    }
    assert placed == dealt
