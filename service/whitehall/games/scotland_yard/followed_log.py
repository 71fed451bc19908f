"""Public logs that grow: each is answered from where it agrees with the one before.

Who writes down a game line by line asks about the same rounds again and again. What follows from the rounds that two
logs have in common is the same for both, so only the others are worked out anew. A log that has nothing in common with
the one before is worked out from its beginning, and the answers are the same either way.
"""

from collections.abc import Sequence

from whitehall.games.scotland_yard.board import Board
from whitehall.games.scotland_yard.deduction import Knowledge, beginning, learn
from whitehall.games.scotland_yard.locations import PossibleLocations
from whitehall.games.scotland_yard.log_faults import check_log
from whitehall.games.scotland_yard.public_log import step_now, steps_of_round
from whitehall.games.scotland_yard.public_round import PublicRound
from whitehall.games.scotland_yard.ticket import Station


class FollowedLogs:
    """What is known after each round of the log that was asked about last."""

    def __init__(self) -> None:
        self._game: tuple[Board, tuple[Station, ...] | None] | None = None
        self._rounds: list[PublicRound] = []
        """Those that Mr X has moved in, as far as they fit together."""
        self._known: list[Knowledge] = []
        """What is known before the first of them, and after each."""

    def locations(
        self,
        board: Board,
        rounds: Sequence[PublicRound],
        *,
        start: tuple[Station, ...] | None = None,
        hunters: tuple[Station, ...] | None = None,
    ) -> PossibleLocations:
        """Where Mr X can be: the `possible_locations` of `evidence_from_log`, and the same errors."""
        shared = self._agreeing(board, rounds, start)
        check_log(board, rounds, start=start, hunters=hunters, sound=shared)
        if not self._known or not shared:
            self._game = board, start
            self._known = [beginning(board, board.stations if start is None else start)]
        del self._rounds[shared:], self._known[shared + 1 :]
        known = self._known[-1]
        for this in rounds[shared:]:
            known = learn(known, steps_of_round(this, known.field))
            if this.rides:
                self._rounds.append(this)
                self._known.append(known)
        if hunters is not None:
            known = learn(known, (step_now(hunters, known.field),))
        return known.locations

    def _agreeing(self, board: Board, rounds: Sequence[PublicRound], start: tuple[Station, ...] | None) -> int:
        """How many rounds a log begins with that the last one had too."""
        if self._game is None or self._game[0] is not board or self._game[1] != start:
            return 0
        shared = 0
        for ours, theirs in zip(self._rounds, rounds, strict=False):
            # Whoever reads the same words twice may give the same round twice, which is quicker seen than equality.
            if ours is not theirs and ours != theirs:
                break
            shared += 1
        return shared
