"""Processes that do the same work side by side: chunk after chunk goes in, the answers come out in the same order.

Look-ahead is bounded, so memory stays flat however long the row of chunks is. The first chunks are done here: a short
row never pays for processes. A process that dies takes only the item with it that killed it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

ALONE = 2
"""Chunks that are done here before processes are started."""
AHEAD = 2
"""Chunks that wait, besides one for each process."""
CHUNK, CHUNK_BYTES = 32, 4_000_000
"""Pages, and about so many bytes, that are handed over in one go."""


def chunks(items: Iterable[Task], size: Callable[[Task], int]) -> Iterator[list[Task]]:
    """Items, and how many bytes each has -> the same in chunks for a crew."""
    chunk: list[Task] = []
    held = 0
    for item in items:
        chunk.append(item)
        held += size(item)
        if len(chunk) >= CHUNK or held >= CHUNK_BYTES:
            yield chunk
            chunk, held = [], 0
    if chunk:
        yield chunk


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew(Generic[Task, Answer]):
    """`make(*arguments)` gives the work in each process; it must not raise. `lost` answers for what killed a process."""

    def __init__(
        self,
        make: Callable[..., Callable[[Task], Answer]],
        arguments: tuple[Any, ...],
        *,
        jobs: int,
        lost: Callable[[Task], Answer],
        here: bool = True,
    ) -> None:
        """Without `here` nothing is done in this process, not even where it is one job or a short row."""
        self.jobs, self.lost, self.here = jobs or cores(), lost, here
        self._recruit = (make, arguments)
        self._work = make(*arguments) if here else None
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        stopped = error is not None and not isinstance(error, Exception)
        if stopped:  # Ctrl-C does not wait for what is being read
            for process in list((self._pool._processes or {}).values()):
                process.kill()
        self._pool.shutdown(wait=not stopped, cancel_futures=True)

    def answers(self, chunks: Iterable[Sequence[Task]]) -> Iterator[list[Answer]]:
        """For each chunk its answers, in order."""
        waiting: deque[tuple[Sequence[Task], ProcessPoolExecutor, Future[list[Answer]]]] = deque()
        for number, chunk in enumerate(chunks):
            if self.here and (self.jobs == 1 or number < ALONE):
                assert self._work is not None
                yield [self._work(item) for item in chunk]
                continue
            waiting.append((chunk, *self._hand_over(chunk)))
            if len(waiting) >= self.jobs + AHEAD:
                yield self._answer(*waiting.popleft())
        while waiting:
            yield self._answer(*waiting.popleft())

    def _hand_over(self, chunk: Sequence[Task]) -> tuple[ProcessPoolExecutor, Future[list[Answer]]]:
        for _ in range(2):  # a pool may have died since it was last asked
            if self._pool is None:
                self._pool = _pool(self.jobs, *self._recruit)
            try:
                return self._pool, self._pool.submit(_do, list(chunk))
            except BrokenProcessPool:
                self._pool = None
        raise RuntimeError("no process could be started")

    def _answer(self, chunk: Sequence[Task], pool: ProcessPoolExecutor, future: Future[list[Answer]]) -> list[Answer]:
        try:
            return future.result()
        except BrokenProcessPool:
            self._forget(pool)
            return [self._alone(item) for item in chunk]

    def _alone(self, item: Task) -> Answer:
        """One item in a process, so that it is known which one kills."""
        pool, future = self._hand_over([item])
        try:
            return future.result()[0]
        except BrokenProcessPool:
            self._forget(pool)
            return self.lost(item)

    def _forget(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        pool.shutdown(wait=False)


# --- in the processes --------------------------------------------------------------------------------------------

_at_work: Callable[[Any], Any] | None = None


def _pool(jobs: int, make: Callable[..., Any], arguments: tuple[Any, ...]) -> ProcessPoolExecutor:
    # Forking starts at once and works in a program without a main guard; elsewhere than on Linux it is not safe.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(make, arguments))


def _begin(make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    global _at_work
    serve_parent()
    _at_work = make(*arguments)


def serve_parent() -> None:
    """From now on this process leaves Ctrl-C to the one that gives out the work, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed can't say so, and its processes would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _do(items: list[Any]) -> list[Any]:
    assert _at_work is not None
    return [_at_work(item) for item in items]
