"""A digest of what a value says: the key by which the same trail, annotation or record is stored only once."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def content_digest(*parts: Any) -> str:
    """The same for equal JSON-like values, whatever the order of their keys."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
