"""`TimedCrew` of `trailmark.tag.timed_crew` on a Ray cluster: every worker has one process that may be killed, as each of a machine's own has.

Time and memory of an item are limited where it is worked on, and only it dies of them; a worker that is lost with its node is another's
business (`ray_crew`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from trailmark.scale.ray_crew import RayCrew
from trailmark.tag.timed_crew import TimedCrew

Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class _Lost:
    """What stands for an answer until it is back where somebody can answer for it."""

    reason: str


class RayTimedCrew(Generic[Task, Answer]):
    """As `TimedCrew`; `lost` is called in this process."""

    def __init__(
        self,
        make: Callable[..., Callable[[Task], Answer]],
        arguments: tuple[Any, ...],
        *,
        lost: Callable[[Task, str], Answer],
        seconds: float,
        memory: int,
        jobs: int = 0,
    ) -> None:
        self.lost = lost
        self._crew: RayCrew[Task, Any] = RayCrew(
            _timed_work, (make, arguments, seconds, memory), jobs=jobs, lost=lambda _: _Lost("its process died")
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.__exit__(kind, error, trace)

    def answers(self, items: Iterable[Task]) -> Iterator[tuple[Task, Answer]]:
        """Each item with its answer, in order."""
        waiting: deque[Task] = deque()

        def one_by_one() -> Iterator[list[Task]]:
            for item in items:
                waiting.append(item)
                yield [item]

        for (answer,) in self._crew.answers(one_by_one()):
            item = waiting.popleft()
            yield item, self.lost(item, answer.reason) if isinstance(answer, _Lost) else answer


def _timed_work(
    make: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...], seconds: float, memory: int
) -> Callable[[Any], Any]:
    """In a worker: the work of an item in a process of its own. It is not forked: a worker of Ray has threads that must not be."""
    crew: TimedCrew[Any, Any] = TimedCrew(
        make, arguments, lost=lambda _, reason: _Lost(reason), seconds=seconds, memory=memory, jobs=1, start="spawn"
    )

    def work(item: Any) -> Any:
        ((_, answer),) = crew.answers([item])
        return answer

    return work
