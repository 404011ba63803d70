"""Processes that work on hostile items side by side: each item has a time and a memory, and only it dies of them.

An item goes to a process that is free, and the answers come out in the order of the items. A process that takes too long is killed with
all that it started; one that dies says nothing: either way the item is answered for by `lost`, and another process takes the place.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

START = 60.0
"""Seconds until a process must be ready; it only loads our own modules and models."""
AHEAD = 2
"""Items that wait for an earlier one, for each process."""


class TimedCrew(Generic[Task, Answer]):
    """`make(*arguments)` gives the work in each process. `lost(item, reason)` answers for what took too long or killed its process.

    `start` is how processes begin, as `multiprocessing` names it.
    """

    def __init__(
        self,
        make: Callable[..., Callable[[Task], Answer]],
        arguments: tuple[Any, ...],
        *,
        lost: Callable[[Task, str], Answer],
        seconds: float,
        memory: int,
        jobs: int = 0,
        start: str = "fork" if sys.platform == "linux" else "spawn",
    ) -> None:
        self.seconds, self.lost = seconds, lost
        self.jobs = jobs or _cores()
        self._recruit = (make, arguments, memory, start)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()

    def answers(self, items: Iterable[Task]) -> Iterator[tuple[Task, Answer]]:
        """Each item with its answer, in order."""
        row: deque[_Order] = deque()
        for item in items:
            order = _Order(item)
            row.append(order)
            self._free_worker().give(order)
            while row and (row[0].done or len(row) >= self.jobs * (1 + AHEAD)):
                self._await(row[0])
                done = row.popleft()
                yield done.item, done.answer
        while row:
            self._await(row[0])
            done = row.popleft()
            yield done.item, done.answer

    def _await(self, order: _Order) -> None:
        while not order.done:
            self._attend()

    def _free_worker(self) -> _Worker:
        while True:
            for worker in self._workers:
                if worker.order is None:
                    return worker
            if len(self._workers) < self.jobs:
                self._workers.append(_Worker(*self._recruit))
                return self._workers[-1]
            self._attend()

    def _attend(self) -> None:
        """Wait until a process answers, dies, or has used up its time."""
        busy = [worker for worker in self._workers if worker.order is not None]
        ends = min(worker.since + self._patience(worker) for worker in busy)
        ready = wait([worker.pipe for worker in busy], max(0.0, ends - time.monotonic()))
        for worker in busy:
            order = worker.order
            assert order is not None
            if worker.pipe in ready:
                self._hear(worker, order)
            elif time.monotonic() > worker.since + self._patience(worker):
                self._give_up(worker, order, f"it took more than {self.seconds:g} seconds")

    def _patience(self, worker: _Worker) -> float:
        return self.seconds if worker.ready else START

    def _hear(self, worker: _Worker, order: _Order) -> None:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._give_up(worker, order, "its process died")
            return
        if message is None:
            worker.ready, worker.since = True, time.monotonic()
            return
        order.answer, order.done, worker.order = message[0], True, None

    def _give_up(self, worker: _Worker, order: _Order, reason: str) -> None:
        if not worker.ready:
            raise RuntimeError("a process that reads documents does not start")
        worker.end()
        self._workers.remove(worker)
        order.answer, order.done = self.lost(order.item, reason), True


class _Order:
    """An item, and its answer once there is one."""

    __slots__ = ("answer", "done", "item")

    def __init__(self, item: Any) -> None:
        self.item, self.done = item, False
        self.answer: Any = None


class _Worker:
    """One process, and what it is working on."""

    def __init__(self, make: Callable[..., Any], arguments: tuple[Any, ...], memory: int, start: str) -> None:
        context: Any = multiprocessing.get_context(start)
        self.pipe, theirs = context.Pipe()
        self.process: Any = context.Process(
            target=_work, args=(theirs, make, arguments, memory), name="trailmark documents", daemon=True
        )
        self.process.start()
        theirs.close()
        self.order: _Order | None = None
        self.ready, self.since = False, time.monotonic()

    def give(self, order: _Order) -> None:
        """Hand an item over. A process that died in between is noticed when its answer is waited for."""
        self.order, self.since = order, time.monotonic()
        with contextlib.suppress(OSError):
            self.pipe.send(order.item)

    def end(self) -> None:
        """Kill the process with all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()


# --- in the processes --------------------------------------------------------------------------------------------


def _work(pipe: Connection, make: Callable[..., Any], arguments: tuple[Any, ...], memory: int) -> None:
    os.setpgid(0, 0)  # what it starts is ended with it, and Ctrl-C is for the one that gives out the work
    _end_with_parent()
    work = make(*arguments)
    if memory:
        _limit(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, _held() + memory)
    _limit(resource.RLIMIT_CORE, 0)
    pipe.send(None)
    while True:
        try:
            item = pipe.recv()
            pipe.send((work(item),))
        except (EOFError, OSError):
            return
        except MemoryError:  # there may be too little left even to say so; the other side answers for the item
            os._exit(1)


def _held() -> int:
    """Bytes that this process has before its first item. One that was forked has what its parent had: what an item may use must not depend on that."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    return 0


def _limit(kind: int, most: int) -> None:
    """A limit that can't be set is not the item's fault."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, most))


def _end_with_parent() -> None:
    """A parent that was killed can't say so, and its processes would wait for ever."""
    import threading

    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait([parent.sentinel])
            os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
