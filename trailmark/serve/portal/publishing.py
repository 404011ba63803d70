"""The portal as files: every page, feed and download, and an index for a search in the browser, for any web server.

1. The folder is claimed; what was organised is read at one moment. A process that began later and sees other items gives up.
2. Pages of items are made in processes side by side, the others here; a file that is the same is not written again.
3. Every link of every page must lead to a file that is made; one that does not is reported.
4. What an earlier time made and this one did not is taken away.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.serve.portal import atom_feed, page_html, sitemap
from trailmark.serve.portal.file_ways import feed_file_name, item_file_name, topic_file_name, ways_of
from trailmark.serve.portal.inner_links import inner_links, target_of
from trailmark.serve.portal.item_files import item_file
from trailmark.serve.portal.look import owners_logo, portal_frame, theme_css
from trailmark.serve.portal.options import portal_options
from trailmark.serve.portal.page_html import FOLDER, Frame
from trailmark.serve.portal.ways import FORMS
from trailmark.serve.portal.word_index import WordIndex
from trailmark.settings import Settings
from trailmark.store.library import Library
from trailmark.store.site_folder import SiteFolder
from trailmark.verbs.portal_catalogue import SORTS, Catalogue, read_catalogue
from trailmark.verbs.portal_item import item_view
from trailmark.verbs.portal_lists import home_view, topic_page_view
from trailmark.workspace import FOLDERS, Workspace

ON_PAGE = 100
"""Items on one page of a topic: files are many, and pages are not made for each reader."""
MOST_PAGES = 10
"""Pages of a topic in each order but the first, which lists all."""
PART = 100
"""Items that a process makes in one go."""
FEW = 400
"""Items below which other processes are not worth their start."""
MOST_BROKEN = 20


@dataclass(frozen=True)
class PublishReport(Report):
    """What was published."""

    folder: str
    items: int
    topics: int
    files: int
    written: int
    """Of these, new or changed."""
    taken_away: int
    bytes: int
    links: int
    """Links between pages that were followed."""
    broken: tuple[str, ...]
    """Those that lead nowhere: page and link."""
    address: str
    """The public address that feeds and permanent links have; empty where none is known."""


@dataclass(frozen=True, slots=True)
class _Site:
    """What a process needs to make pages."""

    folder: Path
    target: Path
    settings: Settings
    frame: Frame
    origin: str
    logo: Path | None


@dataclass(slots=True)
class _Tally:
    """What was done, by one process or by all."""

    names: list[str] = field(default_factory=list)
    written: int = 0
    size: int = 0
    links: int = 0
    broken: list[str] = field(default_factory=list)
    """The first few."""

    def add(self, other: _Tally) -> None:
        self.names += other.names
        self.written += other.written
        self.size += other.size
        self.links += other.links
        self.broken = [*self.broken, *other.broken][:MOST_BROKEN]


def publish(
    workspace: Workspace,
    folder: str | Path,
    *,
    address: str | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> PublishReport:
    """A workspace that was organised -> its portal as files below a folder."""
    _check_apart(workspace.folder.resolve(), Path(folder).resolve())
    settings = workspace.settings
    if address is not None:
        settings = replace(settings, portal=replace(settings.portal, public_address=address))
    options = portal_options(settings.portal)
    logo = owners_logo(workspace.folder, settings.portal)
    frame = portal_frame(workspace.folder, settings.portal, ways_of("index.html", ""))
    site = _Site(workspace.folder, Path(folder), settings, frame, options.public_origin + options.prefix, logo)
    target = SiteFolder(site.target)
    with Library.of(workspace.folder) as library, target.claimed(), library.reading(3600.0):
        press = _Press(site, library, read_catalogue(library, workspace.folder, settings))
        tally = press.shared_pages()
        count = len(press.catalogue.shelf)
        wanted = jobs if jobs is not None else settings.wrap.jobs
        for done in progress(_in_processes(site, press, wanted), "parts of the items"):
            tally.add(done)
        gone = target.sweep(tally.names)
    return PublishReport(
        folder=str(folder),
        items=count,
        topics=len(press.catalogue.topics.by_id),
        files=len(tally.names),
        written=tally.written,
        taken_away=gone,
        bytes=tally.size,
        links=tally.links,
        broken=tuple(tally.broken),
        address=site.origin,
    )


def _check_apart(workspace: Path, target: Path) -> None:
    """InputError where the folder to publish to is, holds, or is kept by the workspace: what is not published is taken away there."""
    own = target.is_relative_to(workspace) and target.relative_to(workspace).parts[:1]
    if workspace.is_relative_to(target) or (own and own[0] in FOLDERS):
        raise InputError(
            f"{target} holds the workspace {workspace}, or belongs to it: name another folder to publish to."
        )


class _Press:
    """Makes pages and writes them."""

    def __init__(self, site: _Site, library: Library, catalogue: Catalogue) -> None:
        self.site, self.library, self.catalogue = site, library, catalogue
        self.target = SiteFolder(site.target)
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
        for address in self.catalogue.shelf.addresses:
            yield item_file_name(address, "html")
            yield from (item_file_name(address, form) for form in FORMS)

    def _pages(self, topic: str, sort: str) -> int:
        pages = max(1, -(-self.catalogue.topics.by_id[topic].items // ON_PAGE))
        return pages if sort == "rank" else min(pages, MOST_PAGES)

    # --- pages ---------------------------------------------------------------------------------------------------

    def shared_pages(self) -> _Tally:
        """All but the items: the first page, topics, feeds, the search and what programs read."""
        tally = _Tally()
        for name, content in self._shared():
            self._write(tally, name, content)
        return tally

    def parts(self) -> Iterator[range]:
        """Places of all items, some at a time."""
        count = len(self.catalogue.shelf)
        return (range(start, min(start + PART, count)) for start in range(0, count, PART))

    def items(self, places: Iterable[int]) -> _Tally:
        """The pages and downloads of some items."""
        tally = _Tally()
        for place in places:
            view = item_view(self.catalogue, self.library, self.site.folder, place)
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
        yield from self._topics()
        yield from self._for_programs()
        yield from self._search()

    def _assets(self) -> Iterator[tuple[str, bytes]]:
        yield "theme.css", theme_css(self.site.settings.portal).encode()
        for path in sorted((FOLDER / "static").iterdir()):
            yield f"static/{path.name}", path.read_bytes()
        if self.site.logo is not None:
            yield _logo_file(self.site.logo), self.site.logo.read_bytes()

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

    def _write(self, tally: _Tally, name: str, content: bytes) -> None:
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


def _in_processes(site: _Site, press: _Press, jobs: int) -> Iterator[_Tally]:
    """The items, part by part: here where one process is wanted or little is to be done, else side by side."""
    if jobs == 1 or len(press.catalogue.shelf) < FEW:
        yield from map(press.items, press.parts())
        return
    workers = jobs or multiprocessing.cpu_count()
    with ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=partial(_begin, site)
    ) as pool:
        yield from pool.map(partial(_items, press.digest), press.parts())


_press: _Press | None = None


def _begin(site: _Site) -> None:
    """In each process, once."""
    global _press
    library = Library.of(site.folder)
    library.reading(3600.0).__enter__()
    _press = _Press(site, library, read_catalogue(library, site.folder, site.settings))


def _items(digest: str, places: range) -> _Tally:
    assert _press is not None
    if _press.digest != digest:
        raise InputError("Something was organised while it was being published; publish it again.")
    return _press.items(places)
