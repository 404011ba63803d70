"""Who is asking: whether a contact is one that the people behind a site could write to."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_MAIL = re.compile(r"[^\s@()<>,;:\"\\]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
LONGEST = 300


def contact_problem(text: str) -> str:
    """A contact as it was entered -> what is wrong with it, in a sentence; empty where it has an e-mail address or that of a page."""
    contact = text.strip()
    if not contact:
        return "Say whom to write to: your e-mail address, or a page about your crawl."
    if len(contact) > LONGEST or not contact.isascii() or not contact.isprintable() or set(contact) & set("()"):
        return "The contact is sent in a header: it must be short, plain ASCII on one line, and without brackets."
    if any(_MAIL.fullmatch(word.strip("<>,;")) or _is_page(word.strip("<>,;")) for word in contact.split()):
        return ""  # a name may stand beside it
    return f"'{contact[:60]}' is neither an e-mail address nor the address of a page; write for example you@example.org or https://example.org/crawl."


def _is_page(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and "." in (parts.hostname or "") and not re.search(r"\s", text)
