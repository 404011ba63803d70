"""The items of a course's pages -> clues: what each item is seen to be like.

A clue that names a kind of material ("its words name a lecture", "most items of its make are called exams") is a rule that holds for every
kind alike; one that names none (a shape, a place) may mean anything, and is learnt. Course pages repeat themselves: rows of a schedule,
files `hw1.ps hw2.ps`. What most of the other items of one make are called is told of each of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.course.address import address, folders_below, place_of, relation, same_page
from trailmark.course.item_shape import shape_kinds, shapes
from trailmark.course.page_item import ItemPage, PageItem
from trailmark.course.type_word import first_kind, kinds_in, parts

Clue = tuple[str, str]
"""(what is said, the kind that it speaks for or an empty text)."""
Clues = dict[Clue, float]
_DIGITS = re.compile(r"\d+")
_MOST_WORDS = 20
_WORDS = frozenset(
    [
        "anchor",
        "file",
        "folder",
        "near",
        "before",
        "after",
        "lead",
        "column",
        "led",
        "host",
        "row",
        "fragment",
        "section",
        "thing",
    ]
)
"""Texts whose plain words are clues too."""
_FORMATTED = frozenset({"page", "print", "text", "slides", "bundle"})


@dataclass(frozen=True, slots=True)
class _Course:
    home: str
    led: Mapping[str, str]
    """Page -> the words of the first link that led to it."""
    stems: Mapping[str, tuple[str, ...]]
    """What items are called that differ in format alone, by stem."""
    votes: Mapping[Clue, Counter[str]]


def item_clues(pages: Sequence[ItemPage]) -> list[list[Clues]]:
    """The pages of a course, its home first -> the clues of every item of every page."""
    if not pages:
        return []
    items = [item for page in pages for item in page.items]
    course = _Course(pages[0].url, _led(pages), _stems(items), _votes(items, on_page=False))
    return [_page_clues(page, course) for page in pages]


def make_of(url: str) -> str:
    """What addresses of one make share: all but the digits of the file's name."""
    place = address(url)
    return f"{place.host}/{'/'.join(place.folders)}/{_DIGITS.sub('#', place.name)}.{place.ending}"


def _page_clues(page: ItemPage, course: _Course) -> list[Clues]:
    votes = _votes(page.items, on_page=True)
    count = len(page.items)
    return [
        _text_clues(item, page, course)
        | _shape_clues(item, page, course, (number + 0.5) / count)
        | _group_clues(item, votes, on_page=True)
        | _group_clues(item, course.votes, on_page=False)
        for number, item in enumerate(page.items)
    ]


def _text_clues(item: PageItem, page: ItemPage, course: _Course) -> Clues:
    clues: Clues = {}
    found = kinds_in(item.text)
    gate = "named" if any(not match.is_weak for match in found) else "hinted" if found else "bare"
    clues[f"anchor {gate}", ""] = 1.0
    for name, text in _texts(item, page, course).items():
        if text:
            _add_text(clues, name, text, gate)
    return clues


def _texts(item: PageItem, page: ItemPage, course: _Course) -> dict[str, str]:
    """All texts that may say what an item is, by name."""
    place = address(item.url)
    folders = folders_below(place, address(course.home))
    is_home = page.url == course.home
    led = course.led.get(place_of(item.url), "")
    strong = (text for text in item.headings if any(not match.is_weak for match in kinds_in(text)))
    return {
        "anchor": item.text,
        "file": place.name,
        "folder": folders[-1] if folders else "",
        "folders": " ".join(folders[-3:-1]),
        "fragment": place.fragment,
        "host": place.host.replace(".", " ") if place.host != address(course.home).host else "",
        "before": item.before,
        "after": item.after,
        "lead": item.lead,
        "line": item.whole if item.mates == 1 else "",
        "thing": item.thing,
        "section": item.section,
        "heading": next(strong, ""),
        "near": item.headings[0] if item.headings else "",
        "above": item.headings[1] if len(item.headings) > 1 else "",
        "top": item.headings[-1] if len(item.headings) > 2 else "",
        "column": item.column,
        "row": item.row,
        "own": item.title,
        "page": page.title,
        "alias": led if led != item.text else "",
        "led": "" if is_home else course.led.get(place_of(page.url), ""),
        "pagefile": "" if is_home else address(page.url).name,
    }


def _add_text(clues: Clues, name: str, text: str, gate: str) -> None:
    """What the words of a text name: strongly or weakly, first, last or alone, and by the plain rule."""
    found = kinds_in(text)
    kinds = tuple(dict.fromkeys(match.kind for match in found))
    strong = {match.kind for match in found if not match.is_weak}
    for kind in kinds:
        sign = "" if kind in strong else " weakly"
        clues[f"{name}{sign}", kind] = 1.0
        if name != "anchor":
            clues[f"{name}{sign} {gate}", kind] = 1.0
    if (rule := first_kind(text)) is not None:
        clues[f"{name}{'' if rule in strong else ' weakly'} rule", rule] = 1.0
    if len(kinds) > 1:
        clues[f"{name} first", kinds[0]] = clues[f"{name} last", found[-1].kind] = 1.0
    elif kinds:
        clues[f"{name} only", kinds[0]] = 1.0
    if name in _WORDS:
        for word in dict.fromkeys(parts(text)[:_MOST_WORDS]):
            if not word.isdigit():
                clues[f"word:{name}:{word}", ""] = 1.0


def _shape_clues(item: PageItem, page: ItemPage, course: _Course, part: float) -> Clues:
    way = relation(item.url, page.url, course.home)
    seen = {*shapes(item), f"to {way}", f"to {way} from {'home' if page.url == course.home else 'sub-page'}"}
    seen.add("start" if part < 0.1 else "end" if part > 0.9 else "middle")
    if page.url == course.home:
        seen.add("home page")
    side = "away" if way in ("outside", "institution", "site") else "own"
    seen.update(f"{side} {match.kind}" for match in kinds_in(item.text))
    clues: Clues = {(name, ""): 1.0 for name in seen}
    clues |= {("shape", kind): 1.0 for kind in shape_kinds(item)}
    clues |= {("stem", kind): 1.0 for kind in course.stems.get(_stem(item), ())}
    return clues


def _group_clues(item: PageItem, votes: Mapping[Clue, Counter[str]], *, on_page: bool) -> Clues:
    """What the other items of an item's groups are called: each kind's share."""
    clues: Clues = {}
    own = _named(item)
    for key in _groups(item, on_page=on_page):
        rest = Counter(votes.get(key, ()))
        rest.subtract(own)
        total = sum(count for count in rest.values() if count > 0)
        for kind, count in rest.items():
            if count > 0:
                clues[f"{key[0]} {'of the page' if on_page else 'of the course'}", kind] = count / total
    return clues


def _groups(item: PageItem, *, on_page: bool) -> Iterator[tuple[str, str]]:
    """The groups that an item belongs to: (sort of group, its name)."""
    yield "make", make_of(item.url)
    if item.text:
        yield "words", " ".join(_DIGITS.sub("#", item.text.lower()).split())
    if not on_page:
        return
    if item.headings:
        yield "heading", item.headings[0]
    if item.cell is not None:
        yield "column", f"{item.cell.table}/{item.cell.column}"
    if item.mates > 1:
        yield "line", str(item.line)
    yield "list", f"{item.lists}/{item.headings[:1]}/{item.place}"


def _votes(items: Sequence[PageItem], *, on_page: bool) -> dict[Clue, Counter[str]]:
    votes: dict[Clue, Counter[str]] = {}
    for item in items:
        named = _named(item)
        for key in _groups(item, on_page=on_page):
            votes.setdefault(key, Counter()).update(named)
    return votes


def _named(item: PageItem) -> tuple[str, ...]:
    """The kinds that an item's own words name, else those that its file's name does."""
    for text in (item.text, address(item.url).name):
        if kinds := tuple(dict.fromkeys(match.kind for match in kinds_in(text))):
            return kinds
    return ()


def _led(pages: Sequence[ItemPage]) -> dict[str, str]:
    led: dict[str, str] = {}
    for page in pages:
        for item in page.items:
            if item.text and not same_page(item.url, page.url):
                led.setdefault(place_of(item.url), item.text)
    return led


def _stem(item: PageItem) -> str:
    """What the formats of one thing share: the address without folders and ending; empty where it has no such ending."""
    place = address(item.url)
    return f"{place.host}/{place.name.lower()}" if place.kind in _FORMATTED else ""


def _stems(items: Sequence[PageItem]) -> dict[str, tuple[str, ...]]:
    stems: dict[str, dict[str, None]] = {}
    for item in items:
        if (stem := _stem(item)) and (rule := first_kind(item.text)):
            stems.setdefault(stem, {})[rule] = None
    return {stem: tuple(kinds) for stem, kinds in stems.items()}
