"""Is every step of a trail linked from the page before it?

A trail that jumps teaches nothing about links, so it is refused with the step that jumps. A step counts as linked
when some link of the previous page has the same URL; failing that, the same URL but for a trailing slash, `index.html`,
http for https or percent-escapes (what servers commonly redirect); failing that, the anchor text that the teacher's tool
noted; failing that, a link that the archive says redirects there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.read.written_lines import Refusal

_INDEX_FILE = re.compile(r"/(?:index|default|home)\.[a-z]{3,5}$", re.IGNORECASE)


def check_trail(trail: Trail, pages: Callable[[str], Page], *, final_url: Callable[[str], str] | None = None) -> Trail:
    """The trail with the anchor of each step filled in; raises Refusal (a ValueError) naming the step that jumps.

    `pages` gives the page at a URL. `final_url`, where the caller can tell cheaply, says where a URL redirects to.
    """
    steps = [trail.steps[0]]
    for number, step in enumerate(trail.steps[1:], 2):
        before = pages(trail.steps[number - 2].url)
        link = find_link(before, step, final_url=final_url)
        if link is None:
            raise Refusal(f"step {number} ({step.url}) is not linked from the step before it ({before.url})")
        steps.append(step if step.anchor is not None else replace(step, anchor=link.anchor))
    return replace(trail, steps=tuple(steps))


def find_link(page: Page, step: Step, *, final_url: Callable[[str], str] | None = None) -> Link | None:
    """The link of a page that leads to a step, or None. Of several, the one with the most telling anchor text."""
    loose = loose_url(step.url)
    candidates = [link for link in page.links if link.url == step.url]
    candidates = candidates or [link for link in page.links if loose_url(link.url) == loose]
    if not candidates and step.anchor:
        candidates = [link for link in page.links if link.anchor.casefold() == step.anchor.casefold()]
    if not candidates and final_url is not None:
        candidates = [link for link in page.links if final_url(link.url) == step.url]
    return max(candidates, key=lambda link: len(link.anchor) > 0, default=None)


def loose_url(url: str) -> str:
    """A URL without what servers commonly redirect: scheme, `index.html`, trailing slash, percent-escapes."""
    without_scheme = unquote(url.partition("://")[2])
    return _INDEX_FILE.sub("/", without_scheme).rstrip("/")
