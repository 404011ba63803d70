"""Server-sent events: a value asked for again and again, sent whenever it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from trailmark.quoting import json_text

EVERY = 0.5
QUIET = 15.0
"""Seconds after which a sign of life is sent though nothing changed: proxies and browsers give silence up."""


def events(request: Request, produce: Callable[[], dict[str, Any] | None], *, every: float = EVERY) -> Response:
    """What `produce` says, as events; it is called in a thread, and its None ends the stream after an event named `end`."""
    return StreamingResponse(
        _stream(request, produce, every), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )


async def _stream(request: Request, produce: Callable[[], dict[str, Any] | None], every: float) -> AsyncIterator[str]:
    last, quiet = "", 0.0
    while not await request.is_disconnected():
        value = await run_in_threadpool(produce)
        if value is None:
            yield "event: end\ndata: {}\n\n"
            return
        text = json_text(value)
        quiet += every
        if text != last or quiet >= QUIET:
            yield f"data: {text}\n\n" if text != last else ": still here\n\n"
            last, quiet = text, 0.0
        await asyncio.sleep(every)
