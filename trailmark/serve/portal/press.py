"""The press of the portal: makes each page, feed and download of a site of files, writes it, and follows its links."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from trailmark.serve.portal import atom_feed, page_html, sitemap
from trailmark.serve.portal.file_ways import feed_file_name, item_file_name, topic_file_name, ways_of
from trailmark.serve.portal.inner_links import inner_links, target_of
from trailmark.serve.portal.item_files import item_file
from trailmark.serve.portal.look import theme_css
from trailmark.serve.portal.page_html import FOLDER, Frame
from trailmark.serve.portal.ways import FORMS
from trailmark.serve.portal.word_index import WordIndex
from trailmark.settings import Settings
from trailmark.store.library import Library
from trailmark.store.record_origins import RecordOrigins
from trailmark.store.site_folder import SiteFolder
from trailmark.verbs.portal_catalogue import SORTS, Catalogue
from trailmark.verbs.portal_item import item_view
from trailmark.verbs.portal_lists import home_view, topic_page_view

ON_PAGE = 100
"""Items on one page of a topic: files are many, and pages are not made for each reader."""
MOST_PAGES = 10
"""Pages of a topic in each order but the first, which lists all."""
PART = 100
"""Items that a process makes in one go."""
MOST_BROKEN = 20


@dataclass(frozen=True, slots=True)
class Site:
    """What a process needs to make pages."""

    folder: Path
    target: Path
    settings: Settings
    frame: Frame
    origin: str
    logo: Path | None


@dataclass(slots=True)
class Tally:
    """What was done, by one process or by all."""

    names: list[str] = field(default_factory=list)
    written: int = 0
    size: int = 0
    links: int = 0
    broken: list[str] = field(default_factory=list)
    """The first few."""

    def add(self, other: Tally) -> None:
        self.names += other.names
        self.written += other.written
        self.size += other.size
        self.links += other.links
        self.broken = [*self.broken, *other.broken][:MOST_BROKEN]


class Press:
    """Makes pages and writes them."""

    def __init__(self, site: Site, library: Library, catalogue: Catalogue) -> None:
        self.site, self.library, self.catalogue = site, library, catalogue
        self.target = SiteFolder(site.target)
        self.origins = RecordOrigins(site.folder, keep_open=True)
        self.known = frozenset(self._planned())
        self.digest = hashlib.sha256("\n".join(catalogue.shelf.addresses).encode()).hexdigest()
        """Tells these items in this order from all others."""

    # --- what there will be --------------------------------------------------------------------------------------

    def _planned(self) -> Iterator[str]:
        """Every file that links may lead to."""
        yield from (
            "index.html",
            "about.html",
            "help.html",
            "search.html",
            "theme.css",
            "feed/newest.xml",
            "sitemap.xml",
            "opensearch.xml",
            "robots.txt",
        )
        yield from (f"static/{path.name}" for path in (FOLDER / "static").iterdir())
        if self.site.logo is not None:
            yield _logo_file(self.site.logo)
        for topic in self.catalogue.topics.by_id:
            yield feed_file_name(topic)
            for sort in SORTS:
                yield from (topic_file_name(topic, sort, page) for page in range(1, self._pages(topic, sort) + 1))
        yield from (item_file_name(address, "html") for address in self._former())
        for address in self.catalogue.shelf.addresses:
            yield item_file_name(address, "html")
            yield from (item_file_name(address, form) for form in FORMS)

    def _pages(self, topic: str, sort: str) -> int:
        pages = max(1, -(-self.catalogue.topics.by_id[topic].items // ON_PAGE))
        return pages if sort == "rank" else min(pages, MOST_PAGES)

    # --- pages ---------------------------------------------------------------------------------------------------

    def shared_pages(self) -> Tally:
        """All but the items: the first page, topics, feeds, the search and what programs read."""
        tally = Tally()
        for name, content in self._shared():
            self._write(tally, name, content)
        return tally

    def parts(self) -> Iterator[range]:
        """Places of all items, some at a time."""
        count = len(self.catalogue.shelf)
        return (range(start, min(start + PART, count)) for start in range(0, count, PART))

    def items(self, places: Iterable[int]) -> Tally:
        """The pages and downloads of some items."""
        tally = Tally()
        for place in places:
            view = item_view(self.catalogue, self.library, self.site.folder, place, self.origins)
            if view is None:
                continue
            # Archived copies stay where they are: they belong to others, and a server of files can't fence them in.
            view = replace(view, sources=tuple(replace(source, fetched="") for source in view.sources))
            name = item_file_name(view.entry.address, "html")
            frame = self._frame(name)
            self._write(tally, name, page_html.item_page(frame, view).encode())
            for form in FORMS:
                name = item_file_name(view.entry.address, form)
                self._write(tally, name, item_file(view, form, self._frame(name).ways).body)
        return tally

    def _shared(self) -> Iterator[tuple[str, bytes]]:
        yield (
            "index.html",
            page_html.home_page(self._frame("index.html"), home_view(self.catalogue, self.library)).encode(),
        )
        yield "about.html", page_html.about_page(self._frame("about.html")).encode()
        yield "help.html", page_html.help_page(self._frame("help.html"), self.catalogue.fields.facets).encode()
        yield "search.html", page_html.find_page(self._frame("search.html")).encode()
        yield from self._assets()
        yield from self._pointers()
        yield from self._topics()
        yield from self._for_programs()
        yield from self._search()

    def _assets(self) -> Iterator[tuple[str, bytes]]:
        yield "theme.css", theme_css(self.site.settings.portal).encode()
        for path in sorted((FOLDER / "static").iterdir()):
            yield f"static/{path.name}", path.read_bytes()
        if self.site.logo is not None:
            yield _logo_file(self.site.logo), self.site.logo.read_bytes()

    def _former(self) -> dict[str, int]:
        """Addresses that items had before they were one with others -> the places where they are now."""
        shelf = self.catalogue.shelf
        return {
            address: places[0]
            for address, places in shelf.moved.items()
            if len(places) == 1 and address not in shelf.known and (address in shelf.joined or "-" not in address)
        }

    def _pointers(self) -> Iterator[tuple[str, bytes]]:
        """At such an address a page that points on: servers of files know no redirects of ours."""
        shelf = self.catalogue.shelf
        for address, place in self._former().items():
            name = item_file_name(address, "html")
            page = page_html.pointer_page(self._frame(name), shelf.addresses[place], shelf.titles[place])
            yield name, page.encode()

    def _topics(self) -> Iterator[tuple[str, bytes]]:
        for topic, node in self.catalogue.topics.by_id.items():
            for sort in SORTS:
                pages = self._pages(topic, sort)
                for page in range(1, pages + 1):
                    view = topic_page_view(self.catalogue, self.library, topic, sort=sort, page=page, size=ON_PAGE)
                    if view is not None:
                        name = topic_file_name(topic, sort, page)
                        yield name, page_html.topic_page(self._frame(name), replace(view, pages=pages)).encode()
            name = feed_file_name(topic)
            yield name, atom_feed.topic_feed(self._frame(name), self.catalogue, self.library, node)

    def _for_programs(self) -> Iterator[tuple[str, bytes]]:
        name = "feed/newest.xml"
        yield name, atom_feed.newest_feed(self._frame(name), self.catalogue, self.library)
        frame = self._frame("index.html")
        yield "opensearch.xml", sitemap.open_search(frame).encode()
        yield "robots.txt", sitemap.robots(frame.ways).encode()
        whole = sitemap.sitemap(self.catalogue, frame.ways)
        yield "sitemap.xml", (whole or "").encode()
        part = 1
        while (text := sitemap.sitemap(self.catalogue, frame.ways, part)) is not None and text != whole:
            yield f"sitemap-{part}.xml", text.encode()
            part += 1

    def _search(self) -> Iterator[tuple[str, bytes]]:
        index = WordIndex()
        order = self.catalogue.order("", "cited")
        for start in range(0, len(order), PART):
            for entry in self.catalogue.entries(self.library, order[start : start + PART]):
                index.add(entry)
        yield from index.files()

    def _frame(self, name: str) -> Frame:
        logo = _logo_file(self.site.logo) if self.site.logo is not None else ""
        return replace(self.site.frame, ways=ways_of(name, self.site.origin, logo))

    # --- writing and checking ------------------------------------------------------------------------------------

    def _write(self, tally: Tally, name: str, content: bytes) -> None:
        tally.names.append(name)
        tally.written += self.target.write(name, content)
        tally.size += len(content)
        if name.endswith(".html"):
            for link in inner_links(content):
                tally.links += 1
                if target_of(name, link) not in self.known:
                    tally.broken = [*tally.broken, f"{name}: {link}"][:MOST_BROKEN]


def _logo_file(logo: Path) -> str:
    """Servers of files tell a picture's kind by its ending."""
    return f"logo{logo.suffix.lower()}"
