"""Who is asking, as a person writes it: an e-mail address, or the address of a page."""

from __future__ import annotations

import re

from trailmark.errors import InputError
from trailmark.forage.engine_settings import user_agent
from trailmark.read import normalise_url
from trailmark.settings import ForageSettings

LONGEST = 200
_MAIL = re.compile(r"[^@\s<>]{1,64}@[^@\s.<>]+\.[^@\s<>]*[^@\s.<>]")


def contact_in(text: str) -> str:
    """What a person wrote -> the same, where it holds an e-mail address or that of a page; InputError says what is wanted."""
    contact = text.strip()
    if len(contact) > LONGEST or not (_MAIL.search(contact) or any(map(_is_page, contact.split()))):
        raise InputError(
            f"{contact[:60]!r} is neither an e-mail address nor the address of a page: write one like you@example.org or https://example.org/about."
        )
    user_agent(ForageSettings(contact=contact))
    return contact


def _is_page(word: str) -> bool:
    page = normalise_url(word) if "://" in word else None
    return page is not None and "." in page.partition("://")[2].partition("/")[0]
