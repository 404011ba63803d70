"""`Hands` of several processes of this machine; what a process held when it died is done by another."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from trailmark.errors import TrailmarkError
from trailmark.extract.crew import cores, serve_parent
from trailmark.verbs.hands import nothing

Task = TypeVar("Task")
Answer = TypeVar("Answer")

MOST_DEATHS = 5
"""Times that the processes may die before a task that was under way each time is called deadly."""
PATIENCE = 1.0


class ProcessHands:
    """As many processes as asked for; 0 is one for each core. `work` travels to each once."""

    def __init__(self, jobs: int = 0) -> None:
        self._jobs = jobs or cores()

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = nothing
    ) -> Iterator[tuple[int, Answer]]:
        """Tasks -> (place of the task, its answer) as they are done."""
        waiting, deaths = deque(range(len(tasks))), Counter[int]()
        jobs = min(self._jobs, len(tasks))
        while waiting:
            busy: dict[Future[Answer], int] = {}
            pool = _pool(jobs, work)
            try:
                while waiting or busy:
                    while waiting and len(busy) < jobs:
                        place = waiting.popleft()
                        busy[pool.submit(_do, tasks[place])] = place
                    done, _ = wait(busy, PATIENCE, FIRST_COMPLETED)
                    for future in done:
                        answer = future.result()
                        yield busy.pop(future), answer
                    tick()
            except BrokenProcessPool:
                deaths.update(busy.values())
                deadly = next((place for place in busy.values() if deaths[place] >= MOST_DEATHS), None)
                if deadly is not None:
                    raise TrailmarkError(
                        f"{MOST_DEATHS} processes died on the same task ({tasks[deadly]!r:.200}): look at the memory of this machine."
                    ) from None
                waiting.extendleft(sorted(busy.values(), reverse=True))
            finally:
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                pool.shutdown(wait=False, cancel_futures=True)


_at_work: Callable[[Any], Any] | None = None


def _pool(jobs: int, work: Callable[[Any], Any]) -> ProcessPoolExecutor:
    # Threads of a store's client do not live through a fork: where any were started, processes begin anew.
    context = multiprocessing.get_context("spawn" if "s3fs" in sys.modules or sys.platform != "linux" else "fork")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(work,))


def _begin(work: Callable[[Any], Any]) -> None:
    global _at_work
    serve_parent()
    _at_work = work


def _do(task: Any) -> Any:
    assert _at_work is not None
    return _at_work(task)
