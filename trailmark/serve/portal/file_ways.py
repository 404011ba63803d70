"""The ways of the portal as files: every page links to the others by paths from where it stands, so that the folder works below any address."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, relpath
from urllib.parse import urlencode

from trailmark.serve.portal.ways import Ways

_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class FileWays(Ways):
    """`root` leads from the page to the top of the folder: `.`, `..` or `../..`; `origin` is the public address, without a slash at its end, or empty."""

    root: str = "."
    logo_file: str = "logo"

    @property
    def live(self) -> bool:
        return False

    def whole(self, path: str) -> str:
        """The public address of a path; the path itself where none is known."""
        return f"{self.origin}/{path[len(self.root) + 1 :]}" if self.origin else path

    def home(self) -> str:
        return f"{self.root}/index.html"

    def about(self) -> str:
        return f"{self.root}/about.html"

    def help(self) -> str:
        return f"{self.root}/help.html"

    def logo(self) -> str:
        return f"{self.root}/{self.logo_file}"

    def item(self, address: str) -> str:
        return f"{self.root}/{item_file_name(address, 'html')}"

    def download(self, address: str, form: str) -> str:
        return f"{self.root}/{item_file_name(address, form)}"

    def topic(self, topic: str, sort: str = "rank", page: int = 1) -> str:
        return f"{self.root}/{topic_file_name(topic, sort, page)}"

    def topic_feed(self, topic: str) -> str:
        return f"{self.root}/{feed_file_name(topic)}"

    def newest_feed(self) -> str:
        return f"{self.root}/feed/newest.xml"

    def search(
        self, query: str = "", chosen: Mapping[str, str] | None = None, sort: str = "rank", page: int = 1
    ) -> str:
        del sort, page  # the search in the browser has one order, and one page
        words = {name: value for name, value in {"q": query, **(chosen or {})}.items() if value}
        return f"{self.root}/search.html" + (f"?{urlencode(words, errors='replace')}" if words else "")


def ways_of(file: str, origin: str, logo_file: str = "logo") -> FileWays:
    """A file of the folder -> the ways from there."""
    return FileWays(relpath(".", dirname(file) or "."), origin, logo_file)


def item_file_name(address: str, ending: str) -> str:
    """An item's address -> its file: some hundred folders, since some servers do badly with a hundred thousand files in one."""
    return f"item/{address[:2]}/{address}.{ending}"


def topic_file_name(topic: str, sort: str = "rank", page: int = 1) -> str:
    """A page of a topic -> its file: a name that a person can read, and a digest that tells it from all others."""
    sorted_by = "" if sort == "rank" else f"-{sort}"
    return f"topic/{_slug(topic)}{sorted_by}{f'-{page}' if page > 1 else ''}.html"


def feed_file_name(topic: str) -> str:
    """A topic -> the file of its feed."""
    return f"feed/{_slug(topic)}.xml"


def _slug(topic: str) -> str:
    digest = hashlib.sha256(topic.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    words = _PLAIN.sub("-", topic.rpartition("/")[2].lower()).strip("-")[:40].strip("-")
    return f"{words}-{digest}" if words else digest
