"""Server-sent events: a value asked for again and again, sent whenever it has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TypeAlias

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from trailmark.quoting import json_text
from trailmark.serve.state import state_of

Producer: TypeAlias = Callable[[], Mapping[str, object] | None]
"""Says how things stand now, as a JSON object; None once there is no more to say."""
EVERY = 0.5
QUIET = 15.0
"""Seconds after which a sign of life is sent though nothing changed: proxies and browsers give silence up."""
MOST_STREAMS = 60
"""Streams that are open at once; each is a connection, and a look at the workspace every so often."""


def events(request: Request, produce: Producer, *, every: float = EVERY) -> Response:
    """What `produce` says, as events; it is called in a thread, and its None ends the stream after an event named `end`."""
    if state_of(request).streams.count >= MOST_STREAMS:
        raise HTTPException(503, "Too many pages are being kept up to date at once: close some tabs of the app.")
    return StreamingResponse(
        _counted(request, _stream(request, produce, every)),
        media_type="text/event-stream",
        headers={"x-accel-buffering": "no"},
    )


async def _counted(request: Request, stream: AsyncIterator[str]) -> AsyncIterator[str]:
    streams = state_of(request).streams
    streams.count += 1
    try:
        async for event in stream:
            yield event
    finally:
        streams.count -= 1


async def _stream(request: Request, produce: Producer, every: float) -> AsyncIterator[str]:
    last, quiet = "", 0.0
    # Whose key was taken back meanwhile is told no more.
    while state_of(request).ring.holds(request.state.session) and not await request.is_disconnected():
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
