"""Who does the tasks of a verb: this process, or workers elsewhere. A verb hands out tasks and takes answers; where they are done is not its business."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from trailmark.errors import InputError

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def nothing() -> None:
    """For who does not want to be told."""


class Hands(Protocol):
    """Does tasks, as many at once as it has room for."""

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = nothing
    ) -> Iterator[tuple[int, Answer]]:
        """Tasks -> (place of the task, its answer) as they are done. A task whose worker died is done again by another.

        So `work` must be able to go on with what it left half done. What it raises is raised here. `tick` is called now and then.
        """
        ...


def in_order(hands: Hands, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
    """The answers of tasks in the order of the tasks, each as soon as all before it are there."""
    early: dict[int, Answer] = {}
    following = 0
    for place, answer in hands.answers(work, list(tasks)):
        early[place] = answer
        while following in early:
            yield early.pop(following)
            following += 1


def must_see(folder: Path) -> None:
    """Raises InputError where this machine does not see a folder that the task is about."""
    if not folder.is_dir():
        raise InputError(
            f"The worker on {socket.gethostname()} does not see {folder}: share the folder with every node, under the same path."
        )


class OwnHands:
    """All tasks in this process, one after the other."""

    def answers(
        self, work: Callable[[Task], Answer], tasks: Sequence[Task], *, tick: Callable[[], None] = nothing
    ) -> Iterator[tuple[int, Answer]]:
        for place, task in enumerate(tasks):
            yield place, work(task)
            tick()
