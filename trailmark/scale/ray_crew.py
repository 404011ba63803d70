"""`Crew` of `trailmark.extract.crew` on a Ray cluster: chunk after chunk goes out, the answers come back in the same order.

What every worker needs (rules, templates) travels once and is shared by all workers of a node. Look-ahead is bounded: who reads the pages
waits for those who lift them. A chunk whose worker died is done again by another; where that one dies too, item by item, so that only
the item that kills is lost.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from trailmark.scale.cluster import ray_module, signs_of_death

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AHEAD = 2
"""Chunks that wait for each worker, besides the one that it is at."""


class RayCrew(Generic[Task, Answer]):
    """`make(*arguments)` gives the work in each worker; it must not raise. `lost` answers for what killed a worker."""

    def __init__(
        self,
        make: Callable[..., Callable[[Task], Answer]],
        arguments: tuple[Any, ...],
        *,
        jobs: int,
        lost: Callable[[Task], Answer],
    ) -> None:
        ray = ray_module()
        self.lost = lost
        self._worker: Any = ray.remote(num_cpus=1, max_restarts=0)(_Worker)
        self._recruit = (ray.put(make), ray.put(arguments))
        cores = int(ray.cluster_resources().get("CPU", 1.0))
        self.jobs = max(1, min(cores, jobs) if jobs else cores)
        self._workers: list[Any] = []
        self._next = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ray = ray_module()
        for worker in self._workers:
            with contextlib.suppress(Exception):  # it may be gone already
                ray.kill(worker)
        self._workers.clear()

    def answers(self, chunks: Iterable[Sequence[Task]]) -> Iterator[list[Answer]]:
        """For each chunk its answers, in order."""
        waiting: deque[tuple[Sequence[Task], Any, Any]] = deque()
        for chunk in chunks:
            waiting.append((chunk, *self._hand_over(chunk)))
            if len(waiting) >= self.jobs * (1 + AHEAD):
                yield self._answer(*waiting.popleft())
        while waiting:
            yield self._answer(*waiting.popleft())

    def _hand_over(self, chunk: Sequence[Task]) -> tuple[Any, Any]:
        """A chunk -> the worker that has it, and what its answer will be."""
        if len(self._workers) < self.jobs:
            self._workers.append(self._worker.remote(*self._recruit))
        self._next = (self._next + 1) % len(self._workers)
        worker = self._workers[self._next]
        return worker, worker.do.remote(list(chunk))

    def _answer(self, chunk: Sequence[Task], worker: Any, reference: Any) -> list[Answer]:
        for _ in range(2):
            found = self._got(worker, reference)
            if found is not None:
                return found
            worker, reference = self._hand_over(chunk)
        found = self._got(worker, reference)
        return found if found is not None else [self._alone(item) for item in chunk]

    def _alone(self, item: Task) -> Answer:
        found = self._got(*self._hand_over([item]))
        return found[0] if found is not None else self.lost(item)

    def _got(self, worker: Any, reference: Any) -> list[Answer] | None:
        """The answers of a chunk; None where its worker died, which is then forgotten."""
        ray = ray_module()
        try:
            answers: list[Answer] = ray.get(reference)
        except signs_of_death():
            self._workers = [each for each in self._workers if each is not worker]
            return None
        return answers


class _Worker:
    """In a process of the cluster."""

    def __init__(self, make: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
        self._work = make(*arguments)

    def do(self, items: list[Any]) -> list[Any]:
        return [self._work(item) for item in items]
