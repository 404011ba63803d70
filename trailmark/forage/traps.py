"""Traps: pages without end, and pages that were seen before under another name.

What the URL tells: length, depth, path segments that repeat (a relative link in a template that digs deeper each time),
chains of numbered pages of one shape (calendars), shapes that were fetched often and never led to a goal, files that are
no pages, session numbers. What the page tells: the same body, or the same words with the same links, as before on
the site; its links were followed already, so nothing is lost (soft 404s, print versions, sessions without a name).

The known remedies (Heritrix: repeated segments; Katana: shapes of URLs per host) are kept soft where they can
be: a shape that once led to a goal is never a trap.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict

from trailmark.datatypes import Page
from trailmark.forage.queued_link import QueuedLink, numbered_shape
from trailmark.forage.scope import host_of
from trailmark.read import url_words
from trailmark.settings import ForageSettings
from trailmark.url_key import hash_of

MOST_SHAPES, MOST_SAID = 300, 4000
"""Shapes of URLs, and hashes of what pages said, that are remembered for one site; the latest."""

_FILE = re.compile(r"(?i)\.([a-z0-9]{1,5})$")
_NO_PAGE = frozenset((
    "7z", "aac", "apk", "avi", "bin", "bmp", "bz2", "class", "css", "cur", "deb", "dmg", "doc", "docx", "eot",
    "exe", "flac", "flv", "gif", "gz", "ico", "img", "iso", "jar", "jpeg", "jpg", "js", "m4a", "m4v", "mid",
    "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "o", "odt", "ogg", "ogv", "otf", "png", "ppt", "pptx", "qt",
    "rar", "rpm", "rtf", "so", "svg", "swf", "tar", "tgz", "tif", "tiff", "ttf", "wav", "webm", "webp", "wma",
    "wmv", "woff", "woff2", "xls", "xlsx", "xz", "zip",
))  # fmt: skip
_PAPER_FIRST = re.compile(r"(?i)\.(?:ps|pdf|dvi|txt|html?)\.(?:gz|z)$")


class SiteTraps:
    """What one site has shown of its traps."""

    __slots__ = ("_said", "_shapes")

    def __init__(self) -> None:
        self._shapes: OrderedDict[int, list[int]] = OrderedDict()
        self._said: dict[int, None] = {}

    def fetched(self, url: str, parent: str, *, goal: bool) -> None:
        """Count a page for its shape; a goal is to the credit of the page that led to it as well."""
        self._count(url, goal=goal)
        if goal and parent:
            self._count(parent, goal=True)

    def _count(self, url: str, *, goal: bool) -> None:
        shape = numbered_shape(url)
        if not shape:
            return
        key = hash_of(shape)
        self._shapes.setdefault(key, [0, 0])[1 if goal else 0] += 1
        self._shapes.move_to_end(key)
        if len(self._shapes) > MOST_SHAPES:
            self._shapes.popitem(last=False)

    def is_spent(self, url: str, cap: int) -> bool:
        """Whether so many pages of this shape were fetched and none led to a goal."""
        fetched, goals = self._counts(url)
        return bool(cap) and fetched >= cap and not goals

    def gave(self, url: str) -> bool:
        """Whether pages of this shape led to a goal."""
        return self._counts(url)[1] > 0

    def _counts(self, url: str) -> list[int]:
        shape = numbered_shape(url)
        return self._shapes.get(hash_of(shape), [0, 0]) if shape else [0, 0]

    def seen_before(self, content_hash: str, gist: int) -> bool:
        """Whether a page adds nothing to what the site said before; asked once for each page.

        The same words with the same links do not. The same body may, once: without the slash at its end a folder's
        relative links lead astray, with it they do not.
        """
        body, twice = hash_of(content_hash), hash_of(f"{content_hash} again")
        known = gist in self._said or twice in self._said
        self._said[gist] = None
        self._said[twice if body in self._said else body] = None
        while len(self._said) > MOST_SAID:
            del self._said[next(iter(self._said))]
        return known


def refusal_of(link: QueuedLink, traps: SiteTraps, settings: ForageSettings) -> str:
    """Why a link is left alone: the name of the trap; empty where it is none."""
    url = link.url
    if len(url) > settings.max_url_length:
        return "url length"
    if link.depth > settings.max_depth:
        return "depth"
    path = url.partition("://")[2].partition("?")[0]
    if is_no_page(path):
        return "file type"
    if repeats(path):
        return "repeated path"
    if settings.max_chain and link.chain > settings.max_chain and not traps.gave(url):
        return "numbered chain"
    if traps.is_spent(url, settings.shape_cap):
        return "fruitless shape"
    return ""


def is_no_page(path: str) -> bool:
    """Whether the name of a file says that it is a picture, a sound, a programme: nothing to read."""
    match = _FILE.search(path)
    return match is not None and match[1].lower() in _NO_PAGE and "/" in path and not _PAPER_FIRST.search(path)


def repeats(path: str) -> bool:
    """Whether a segment stands three times in a row, or a group of segments three times one after the other."""
    parts = [part for part in path.split("/")[1:] if part]
    if len(parts) < 3:
        return False
    if len(parts) > 5 and max(Counter(parts).values()) > 3:
        return True
    # No segment stands more than three times, so one that repeats within a group of three would be told by now: in what
    # is left, each segment of a group stands next as far on as the group is long, for twice that many in a row.
    before = run = 0
    for distance in _distances(parts):
        run = run + 1 if distance == before else 1
        before = distance
        if run >= 2 * distance > 0:
            return True
    return False


def _distances(parts: list[str]) -> list[int]:
    """For each segment how far on it stands next; 0 where it does not."""
    distances: list[int] = [0] * len(parts)
    latest: dict[str, int] = {}
    for place, part in enumerate(parts):
        if part in latest:
            distances[latest[part]] = place - latest[part]
        latest[part] = place
    return distances


def gist_of(page: Page) -> int:
    """A hash of the words, without numbers and those of the page's own address, and of the links that lead elsewhere."""
    own = set(url_words(page.url))
    words = [word for word in page.body_tokens if word not in own and not word.isdigit()]
    host = host_of(page.url)
    links = sorted({link.url for link in page.links if link.url != page.url})
    return hash_of("\n".join((host, " ".join(words), *links)))
