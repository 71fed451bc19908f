"""Workers: processes that share the work of one command, while its results come in the order of what was to be done.

They are started afresh rather than forked, as protobuf, gRPC and threads do not outlive a fork for certain. One that
is no longer wanted ends: with its parent, whose end of the pipe closes then, or by being told to. Ctrl-C reaches the
parent alone.
"""

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
R = TypeVar("R")

Pipe: TypeAlias = "Connection[Any, Any]"
"""A way to one worker: items there, results back."""

AHEAD = 4
"""For each worker so many results at most wait for an earlier one, however slow that is."""


class LostWorker(OSError):
    """A worker has ended before its work was done, as when the system is out of memory."""

    def __init__(self) -> None:
        super().__init__("a worker process has ended before its time")


def in_order(
    work: Callable[[T], R], items: Iterable[T], jobs: int, prepare: Callable[[], object]
) -> Generator[R, None, None]:
    """What becomes of each item, in their order; no more items are taken than workers can be kept busy with.

    With one job it is done here, one item at a time as results are taken. With more, each worker calls `prepare` once
    and then `work`, both of which have to be found by their names there; `work` raises nothing. Raises `LostWorker`.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    with _Workers(work, jobs, prepare) as workers:
        yield from workers.results(items)


class _Workers(Generic[T, R]):
    """As many processes as are asked for, each started when there is something for it to do."""

    def __init__(self, work: Callable[[T], R], jobs: int, prepare: Callable[[], object]) -> None:
        self._work = work
        self._jobs = jobs
        self._prepare = prepare
        self._context = get_context("spawn")
        self._processes: list[Any] = []
        self._free: list[Pipe] = []
        self._busy: dict[Pipe, int] = {}
        """The number of the item that a worker is at."""
        self._done: dict[int, R] = {}
        """Results that wait for earlier ones."""
        self._wanted = 0
        """The number of the result that comes next."""

    def __enter__(self) -> "_Workers[T, R]":
        # Started with the first worker it would let Ctrl-C through to that one.
        resource_tracker.ensure_running()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()

    def results(self, items: Iterable[T]) -> Iterator[R]:
        """What becomes of each item."""
        for number, item in enumerate(items):
            while number - self._wanted >= AHEAD * self._jobs or not self._has_hands():
                self._await()
                yield from self._ready()
            self._give(self._free.pop(), number, item)
            self._await(seconds=0)
            yield from self._ready()
        while self._busy:
            self._await()
            yield from self._ready()

    def _ready(self) -> Iterator[R]:
        """The results that nothing earlier is missing before."""
        while self._wanted in self._done:
            yield self._done.pop(self._wanted)
            self._wanted += 1

    def _give(self, worker: Pipe, number: int, item: T) -> None:
        try:
            worker.send(item)
        except OSError as error:
            raise LostWorker from error
        self._busy[worker] = number

    def _has_hands(self) -> bool:
        if not self._free and len(self._processes) < self._jobs:
            self._start()
        return bool(self._free)

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_labour, args=(theirs, self._work, self._prepare), daemon=True)
        with _without_ctrl_c():
            process.start()
        theirs.close()
        self._processes.append(process)
        self._free.append(ours)

    def _await(self, seconds: float | None = None) -> None:
        """Takes in what workers have done, after waiting for some result, or for so many seconds."""
        for worker in wait(list(self._busy), seconds):
            assert isinstance(worker, Connection)
            try:
                self._done[self._busy.pop(worker)] = worker.recv()
            except (EOFError, OSError) as error:
                raise LostWorker from error
            self._free.append(worker)


def _labour(orders: Pipe, work: Callable[[T], R], prepare: Callable[[], object]) -> None:
    """What a worker does: one item after the other, until nobody sends any more."""
    prepare()
    try:
        while True:
            orders.send(work(orders.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Processes that are started here never hear of Ctrl-C; this one hears of it as soon as they are started."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
