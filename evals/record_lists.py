"""`evaluate lists`: records lifted off list pages of the generated web from one and two marked entries.

No data is needed: sites of every template show catalogues (rows of tables, blocks of elements), people (links with a note
behind, definitions, rows, cards) and citations (one text an entry). On the largest page of a list the first entries are marked that
show as many fields as any, by value alone; all other entries, on that page and on the other pages of the list, are tested. A record is right if all its
fields are; a field is right if all its values are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.datatypes import Annotation
from trailmark.demo import DemoSite, DemoWeb
from trailmark.demo.plan import PlannedPage
from trailmark.progress import Progress
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules

Fields = Mapping[str, tuple[str, ...]]

MARKED = (1, 2)
MOST_PAGES = 8
"""Of one list of a site."""
LEAST_ENTRIES = 4
PEOPLE = ("people-list", "faculty-list", "student-list")
CITATIONS = ("publications", "student-publications", "reading-list", "other-publications")


@dataclass(frozen=True, slots=True, eq=False)
class TrueList:
    """The pages of one list of a site, with what each entry shows; the page with most entries first."""

    template: str
    kind: str
    tables: tuple[NodeTable, ...]
    truth: tuple[tuple[Fields, ...], ...]


def evaluate_lists(*, sites: int = 24, seed: int = 1, progress: Progress | None = None) -> dict[str, Any]:
    """Record and field scores by kind of list, template and number of marked entries."""
    web = DemoWeb(sites=sites, seed=seed, pages=150)
    numbers: Iterable[int] = range(sites)
    rows = [
        {"template": each.template, "kind": each.kind, "marked": count, **_scores(each, count)}
        for number in (progress(numbers, "sites") if progress else numbers)
        for each in true_lists(web.site(number))
        for count in MARKED
    ]
    kinds = dict.fromkeys(row["kind"] for row in rows)
    by_kind = [_total(rows, count, kind=kind) for kind in kinds for count in MARKED]
    templates = sorted({row["template"] for row in rows})
    by_template = [_total(rows, count, template=name) for name in templates for count in MARKED]
    return {
        "task": "lists",
        "lists": len(rows) // len(MARKED),
        "totals": [_total(rows, count) for count in MARKED],
        "kinds": by_kind,
        "templates": by_template,
    }


def true_lists(site: DemoSite) -> list[TrueList]:
    """Every list of a site that has enough entries to be one."""
    found: dict[str, list[tuple[str, tuple[Fields, ...]]]] = {}
    for url, records in site.listed.items():
        found.setdefault("catalogue", []).append((url, tuple(record.fields for record in records)))
    for path, page in site.plan.pages.items():
        for kind, names, shown in (("people", PEOPLE, _people), ("citations", CITATIONS, _citations)):
            if page.kind in names:
                name = f"{kind} {page.style}"
                found.setdefault(name, []).append((site.url(path), shown(page)))
    lists = [_true_list(site, kind, pages) for kind, pages in found.items()]
    return [each for each in lists if each is not None]


def _people(page: PlannedPage) -> tuple[Fields, ...]:
    return tuple(
        {"name": (anchor.text,), **({"about": (anchor.after,)} if anchor.after else {})}
        for anchor in (page.sections[0].anchors if page.sections else ())
    )


def _citations(page: PlannedPage) -> tuple[Fields, ...]:
    return tuple({"citation": (item,)} for item in (page.sections[0].items if page.sections else ()))


def _true_list(site: DemoSite, kind: str, pages: Sequence[tuple[str, tuple[Fields, ...]]]) -> TrueList | None:
    kept = sorted((each for each in pages if each[1]), key=lambda each: -len(each[1]))[:MOST_PAGES]
    if not kept or len(kept[0][1]) < LEAST_ENTRIES:
        return None
    tables = tuple(NodeTable(_root(site, url)) for url, _ in kept)
    return TrueList(site.who.template, kind, tables, tuple(truth for _, truth in kept))


def _root(site: DemoSite, url: str) -> Any:
    response = site.respond(url)
    return parse_html(response.body, response.header("content-type"))[0]


def marked_of(truth: Sequence[Fields], count: int) -> list[Fields]:
    """The entries that a person marks: the first of those that show most."""
    return sorted(truth, key=lambda fields: -len(fields))[:count]


def marks_of(truth: Sequence[Fields], count: int) -> tuple[Annotation, ...]:
    """Their values, one entry after the other."""
    return tuple(
        Annotation("", field, value)
        for fields in marked_of(truth, count)
        for field, values in fields.items()
        for value in values
    )


def _scores(true: TrueList, count: int) -> dict[str, Any]:
    first, *others = true.tables
    pages = [AnnotatedPage(first, marks_of(true.truth[0], count)), *map(AnnotatedPage, others)]
    rules = learn_rules("list", pages)
    found = [[record.fields for record in _records(rules, table)] for table in true.tables]
    # Marked entries are no test: neither what was marked nor what is found of it counts.
    truth = [list(each) for each in true.truth]
    for fields in marked_of(true.truth[0], count):
        truth[0].remove(fields)
        if fields in found[0]:
            found[0].remove(fields)
    records = [(Counter(map(_key, got)), Counter(map(_key, wanted))) for got, wanted in zip(found, truth, strict=True)]
    singly = [(_fields(got), _fields(wanted)) for got, wanted in zip(found, truth, strict=True)]
    return {"record": _counts(records), "field": _counts(singly), "is_list": rules.entries is not None}


def _records(rules: RuleSet, table: NodeTable) -> Sequence[Any]:
    return rules.records("", table) if rules.entries is not None else ()


def _key(fields: Fields) -> tuple[Any, ...]:
    return tuple(sorted(fields.items()))


def _fields(records: Iterable[Fields]) -> Counter[Any]:
    return Counter(item for fields in records for item in fields.items())


def _counts(pairs: Sequence[tuple[Counter[Any], Counter[Any]]]) -> tuple[int, int, int]:
    """Right, found, wanted."""
    right = sum((got & wanted).total() for got, wanted in pairs)
    return right, sum(got.total() for got, _ in pairs), sum(wanted.total() for _, wanted in pairs)


def _total(rows: Sequence[dict[str, Any]], count: int, **chosen: str) -> dict[str, Any]:
    mine = [row for row in rows if row["marked"] == count and all(row[key] == value for key, value in chosen.items())]
    made: dict[str, Any] = {"marked": count, "lists": len(mine), **chosen}
    made["seen_as_lists"] = sum(row["is_list"] for row in mine)
    for name in ("record", "field"):
        right, found, wanted = (sum(row[name][at] for row in mine) for at in range(3))
        made[name] = {
            "precision": right / found if found else 0.0,
            "recall": right / wanted if wanted else 0.0,
            "f1": 2 * right / (found + wanted) if found + wanted else 1.0,
        }
    return made
