"""What the app signs, and how it knows its own hand again: cookies, forms, and the addresses inside of framed pages.

The secret is kept in the workspace, so that a restart of the app does not end anybody's work.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

_BYTES = 32
_SHOWN = 18
"""Bytes of a signature that are written: 144 bits are beyond guessing."""


class Keys:
    """Signatures over a few words."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, folder: Path) -> Keys:
        """The keys of a workspace; made at the first start, readable by its owner alone."""
        path = folder / "serve" / "secret"
        path.parent.mkdir(exist_ok=True)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            known = path.read_bytes()
            if len(known) >= _BYTES:
                return cls(known)
            descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
        secret = secrets.token_bytes(_BYTES)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
        return cls(secret)

    def sign(self, purpose: str, *words: str) -> str:
        """A signature of the words for one purpose; no two lists of words look alike to it."""
        message = "".join(f"{len(word)}:{word}" for word in (purpose, *words)).encode("utf-8", "surrogatepass")
        digest = hmac.new(self._secret, message, hashlib.sha256).digest()[:_SHOWN]
        return base64.urlsafe_b64encode(digest).decode("ascii")

    def holds(self, signature: str, purpose: str, *words: str) -> bool:
        """Whether a signature is ours."""
        return same(signature, self.sign(purpose, *words))

    @property
    def api_token(self) -> str:
        """What a program on this machine sends as `Authorization: Bearer ...`, for example the recording extension."""
        return self.sign("api")


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, without telling by the time it takes where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
