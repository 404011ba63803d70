"""Where the entries of a list stand on a page, and how one is told from the next.

A rule leads down from the root to the elements that are entries, or to the element whose items fall into entries (a term and
its definitions, lines between breaks). Lists of another kind may stand on the same way, as menus do in pages laid out with
tables: those are taken whose entries look like the ones that were marked.

The way is an XPath 1.0; the shape of an entry is the set of tag paths at which it has texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

from lxml import etree

from trailmark.quoting import xpath_literal, xpath_name
from trailmark.wrap.lists.entry_items import TEXT, EntryItem, copy_of, items_of, plain_class, runs_of
from trailmark.wrap.page.node_table import NodeTable

Shape = frozenset[str]

MOST_ENTRIES = 5_000
MOST_ROWS = 300
"""Texts of one entry."""
DEEPEST = 20
ENTRY_LEAST = 0.2
"""How alike an entry must at least be to a marked one, within a list that is alike as a whole."""
_INLINE = frozenset(("a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "q", "s", "small", "span", "strong"))
_INLINE |= {"sub", "sup", "tt", "u"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class PathStep:
    """One level of the way down."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def xpath(self) -> str:
        return xpath_name(self.tag) + "".join(
            f"[normalize-space(@{key})={xpath_literal(value)}]"
            for key, value in self.attributes
            if _NAME.fullmatch(key)
        )


class ListEntry:
    """One entry: the rows of the page's table that it holds, and a table of its own when that is asked for."""

    def __init__(
        self, page: NodeTable, first: int, end: int, *, number: int = -1, run: Sequence[EntryItem] = ()
    ) -> None:
        self.page = page
        self.first = first
        self.end = end
        self._number = number
        self._run = run

    @cached_property
    def shape(self) -> Shape:
        """Tag paths of its texts; none for what is too long to be an entry."""
        if self.end - self.first > MOST_ROWS:
            return frozenset()
        return (
            _run_shape(self.page, self._run) if self._run else shape_of(self.page, self.first, self.end, self._number)
        )

    @cached_property
    def table(self) -> NodeTable:
        """The entry as a page: its own element, or copies of its items below one made for it."""
        if self._run:
            return NodeTable(_holder(self.page, self._run))
        # No more of it than the page's own table has seen.
        root, most = self.page.elements[self._number], len(self.page.elements) - self._number
        return NodeTable(root, most=most)

    @property
    def text(self) -> str:
        """All that it says, as the page says it."""
        return " ".join("".join(_said(self.table.elements[0])).split())

    def xpath(self, node: int) -> str:
        """Where a node of the entry stands on the page; an empty string where that can't be said."""
        if self._run:
            return self.page.xpath(self.first + node) if 0 <= node < len(self.table) else ""
        return self.page.xpath(self._node_of_page(node))

    def _node_of_page(self, node: int) -> int:
        """The page numbers its nodes as the entry does, further on; it counted their siblings for all entries."""
        texts, elements = len(self.table.page_texts), len(self.table.elements)
        if node < texts:
            return self.first + node
        layer, number = divmod(node - texts, elements)
        return len(self.page.page_texts) + layer * len(self.page.elements) + self._number + number


@dataclass(frozen=True, slots=True)
class EntryRule:
    """The way to the entries: to each of them, or, where something opens or parts them, to the element that holds them."""

    steps: tuple[PathStep, ...]
    rooted: bool = True
    """Whether the way begins at the root of the page."""
    opens: str = ""
    """The tag, with its class, that begins an entry among its siblings."""
    parted: str = ""
    """What stands between entries: `br`, `br br` (two or more), `hr`."""
    goes_on: tuple[str, ...] = ()
    """Headings and lines that stand within entries."""
    shapes: tuple[Shape, ...] = ()
    least: float = 0.5
    """How alike the entries of a list must be to these on average."""
    never: tuple[str, ...] = ()
    """What entries say that are none: rows of headings that stand on many pages."""

    @property
    def in_runs(self) -> bool:
        return bool(self.opens or self.parted)

    @property
    def xpath(self) -> str:
        return ("/" if self.rooted else "//") + "/".join(step.xpath for step in self.steps)

    def entries(self, table: NodeTable) -> list[ListEntry]:
        """The entries of a page in document order; learning asks for them again and again."""
        entries: list[ListEntry] = table.kept(("entries", self), lambda: self._entries(table))
        return entries

    def _entries(self, table: NodeTable) -> list[ListEntry]:
        entries: list[ListEntry] = []
        for group in self.lists(table):
            alike = [likeness(entry.shape, self.shapes) for entry in group]
            if alike and sum(alike) / len(alike) >= self.least:
                alike_entries = [entry for entry, share in zip(group, alike, strict=True) if share >= ENTRY_LEAST]
                entries += [entry for entry in alike_entries if not self.never or entry.text not in self.never]
        return entries[:MOST_ENTRIES]

    def lists(self, table: NodeTable) -> Iterator[list[ListEntry]]:
        """Entries by the element that holds them, whatever they look like."""
        numbers = [at for element in _select(self.xpath, table) if (at := table.number_of(element)) is not None]
        if self.in_runs:
            for number in numbers:
                yield run_entries(table, number, self.opens, self.parted, frozenset(self.goes_on))
            return
        by_parent: dict[int, list[ListEntry]] = {}
        for number in numbers[:MOST_ENTRIES]:
            entry = element_entry(table, number)
            if entry is not None:
                by_parent.setdefault(int(table.parent[number]), []).append(entry)
        # An entry that stands alone in its element, as a cell in its row, is of one list with those beside that element.
        groups: dict[int, list[ListEntry]] = {}
        for parent, entries in by_parent.items():
            groups.setdefault(parent if len(entries) > 1 else -1 - int(table.parent[parent]), []).extend(entries)
        yield from groups.values()

    @property
    def sentence(self) -> str:
        """What an entry is, in words."""
        way = "/".join(step.tag for step in self.steps)
        if self.opens:
            return f"Each <{self.opens}> with what follows it, up to the next one, in {way}."
        if self.parted:
            return f"All that stands between two <{self.parted.replace(' ', '> <')}> in {way}."
        return f"Each <{self.steps[-1].tag}> of the list at {way}."


def element_entry(table: NodeTable, number: int) -> ListEntry | None:
    """An element as an entry; None where it has no text."""
    first, end = int(table.first_text[number]), int(table.end_text[number])
    return ListEntry(table, first, end, number=number) if first < end else None


def run_entries(table: NodeTable, number: int, opens: str, parted: str, goes_on: frozenset[str]) -> list[ListEntry]:
    runs = runs_of(items_of(table, number), opens=opens, parted=parted, goes_on=goes_on)
    return [ListEntry(table, run[0].first, run[-1].end, run=run) for run in runs[:MOST_ENTRIES]]


def _run_shape(table: NodeTable, run: Sequence[EntryItem]) -> Shape:
    paths: set[str] = set()
    for item in run:
        number = None if item.node is None else table.number_of(item.node)
        if number is not None:
            inner = shape_of(table, item.first, item.end, number)
            paths |= {f"{item.tag}/{path}".rstrip("/") for path in inner}
        elif item.symbol == TEXT:
            paths.add("")
    return frozenset(paths)


def _holder(table: NodeTable, run: Sequence[EntryItem]) -> Any:
    """Copies of the items below an element of their own: rules count places from the entry's beginning."""
    holder = etree.Element("entry")
    for is_text, items in groupby(run, lambda item: item.symbol == TEXT):
        if is_text:
            _add_text(holder, "".join(table.texts[item.first] for item in items))
            continue
        for item in items:
            holder.append(copy_of(item) if item.node is not None else etree.Element("br"))
    return holder


def _add_text(holder: Any, text: str) -> None:
    if len(holder):
        holder[-1].tail = text
    else:
        holder.text = text


def _said(element: Any) -> Iterator[str]:
    """Texts in document order, with a blank where a browser begins a new line or cell."""
    for event, node in etree.iterwalk(element, events=("start", "end", "comment")):
        apart = node.tag not in _INLINE
        if event == "start":
            yield f"{' ' * apart}{'' if node.tag in ('script', 'style') else node.text or ''}"
        elif node is not element:
            yield f"{' ' * (apart and event == 'end')}{node.tail or ''}"


def shape_of(table: NodeTable, first: int, end: int, root: int) -> Shape:
    """Tag paths, from below the root, of the elements that hold the rows."""
    return frozenset(_path(table, owner, root) for owner in set(table.owner[first:end].tolist()))


def _path(table: NodeTable, element: int, root: int) -> str:
    parts: list[str] = []
    named = plain_class(table.elements[element]) if element != root else ""
    while element not in (root, len(table.tags)) and len(parts) < DEEPEST:
        parts.append(table.tags[element])
        element = int(table.parent[element])
    return "/".join(reversed(parts)) + (f".{named}" if named else "")


def likeness(shape: Shape, known: Iterable[Shape]) -> float:
    """Share of the paths that two shapes have in common, for the most alike of the known ones."""
    return max(
        (len(shape & known_shape) / len(shape | known_shape) for known_shape in known if shape | known_shape),
        default=0.0,
    )


@lru_cache(maxsize=256)
def _compiled(xpath: str) -> etree.XPath | None:
    try:
        return etree.XPath(xpath)
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return None


def _select(xpath: str, table: NodeTable) -> list[Any]:
    path = _compiled(xpath) if table.elements else None
    if path is None:
        return []
    nodes = path(table.elements[0])
    return nodes if isinstance(nodes, list) else []
