"""What sessions need of a game to keep it: its values as bytes, and back. Each game's `wire` provides it."""

from collections.abc import Sequence
from typing import Any, Protocol


class Codec(Protocol):
    """A game's options, states, moves and events as bytes of its own private format."""

    def format_of(self, options: Any) -> int:
        """The format that a game with these options is kept in, by its number: a reader that does not know it must
        leave the game alone, lest it overlook what it has never heard of. See `sessions.wire.READER`.
        """
        ...

    def encode_options(self, options: Any) -> bytes:
        """Resolved options."""
        ...

    def decode_options(self, data: bytes) -> Any:
        """The options as they were resolved when the game was made, whatever today's presets say."""
        ...

    def encode_state(self, state: Any) -> bytes:
        """A state, without its options."""
        ...

    def decode_state(self, options: Any, data: bytes) -> Any:
        """The state that was encoded."""
        ...

    def encode_happened(self, move: Any | None, events: Sequence[Any]) -> bytes:
        """A move (None for a deal) and the events that came of it."""
        ...

    def decode_happened(self, data: bytes) -> tuple[Any | None, tuple[Any, ...]]:
        """The move and the events that were encoded."""
        ...
