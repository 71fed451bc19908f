"""Tokens: who is calling. A token proves itself; only the number of its generation is kept.

    wh_host_<generation>_<mac>            wh_seat_<seat>_<generation>_<mac>
    wh_spectator_<generation>_<mac>       wh_operator_<key id>_<secret>

The mac is the first 128 bits of HMAC-SHA256(token key, what the token says and the game's id). Whether the generation
is still good is the store's to say. Token keys are a list, so that they can be changed: the first signs, all verify.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from whitehall.games.core.seat import Seat, Viewer
from whitehall.sessions.refusal import Reason, Refusal
from whitehall.sessions.session import HOST, SPECTATORS, holder_of, seat_of
from whitehall.sessions.store import Caller, StoreUnavailable

MAC_BYTES = 16

_GAME_TOKEN = re.compile(r"wh_(host|seat|spectator)_(?:([0-9]{1,2})_)?([0-9]{1,9})_[0-9a-f]{32}")
_OPERATOR_TOKEN = re.compile(r"wh_operator_([0-9A-Za-z.-]{1,64})_(.{1,256})")


class Kind(StrEnum):
    """What kind of token a caller bears."""

    HOST = "host"
    SEAT = "seat"
    SPECTATOR = "spectator"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Bearer:
    """A caller whose token is genuine for one game, if perhaps out of date."""

    kind: Kind
    caller: Caller

    @property
    def viewer(self) -> Viewer:
        """Whose eyes the caller sees with: a seat's own, or the public's."""
        return seat_of(self.caller.holder)

    @property
    def seat(self) -> Seat:
        """The seat of a caller who must have one."""
        seat = seat_of(self.caller.holder)
        assert seat is not None, "only seats get here"
        return seat


class Tokens:
    """Makes and verifies tokens. `operator_keys` maps key ids to secrets; empty: no operator key is asked for."""

    def __init__(self, token_keys: Sequence[bytes], operator_keys: Mapping[str, str]) -> None:
        """Without any token key the tokens of games can't be told genuine from false: until one is adopted, whoever
        asks for that meets `StoreUnavailable`.
        """
        self._token_keys = tuple(token_keys)
        self._operator_keys = dict(operator_keys)

    def adopt(self, key: bytes) -> None:
        """Sign with this key from now on, and verify with it and with all that were known before."""
        if key not in self._token_keys[:1]:
            self._token_keys = (key, *(known for known in self._token_keys if known != key))

    @property
    def known(self) -> bool:
        """Whether there is a key to sign and verify with."""
        return bool(self._token_keys)

    def make(self, game_id: str, holder: int, generation: int) -> str:
        """The token of a game's holder in one generation. The same every time."""
        return _token(self._known()[0], game_id, holder, generation)

    def bearer(self, game_id: str, token: str | None) -> Bearer:
        """Who bears this token in this game; raises the refusal of one who bears none, or a false one."""
        if token is None:
            raise Refusal(Reason.TOKEN_MISSING)
        match = _GAME_TOKEN.fullmatch(token)
        if match is None or (match[1] == Kind.SEAT) != (match[2] is not None):
            raise Refusal(Reason.TOKEN_INVALID)
        kind = Kind(match[1])
        holder = {Kind.HOST: HOST, Kind.SPECTATOR: SPECTATORS}.get(kind)
        if holder is None:
            holder = holder_of(Seat(int(match[2])))
        generation = int(match[3])
        # The whole token is compared, so that there is one way to write it.
        genuine = [hmac.compare_digest(_token(key, game_id, holder, generation), token) for key in self._known()]
        if not any(genuine):
            raise Refusal(Reason.TOKEN_INVALID)
        return Bearer(kind, Caller(holder, generation))

    def _known(self) -> tuple[bytes, ...]:
        if not self._token_keys:
            raise StoreUnavailable("the token key, which the store has, is not known yet")
        return self._token_keys

    def operator(self, token: str | None) -> str:
        """The id of the operator key that the caller bears; `open` where the service asks for none."""
        if not self._operator_keys:
            return "open"
        if token is None:
            raise Refusal(Reason.TOKEN_MISSING)
        match = _OPERATOR_TOKEN.fullmatch(token)
        if match is None:
            raise Refusal(Reason.TOKEN_INVALID)
        # Compared even for an unknown id, so that the time taken does not tell which ids exist.
        secret = self._operator_keys.get(match[1], "")
        if not hmac.compare_digest(secret.encode(), match[2].encode()) or not secret:
            raise Refusal(Reason.TOKEN_INVALID)
        return match[1]


def _claims(holder: int, generation: int) -> str:
    if holder == HOST:
        return f"host_{generation}"
    if holder == SPECTATORS:
        return f"spectator_{generation}"
    return f"seat_{seat_of(holder)}_{generation}"


def _token(key: bytes, game_id: str, holder: int, generation: int) -> str:
    claims = _claims(holder, generation)
    return f"wh_{claims}_{hmac.digest(key, f'{game_id}|{claims}'.encode(), 'sha256')[:MAC_BYTES].hex()}"
