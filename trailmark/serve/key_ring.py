"""The keys that were handed out: to browsers as a cookie, to programs and to the recorder as a text to send.

    DIR/serve/keys.json    one entry a key: what it is for, until when it holds, and the hash of its secret part

A key is written as ID.SECRET. Only a hash of the secret part is kept, so that a key is shown once, when it is made. The file is the whole
truth: whoever owns the workspace may take a key back in the app or on the command line, and the app that runs sees it at the next request.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from trailmark.errors import InputError
from trailmark.serve.keys import Keys, private_folder, same, write_private

KeyKind = Literal["browser", "program", "recorder"]
KINDS: tuple[KeyKind, ...] = get_args(KeyKind)
DAY = 86_400
LINK_HOLDS = 3_600
"""Seconds in which a link into the app may be used, once."""
MOST_KEYS = 200
"""Beyond these the one that was used longest ago gives way."""
LONGEST_NAME = 60
_NOTED_AFTER = 600
"""Seconds after which a use is written down again: not every request writes a file."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that was handed out."""

    id: str
    kind: KeyKind
    name: str
    hash: str
    made: float
    expires: float
    used: float


class KeyRing:
    """The keys of a workspace."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = private_folder(folder)
        self._path = self._folder / "keys.json"
        self._clock = clock
        self._threads = threading.Lock()
        self._seen: tuple[tuple[int, int, int] | None, dict[str, Key]] = (None, {})

    def all(self) -> list[Key]:
        """Keys that hold, the last made first."""
        now = self._clock()
        return sorted((key for key in self._read().values() if key.expires > now), key=lambda key: -key.made)

    def make(self, kind: KeyKind, name: str, days: float) -> tuple[Key, str]:
        """A new key that holds so many days, and its text, which is not kept."""
        return self._add(secrets.token_hex(6), kind, name, days)

    def find(self, text: str) -> Key | None:
        """The key with this text, where it was handed out, holds and was not taken back."""
        name, _, secret = text.partition(".")
        key = self._read().get(name)
        if key is None or not same(_hash(secret), key.hash) or key.expires <= self._clock():
            return None
        if self._clock() - key.used > _NOTED_AFTER:
            self._note(key)
        return key

    def holds(self, name: str) -> bool:
        """Whether a key of this id holds still."""
        key = self._read().get(name)
        return key is not None and key.expires > self._clock()

    def revoke(self, name: str) -> int:
        """Take back a key, or with `all` every one; how many they were."""
        with self._changing() as keys:
            gone = list(keys) if name == "all" else [name] if name in keys else []
            for identity in gone:
                del keys[identity]
        if not gone and name != "all":
            raise InputError(f"There is no key '{name[:20]}'; `trailmark serve --keys` lists those in use.")
        return len(gone)

    def enter(self, keys: Keys, link: str, days: float) -> tuple[Key, str] | None:
        """A browser's key for a link of ours; None where the link is none, is too old or was used."""
        name, _, rest = link.partition(".")
        until, _, signature = rest.partition(".")
        if not keys.holds(signature, "link", name, until) or int(until) <= self._clock():
            return None
        # The link's name becomes the key's: there is no second key of that name, also not after the first was taken back.
        if not self._spend(name, int(until)):
            return None
        return self._add(name, "browser", "a browser", days)

    def _spend(self, name: str, until: int) -> bool:
        spent = self._folder / "spent"
        with self._locked():
            lines = spent.read_text(encoding="ascii").split() if spent.exists() else []
            pairs = [line.partition(":") for line in lines]
            used = {one: int(other) for one, _, other in pairs if other.isdigit() and int(other) > self._clock()}
            if name in used:
                return False
            used[name] = until
            write_private(spent, "".join(f"{one}:{other}\n" for one, other in used.items()).encode("ascii"))
        return True

    def _add(self, name: str, kind: KeyKind, title: str, days: float) -> tuple[Key, str]:
        secret, now = secrets.token_urlsafe(24), self._clock()
        title = " ".join(title.split())[:LONGEST_NAME] or kind
        key = Key(name, kind, title, _hash(secret), now, now + days * DAY, now)
        with self._changing() as keys:
            keys[key.id] = key
            for old in sorted(keys.values(), key=lambda key: key.used)[: max(len(keys) - MOST_KEYS, 0)]:
                del keys[old.id]
        return key, f"{key.id}.{secret}"

    def _note(self, key: Key) -> None:
        with self._changing() as keys:
            if key.id in keys:
                keys[key.id] = replace(key, used=self._clock())

    # --- on disk -------------------------------------------------------------------------------------------------

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone among threads and processes: the command line takes keys back while the app hands some out."""
        with self._threads, (self._folder / "keys.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Key]]:
        with self._locked():
            now = self._clock()
            keys = {name: key for name, key in self._read().items() if key.expires > now}
            yield keys
            write_private(self._path, json.dumps([asdict(key) for key in keys.values()]).encode())

    def _read(self) -> dict[str, Key]:
        """The keys in the file, read again only where it has changed."""
        try:
            stat = self._path.stat()
            mark = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._seen[0] != mark:
                self._seen = (mark, _parsed(self._path.read_bytes()))
        except FileNotFoundError:
            return {}
        return self._seen[1]


def new_link(keys: Keys, clock: Callable[[], float] = time.time) -> str:
    """The path of a link that opens the app once, for whoever can read the workspace's secret."""
    name, until = secrets.token_hex(6), str(int(clock()) + LINK_HOLDS)
    return f"/enter?link={name}.{until}.{keys.sign('link', name, until)}"


def _hash(secret: str) -> str:
    """Of a long random text, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _parsed(content: bytes) -> dict[str, Key]:
    """The keys; a damaged file holds none, and nobody comes in by it."""
    try:
        keys = [Key(**entry) for entry in json.loads(content)]
    except (ValueError, TypeError):
        return {}
    return {key.id: key for key in keys}
