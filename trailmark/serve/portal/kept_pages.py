"""Pages that are kept ready: the ones asked for last, within a number of bytes."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field

LARGEST = 1_000_000
"""Bytes of a page that is kept."""


@dataclass(frozen=True, slots=True)
class Made:
    """A page that was made."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    etag: str = field(default="", compare=False)

    def tagged(self) -> Made:
        """The same with the tag by which a browser knows that it has it."""
        tag = f'"{hashlib.sha256(self.body).hexdigest()[:24]}"'
        return Made(self.body, self.kind, self.status, self.headers, tag)


class KeptPages:
    """Used by one thread alone; where what is shown has changed, another one takes its place."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._pages: OrderedDict[Hashable, Made] = OrderedDict()

    def get(self, name: Hashable) -> Made | None:
        """The page of that name, which is then the last one that was asked for."""
        made = self._pages.get(name)
        if made is not None:
            self._pages.move_to_end(name)
        return made

    def put(self, name: Hashable, made: Made) -> None:
        """Keep a page; those that were asked for longest ago give way."""
        if len(made.body) > LARGEST or made.status >= 500 or name in self._pages:
            return
        self._pages[name] = made
        self._size += len(made.body)
        while self._size > self._most and self._pages:
            _, gone = self._pages.popitem(last=False)
            self._size -= len(gone.body)
