"""Games in Redis or Valkey, 7.0 or newer: one atomic script per operation, repeated until it is answered."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError, ResponseError

from whitehall.sessions import layout
from whitehall.sessions.client import (
    code_of,
    concerns_credentials,
    execute,
    fault_of,
    lacks_permission,
    make_client,
    reason_of,
)
from whitehall.sessions.notices import Notices
from whitehall.sessions.rehearsal import rehearse
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

T = TypeVar("T")

CALL_SECONDS: Final = 2.0
"""How long a call may last if its caller does not say."""
ATTEMPT_SECONDS: Final = 0.5
"""How long one attempt waits for an answer before its connection is given up."""
CHECK_SECONDS: Final = 0.25
_FIRST_PAUSE_SECONDS: Final = 0.02
_LONGEST_PAUSE_SECONDS: Final = 0.25
_REPLICA_MILLISECONDS: Final = 100
_OLDEST_SERVER: Final = (7, 0)
_PROBE_SECONDS: Final = 60
_PRIMARY_CANNOT_WRITE: Final = ("MISCONF", "NOREPLICAS")
_APPENDFSYNC: Final = {"process": ("always", "no"), "aof": ("always",)}
"""How a server has to write its log for the durabilities that rest on it. With `everysec` it may answer beforehand."""


class Durability(StrEnum):
    """What an accepted write survives."""

    MEMORY = "memory"
    """As much as the server happens to be set up for."""
    PROCESS = "process"
    """The end of the server, however it ends: its log was written, though perhaps not yet forced to the disk."""
    AOF = "aof"
    """The loss of the machine's power: the server has `appendonly yes` and `appendfsync always`."""
    REPLICA = "replica"
    """The loss of the primary: one replica has confirmed the write."""


class StoreUnsuitable(Exception):
    """The server can't be our store; the text says why, for the operator, and holds no secret.

    It is too old, does not let us do what we need, is less durable than demanded, or its URL is none.
    """


class _Unconfirmed(Exception):
    """No replica has confirmed what the primary did."""


class _Script:
    """A Lua script by name, sent by its hash."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def named(cls, name: str) -> _Script:
        return cls((Path(__file__).parent / "lua" / f"{name}.lua").read_text())

    def reading(self) -> _Script:
        """The same script as one that also runs where nothing can be written."""
        return _Script(self.text.replace("flags=allow-oom", "flags=no-writes", 1))


_CREATE = _Script.named("create")
_WRITE = _Script.named("write")
_DELETE = _Script.named("delete")
_READ = _Script.named("read")
_READ_LOG = _Script.named("read_log")
_RECALL = _Script.named("recall")
_READING: Final = {script.sha: script.reading() for script in (_READ, _READ_LOG, _RECALL)}
_SCRIPTS: Final = (_CREATE, _WRITE, _DELETE, _READ, _READ_LOG, _RECALL, *_READING.values())


class RedisStore:
    """A `SessionStore` on one Redis or Valkey server. Make it with `connect`.

    With `Durability.REPLICA` a write that no replica confirms in time raises `StoreUnavailable` although the primary
    has carried it out: it may survive or not, and the retry of the request learns which. The same goes for
    `Durability.PROCESS` and a write that the server could not append to its log, as on a full disk.
    """

    def __init__(self, client: Redis, durability: Durability, traffic: Traffic) -> None:
        self._client = client
        self._durability = durability
        self.traffic = traffic
        self._notices = Notices(client.connection_pool.make_connection)

    @property
    def connections_in_use(self) -> int:
        """How many calls hold a connection at this moment."""
        return self._client.connection_pool.get_connection_count()[1][0]

    @classmethod
    async def connect(
        cls,
        url: str,
        durability: Durability | str = Durability.MEMORY,
        *,
        connections: int = 32,
        timeout: float = 10.0,
    ) -> Self:
        """A store on the server at a `redis://`, `rediss://` or `unix://` URL, once the server has shown that it suits.

        At most `connections` calls are under way at once; the others wait their turn.
        Raises `StoreUnsuitable` if it does not, `StoreUnavailable` if it has not answered within `timeout` seconds, and
        ValueError for an unknown durability. One that can't take writes for the time being is taken as it is.
        """
        durability = Durability(durability)
        traffic = Traffic(connections)
        try:
            client = make_client(url, connections, traffic.connected)
        except ValueError as error:
            raise StoreUnsuitable(f"the store can't be used: {error}") from None
        store = cls(client, durability, traffic)
        try:
            await store._call(store._verify, timeout)
            await store._rehearse()
        except RedisError as error:
            await store.close()
            raise StoreUnsuitable(_fault_of(error)) from error
        except BaseException:
            await store.close()
            raise
        return store

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
        match await self._change(_CREATE, game_id, packed, timeout):
            case [b"created"]:
                return Created(version)
            case [b"exists", *stored, same_body]:
                return Exists(layout.unpack_stored(*stored), bool(same_body))
            case answer:
                raise _unknown(answer)

    async def read(self, game_id: str, *, timeout: float | None = None) -> Stored | None:
        answer = await self._look(_READ, layout.game_key(game_id), (), timeout)
        return layout.unpack_stored(*answer) if answer else None

    async def read_log(
        self, game_id: str, first_revision: int, count: int, *, timeout: float | None = None
    ) -> list[LogEntry]:
        if count < 1:
            return []
        part = (first_revision - 1, first_revision + count - 2)
        items = await self._look(_READ_LOG, layout.log_key(game_id), part, timeout)
        return [layout.unpack_entry(revision, item) for revision, item in enumerate(items, first_revision)]

    async def recall(
        self, game_id: str, holder: int, request: RequestKey, *, timeout: float | None = None
    ) -> Duplicate | RequestReused | None:
        record = await self._look(_RECALL, layout.game_key(game_id), (holder, request.key), timeout)
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
        match await self._change(_WRITE, write.game_id, packed, timeout):
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
            return await self._change_once(_DELETE, game_id, packed)

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
            while (known := await execute(self._client, "GET", key)) is None:
                made = made or make()
                await self._confirmed("SET", key, made, "NX")
            return known

        return bytes(await self._call(attempt, timeout))

    def subscribe(self, game_id: str) -> AbstractAsyncContextManager[Subscription]:
        return self._notices.subscribe(layout.game_key(game_id))

    async def check(self) -> None:
        await self._call(lambda: self._confirmed("SET", layout.PROBE_KEY, b"", "EX", _PROBE_SECONDS), CHECK_SECONDS)

    async def drop_idle_connections(self) -> None:
        """Close what is not in use; the next calls connect anew, to whatever the address then means."""
        with suppress(RedisError):
            await self._client.connection_pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        await self._notices.close()
        await self._client.aclose()

    async def _change(
        self, script: _Script, game_id: str, arguments: Sequence[bytes | int], timeout: float | None
    ) -> Any:
        return await self._call(lambda: self._change_once(script, game_id, arguments), timeout)

    async def _change_once(self, script: _Script, game_id: str, arguments: Sequence[bytes | int]) -> Any:
        keys = (layout.game_key(game_id), layout.log_key(game_id))
        return await self._confirmed("EVALSHA", script.sha, len(keys), *keys, *arguments)

    async def _look(self, script: _Script, key: bytes, arguments: Sequence[bytes | int], timeout: float | None) -> Any:
        """Run a reading script where it may not be misled.

        As a script that may write it is refused by a primary that was demoted, whose data may be old. A primary that
        for now can't write refuses it too, but is known to be one by its answer, and is asked again without writes.
        """

        async def attempt() -> Any:
            try:
                return await execute(self._client, "EVALSHA", script.sha, 1, key, *arguments)
            except ResponseError as error:
                if code_of(error) not in _PRIMARY_CANNOT_WRITE:
                    raise
            return await execute(self._client, "EVALSHA", _READING[script.sha].sha, 1, key, *arguments)

        return await self._call(attempt, timeout)

    async def _confirmed(self, *command: str | bytes | int) -> Any:
        """The answer to a command that writes, once it is as durable as it is to be.

        With `appendfsync no` a server answers even if it could not append the write to its log, and only then starts to
        refuse: writes, and PING as well. So a PING that is sent after the answer tells whether the write is in the log.
        """
        if self._durability is not Durability.REPLICA:
            answer = await execute(self._client, *command)
            if self._durability is Durability.PROCESS:
                await execute(self._client, "PING")
            return answer
        async with self._client.pipeline(transaction=False) as pipeline:
            # Both on one connection: WAIT waits for what its own connection has written. Errors are picked up here,
            # as the pipeline would put the whole command, snapshot and all, into its own error.
            pipeline.execute_command(*command)
            pipeline.execute_command("WAIT", 1, _REPLICA_MILLISECONDS)
            answer, replicas = await pipeline.execute(raise_on_error=False)
        for outcome in (answer, replicas):
            if isinstance(outcome, Exception):
                raise outcome
        if not replicas:
            raise _Unconfirmed
        return answer

    async def _call(self, attempt: Callable[[], Awaitable[T]], timeout: float | None) -> T:
        """Attempt something that may be repeated until it is answered or the time is up.

        After a failure the idle connections are dropped: the next one is made anew, to whatever the address then means.
        """
        clock = asyncio.get_running_loop()
        deadline = clock.time() + (CALL_SECONDS if timeout is None else timeout)
        longest_pause = _FIRST_PAUSE_SECONDS
        trouble = None
        while True:
            silence = "too many calls are waiting for the store"
            try:
                async with asyncio.timeout_at(deadline), self.traffic:
                    silence = "the store did not answer in time"
                    async with asyncio.timeout(ATTEMPT_SECONDS):
                        try:
                            return await attempt()
                        except NoScriptError:
                            await self._load_scripts()
                            return await attempt()
            except TimeoutError as error:
                cause: Exception = error
                trouble = trouble or silence
            except _Unconfirmed as error:
                cause = error
                trouble = "no replica has confirmed the write"
            except RedisError as error:
                cause = error
                trouble = reason_of(error)
                if trouble is None:
                    raise
                if lacks_permission(error):
                    # Not before an operator has seen to it; and a script may have been cut short, so that it would
                    # take what it did itself for somebody else's.
                    raise StoreUnavailable(trouble) from error
                if code_of(error) == "READONLY":
                    await self._notices.suspect()
            self.traffic.repeats += 1
            pause = random.uniform(0, longest_pause)
            if clock.time() + pause >= deadline:
                raise StoreUnavailable(trouble) from cause
            longest_pause = min(2 * longest_pause, _LONGEST_PAUSE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout_at(deadline):
                    await self.drop_idle_connections()
            await asyncio.sleep(pause)

    async def _load_scripts(self) -> None:
        for script in _SCRIPTS:
            await execute(self._client, "SCRIPT LOAD", script.text)

    async def _rehearse(self) -> None:
        """Use every script and a channel once. What is lacking only for now is left to the readiness checks."""
        try:
            await rehearse(self, ATTEMPT_SECONDS)
        except StoreUnavailable as unavailable:
            error = unavailable.__cause__
            if isinstance(error, RedisError) and lacks_permission(error):
                raise StoreUnsuitable(_fault_of(error)) from error

    async def _verify(self) -> None:
        try:
            await self._inspect()
            await self._load_scripts()
        except RedisError as error:
            if concerns_credentials(error) or lacks_permission(error):
                raise StoreUnsuitable(_fault_of(error)) from error
            raise

    async def _inspect(self) -> None:
        server = await self._client.info("server")
        version = tuple(map(int, str(server["redis_version"]).split(".")[:2]))
        if version < _OLDEST_SERVER:
            raise StoreUnsuitable(
                f"the store has to be Redis 7.0 or newer, or Valkey; this is {server['redis_version']}"
            )
        await self._verify_eviction()
        if self._durability in _APPENDFSYNC:
            await self._verify_append_only(_APPENDFSYNC[self._durability])
        elif self._durability is Durability.REPLICA:
            replication = await self._client.info("replication")
            if not replication.get("connected_slaves"):
                raise StoreUnsuitable("durability `replica` needs a primary with a replica, and this server has none")

    async def _verify_eviction(self) -> None:
        """A server that makes room by dropping keys would drop games. One that hides its settings is trusted."""
        try:
            settings = await self._client.config_get("maxmemory", "maxmemory-policy")
        except ResponseError as error:
            if reason_of(error) and not lacks_permission(error):
                raise
            return
        if settings["maxmemory"] != "0" and settings["maxmemory-policy"] != "noeviction":
            policy = settings["maxmemory-policy"]
            raise StoreUnsuitable(
                f"the server would drop games when its memory is full: maxmemory-policy is {policy}, "
                "and has to be noeviction"
            )

    async def _verify_append_only(self, appendfsync: tuple[str, ...]) -> None:
        try:
            settings = await self._client.config_get("appendonly", "appendfsync")
        except ResponseError as error:
            if reason_of(error) and not lacks_permission(error):
                raise
            raise StoreUnsuitable(
                f"durability `{self._durability}` can't be verified: the server does not let us read its settings"
            ) from error
        if settings["appendonly"] != "yes" or settings["appendfsync"] not in appendfsync:
            raise StoreUnsuitable(
                f"durability `{self._durability}` needs a server with `appendonly yes` "
                f"and `appendfsync {' or '.join(appendfsync)}`"
            )


def _fault_of(error: RedisError) -> str:
    return fault_of(error, {script.sha: script.text for script in _SCRIPTS})


def _unknown(answer: Any) -> AssertionError:
    """Never raised as long as scripts and code belong together; names the kind of the answer, not its content."""
    return AssertionError(f"a script gave an unknown answer: {answer[:1]!r}")
