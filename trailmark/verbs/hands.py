"""Who does the tasks of a verb: this process, or workers elsewhere. A verb hands out tasks and takes answers; where they are done is not its business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def _nothing() -> None:
    pass


class Hands(Protocol):
    """Does tasks, as many at once as it has room for."""

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = _nothing
    ) -> Iterator[tuple[int, Answer]]:
        """Tasks -> (place of the task, its answer) as they are done. A task whose worker died is done again by another.

        So `work` must be able to go on with what it left half done. What it raises is raised here. `tick` is called now and then.
        """
        ...


class OwnHands:
    """All tasks in this process, one after the other."""

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = _nothing
    ) -> Iterator[tuple[int, Answer]]:
        for place, task in enumerate(tasks):
            yield place, work(task)
            tick()
