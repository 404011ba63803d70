"""`Hands` on a Ray cluster: an actor for each core, a task at a time each; what an actor held when it died goes to another.

Actors come and go with the nodes: there are as many as the cluster has cores at this moment, and never more than there are tasks.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from trailmark.errors import TrailmarkError, WorkspaceBusy
from trailmark.scale.cluster import ray_module, signs_of_death
from trailmark.verbs.hands import nothing

Task = TypeVar("Task")
Answer = TypeVar("Answer")

PATIENCE = 1.0
"""Seconds between two looks at the cluster."""
MOST_DEATHS, SOON = 5, 60.0
"""Workers that may die on one task, each within so many seconds, before it is called deadly. One that lived longer died of something else."""


class RayHands:
    """Workers of the cluster that this process is connected to. They stay from one row of tasks to the next, until `leave`."""

    def __init__(self, *, cores_each: float = 1.0, most_workers: int = 0, most_deaths: int = MOST_DEATHS) -> None:
        self._cores_each, self._most, self._most_deaths = cores_each, most_workers, most_deaths
        self._crew = _Crew(cores_each)

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = nothing
    ) -> Iterator[tuple[int, Answer]]:
        """Tasks -> (place of the task, its answer) as they are done."""
        ray, crew = ray_module(), self._crew
        crew.learn(work)
        waiting, deaths = deque(range(len(tasks))), Counter[int]()
        try:
            while waiting or crew.busy:
                room = min(self._room(), len(waiting) + len(crew.busy))
                while waiting and len(crew.busy) < room:
                    place = waiting.popleft()
                    crew.begin(place, tasks[place])
                done, _ = ray.wait(list(crew.busy), num_returns=1, timeout=PATIENCE)
                for reference in done:
                    place, _, since = crew.busy[reference]
                    try:
                        answer = crew.end(reference)
                    except _WorkerDied:
                        deaths[place] = deaths[place] + 1 if time.monotonic() - since < SOON else 0
                        if deaths[place] >= self._most_deaths:
                            raise TrailmarkError(
                                f"{deaths[place]} workers died on the same task ({tasks[place]!r:.200}): look at the memory of their nodes."
                            ) from None
                        waiting.appendleft(place)
                    except WorkspaceBusy:  # given up as dead, and still at it: it is let finish
                        waiting.append(place)
                    else:
                        yield place, answer
                tick()
        finally:
            crew.stop()

    def leave(self) -> None:
        """End the workers; may be called twice."""
        self._crew.leave()

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

    def __init__(self, cores_each: float) -> None:
        self._worker: Any = ray_module().remote(num_cpus=cores_each, max_restarts=0)(_Worker)
        self._work: Any = None
        self._idle: list[_Actor] = []
        self.busy: dict[Any, tuple[int, _Actor, float]] = {}
        """Place of the task, who is at it, and since when; by what its answer will be."""

    def learn(self, work: Callable[[Any], Any]) -> None:
        """What is done from now on; it travels once to each actor."""
        self._work = ray_module().put(work)

    def begin(self, place: int, task: Any) -> None:
        actor = self._idle.pop() if self._idle else _Actor(self._worker.remote())
        self.busy[actor.begun(self._work, task)] = (place, actor, time.monotonic())

    def end(self, reference: Any) -> Any:
        """The answer of a task that is done; raises what the task raised."""
        ray = ray_module()
        _, actor, _ = self.busy.pop(reference)
        try:
            answer = ray.get(reference)
        except signs_of_death() as error:
            raise _WorkerDied from error
        except ray.exceptions.RayTaskError as error:
            self._idle.append(actor)
            raise error.cause if isinstance(error.cause, Exception) else error  # noqa: B904 - the task's own error, as if it had been done here
        self._idle.append(actor)
        return answer

    def stop(self) -> None:
        """End those who are at something that nobody waits for any more."""
        _end(actor for _, actor, _ in self.busy.values())
        self.busy.clear()

    def leave(self) -> None:
        self.stop()
        _end(self._idle)
        self._idle.clear()


class _Actor:
    """One of the cluster's processes, and what it was told to do last."""

    def __init__(self, handle: Any) -> None:
        self.handle, self._told = handle, None

    def begun(self, work: Any, task: Any) -> Any:
        """Work and a task for it -> what the answer will be."""
        if self._told is not work:
            self.handle.learn.remote(work)
            self._told = work
        return self.handle.do.remote(task)


def _end(actors: Iterable[_Actor]) -> None:
    for actor in actors:
        with contextlib.suppress(Exception):  # it may be gone already
            ray_module().kill(actor.handle)


class _Worker:
    """In a process of the cluster."""

    def learn(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def do(self, task: Any) -> Any:
        return self._work(task)
