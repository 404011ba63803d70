"""What a request sends, read whole before anything else sees it: bounded in size, in fields and in time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Message, Receive

MOST_BODY = 20_000_000
MOST_FIELDS = 20_000
SILENCE, PATIENCE = 20.0, 300.0
"""Seconds without a byte, and for all of them, after which a half-sent request is given up."""
FORM = "application/x-www-form-urlencoded"
TOO_LARGE = f"At most {MOST_BODY // 1_000_000} MB can be sent to the app; nothing was changed. Larger files are read by the command line: trailmark teach FILE."
TOO_MANY = f"At most {MOST_FIELDS:,} fields can be sent at once; nothing was changed."
TOO_SLOW = "The request came too slowly or not to its end; nothing was changed."
NO_LENGTH = "The length of the request can't be read; nothing was changed."


@dataclass(frozen=True, slots=True)
class BodyRefusal:
    """Why a body is not taken."""

    status: int
    sentence: str


async def whole_body(headers: Headers, receive: Receive) -> bytes | BodyRefusal:
    """All that was sent; one that says at once that it is too large is not read at all."""
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return BodyRefusal(400, NO_LENGTH)
    if len(length) > 12 or int(length) > MOST_BODY:
        return BodyRefusal(413, TOO_LARGE)
    try:
        async with asyncio.timeout(PATIENCE):
            body = await _read(receive)
    except TimeoutError:
        return BodyRefusal(408, TOO_SLOW)
    if not isinstance(body, BodyRefusal) and is_form(headers) and body.count(b"&") >= MOST_FIELDS:
        return BodyRefusal(413, TOO_MANY)
    return body


async def _read(receive: Receive) -> bytes | BodyRefusal:
    parts, size = [], 0
    while True:
        async with asyncio.timeout(SILENCE):
            message = await receive()
        if message["type"] != "http.request":
            return BodyRefusal(400, TOO_SLOW)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BODY:
            return BodyRefusal(413, TOO_LARGE)
        if not message.get("more_body"):
            return b"".join(parts)


def is_form(headers: Headers) -> bool:
    """Whether a page's form was sent."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == FORM


def given_again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more."""
    given = False

    async def receiving() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving
