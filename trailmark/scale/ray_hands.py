"""`Hands` on a Ray cluster: an actor for each core, a task at a time each; what an actor held when it died goes to another.

Actors come and go with the nodes: there are as many as the cluster has cores at this moment, and never more than there are tasks.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from trailmark.errors import TrailmarkError, WorkspaceBusy
from trailmark.scale.cluster import ray_module

Task = TypeVar("Task")
Answer = TypeVar("Answer")

PATIENCE = 1.0
"""Seconds between two looks at the cluster."""
MOST_DEATHS = 5
"""Workers that may die on one task before it is called deadly."""


def _nothing() -> None:
    pass


class RayHands:
    """Workers of the cluster that this process is connected to."""

    def __init__(self, *, cores_each: float = 1.0, most_workers: int = 0) -> None:
        self._cores_each, self._most = cores_each, most_workers

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = _nothing
    ) -> Iterator[tuple[int, Answer]]:
        """Tasks -> (place of the task, its answer) as they are done."""
        ray = ray_module()
        crew = _Crew(work, self._cores_each)
        waiting, deaths = deque(range(len(tasks))), Counter[int]()
        try:
            while waiting or crew.busy:
                room = min(self._room(), len(waiting) + len(crew.busy))
                while waiting and len(crew.busy) < room:
                    place = waiting.popleft()
                    crew.begin(place, tasks[place])
                done, _ = ray.wait(list(crew.busy), num_returns=1, timeout=PATIENCE)
                for reference in done:
                    place = crew.busy[reference][0]
                    try:
                        answer = crew.end(reference)
                    except _WorkerDied:
                        deaths[place] += 1
                        if deaths[place] >= MOST_DEATHS:
                            raise TrailmarkError(
                                f"{MOST_DEATHS} workers died on the same task ({tasks[place]!r:.200}): look at the memory of their nodes."
                            ) from None
                        waiting.appendleft(place)
                    except WorkspaceBusy:  # given up as dead, and still at it: it is let finish
                        waiting.append(place)
                    else:
                        yield place, answer
                tick()
        finally:
            crew.leave()

    def _room(self) -> int:
        """Workers that the cluster has room for now."""
        ray = ray_module()
        cores = float(ray.cluster_resources().get("CPU", 1.0))
        room = max(1, int(cores / self._cores_each))
        return min(room, self._most) if self._most else room


class _WorkerDied(Exception):
    """The process or the node of a worker is gone."""


class _Crew:
    """The actors that live, and what each is at."""

    def __init__(self, work: Callable[[Any], Any], cores_each: float) -> None:
        ray = ray_module()
        self._worker: Any = ray.remote(num_cpus=cores_each, max_restarts=0)(_Worker)
        self._work = ray.put(work)
        self._idle: list[Any] = []
        self.busy: dict[Any, tuple[int, Any]] = {}

    def begin(self, place: int, task: Any) -> None:
        actor = self._idle.pop() if self._idle else self._worker.remote(self._work)
        self.busy[actor.do.remote(task)] = (place, actor)

    def end(self, reference: Any) -> Any:
        """The answer of a task that is done; raises what the task raised."""
        ray = ray_module()
        _, actor = self.busy.pop(reference)
        try:
            answer = ray.get(reference)
        except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError, ray.exceptions.OutOfMemoryError) as error:
            raise _WorkerDied from error
        except ray.exceptions.RayTaskError as error:
            self._idle.append(actor)
            raise error.cause if isinstance(error.cause, Exception) else error  # noqa: B904 - the task's own error, as if it had been done here
        self._idle.append(actor)
        return answer

    def leave(self) -> None:
        ray = ray_module()
        for actor in [*self._idle, *(actor for _, actor in self.busy.values())]:
            with contextlib.suppress(Exception):  # it may be gone already
                ray.kill(actor)


class _Worker:
    """In a process of the cluster."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def do(self, task: Any) -> Any:
        return self._work(task)
