"""Fair chance: a seed that is committed to before the game, and draws that anybody can derive again after it.

The server's seed is 256 bits; its SHA-256, the commitment, is published when the game is made. The players' seeds are
mixed in, so that a game which waited for them cannot have been chosen by the service either. Draw number n of a game is
HMAC-SHA256(key, "n|label|bound|attempt"), reduced without bias; the key is HMAC-SHA256(seed, the client seeds).
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class ClientSeed:
    """A seed that a player gave: by which seat (-1: the host), and the text as it was given."""

    seat: int
    seed: str


def commitment(server_seed: bytes) -> str:
    """What is published of the seed before the end: its SHA-256 in hexadecimal."""
    return hashlib.sha256(server_seed).hexdigest()


class CommittedChance:
    """Draws that follow from the seeds alone. `taken` draws have been made before, so the next is number `taken`."""

    def __init__(self, server_seed: bytes, client_seeds: Sequence[ClientSeed], taken: int = 0) -> None:
        mixed = hmac.new(server_seed, b"whitehall chance 1", hashlib.sha256)
        for client in client_seeds:
            seed = client.seed.encode()
            # Lengths keep two lists of seeds apart that would otherwise run together into the same bytes.
            mixed.update(f"|{client.seat}|{len(seed)}|".encode() + seed)
        self._key = mixed.digest()
        self.taken = taken

    def draw(self, label: str, bound: int) -> int:
        number = self.taken
        self.taken += 1
        attempt = 0
        # The last, incomplete stretch of the 64-bit range would favour small results, so it is drawn again.
        fair = (1 << 64) - (1 << 64) % bound
        while True:
            message = f"{number}|{label}|{bound}|{attempt}".encode()
            value = int.from_bytes(hmac.digest(self._key, message, "sha256")[:8], "big")
            if value < fair:
                return value % bound
            attempt += 1
