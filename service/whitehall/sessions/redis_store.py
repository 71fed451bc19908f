"""Games in Redis or Valkey, 7.0 or newer: one atomic script per operation, repeated until it is answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from itertools import count
from typing import Any, Final, Self, TypeVar

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError, ResponseError

from whitehall.sessions import layout, scripts
from whitehall.sessions.client import (
    UNREACHABLE,
    code_of,
    concerns_credentials,
    fault_of,
    lacks_permission,
    make_servers,
    reason_of,
)
from whitehall.sessions.durability import Durability, StoreUnsuitable, inspect, place
from whitehall.sessions.listening import Listening
from whitehall.sessions.notices import Notices
from whitehall.sessions.proof import Proof
from whitehall.sessions.rehearsal import rehearsal_ids, rehearse
from whitehall.sessions.scripts import Script
from whitehall.sessions.servers import Command, Servers, send
from whitehall.sessions.store import (
    Accepted,
    Caller,
    Conflict,
    Created,
    CreateResult,
    Deleted,
    DeleteResult,
    Duplicate,
    Exists,
    LogEntry,
    Missing,
    RequestKey,
    RequestReused,
    Revoked,
    Stored,
    StoreUnavailable,
    Subscription,
    Version,
    Write,
    WriteResult,
)
from whitehall.sessions.traffic import Traffic
from whitehall.sessions.trouble import QUEUED, UNANSWERED, Causes, Trouble, cause_of

__all__ = ["Durability", "RedisStore", "StoreUnsuitable"]

T = TypeVar("T")

CALL_SECONDS: Final = 2.0
"""How long a call may last if its caller does not say."""
ATTEMPT_SECONDS: Final = 0.5
"""How long one attempt waits for an answer before its connection is given up."""
CHECK_SECONDS: Final = 0.2
"""Less than a health check may take, so that the store's own word for what is wrong is what is told."""
PROOF_SECONDS: Final = 10.0
"""How long a store may take to show that it suits, until that is begun anew."""
_FIRST_PAUSE_SECONDS: Final = 0.02
_LONGEST_PAUSE_SECONDS: Final = 0.25
_REPLICA_MILLISECONDS: Final = 100
_PROBE_SECONDS: Final = 60
_PRIMARY_CANNOT_WRITE: Final = ("MISCONF", "NOREPLICAS")


class _Unconfirmed(Exception):
    """No replica has confirmed what the primary did."""


class RedisStore:
    """A `SessionStore` on a Redis or Valkey server, or on a cluster of them. Make it with `connect`, or with `at` where
    the server may come later: until it has shown that it suits, games are neither read nor written.

    With `Durability.REPLICA` a write that no replica confirms in time raises `StoreUnavailable` although the primary
    has carried it out: it may survive or not, and the retry of the request learns which. The same goes for
    `Durability.PROCESS` and a write that the server could not append to its log, as on a full disk.
    """

    def __init__(self, servers: Servers, durability: Durability, traffic: Traffic) -> None:
        self._servers = servers
        self._durability = durability
        self.traffic = traffic
        self._notices = Notices(servers)
        self._causes = Causes()
        self._proof = Proof(lambda: self.prove(PROOF_SECONDS))

    @classmethod
    def at(cls, url: str, durability: Durability | str = Durability.MEMORY, *, connections: int = 32) -> Self:
        """A store at a URL that has yet to show that it suits. Nothing is sent: `prove` does that, or else `check`.

        URLs are those of `make_servers`. At most `connections` calls are under way at once; the others wait their turn.
        Raises `StoreUnsuitable` for what is no such URL, and ValueError for an unknown durability.
        """
        durability = Durability(durability)
        traffic = Traffic(connections)
        try:
            servers = make_servers(url, connections, traffic.connected)
        except ValueError as error:
            raise StoreUnsuitable(f"the store can't be used: {error}") from None
        store = cls(servers, durability, traffic)
        store._proof.demand()
        return store

    @classmethod
    async def connect(
        cls,
        url: str,
        durability: Durability | str = Durability.MEMORY,
        *,
        connections: int = 32,
        timeout: float = PROOF_SECONDS,
    ) -> Self:
        """The store that is `at` a URL, once it has shown that it suits; see `prove`."""
        store = cls.at(url, durability, connections=connections)
        try:
            await store.prove(timeout)
        except BaseException:
            await store.close()
            raise
        return store

    async def prove(self, timeout: float) -> None:
        """Return once each primary has shown that it suits. From the first one on the store may be used: what is at the
        others waits for them, as it does while one of them is away later.

        Raises `StoreUnsuitable` if one does not suit, and `StoreUnavailable` if none has answered within `timeout`
        seconds. One that can't take writes for the time being is taken as it is.
        """
        trouble = Trouble()
        unused = self._proof.objection is not None
        try:
            try:
                await self._repeat(self._verify, timeout, trouble=trouble, patience=2 * ATTEMPT_SECONDS)
            except StoreUnavailable:
                if self._proof.objection is not None:
                    self._causes.met(trouble)
                    raise
            else:
                self._causes.over()
            await self._rehearse()
        except (StoreUnsuitable, RedisError) as error:
            if unused:
                self._proof.refuted()
            if isinstance(error, RedisError):
                raise StoreUnsuitable(_fault_of(error)) from error
            raise

    async def create(
        self,
        game_id: str,
        write_id: bytes,
        snapshot: bytes,
        entries: Sequence[bytes],
        generations: tuple[int, ...],
        ttl: int,
        digest: bytes,
        *,
        timeout: float | None = None,
    ) -> CreateResult:
        version = Version(len(entries), write_id)
        head = (layout.pack_version(version), snapshot, layout.pack_generations(generations), digest, ttl)
        packed: list[bytes | int] = [*head, *entries]
        match await self._change(scripts.CREATE, game_id, packed, timeout):
            case [b"created"]:
                return Created(version)
            case [b"exists", *stored, same_body]:
                return Exists(layout.unpack_stored(*stored), bool(same_body))
            case answer:
                raise _unknown(answer)

    async def read(self, game_id: str, *, timeout: float | None = None) -> Stored | None:
        answer = await self._look(scripts.READ, layout.game_key(game_id), (), timeout)
        return layout.unpack_stored(*answer) if answer else None

    async def read_log(
        self, game_id: str, first_revision: int, count: int, *, timeout: float | None = None
    ) -> list[LogEntry]:
        if count < 1:
            return []
        part = (first_revision - 1, first_revision + count - 2)
        items = await self._look(scripts.READ_LOG, layout.log_key(game_id), part, timeout)
        return [layout.unpack_entry(revision, item) for revision, item in enumerate(items, first_revision)]

    async def recall(
        self, game_id: str, holder: int, request: RequestKey, *, timeout: float | None = None
    ) -> Duplicate | RequestReused | None:
        record = await self._look(scripts.RECALL, layout.game_key(game_id), (holder, request.key), timeout)
        if not record:
            return None
        digest, revision = layout.unpack_request_record(record)
        return Duplicate(revision) if digest == layout.pack_request_digest(request.digest) else RequestReused()

    async def write(self, write: Write, *, timeout: float | None = None) -> WriteResult:
        version = Version(write.expected.revision + 1, write.write_id)
        request = write.request
        packed = (
            layout.pack_version(write.expected),
            layout.pack_version(version),
            write.snapshot,
            write.entry,
            write.ttl,
            write.caller.holder,
            layout.pack_generation(write.caller.generation),
            layout.pack_generations(write.generations) if write.generations is not None else b"",
            request.key if request else b"",
            layout.pack_request_digest(request.digest) if request else b"",
            int(write.replays_revoked),
        )
        match await self._change(scripts.WRITE, write.game_id, packed, timeout):
            case [b"accepted"]:
                return Accepted(version)
            case [b"duplicate", revision]:
                return Duplicate(revision)
            case [b"reused"]:
                return RequestReused()
            case [b"conflict", *stored]:
                return Conflict(layout.unpack_stored(*stored))
            case [b"revoked", *stored]:
                return Revoked(layout.unpack_stored(*stored))
            case [b"missing"]:
                return Missing()
            case answer:
                raise _unknown(answer)

    async def delete(self, game_id: str, caller: Caller, *, timeout: float | None = None) -> DeleteResult:
        attempts = 0

        async def attempt() -> Any:
            nonlocal attempts
            attempts += 1
            return await self._change_once(scripts.DELETE, game_id, packed)

        packed = (caller.holder, layout.pack_generation(caller.generation))
        match await self._call(attempt, timeout):
            case [b"deleted"]:
                return Deleted()
            case [b"missing"]:
                # An earlier attempt may have deleted it without our hearing of it.
                return Missing() if attempts == 1 else Deleted()
            case [b"revoked", *stored]:
                return Revoked(layout.unpack_stored(*stored))
            case answer:
                raise _unknown(answer)

    async def secret(self, name: str, make: Callable[[], bytes], *, timeout: float | None = None) -> bytes:
        key = layout.secret_key(name)
        made: bytes | None = None

        async def attempt() -> Any:
            nonlocal made
            # Others may have been first, so it is asked for again once it is set. SET could tell by its option GET, but
            # the library makes yes or no of the answer.
            while (known := (await self._servers.run(key, ("GET", key)))[0]) is None:
                made = made or make()
                await self._confirmed(key, ("SET", key, made, "NX"))
            return known

        return bytes(await self._call(attempt, timeout))

    def subscribe(self, game_id: str) -> AbstractAsyncContextManager[Subscription]:
        return self._notices.subscribe(layout.game_key(game_id))

    async def check(self) -> None:
        if self._proof.objection is not None:
            await self._proof.ask(CHECK_SECONDS)
            return
        if self._servers.barred:
            self._proof.begin()
        trouble = Trouble()
        try:
            async with Listening(CHECK_SECONDS):
                await self._repeat(self._probe, trouble=trouble)
        except TimeoutError as error:
            self._causes.met(trouble)
            raise StoreUnavailable(trouble.reason) from error
        except StoreUnavailable:
            self._causes.met(trouble)
            raise
        self._causes.over()

    async def close(self) -> None:
        await self._proof.close()
        await self._notices.close()
        await self._servers.close()

    async def _probe(self) -> None:
        """Find a primary that takes writes. Where others of a cluster do not, only their own games are unavailable."""
        names = self._servers.one_for_each(map(str, count()), layout.probe_key) or ["0"]
        keys = [layout.probe_key(name) for name in names]
        probes = [asyncio.ensure_future(self._confirmed(key, ("SET", key, b"", "EX", _PROBE_SECONDS))) for key in keys]
        try:
            for number, probe in enumerate(asyncio.as_completed(probes), 1):
                try:
                    await probe
                except (RedisError, _Unconfirmed):
                    if number == len(probes):
                        raise
                else:
                    return
        finally:
            for each in probes:
                each.cancel()
            await asyncio.gather(*probes, return_exceptions=True)

    async def _change(
        self, script: Script, game_id: str, arguments: Sequence[bytes | int], timeout: float | None
    ) -> Any:
        return await self._call(lambda: self._change_once(script, game_id, arguments), timeout)

    async def _change_once(self, script: Script, game_id: str, arguments: Sequence[bytes | int]) -> Any:
        keys = (layout.game_key(game_id), layout.log_key(game_id))
        command = ("EVALSHA", script.sha, len(keys), *keys, *arguments)
        try:
            return await self._confirmed(keys[0], command)
        except NoScriptError:
            return await self._confirmed(keys[0], command, before=script.loading)

    async def _look(self, script: Script, key: bytes, arguments: Sequence[bytes | int], timeout: float | None) -> Any:
        """Run a reading script where it may not be misled.

        As a script that may write it is refused by a primary that was demoted, whose data may be old. A primary that
        for now can't write refuses it too, but is known to be one by its answer, and is asked again without writes.
        """

        async def run(script: Script) -> Any:
            command = ("EVALSHA", script.sha, 1, key, *arguments)
            try:
                answer, _ = await self._servers.run(key, command)
            except NoScriptError:
                answer, _ = await self._servers.run(key, command, before=script.loading)
            return answer

        async def attempt() -> Any:
            try:
                return await run(script)
            except ResponseError as error:
                if code_of(error) not in _PRIMARY_CANNOT_WRITE:
                    raise
            return await run(scripts.READING[script.sha])

        return await self._call(attempt, timeout)

    async def _confirmed(self, key: bytes, command: Command, *, before: Command = ()) -> Any:
        """The answer to a command that writes, once it is as durable as it is to be.

        With `appendfsync no` a server answers even if it could not append the write to its log, and only then starts to
        refuse: writes, and PING as well. So a PING that is sent after the answer tells whether the write is in the log.
        WAIT waits for what its own connection has written.
        """
        if self._durability is Durability.REPLICA:
            waiting = ("WAIT", 1, _REPLICA_MILLISECONDS)
            answer, replicas = await self._servers.run(key, command, before=before, after=waiting)
            if not replicas:
                raise _Unconfirmed
            return answer
        answer, _ = await self._servers.run(key, command, before=before)
        if self._durability is Durability.PROCESS:
            await self._servers.run(key, ("PING",))
        return answer

    async def _call(self, attempt: Callable[[], Awaitable[T]], timeout: float | None) -> T:
        """`_repeat` for whatever only a store may be asked for that is known to suit."""
        if self._proof.objection is not None:
            raise StoreUnavailable(self._proof.objection)
        return await self._repeat(attempt, timeout)

    async def _repeat(
        self,
        attempt: Callable[[], Awaitable[T]],
        timeout: float | None = None,
        *,
        trouble: Trouble | None = None,
        patience: float = ATTEMPT_SECONDS,
    ) -> T:
        """Attempt something that may be repeated until it is answered or the time is up; each attempt may take as long
        as our `patience`. What is wrong meanwhile is kept in `trouble`, for whoever may not wait for so long.

        After a failure the servers are doubted: the next attempt connects anew, to whatever has the key by then.
        """
        clock = asyncio.get_running_loop()
        deadline = clock.time() + (CALL_SECONDS if timeout is None else timeout)
        longest_pause = _FIRST_PAUSE_SECONDS
        trouble = trouble or Trouble()
        while True:
            trouble.silence = QUEUED
            try:
                async with asyncio.timeout_at(deadline), self.traffic:
                    trouble.silence = UNANSWERED
                    async with Listening(patience):
                        return await attempt()
            except TimeoutError as error:
                cause: Exception = error
                trouble.known = trouble.reason
            except _Unconfirmed as error:
                cause = error
                trouble.known = "no replica has confirmed the write"
            except RedisError as error:
                cause = error
                reason = reason_of(error)
                if reason is None:
                    raise
                trouble.known = reason
                if reason == UNREACHABLE:
                    trouble.cause = cause_of(error)
                if lacks_permission(error):
                    # Not before an operator has seen to it; and a script may have been cut short, so that it would
                    # take what it did itself for somebody else's.
                    raise StoreUnavailable(reason) from error
                if code_of(error) == "READONLY":
                    await self._notices.suspect()
            self.traffic.repeats += 1
            pause = random.uniform(0, longest_pause)
            if clock.time() + pause >= deadline:
                raise StoreUnavailable(trouble.reason) from cause
            longest_pause = min(2 * longest_pause, _LONGEST_PAUSE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(deadline):
                    await self._servers.doubt()
            await asyncio.sleep(pause)
            if clock.time() >= deadline:
                raise StoreUnavailable(trouble.reason) from cause

    async def _rehearse(self) -> None:
        """Use every script and a channel once, at each primary. What is lacking only for now is left to the readiness
        checks.
        """
        for game_id in self._servers.one_for_each(rehearsal_ids(), layout.game_key):
            try:
                await rehearse(self, ATTEMPT_SECONDS, game_id)
            except StoreUnavailable as unavailable:
                error = unavailable.__cause__
                if isinstance(error, RedisError) and lacks_permission(error):
                    raise StoreUnsuitable(_fault_of(error)) from error

    async def _verify(self) -> None:
        """Have each primary show that it suits; of a store that is in use, those that have not yet. Whichever does not
        is barred, and its error raised.
        """
        used = self._proof.objection is None
        asked = [each for each in await self._servers.primaries() if not used or each in self._servers.barred]
        shown = await asyncio.gather(*map(self._show, asked), return_exceptions=True)
        errors = {client: error for client, error in zip(asked, shown, strict=True) if error is not None}
        self._servers.barred = frozenset(errors)
        away = {place(client): _away(error) for client, error in errors.items()}
        if None not in away.values() and (used or len(away) < len(asked)):
            self._proof.given(away)
        if errors:
            raise min(errors.values(), key=lambda error: _away(error) is not None)

    async def _show(self, client: Redis) -> None:
        try:
            async with Listening(ATTEMPT_SECONDS):
                await inspect(client, self._durability)
                await send(client, *(script.loading for script in scripts.ALL))
        except RedisError as error:
            if concerns_credentials(error) or lacks_permission(error):
                raise StoreUnsuitable(_fault_of(error)) from error
            raise


def _away(error: BaseException) -> str | None:
    """Why a server can't show that it suits for now, for its operator; None if it has shown that it does not."""
    if isinstance(error, TimeoutError):
        return UNANSWERED
    reason = reason_of(error) if isinstance(error, RedisError) else None
    return cause_of(error) if isinstance(error, RedisError) and reason == UNREACHABLE else reason


def _fault_of(error: RedisError) -> str:
    return fault_of(error, {script.sha: script.text for script in scripts.ALL})


def _unknown(answer: Any) -> AssertionError:
    """Never raised as long as scripts and code belong together; names the kind of the answer, not its content."""
    return AssertionError(f"a script gave an unknown answer: {answer[:1]!r}")
