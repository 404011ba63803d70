"""What the public sends in, and what becomes of it: kept, decided by the owner, walked by the next update."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trailmark.errors import InputError
from trailmark.forage.documents import is_document_url
from trailmark.forage.suggested_url import suggested_url
from trailmark.report import Report
from trailmark.settings import ForageSettings
from trailmark.store.suggestion_box import FILE, Decision, Kind, Suggestion, open_box
from trailmark.workspace import Workspace

LONGEST_TEXT = 2000
LONGEST_KEY = 500
MOST_A_DAY = 20
"""Suggestions of one sender in a day."""


@dataclass(frozen=True, slots=True)
class Sent(Report):
    """A suggestion that was taken."""

    id: int
    kind: Kind
    new: bool
    """False where the very same waits already."""


def suggest_address(folder: Path, settings: ForageSettings, url: str, text: str, sender: str) -> Sent:
    """A site or a document that somebody wants to be found here -> kept until the owner decides."""
    address = suggested_url(url, settings)
    kind: Kind = "document" if is_document_url(address) else "site"
    return _put(folder, kind, address, "", text, sender)


def report_mistake(folder: Path, item: str, url: str, text: str, sender: str) -> Sent:
    """Something wrong about a thing, as somebody saw it -> kept until the owner decides."""
    if not plain_text(text):
        raise InputError("Say what is wrong, in a few words.")
    return _put(folder, "mistake", url, item, text, sender)


def suggestions(workspace: Workspace, decision: Decision | None = None, most: int = 100) -> list[Suggestion]:
    """Of a workspace, the latest first; those that wait, or were decided so, where that is asked."""
    if not (workspace.folder / FILE).is_file():
        return []
    with open_box(workspace.folder) as box:
        return box.list(decision, most)


def decide(workspace: Workspace, number: int, decision: Decision, outcome: str = "") -> Suggestion:
    """Accept or refuse a suggestion, or say what came of it; what is decided may be decided otherwise."""
    with open_box(workspace.folder) as box:
        changed = box.decide(number, decision, outcome)
    if changed is None:
        raise InputError(f"There is no suggestion {number}.")
    return changed


def sender_digest(secret: bytes, address: str, now: datetime | None = None) -> str:
    """A sender's address -> what is remembered of it: the same within a day, and nothing that leads back."""
    day = (now or datetime.now(UTC)).date().isoformat()
    return hmac.new(secret, f"{day} {address}".encode(), hashlib.sha256).hexdigest()[:24]


def plain_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """What somebody typed, without letters that are not seen or turn others round, and not too long."""
    kept = "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text.replace("\r\n", "\n"))
    return "\n".join(" ".join(line.split()) for line in kept.split("\n")).strip()[:longest]


def _put(folder: Path, kind: Kind, url: str, item: str, text: str, sender: str) -> Sent:
    with open_box(folder) as box:
        number, new = box.put(
            kind,
            plain_text(url, 4000),
            plain_text(item, LONGEST_KEY),
            plain_text(text),
            sender,
            most_of_sender=MOST_A_DAY,
        )
    return Sent(number, kind, new)
