"""Two made-up departments whose people have home pages: enough to learn a way from, small enough to learn it in a blink."""

from __future__ import annotations

from functools import cache

from trailmark.datatypes import Link, Page, Response, Step, Trail
from trailmark.learn.example import Example, make_examples
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.recipe import Recipe, Scheme
from trailmark.read import read_page

SITES = ("http://cs.one.example/", "http://cs.two.example/")
NAMES = ("ada", "bob", "cyd", "dan")


def _html(site: str) -> dict[str, str]:
    people = "".join(f'<li><a href="/~{name}/">{name.title()} Smith</a> professor' for name in NAMES)
    news = "".join(f'<li><a href="/news/{n}.html">Party {n}</a>' for n in range(4))
    pages = {
        "": "<title>Department of Computing</title><h1>Welcome</h1><a href='people/'>Faculty</a> <a href='news/'>News</a>",
        "people/": f"<title>Our faculty</title><h2>People</h2><ul>{people}</ul>",
        "news/": f"<title>News of the week</title><h2>Events</h2><ul>{news}</ul>",
    }
    for name in NAMES:
        pages[f"~{name}/"] = (
            f"<title>Home page of {name.title()}</title><h2>Research</h2>professor of chains <a href='p.pdf'>paper</a>"
        )
    for n in range(4):
        pages[f"news/{n}.html"] = f"<title>Party number {n}</title><p>Cake and music for all."
    return {site + path: text for path, text in pages.items()}


@cache
def web() -> dict[str, Page]:
    """URL -> page, both sites."""
    head = (("Content-Type", "text/html"),)
    return {
        url: read_page(Response(url, 200, head, body.encode())) for site in SITES for url, body in _html(site).items()
    }


def trail(site: str, *paths: str, outcome: str = "goal", labels: tuple[str | None, ...] = ()) -> Trail:
    """A trail from the root of a site."""
    named = [*labels, *[None] * (len(paths) - len(labels))]
    steps = tuple(Step(site + path, label) for path, label in zip(paths, named, strict=True))
    return Trail(site, "goal" if outcome == "goal" else "fail", steps)


def taught(site: str = SITES[0]) -> list[Trail]:
    """Two goals and two failures."""
    way = ("department", "faculty-list")
    return [
        trail(site, "", "people/", "~ada/", labels=(*way, "faculty")),
        trail(site, "", "people/", "~bob/", labels=(*way, "faculty")),
        trail(site, "", "news/", "news/0.html", outcome="fail", labels=("department",)),
        trail(site, "", "news/", outcome="fail", labels=("department",)),
    ]


def link_to(page: Page, step: Step) -> Link | None:
    """The link of a page with the step's URL."""
    return next((link for link in page.links if link.url == step.url), None)


def examples(trails: list[Trail]) -> list[Example]:
    return make_examples(trails, web().__getitem__, link_to)


@cache
def navigator(scheme: Scheme = "page-and-link") -> Navigator:
    """Learnt from the first site."""
    return make_navigator(examples(taught()), Recipe(scheme=scheme, max_iterations=60), goal="faculty")
