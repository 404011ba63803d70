"""What was crawled, made ready to be shown: no controls, nothing that turns the direction of what follows, and an end to its length."""

from __future__ import annotations

import re

from trailmark.quoting import UNKNOWN

_UNSHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff\ufff9-\ufffb]"
)
_STACKED = re.compile("([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")  # fmt: skip
"""More marks on one letter than any language has: they run over the lines above."""
FIRST = 600
"""Characters of a value that are shown at once."""


def clean(text: str) -> str:
    """The text without what no page should hold. Words of scripts that run from right to left are left as they are: pages isolate them."""
    return _STACKED.sub(r"\1", _UNSHOWN.sub(_instead, text))


def opening(text: str, most: int = FIRST) -> tuple[str, str]:
    """The text -> what is shown at once, and what stands behind 'more'; cut at a blank where there is one."""
    if len(text) <= most + most // 4:
        return text, ""
    cut = text.rfind(" ", most // 2, most)
    place = cut if cut > 0 else most
    return text[:place], text[place:]


def is_web(url: str) -> bool:
    """Whether a link may lead there: pages name `javascript:` and worse."""
    return re.match(r"https?://[^\s/]", url, re.IGNORECASE) is not None


def _instead(match: re.Match[str]) -> str:
    """Turns of direction vanish, whatever else can't be shown is marked."""
    return (
        "" if match[0] in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff" else UNKNOWN
    )
