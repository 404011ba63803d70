"""The ways of the portal: every address that its pages link to. Builders ask here, so that the same pages can lead elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

FORMS = ("bib", "ris", "csl.json", "jsonld", "csv")
"""Endings of the files in which an item can be taken away."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the portal stands."""

    root: str = ""
    """Path before all others, without a slash at its end."""
    origin: str = ""
    """`https://name`, for addresses that leave the site."""

    @property
    def live(self) -> bool:
        """Whether a program answers behind these addresses, or files alone."""
        return True

    def whole(self, path: str) -> str:
        """A path of ours -> its address for programs and feeds."""
        return self.origin + path

    def home(self) -> str:
        return f"{self.root}/"

    def about(self) -> str:
        return f"{self.root}/about"

    def help(self) -> str:
        return f"{self.root}/help"

    def asset(self, name: str) -> str:
        return f"{self.root}/static/{name}"

    def logo(self) -> str:
        return f"{self.root}/logo"

    def theme(self) -> str:
        return f"{self.root}/theme.css"

    def item(self, address: str) -> str:
        return f"{self.root}/item/{address}"

    def download(self, address: str, form: str) -> str:
        return f"{self.root}/item/{address}.{form}"

    def copy(self, address: str, number: int) -> str:
        return f"{self.root}/item/{address}/copy/{number}"

    def copied_page(self, address: str, number: int) -> str:
        return f"{self.copy(address, number)}/page"

    def copied_file(self, address: str, number: int) -> str:
        return f"{self.copy(address, number)}/file"

    def topic(self, topic: str, sort: str = "rank", page: int = 1) -> str:
        return (
            f"{self.root}/topic/{quote(topic)}{_words({'sort': '' if sort == 'rank' else sort, 'page': _later(page)})}"
        )

    def topic_feed(self, topic: str) -> str:
        return f"{self.root}/feed/topic/{quote(topic)}"

    def newest_feed(self) -> str:
        return f"{self.root}/feed/newest"

    def search_feed(self, query: str, chosen: Mapping[str, str] | None = None) -> str:
        return f"{self.root}/feed/search{_words({'q': query, **(chosen or {})})}"

    def search(
        self, query: str = "", chosen: Mapping[str, str] | None = None, sort: str = "rank", page: int = 1
    ) -> str:
        words = {"q": query, **(chosen or {}), "sort": "" if sort == "rank" else sort, "page": _later(page)}
        return f"{self.root}/search{_words(words)}"

    def results_table(self, query: str, chosen: Mapping[str, str] | None = None) -> str:
        return f"{self.root}/search.csv{_words({'q': query, **(chosen or {})})}"

    def open_search(self) -> str:
        return f"{self.root}/opensearch.xml"

    def oai(self) -> str:
        return f"{self.root}/oai"

    def suggest(self, item: str = "") -> str:
        return f"{self.root}/suggest{_words({'item': item})}"

    def api(self) -> str:
        return f"{self.root}/api"

    def sitemap(self, part: int | None = None) -> str:
        return f"{self.root}/sitemap.xml" if part is None else f"{self.root}/sitemap-{part}.xml"


def _later(page: int) -> str:
    return "" if page <= 1 else str(page)


def _words(words: Mapping[str, str]) -> str:
    said = {name: value for name, value in words.items() if value}
    return f"?{urlencode(said, errors='replace')}" if said else ""
