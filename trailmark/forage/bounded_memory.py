"""A memory with room for so many things and so many bytes: what was not asked for the longest goes first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedMemory(Generic[Key, Value]):
    """What a crawl learns of hosts without end; the latest thing is always kept, however large."""

    def __init__(self, *, most_items: int, most_bytes: int) -> None:
        self._most_items, self._most_bytes = most_items, most_bytes
        self._held: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._held)

    def get(self, key: Key) -> Value | None:
        """What was kept under a key, if it is still there."""
        item = self._held.get(key)
        if item is None:
            return None
        self._held.move_to_end(key)
        return item[0]

    def keep(self, key: Key, value: Value, size: int) -> None:
        """Keep a value that takes so many bytes, in the place of what was kept under the key before."""
        self.forget(key)
        self._held[key] = (value, size)
        self.bytes += size
        while len(self._held) > 1 and (len(self._held) > self._most_items or self.bytes > self._most_bytes):
            self.bytes -= self._held.popitem(last=False)[1][1]

    def forget(self, key: Key) -> None:
        """Let go of what was kept under a key."""
        item = self._held.pop(key, None)
        self.bytes -= item[1] if item is not None else 0
