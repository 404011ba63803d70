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
SYNTAXES = ("json-ld", "microdata", "rdfa", "meta", "json")
_NAMES = {
    "json-ld": "JSON-LD",
    "microdata": "microdata",
    "rdfa": "RDFa",
    "meta": "meta elements",
    "json": "JSON in a script",
}
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
                properties = item.values(self.path)
                if properties:
                    return list({one.value: one for one in properties[::-1]}.values())[::-1]
        return []

    def values(self, table: NodeTable) -> tuple[str, ...]:
        return tuple(property_.value for property_ in self.find(table))

    def __post_init__(self) -> None:
        if self.syntax not in SYNTAXES:
            raise ValueError(f"unknown kind of structured data {self.syntax!r}")

    @property
    def sentence(self) -> str:
        of = f" of {self.type}" if self.type else ""
        return f"The property “{self.path}”{of} in the page's own structured data ({_NAMES[self.syntax]})."


def items_of_page(table: NodeTable) -> tuple[StructuredItem, ...]:
    """The structured data of a page, read once."""
    items: tuple[StructuredItem, ...] = table.kept(
        "structured", lambda: structured_items(table.elements[0] if table.elements else None)
    )
    return items


def address_of(property_: Property) -> str:
    """The XPath of the element, or of its attribute, that says so."""
    if property_.element.get("content") is not None:
        return attribute_address(property_.element, "content")
    return element_address(property_.element)


# --- from annotations --------------------------------------------------------------------------------------------

PageValues = Sequence[tuple[NodeTable, Sequence[str] | None]]
"""Pages with a field's values: none where the page lacks it, None where nobody looked."""


def learn_structured(field: str, pages: PageValues, rules: FieldRules | None) -> StructuredRule | None:
    """The property that is the field; None where there is none that can be trusted."""
    wanted_values = [(table, {plain_value(value) for value in values}) for table, values in pages if values is not None]
    shown = next((pair for pair in wanted_values if pair[1]), None)
    if shown is None:
        return None
    others = [table for table, values in pages if values is None]
    fitting = [
        rule for rule in _proposals(field, *shown) if all(set(rule.values(t)) == wanted for t, wanted in wanted_values)
    ]
    return next((rule for rule in fitting if _is_sound(rule, rules, others)), None)


def _proposals(field: str, table: NodeTable, wanted: set[str]) -> list[StructuredRule]:
    proposals: dict[StructuredRule, None] = {}
    for item in items_of_page(table):
        for property_ in item.properties:
            if property_.value in wanted:
                proposals[StructuredRule(field, item.syntax, item.type, property_.path)] = None
    return sorted(proposals, key=lambda rule: (SYNTAXES.index(rule.syntax), rule.path.count("."), rule.path))


def _is_sound(rule: StructuredRule, rules: FieldRules | None, others: Sequence[NodeTable]) -> bool:
    """Whether most other pages have it, and it is what the rules of the texts find there."""
    page_values = [rule.values(table) for table in others]
    if sum(map(bool, page_values)) < SPEAKS * len(others):
        return False
    if rules is None:
        return True
    both = [
        (set(values), set(map(plain_value, lifted)))
        for values, table in zip(page_values, others, strict=True)
        if values and (lifted := rules.values(table))
    ]
    return sum(bool(values & lifted) for values, lifted in both) >= AGREEMENT * len(both)


# --- without any -------------------------------------------------------------------------------------------------


def free_annotations(pages: Sequence[tuple[str, Any]], *, most: int = 3) -> list[Annotation]:
    """Annotations that pages make themselves: (URL, root) of pages of one template -> values of their main item.

    At most so many pages are annotated; on a page that lists items, the first two of them. Fields are called after the
    last part of the property's path. Rules learnt from these should carry the note `UNCONFIRMED`.
    """
    # What a page carries for its own scripts is in no common language: without a mark nobody knows what is meant.
    read = [(url, [item for item in structured_items(root) if item.syntax != "json"]) for url, root in pages]
    kind = _main_kind([items for _, items in read])
    if kind is None:
        return []
    mains = [(url, [item for item in items if (item.syntax, item.type) == kind]) for url, items in read]
    names = _field_names([items for _, items in mains])
    free: list[Annotation] = []
    for url, items in [pair for pair in mains if pair[1]][:most]:
        for item in items[:2]:
            free += [
                Annotation(url, names[property_.path], property_.value)
                for property_ in _once(item)
                if property_.path in names
            ]
    return free


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
    for property_ in item.properties:
        is_kept = item.syntax != "meta" or property_.path.startswith(_FREE_META)
        if (
            is_kept
            and len(property_.value) <= _LONGEST_FREE
            and not property_.value.startswith(("http://", "https://", "//", "/"))
        ):
            yield property_


def _once(item: StructuredItem) -> Iterator[Property]:
    yield from {(property_.path, property_.value): property_ for property_ in _useful(item)}.values()


def _field_names(pages: Sequence[Sequence[StructuredItem]]) -> dict[str, str]:
    """A name for each path that half of the pages have and that says different things on different pages."""
    values_at: dict[str, list[str]] = {}
    for items in pages:
        for path, value in {
            property_.path: property_.value for item in items[:1] for property_ in _useful(item)
        }.items():
            values_at.setdefault(path, []).append(value)
    usual = [path for path, values in values_at.items() if 2 * len(values) >= len(pages)]
    usual = [path for path in usual if len(pages) < 3 or len(set(values_at[path])) > 1]
    short = Counter(_last(path) for path in usual)
    return {path: _last(path) if short[_last(path)] == 1 else path.replace(".", "_") for path in usual}


def _last(path: str) -> str:
    name = path.rpartition(".")[2]
    return name.removeprefix("citation_").rpartition(":")[2] or name
