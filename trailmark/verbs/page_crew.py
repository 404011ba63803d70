"""Pages read by a crew, wherever it is: what `map` does in this process, done by others side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from trailmark.cluster import EachPage
from trailmark.datatypes import Response
from trailmark.extract.crew import chunks

T = TypeVar("T")


def each_page(crew: Callable[..., Any]) -> EachPage:
    """How a crew is made (as `CrewMaker` has it) -> what does a work for each page, in order; None for a page that killed its worker."""

    def each(work: Callable[[Response], T | None], pages: Iterable[Response], /) -> Iterator[T | None]:
        with crew(_itself, (work,), jobs=0, lost=_nothing) as readers:
            for answers in readers.answers(chunks(pages, lambda page: len(page.body))):
                yield from answers

    return each


def _itself(work: Callable[[Response], T]) -> Callable[[Response], T]:
    return work


def _nothing(_: Response) -> None:
    return None
