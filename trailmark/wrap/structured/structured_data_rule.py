"""Fields that a page's own structured data gives: rules from annotations, and annotations where nobody made any.

A rule says which property of which kind of item is the field. It is kept where it gives just the marked values on all annotated pages
and, on the others, nearly always what the rules learnt from the page's texts find too; then it is asked first, because a
redesign seldom touches it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.datatypes import Annotation
from trailmark.wrap.page.node_address import attribute_address, element_address
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule import FieldRules
from trailmark.wrap.structured.structured_data import Property, StructuredItem, plain_value, structured_items

AGREEMENT = 0.9
SPEAKS = 0.5
"""Share of the pages not annotated on which the property must be there."""
SYNTAXES = ("json-ld", "microdata", "rdfa", "meta")
_NAMES = {"json-ld": "JSON-LD", "microdata": "microdata", "rdfa": "RDFa", "meta": "meta elements"}
_FREE_META = ("citation_", "product:", "book:", "dc.")
_FRAME = frozenset(
    ("WebSite", "Organization", "BreadcrumbList", "WebPage", "SearchAction", "ImageObject", "SiteNavigationElement")
)
_LONGEST_FREE = 300

UNCONFIRMED = "Nobody confirmed these fields: they were learnt from the pages' own structured data."


@dataclass(frozen=True, slots=True)
class StructuredRule:
    """A field is a property of the first item of a kind that has it."""

    field: str
    syntax: str
    type: str
    path: str

    def find(self, table: NodeTable) -> list[Property]:
        for item in items_of_page(table):
            if item.syntax == self.syntax and item.type == self.type:
                found = item.values(self.path)
                if found:
                    return list({one.value: one for one in found[::-1]}.values())[::-1]
        return []

    def values(self, table: NodeTable) -> tuple[str, ...]:
        return tuple(each.value for each in self.find(table))

    def __post_init__(self) -> None:
        if self.syntax not in SYNTAXES:
            raise ValueError(f"unknown kind of structured data {self.syntax!r}")

    @property
    def sentence(self) -> str:
        of = f" of {self.type}" if self.type else ""
        return f"The property “{self.path}”{of} in the page's own structured data ({_NAMES[self.syntax]})."


def items_of_page(table: NodeTable) -> tuple[StructuredItem, ...]:
    """The structured data of a page, read once."""
    found: tuple[StructuredItem, ...] = table.kept(
        "structured", lambda: structured_items(table.elements[0] if table.elements else None)
    )
    return found


def address_of(said: Property) -> str:
    """The XPath of the element, or of its attribute, that says so."""
    if said.element.get("content") is not None:
        return attribute_address(said.element, "content")
    return element_address(said.element)


# --- from annotations --------------------------------------------------------------------------------------------

PageValues = Sequence[tuple[NodeTable, Sequence[str] | None]]
"""Pages with a field's values: none where the page lacks it, None where nobody looked."""


def learn_structured(field: str, pages: PageValues, rules: FieldRules | None) -> StructuredRule | None:
    """The property that is the field; None where there is none that can be trusted."""
    said = [(table, {plain_value(value) for value in values}) for table, values in pages if values is not None]
    shown = next((pair for pair in said if pair[1]), None)
    if shown is None:
        return None
    others = [table for table, values in pages if values is None]
    fitting = [rule for rule in _proposals(field, *shown) if all(set(rule.values(t)) == wanted for t, wanted in said)]
    return next((rule for rule in fitting if _is_sound(rule, rules, others)), None)


def _proposals(field: str, table: NodeTable, wanted: set[str]) -> list[StructuredRule]:
    found: dict[StructuredRule, None] = {}
    for item in items_of_page(table):
        for each in item.properties:
            if each.value in wanted:
                found[StructuredRule(field, item.syntax, item.type, each.path)] = None
    return sorted(found, key=lambda rule: (SYNTAXES.index(rule.syntax), rule.path.count("."), rule.path))


def _is_sound(rule: StructuredRule, rules: FieldRules | None, others: Sequence[NodeTable]) -> bool:
    """Whether most other pages have it, and it is what the rules of the texts find there."""
    found = [rule.values(table) for table in others]
    if sum(map(bool, found)) < SPEAKS * len(others):
        return False
    if rules is None:
        return True
    both = [
        (set(values), set(map(plain_value, said)))
        for values, table in zip(found, others, strict=True)
        if values and (said := rules.values(table))
    ]
    return sum(bool(values & said) for values, said in both) >= AGREEMENT * len(both)


# --- without any -------------------------------------------------------------------------------------------------


def free_annotations(pages: Sequence[tuple[str, Any]], *, most: int = 3) -> list[Annotation]:
    """Annotations that pages make themselves: (URL, root) of pages of one template -> values of their main item.

    At most so many pages are annotated; on a page that lists items, the first two of them. Fields are called after the
    last part of the property's path. Rules learnt from these should carry the note `UNCONFIRMED`.
    """
    read = [(url, structured_items(root)) for url, root in pages]
    kind = _main_kind([items for _, items in read])
    if kind is None:
        return []
    mains = [(url, [item for item in items if (item.syntax, item.type) == kind]) for url, items in read]
    names = _field_names([items for _, items in mains])
    made: list[Annotation] = []
    for url, items in [pair for pair in mains if pair[1]][:most]:
        for item in items[:2]:
            made += [Annotation(url, names[each.path], each.value) for each in _once(item) if each.path in names]
    return made


def _main_kind(pages: Sequence[Sequence[StructuredItem]]) -> tuple[str, str] | None:
    """The kind of item that at least half of the pages have, with most properties; the frame of a site is none."""
    counts: Counter[tuple[str, str]] = Counter()
    sizes: Counter[tuple[str, str]] = Counter()
    for items in pages:
        counts.update({(item.syntax, item.type) for item in items})
        for item in items:
            sizes[item.syntax, item.type] += len(list(_useful(item)))
    common = [
        kind for kind, count in counts.items() if 2 * count >= len(pages) and kind[1] not in _FRAME and sizes[kind]
    ]
    described = [kind for kind in common if kind[0] != "meta"]
    return max(described or common, key=lambda kind: sizes[kind], default=None)


def _useful(item: StructuredItem) -> Iterator[Property]:
    for each in item.properties:
        is_kept = item.syntax != "meta" or each.path.startswith(_FREE_META)
        if (
            is_kept
            and len(each.value) <= _LONGEST_FREE
            and not each.value.startswith(("http://", "https://", "//", "/"))
        ):
            yield each


def _once(item: StructuredItem) -> Iterator[Property]:
    yield from {(each.path, each.value): each for each in _useful(item)}.values()


def _field_names(pages: Sequence[Sequence[StructuredItem]]) -> dict[str, str]:
    """A name for each path that half of the pages have and that says different things on different pages."""
    said: dict[str, list[str]] = {}
    for items in pages:
        for path, value in {each.path: each.value for item in items[:1] for each in _useful(item)}.items():
            said.setdefault(path, []).append(value)
    kept = [path for path, values in said.items() if 2 * len(values) >= len(pages)]
    kept = [path for path in kept if len(pages) < 3 or len(set(said[path])) > 1]
    short = Counter(_last(path) for path in kept)
    return {path: _last(path) if short[_last(path)] == 1 else path.replace(".", "_") for path in kept}


def _last(path: str) -> str:
    name = path.rpartition(".")[2]
    return name.removeprefix("citation_").rpartition(":")[2] or name
