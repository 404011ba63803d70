"""What the app signs, and how it knows its own hand again: forms, links into the app, and the addresses inside of framed pages.

The secret is kept in the workspace, so that a restart of the app does not end anybody's work.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from pathlib import Path

from trailmark.errors import InputError
from trailmark.store.json_lines import written_whole

_BYTES = 32
_SHOWN = 18
"""Bytes of a signature that are written: 144 bits are beyond guessing."""


class Keys:
    """Signatures over a few words."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, folder: Path) -> Keys:
        """The keys of a workspace; made at the first start, readable by its owner alone.

        A secret that others could read is none any more: another one takes its place.
        """
        path = private_folder(folder) / "secret"
        known = _kept(path)
        if known is None:
            known = secrets.token_bytes(_BYTES)
            write_private(path, known)
        return cls(known)

    def sign(self, purpose: str, *words: str) -> str:
        """A signature of the words for one purpose; no two lists of words look alike to it."""
        message = "".join(f"{len(word)}:{word}" for word in (purpose, *words)).encode("utf-8", "surrogatepass")
        digest = hmac.new(self._secret, message, hashlib.sha256).digest()[:_SHOWN]
        return base64.urlsafe_b64encode(digest).decode("ascii")

    def holds(self, signature: str, purpose: str, *words: str) -> bool:
        """Whether a signature is ours."""
        return same(signature, self.sign(purpose, *words))


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, without telling by the time it takes where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def private_folder(folder: Path) -> Path:
    """The app's own folder in a workspace, closed to everybody but its owner."""
    path = folder / "serve"
    path.mkdir(mode=0o700, exist_ok=True)
    if path.stat().st_mode & 0o077:
        try:
            path.chmod(0o700)
        except OSError as error:
            raise InputError(
                f"{path} is open to others and can't be closed ({error.strerror}); let its owner run chmod 700 on it."
            ) from error
    return path


def write_private(path: Path, content: bytes) -> None:
    """A file that its owner alone can read, complete or not there at all."""
    with written_whole(path) as file:
        file.write(content)
    path.chmod(0o600)  # in a folder of mode 700, so that nobody could look in between


def _kept(path: Path) -> bytes | None:
    """The secret in a file; None where there is none, or none that was kept."""
    try:
        if path.is_symlink() or path.stat().st_mode & 0o077:
            return None
        known = path.read_bytes()
    except FileNotFoundError:
        return None
    return known if len(known) >= _BYTES else None
