"""The generated web and its sites: pages by URL, and the truth about them.

Goals are page types of the computing department alone, and depend on the path: `publications` are those of its
faculty, reached over their home pages (not those of students, not readings of courses, not those of other departments);
`contact` are the department's own and its groups' (not those of partners, suppliers and other departments); `course` and
`faculty` are the department's own. Decoys carry no label; `kinds` tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from urllib.parse import urlsplit

from trailmark.datatypes import Record, Response, Trail
from trailmark.demo.character import Character, character
from trailmark.demo.course_site import LAYOUTS, CourseSite, make_course_site
from trailmark.demo.months import month_page, months
from trailmark.demo.page_bytes import page_response
from trailmark.demo.paper_file import DemoPaper, make_paper
from trailmark.demo.plan import PlannedPage, SitePlan
from trailmark.demo.site_plan import Site, make_site
from trailmark.demo.trails import draw_trails
from trailmark.demo.wording import town_number
from trailmark.demo.works import library

CLASSES = "/class/"
"""Where the courses with material are."""
_CLASS = re.compile(r"/class/(\d{1,4})(?:-(\w{1,20}))?/")
GOALS = ("publications", "course", "contact", "faculty")


@dataclass(frozen=True)
class DemoWeb:
    """So many sites, each made from (seed, number) when asked for; nothing is kept."""

    sites: int = 12
    seed: int = 1
    pages: int = 300
    """About how many pages a site has; fewer than 100 is not to be had, since every part keeps a few pages."""
    version: int = 1
    """1 or 2: which template the catalogue pages have."""
    address: str = "http://{host}.test/"
    classes: bool = False
    """Whether the pages of the departments' courses are homes of courses with material."""

    def site(self, number: int) -> DemoSite:
        if not 0 <= number < self.sites:
            raise IndexError(f"There is no site {number}: the web has {self.sites}.")
        return DemoSite(self, character(self.seed, number))

    def __iter__(self) -> Iterator[DemoSite]:
        return (self.site(number) for number in range(self.sites))

    def __len__(self) -> int:
        return self.sites

    def root(self, number: int) -> str:
        """The root URL of a site, without making the site."""
        return self.address.format(host=character(self.seed, number).host)

    def find(self, host: str) -> DemoSite | None:
        """The site with that host name (its first label is enough), without looking at the others."""
        name = host.lower().split(".")[0].split(":")[0]
        number = town_number(name.partition("-")[2])
        if number is None or number >= self.sites:
            return None
        site = self.site(number)
        return site if site.host == name else None

    def respond(self, url: str) -> Response:
        """What the web answers to a URL; 404 for a host that is not in it."""
        site = self.find(urlsplit(url).netloc)
        return Response(url, 404) if site is None else site.respond(url)

    def at(self, address: str) -> DemoWeb:
        """The same web under another address, e.g. `http://{host}.localhost:8000/`."""
        return replace(self, address=address)


class DemoSite:
    """One site. Its plan is made when first needed; a page's markup each time it is asked for."""

    def __init__(self, web: DemoWeb, who: Character) -> None:
        self.web = web
        self.who = who
        self.host = who.host
        self.root = web.address.format(host=who.host)

    @cached_property
    def _site(self) -> Site:
        # Sites know their neighbour in pairs, so that links between hosts exist and mostly resolve.
        neighbour = self.web.address.format(host=character(self.web.seed, self.who.number ^ 1).host)
        web = self.web
        return make_site(web.seed, self.who, pages=web.pages, version=web.version, neighbour=neighbour)

    @property
    def plan(self) -> SitePlan:
        return self._site.plan

    def url(self, path: str) -> str:
        return path if "://" in path else f"{self.root}{path.removeprefix('/')}"

    def path(self, url: str) -> str:
        """The path, with its query, of a URL of this site; a path is returned as it is."""
        if "://" not in url:
            return "/" + url.partition("#")[0].removeprefix("/")
        parts = urlsplit(url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def page(self, url: str) -> PlannedPage | None:
        """The plan of one page, months of the calendar included; None where the site has no such page."""
        path = self.path(url)
        return self.plan.pages.get(path) or month_page(self.plan.calendar, path)

    def respond(self, url: str) -> Response:
        """What the site's server answers to a URL or a path; 404 to a URL of another host."""
        if "://" in url and not f"{url}/".startswith(self.root):
            return page_response(self, url, None)
        path = self.path(url)
        if path == "/robots.txt":
            headers = (("Content-Type", "text/plain"),)
            return Response(self.url(path), 200, headers, self.plan.robots.encode())
        if path.startswith(CLASSES):
            return self._class_response(path)
        if self.web.classes and (found := self._material(path)) is not None:
            return found
        if path in self.plan.redirects:
            moved = self.plan.redirects[path]
            return Response(self.url(path), moved.status, (("Location", self.url(moved.path)),))
        return page_response(self, self.url(path), self.page(path))

    def course(self, number: int = 0, layout: str | None = None) -> CourseSite:
        """One of the courses with material, below `/class/`: they stand beside the site, and no page of its plan leads there."""
        folder = f"{CLASSES}{number}{f'-{layout}' if layout else ''}/"
        rng = Random(f"{self.web.seed}/class/{self.host}{folder}")
        codes = [page.title for page in self.plan.pages.values() if page.kind == "course"]
        code, _, title = rng.choice(codes).partition(": ") if codes else ("", "", "")
        return make_course_site(rng, self.url(folder), layout=layout, code=code, title=title)

    @cached_property
    def course_homes(self) -> dict[str, str]:
        """Where courses have material: path of the department's page of a course -> the folder of its home."""
        own = [path for path, page in self.plan.pages.items() if page.kind == "course"] if self.web.classes else []
        return {path: path if path.endswith("/") else f"{path.removesuffix('.html')}-home/" for path in own}

    def material_of(self, path: str) -> CourseSite:
        """The path of the department's page of a course -> the course with its material."""
        folder = self.course_homes[path]
        code, _, title = self.plan.pages[path].title.partition(": ")
        rng = Random(f"{self.web.seed}/material/{self.host}{folder}")
        return make_course_site(rng, self.url(folder), code=code, title=title)

    def _material(self, path: str) -> Response | None:
        """A course's home and what it offers; the department's own page of it leads there."""
        for page, folder in self.course_homes.items():
            if path == page != folder:
                return Response(self.url(path), 302, (("Location", self.url(folder)),))
            if path.startswith(folder):
                url = self.url(path)
                return next((each for each in self.material_of(page).responses() if each.url == url), None)
        return None

    def _class_response(self, path: str) -> Response:
        """A page of a course with material; 404 where there is none."""
        match = _CLASS.match(path)
        known = match is not None and (match[2] is None or match[2] in LAYOUTS)
        found = self.course(int(match[1]), match[2]).responses() if match is not None and known else iter(())
        url = self.url(path)
        return next((each for each in found if each.url == url), page_response(self, url, None))

    def responses(self) -> Iterator[Response]:
        """Every page and redirect; the calendar is cut after half a year."""
        for path in self.paths():
            yield self.respond(path)

    def paths(self) -> Iterator[str]:
        yield from self.plan.pages
        yield from self.plan.redirects
        for page in self.course_homes:
            yield from (
                self.path(each.url) for each in self.material_of(page).responses() if each.url != self.url(page)
            )
        yield from months(self.plan.calendar)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of every labelled page; goal pages are those whose label is the goal's name."""
        return {self.url(path): page.label for path, page in self.plan.pages.items() if page.label}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What every page is, decoys told apart; finer than labels."""
        finite = {self.url(path): page.kind for path, page in self.plan.pages.items()}
        return finite | {self.url(path): "calendar" for path in months(self.plan.calendar)}

    def goals(self, goal: str) -> frozenset[str]:
        return frozenset(url for url, label in self.labels.items() if label == goal)

    @cached_property
    def records(self) -> dict[str, Record]:
        """The truth of detail pages."""
        return {self.url(path): self._whole(record) for path, record in self._site.records.items()}

    @cached_property
    def listed(self) -> dict[str, tuple[Record, ...]]:
        """The truth of list pages: what each of their entries shows."""
        lists = self._site.listed.items()
        return {self.url(path): tuple(self._whole(record) for record in records) for path, records in lists}

    def _whole(self, record: Record) -> Record:
        return Record(self.url(record.url), record.kind, record.fields, made_by="truth")

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """Where the site's papers are."""
        return tuple(self.url(path) for path, page in self.plan.pages.items() if page.work is not None)

    def paper(self, url: str) -> DemoPaper:
        """A paper of the site, and all that it says; it cites what everybody cites, and papers of its own house."""
        path = self.path(url)
        works = {each: page.work for each, page in self.plan.pages.items() if page.work is not None}
        rng = Random(f"{self.web.seed}/paper/{self.host}{path}")
        own = works.pop(path)
        near = rng.sample(list(works.values()), min(len(works), rng.randint(1, 4)))
        return make_paper(own, [*near, *rng.sample(library(self.web.seed), rng.randint(5, 14))], rng)

    @cached_property
    def links(self) -> dict[str, tuple[str, ...]]:
        """The link graph of finite pages: for every page the URLs it links to, once each, in order."""
        graph = {}
        for path in (*self.plan.pages, *months(self.plan.calendar)):
            page = self.page(path)
            if page is not None:
                graph[self.url(path)] = tuple(dict.fromkeys(self.url(anchor.path) for anchor in page.anchors()))
        return graph

    def follow(self, url: str) -> str:
        """Where redirects lead from a URL; itself where there are none, or where they turn in a circle."""
        seen = [self.path(url)]
        while (moved := self.plan.redirects.get(seen[-1])) is not None:
            if moved.path in seen:
                return url
            seen.append(moved.path)
        return self.url(seen[-1])

    def trails(self, goal: str, count: int = 20, seed: int = 0) -> list[Trail]:
        """Demonstrations: half to goal pages, half to pages nobody wanted; fewer where the site has fewer goals."""
        rng = Random(f"{self.web.seed}/trails/{self.who.number}/{goal}/{seed}")
        allowed = {url: targets for url, targets in self.links.items() if self.allows(url)}
        return draw_trails(self.root, allowed, self.labels, goal, count, rng)

    def allows(self, url: str) -> bool:
        """Whether the site's robots.txt lets everybody fetch a URL."""
        refused = [line.split()[1] for line in self.plan.robots.splitlines() if line.startswith("Disallow:")]
        return not self.path(url).startswith(tuple(refused))
