"""The same work done for many arguments, over one process or several; results come in the order of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

from trailmark.progress import Progress
from trailmark.verbs.hands import Hands, in_order

Result = TypeVar("Result")


@dataclass(frozen=True)
class Spread:
    """A function of a module that takes a tuple of arguments instead; it travels to where the work is done."""

    work: Callable[..., Any]

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        return self.work(*arguments)


def over_processes(
    work: Callable[..., Result],
    arguments: Sequence[tuple[Any, ...]],
    *,
    jobs: int,
    progress: Progress,
    label: str,
    hands: Hands | None = None,
) -> list[Result]:
    """A function of a module, and tuples of arguments -> its results. What a function caches lives as long as its process.

    Where there are `hands`, they do it. Processes begin afresh: one that is forked would share the open files of its parent, and read
    where another has moved to.
    """
    if hands is not None:
        return list(progress(in_order(hands, Spread(work), arguments), label))
    if jobs == 1:
        return [work(*each) for each in progress(arguments, label)]
    with ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn")) as pool:
        runs = [pool.submit(work, *each) for each in arguments]
        return [run.result() for run in progress(runs, label)]
