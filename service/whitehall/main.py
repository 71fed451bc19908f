"""The composition root: builds the service from its settings, runs it, and takes it down in good order."""

import asyncio
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeVar

import structlog
from prometheus_client import CollectorRegistry

from whitehall import __version__
from whitehall.api import descriptors
from whitehall.api.board_files import BoardFileError, add_boards
from whitehall.api.catalog import CatalogServicer
from whitehall.api.connect_app import ConnectApp
from whitehall.api.cors import Cors
from whitehall.api.desk import Desk
from whitehall.api.endpoint import Endpoint
from whitehall.api.grpc_door import GrpcDoor, Limits
from whitehall.api.hosted import Hosted, hosted_games
from whitehall.api.http_door import HttpDoor
from whitehall.api.http_limits import ConnectionLimits, HttpLimits
from whitehall.api.metered_store import MeteredStore
from whitehall.api.positions import PositionServicer
from whitehall.api.rates import Rates
from whitehall.api.rest.app import RestApp
from whitehall.api.rest.pages import PagesApp
from whitehall.api.servicer import GameServicer
from whitehall.api.shared_key import SharedKey
from whitehall.api.streams import Streams
from whitehall.api.tls import Tls
from whitehall.api.tokens import Tokens
from whitehall.api.workshop import Workshop
from whitehall.sessions.archive import HostedGame
from whitehall.sessions.change import Lifetimes
from whitehall.sessions.embedded import EmbeddedError, EmbeddedValkey
from whitehall.sessions.redis_store import Durability, RedisStore, StoreUnsuitable
from whitehall.sessions.referee import Referee
from whitehall.sessions.store import SessionStore, StoreUnavailable
from whitehall.settings import Settings
from whitehall.telemetry.admin import AdminServer
from whitehall.telemetry.health import CheckFailed, Health
from whitehall.telemetry.lag import sample_loop_lag
from whitehall.telemetry.log import dropped_lines
from whitehall.telemetry.metrics import Metrics

T = TypeVar("T")

Reporter = Callable[[Metrics, Health], AbstractAsyncContextManager[str]]
"""Lets a process tell its numbers and its health for as long as the context lasts; the address where it does."""

CANNOT_START = (BoardFileError, EmbeddedError, StoreUnsuitable, OSError)
"""What may keep the service from starting, with a text for the operator."""

DAY_SECONDS = 86_400
TOKEN_KEY_BYTES = 32
FIRST_ANSWER_SECONDS = 2.0
"""How long a store that does not answer is waited for until the doors are opened without it."""
STREAM_READ_SECONDS = 5.0
"""How long one reading of the store may take while a stream waits for news."""
PING_INTERVAL_SECONDS = 5.0
"""Clients that keep an idle stream alive ping every 10 s or slower; the network may bring two pings closer together."""
SWITCH_SECONDS = 0.0005
"""A tenth of Python's own: while threads of the workshops are at work a quick call then takes milliseconds and not
hundreds of them.
"""
FAREWELL_SECONDS = 0.5
"""How long, at most, calls are sent elsewhere before the server stops. Those that meet its stop may be cut."""
LONGEST_STREAM_SHARE = 1.1
"""A stream's length is spread around its mean, up to this share of it."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the service listens."""

    grpc: str
    http: str
    admin: str


async def serve(settings: Settings, started: Callable[[Addresses], None]) -> None:
    """Runs the service in this process until SIGTERM or SIGINT, then drains it. `started` is told once calls are
    answered.
    """
    await until_stopped(running(settings), started, asyncio.Event())


async def until_stopped(
    context: AbstractAsyncContextManager[T], started: Callable[[T], None], stop: asyncio.Event
) -> None:
    """Stays in a context until SIGTERM, SIGINT or `stop`. `started` is told what entering it gives.

    A signal that comes while it still starts, or waits for a store that does not answer yet, ends it there and then.
    """
    # Long work in other threads holds the processor no longer than this when a call comes in, however many they are.
    sys.setswitchinterval(SWITCH_SECONDS)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        stopping = asyncio.ensure_future(stop.wait())
        stack.callback(stopping.cancel)
        starting = asyncio.ensure_future(stack.enter_async_context(context))
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.wait({starting})
            return
        started(starting.result())
        await stopping


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Addresses]:
    """The whole service, from the store up to the doors; leaving takes it down in the opposite order."""
    async with AsyncExitStack() as stack:
        url, durability = await store_place(settings, stack)
        store = await store_at(url, durability, settings, stack)
        yield await stack.enter_async_context(serving(settings, store))


def system_clock_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def serving(
    settings: Settings,
    store: SessionStore,
    *,
    reporter: Reporter | None = None,
    shares_port: bool = False,
    games: Mapping[str, Hosted] | None = None,
    clock_ms: Callable[[], int] = system_clock_ms,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> AsyncIterator[Addresses]:
    """The service on a store that somebody else keeps open.

    `reporter` tells its numbers and its health; without one the admin port does. With `shares_port` other processes may
    listen where it does.
    `games` are those that it hosts, by default all of them. `clock_ms` is the time that games are told, `entropy` gives
    so many unforeseeable bytes: with both of them fixed, the same calls get the same answers.
    """
    log = structlog.get_logger()
    metrics = Metrics(CollectorRegistry())
    metrics.workers.set(1)
    async with AsyncExitStack() as stack:
        metered = MeteredStore(store, metrics)
        shared_key = None if settings.token_keys else SharedKey(metered, lambda: entropy(TOKEN_KEY_BYTES))
        tokens = Tokens(
            [key.get_secret_value() for key in settings.token_keys] if shared_key is None else [],
            {key.id: key.secret.get_secret_value() for key in settings.operator_keys},
        )
        if shared_key is not None:
            # A store that can't give it yet makes us unready, and does not keep us from what needs no store.
            with suppress(StoreUnavailable):
                tokens.adopt(await shared_key.look())
        streams = Streams(settings.max_streams_per_game, settings.max_streams, settings.max_position_streams)
        # Games in play never wait for questions about positions, which may take longer.
        of_games, of_positions = [
            Workshop(settings.long_answers_at_a_time, settings.long_answers_waiting) for _ in range(2)
        ]
        hosted = hosted_games() if games is None else games
        if settings.boards_dir is not None:
            add_boards(settings.boards_dir, hosted, lambda words: log.warning("no boards", why=words))
        referee = Referee(
            metered,
            {name: HostedGame(game.wire.rules, game.wire) for name, game in hosted.items()},
            clock_ms,
            entropy,
            Lifetimes(settings.active_ttl_days * DAY_SECONDS, settings.ended_ttl_days * DAY_SECONDS),
            settings.cache_games,
        )
        session_services, endpoints = _endpoints(
            settings, hosted, referee, tokens, streams, of_games, of_positions, metrics, entropy
        )
        tls = _tls(settings)
        allowed = descriptors.connections(settings.max_connections, doors=2, besides=settings.store_pool)
        if allowed < settings.max_connections:
            log.warning("fewer connections than set: too few files", connections=allowed, set=settings.max_connections)
        rates = Rates(settings.max_calls_per_token, settings.max_calls_per_operator_key)
        desk = Desk(
            metrics,
            settings.max_concurrent_calls,
            settings.default_deadline_seconds,
            rates if rates.limited else None,
        )
        door = GrpcDoor(endpoints, desk, _limits(settings, allowed), shares_port=shares_port)
        http_door = HttpDoor(
            [
                ConnectApp(endpoints, desk, settings.max_message_bytes),
                RestApp(endpoints, desk, settings.max_message_bytes),
                PagesApp(),
            ],
            _http_limits(settings, allowed),
            cors=Cors(settings.cors_origins),
            tls=None if tls is None else tls.context,
            shares_port=shares_port,
        )
        health = Health({"store": _store_check(metered, tokens, shared_key)})
        metrics.ready_is(lambda: health.ready)
        metrics.log_lines_dropped_is(dropped_lines)
        if isinstance(store, RedisStore):
            metrics.store_traffic_is(store.traffic)
        metrics.long_answers_are(
            taken=lambda: of_games.taken + of_positions.taken,
            places=lambda: of_games.places + of_positions.places,
            refused=lambda: of_games.refused + of_positions.refused,
        )
        storeless = [service for service in door.services if service not in session_services]

        async def tell(ready: bool) -> None:
            await door.serving([*session_services, ""], ready)

        async def drain() -> None:
            log.info("draining")
            # Balancers are told first, and the calls that they still send are answered while they take note.
            await health.drain()
            await door.going_away()
            http_door.going_away()
            await asyncio.sleep(settings.drain_seconds)
            streams.drain()
            desk.turn_away()
            await asyncio.sleep(min(settings.drain_seconds, FAREWELL_SECONDS))
            await asyncio.gather(door.close(settings.grace_seconds), http_door.close(settings.grace_seconds))
            # Nobody is left to wait for what threads still do, and the process ends no sooner than they.
            of_games.close()
            of_positions.close()
            log.info("stopped")

        health.on_change(tell)
        if reporter is None:
            reporter = partial(AdminServer, settings.admin_address)
        admin_address = await stack.enter_async_context(reporter(metrics, health))
        # Positions and the catalog need no store, and are served whatever becomes of it.
        await door.serving(storeless, True)
        await door.serving([*session_services, ""], False)
        http_port = await http_door.start(settings.http_address)
        # Where gRPC can't listen nobody has called yet, and there is nothing to drain.
        stack.push_async_callback(http_door.close, 0)
        grpc_port = await door.start(settings.grpc_address, None if tls is None else tls.credentials())
        stack.push_async_callback(drain)
        addresses = Addresses(
            _at(settings.grpc_address, grpc_port), _at(settings.http_address, http_port), admin_address
        )
        await health.check()
        await _background(stack, health.run)
        if tls is not None:
            await _background(stack, tls.watch)
        await _background(stack, lambda: sample_loop_lag(metrics.event_loop_lag))
        log.info("started", version=__version__, grpc=addresses.grpc, http=addresses.http, admin=addresses.admin)
        yield addresses


def _at(address: str, port: int) -> str:
    """An address with the port that was really taken."""
    return f"{address.rpartition(':')[0]}:{port}"


async def store_place(settings: Settings, stack: AsyncExitStack) -> tuple[str, Durability]:
    """The store's URL and how durable it is to be; the embedded one, if it is that, runs until the stack is left."""
    durability = Durability(settings.durability)
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value(), durability
    embedded = EmbeddedValkey(settings.data_dir, fsync_always=durability is Durability.AOF)
    await stack.enter_async_context(embedded)
    return embedded.url, Durability.PROCESS if durability is Durability.MEMORY else durability


async def store_at(url: str, durability: Durability, settings: Settings, stack: AsyncExitStack) -> RedisStore:
    """The store at a URL, until the stack is left. One that can't be reached is waited for a moment: from then on it is
    the readiness checks that ask for it, and what needs no store is served meanwhile. Raises `StoreUnsuitable`.
    """
    store = RedisStore.at(url, durability, connections=settings.store_pool)
    stack.push_async_callback(store.close)
    try:
        await store.prove(FIRST_ANSWER_SECONDS)
    except StoreUnavailable as unavailable:
        structlog.get_logger().warning("starts without the store", why=unavailable.reason)
    return store


def _endpoints(
    settings: Settings,
    games: Mapping[str, Hosted],
    referee: Referee,
    tokens: Tokens,
    streams: Streams,
    of_games: Workshop,
    of_positions: Workshop,
    metrics: Metrics,
    entropy: Callable[[int], bytes],
) -> tuple[list[str], list[Endpoint]]:
    """The services that need the store, and every endpoint of all services."""
    endpoints: list[Endpoint] = []
    for name, game in games.items():
        servicer = GameServicer(
            game.wire,
            referee,
            tokens,
            streams,
            of_games,
            metrics.game(name, (rule.id for rule in game.wire.rules.rules)),
            metrics.duplicate_requests,
            entropy,
            stream_seconds=settings.stream_minutes * 60,
            heartbeat=settings.heartbeat_seconds,
            store_seconds=STREAM_READ_SECONDS,
            jitter=Random(),  # spreads reconnects; no game hangs on it
        )
        endpoints += servicer.endpoints()
        endpoints += PositionServicer(game.wire, tokens, streams, of_positions).endpoints()
    endpoints += CatalogServicer(games).endpoints()
    return [game.wire.service for game in games.values()], endpoints


def _limits(settings: Settings, connections: int) -> Limits:
    return Limits(
        message_bytes=settings.max_message_bytes,
        connections=connections,
        streams=settings.max_streams + settings.max_position_streams,
        connection_age=settings.connection_age_seconds,
        longest_stream=settings.stream_minutes * 60 * LONGEST_STREAM_SHARE + 2 * settings.heartbeat_seconds,
        ping_interval=PING_INTERVAL_SECONDS,
    )


def _http_limits(settings: Settings, connections: int) -> HttpLimits:
    return HttpLimits(ConnectionLimits(connections, settings.connection_age_seconds), settings.max_message_bytes)


def _tls(settings: Settings) -> Tls | None:
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    return Tls(settings.tls_certificate, settings.tls_key, settings.tls_client_ca)


def _store_check(store: SessionStore, tokens: Tokens, shared_key: SharedKey | None) -> Callable[[], Awaitable[None]]:
    """Asks whether the store takes writes, and whether the key that it shares is still the one that signs.

    In a cluster the key may be where nothing can be read for now. It is none the worse for that: games that are
    elsewhere go on with it. But as long as it was never seen no game can be played.
    """

    async def check() -> None:
        try:
            await store.check()
        except StoreUnavailable as error:
            raise CheckFailed(error.reason) from error
        if shared_key is not None:
            try:
                tokens.adopt(await shared_key.look())
            except StoreUnavailable as error:
                if not tokens.known:
                    raise CheckFailed(f"the token key: {error.reason}") from error

    return check


async def _background(stack: AsyncExitStack, run: Callable[[], Awaitable[None]]) -> None:
    """Runs something until the stack is left."""
    task = asyncio.ensure_future(run())

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    stack.push_async_callback(end)
