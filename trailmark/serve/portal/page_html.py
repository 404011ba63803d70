"""Views -> pages in HTML: pure functions. Everything that a template shows is escaped; nothing here marks text of others as safe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from trailmark.export.csl_json import json_ld
from trailmark.quoting import json_text, unicode_text
from trailmark.serve.portal.citation_drawing import citation_drawing
from trailmark.serve.portal.shown_text import clean, is_web, opening
from trailmark.serve.portal.ways import Ways
from trailmark.verbs.portal_catalogue import Entry
from trailmark.verbs.portal_item import ItemView
from trailmark.verbs.portal_lists import HomeView, ResultsView, TopicView
from trailmark.verbs.suggestions import Sent

FOLDER = Path(__file__).parent
FACET_NAMES = {"topic": "Topic", "year": "Year", "site": "Site", "kind": "Kind"}
SORT_NAMES = {
    "rank": "Rank",
    "cited": "Most cited",
    "surveys": "Surveys",
    "seminal": "Seminal",
    "year": "Year",
    "newest": "Newest",
}
SORT_HINTS = {
    "rank": "cited by what is itself cited",
    "cited": "how many items here cite it",
    "surveys": "it cites what is cited much (hubs)",
    "seminal": "cited by good surveys (authorities)",
    "year": "the latest first; without a year last",
    "newest": "found last",
}
CopyForm = Literal["page", "file", "large", "none"]
"""How an archived copy can be had: shown, as a file to keep, not since it is too large, or not since it is something else."""
_TITLES = {404: "Not found", 410: "Taken away"}
DOWNLOADS = (("bib", "BibTeX"), ("ris", "RIS"), ("csl.json", "CSL-JSON"), ("jsonld", "JSON-LD"), ("csv", "CSV"))


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page."""

    name: str
    ways: Ways
    tagline: str = ""
    contact: str = ""
    logo: bool = False
    about: str = ""
    """The page about the site, as HTML that we made from the owner's Markdown; empty where there is none."""
    query: str = ""
    """What stands in the search box."""
    suggest: bool = False
    """Whether visitors may send something in."""


@dataclass(frozen=True, slots=True)
class SuggestForm:
    """The form by which visitors send something in, as it stands."""

    item: str
    """The address of the item that a mistake is about; empty where something new is suggested."""
    title: str
    url: str = ""
    text: str = ""
    wrong: str = ""
    """What is wrong with what was typed."""
    sent: Sent | None = None
    """What was taken, where something was."""


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates, loaded once; an unknown name in one is an error."""
    templates = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["clean"] = lambda text: clean(str(text))
    templates.filters["opening"] = opening
    templates.filters["count"] = lambda number, one, many: f"{number:,} {one if number == 1 else many}"
    templates.filters["day"] = lambda date: date[:10]
    templates.filters["label"] = lambda name: clean(name).replace("_", " ")[:80]
    templates.tests["web"] = is_web
    templates.globals.update(
        facet_names=FACET_NAMES,
        sort_names=SORT_NAMES,
        sort_hints=SORT_HINTS,
        downloads=DOWNLOADS,
        step=page_steps,
        entry_card=entry_card,
    )
    return templates


@lru_cache(maxsize=8_192)
def entry_card(ways: Ways, entry: Entry, summary: bool = True, level: str = "h3") -> Markup:
    """An item in a list; kept, since it stands in the lists of its topic and of all above it, in each of their orders."""
    return Markup(environment().get_template("parts.html").module.entry_card(ways, entry, summary, level))  # type: ignore[attr-defined]  # noqa: S704 - it is made by a template that escapes


def home_page(frame: Frame, view: HomeView) -> str:
    """The first page."""
    return _page(frame, "home.html", title=frame.name, view=view)


def topic_page(frame: Frame, view: TopicView) -> str:
    """A page of a topic."""
    return _page(frame, "topic.html", title=view.topic.name, view=view)


def results_page(frame: Frame, view: ResultsView) -> str:
    """A page of what was found."""
    return _page(
        replace(frame, query=view.query),
        "results.html",
        title=f"{view.query} – search" if view.query else "Search",
        view=view,
    )


def item_page(frame: Frame, view: ItemView) -> str:
    """The page of an item."""
    address = frame.ways.whole(frame.ways.item(view.entry.address))
    return _page(
        frame,
        "item.html",
        title=view.entry.title,
        view=view,
        drawing=Markup(citation_drawing(view.neighbourhood, frame.ways)),  # noqa: S704 - made and escaped by us
        linked_data=Markup(_script_json(json_ld(view.record, address))),  # noqa: S704 - every '<' is written as a number
    )


def copy_page(frame: Frame, view: ItemView, number: int, kind: str, size: int, form: CopyForm) -> str:
    """The page around the archived copy of a source: in a frame, or as text where it is no page."""
    return _page(
        frame, "copy.html", title=f"Archived copy – {view.entry.title}", view=view, source=view.sources[number - 1], kind=kind, size=size, form=form
    )  # fmt: skip


def choice_page(frame: Frame, view: tuple[Any, ...]) -> str:
    """An address that several items had: which is meant?"""
    return _page(frame, "choice.html", title="Which one?", entries=view)


def pointer_page(frame: Frame, address: str, title: str) -> str:
    """At an address that an item had: the way to where it is now."""
    return _page(frame, "pointer.html", title="It is here now", address=address, name=title)


def about_page(frame: Frame) -> str:
    """About the site."""
    return _page(frame, "about.html", title="About", text=Markup(frame.about))  # noqa: S704 - made by us from the owner's file


def help_page(frame: Frame, fields: tuple[str, ...]) -> str:
    """How to search."""
    return _page(frame, "help.html", title="How to search", fields=fields)


def suggest_page(frame: Frame, view: SuggestForm) -> str:
    """Send something in."""
    return _page(frame, "suggest.html", title="Report a mistake" if view.item else "Suggest a site", view=view)


def find_page(frame: Frame) -> str:
    """The search of a copy in files, which runs in the browser."""
    return _page(frame, "find.html", title="Search")


def api_page(frame: Frame, calls: list[tuple[str, str, str]]) -> str:
    """For programs."""
    return _page(frame, "api.html", title="For programs", calls=calls)


def error_page(frame: Frame, status: int, sentence: str) -> str:
    """That did not work."""
    return _page(frame, "error.html", title=_TITLES.get(status, "That did not work"), sentence=sentence)


def page_steps(page: int, pages: int) -> list[int]:
    """Numbers of pages that are linked: the first, the last, and those around; 0 stands for a gap."""
    near = sorted({1, pages, *range(max(1, page - 2), min(pages, page + 2) + 1)})
    steps: list[int] = []
    for number in near:
        if steps and number > steps[-1] + 1:
            steps.append(0)
        steps.append(number)
    return steps


def _page(frame: Frame, template: str, **context: Any) -> str:
    text = environment().get_template(template).render(frame=frame, ways=frame.ways, **context)
    return unicode_text(text)


def _script_json(value: Any) -> str:
    """JSON that no page can take for markup."""
    return json_text(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
