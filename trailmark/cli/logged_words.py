"""What the log says of a call: its words without secrets, and the figures of its report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

HIDDEN = "***"
MOST_FIGURES = 40
_SECRET = re.compile(r"--?[a-z-]*(?:token|password|secret|key)[a-z-]*", re.IGNORECASE)
_USER = re.compile(r"(?<=://)[^/?#\s@]*@")
_QUERY = re.compile(r"(?i)([?&][a-z_-]*(?:token|password|secret|key|auth|session|sig)[a-z_-]*=)[^&#\s]*")


def without_secrets(words: Sequence[str]) -> list[str]:
    """The words of a command with the values of secret options, and the secrets in URLs, left out."""
    shown, secret_next = [], False
    for word in words:
        option, equals, _ = word.partition("=")
        if secret_next:
            shown.append(HIDDEN)
        elif equals and _SECRET.fullmatch(option):
            shown.append(f"{option}={HIDDEN}")
        else:
            shown.append(_QUERY.sub(rf"\g<1>{HIDDEN}", _USER.sub(f"{HIDDEN}@", word)))
        secret_next = not secret_next and not equals and bool(_SECRET.fullmatch(word))
    return shown


def figures(report: Mapping[str, Any]) -> str:
    """The numbers of a report, and how long its lists are, as `pages=60 goals_found=7 problems=0`; words stay out of it."""
    named = {
        **report,
        **{f"{name}.{key}": inner for name, value in report.items() for key, inner in _numbers_in(value).items()},
    }
    shown = ((name, _figure(value)) for name, value in named.items())
    return " ".join(islice((f"{name}={figure}" for name, figure in shown if figure), MOST_FIGURES))


def _numbers_in(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    return {key: inner for key, inner in value.items() if isinstance(inner, int | float)}


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return str(value).lower()
    return str(len(value)) if isinstance(value, list | tuple) else ""
