"""Threads for rewriting crawled pages: few, and of their own, so that the app's other pages come whatever a site sends.

A page of two million tags takes seconds to rewrite. In the threads that all pages share, forty of them would keep everybody waiting.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, update_wrapper
from inspect import signature
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.responses import Response

T = TypeVar("T")

AT_ONCE = 6
"""Pages that are rewritten at the same time."""
MOST_WAITING = 60
"""Pages that wait for their turn; whoever comes then is asked to come again."""


class ViewCrew:
    """A few threads, and a count of those who wait for them."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="view")
        self._places = threading.BoundedSemaphore(at_once + most_waiting)

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` gives, made in one of the threads; refused at once where too many wait."""
        if not self._places.acquire(blocking=False):
            raise HTTPException(503, "Too many pages are being shown at once: try again in a moment.")
        future = self._threads.submit(work)
        # Whoever goes away leaves the work to end: its place is free only then.
        future.add_done_callback(lambda _done: self._places.release())
        return await asyncio.wrap_future(future)


def by_view_crew(endpoint: Callable[..., Response]) -> Callable[..., Awaitable[Response]]:
    """A page that rewrites a crawled one -> the same, made by the crew. It asks for the `request`."""

    async def page(**asked: Any) -> Response:
        crew: ViewCrew = asked["request"].app.state.trailmark.crew
        return await crew.run(partial(endpoint, **asked))

    # FastAPI reads what a page asks for off its signature, in the words of the module that it stands in.
    page.__signature__ = signature(endpoint, eval_str=True)  # type: ignore[attr-defined]
    return update_wrapper(page, endpoint, assigned=("__module__", "__name__", "__qualname__", "__doc__"), updated=())
