"""Entries of lists found on lxml alone: the code that an exported program carries with it, so nothing of ours is imported here.

It does what `lists/entry_rule.py`, `entry_items.py` and `entry_heading.py` do on tables of numbers; tests hold the two together.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import takewhile
from typing import Any

from lxml import etree

INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "big",
        "cite",
        "code",
        "em",
        "font",
        "i",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
    ]
)
STOPS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "hr"])
LEFT_OPEN = frozenset(("dt", "dd"))
BETWEEN = frozenset(["ul", "ol", "menu", "dir", "dl", "table", "select"])
MOST_ENTRIES, MOST_ROWS, DEEPEST_PATH, LEAST_OPEN, MOST_CLOSED, ENTRY_LEAST = 5_000, 300, 20, 3, 3, 0.2


class Rows:
    """The texts of a page in document order, with the element that holds each, and which of them are within an element."""

    def __init__(self, root: Any) -> None:
        self.texts: list[str] = []
        self.owners: list[Any] = []
        self.first: dict[Any, int] = {}
        self.end: dict[Any, int] = {}
        for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                self.first[node] = len(self.texts)
                self._add(node, node.text)
                continue
            self.first.setdefault(node, len(self.texts))
            self.end[node] = len(self.texts)
            if node is not root:
                self._add(node.getparent(), node.tail)

    def _add(self, owner: Any, text: str | None) -> None:
        if text and not text.isspace() and owner is not None and owner.tag not in ("script", "style"):
            self.texts.append(" ".join(text.split()))
            self.owners.append(owner)


def list_entries(root: Any, rule: dict[str, Any]) -> list[tuple[Any, int, int]]:
    """A page and the rule of a list -> (the entry as a tree of its own, its first row, the row behind it), in order."""
    rows = Rows(root)
    found: list[tuple[Any, int, int]] = []
    for group in _groups(root, rows, rule):
        alike = [_likeness(shape, rule["shapes"]) for _, _, _, shape in group]
        if alike and sum(alike) / len(alike) >= rule["least"]:
            chosen = [entry for entry, share in zip(group, alike, strict=True) if share >= ENTRY_LEAST]
            entries = [(made(), first, end) for made, first, end, _ in chosen]
            found += [entry for entry in entries if not rule["never"] or whole_text(entry[0]) not in rule["never"]]
    return found[:MOST_ENTRIES]


def headings_above(root: Any, entries: list[tuple[Any, int, int]], symbol: str) -> list[str]:
    """For each entry the nearest text above it that an element of that kind holds and no entry has; empty where there is none."""
    rows = Rows(root)
    inside = {row for _, first, end in entries for row in range(first, end)}
    places = [row for row, owner in enumerate(rows.owners) if row not in inside and _symbol(owner) == symbol]
    texts, at = [], 0
    nearest: dict[int, str] = {}
    for first in sorted({first for _, first, _ in entries}):
        while at < len(places) and places[at] < first:
            at += 1
        nearest[first] = rows.texts[places[at - 1]] if at else ""
    for _, first, _ in entries:
        texts.append(nearest[first])
    return texts


def whole_text(element: Any) -> str:
    """All that an entry says, with a blank where a browser begins a new line or cell."""
    parts = []
    for event, node in etree.iterwalk(element, events=("start", "end", "comment")):
        apart = " " if node.tag not in INLINE else ""
        if event == "start":
            parts.append(apart + ("" if node.tag in ("script", "style") else node.text or ""))
        elif node is not element:
            parts.append((apart if event == "end" else "") + (node.tail or ""))
    return " ".join("".join(parts).split())


def _groups(root: Any, rows: Rows, rule: dict[str, Any]) -> list[list[Any]]:
    """Entries by the element that holds them, each with what makes its tree, its rows and its shape."""
    nodes = root.xpath(rule["xpath"])
    if rule["opens"] or rule["parted"]:
        return [_run_entries(node, rows, rule) for node in nodes]
    by_parent: dict[Any, list[Any]] = {}
    for node in nodes[:MOST_ENTRIES]:
        if rows.first[node] < rows.end[node]:
            by_parent.setdefault(node.getparent(), []).append(_element_entry(node, rows))
    groups: dict[Any, list[Any]] = {}
    for parent, entries in by_parent.items():
        alone = len(entries) == 1
        key = ("around", None if parent is None else parent.getparent()) if alone else ("in", parent)
        groups.setdefault(key, []).extend(entries)
    return list(groups.values())


def _element_entry(node: Any, rows: Rows) -> Any:
    def made() -> Any:
        copy = deepcopy(node)
        copy.tail = None
        return copy

    first, end = rows.first[node], rows.end[node]
    return made, first, end, _shape(rows, first, end, node) if end - first <= MOST_ROWS else frozenset()


def _run_entries(node: Any, rows: Rows, rule: dict[str, Any]) -> list[Any]:
    entries = []
    for run in _runs(_items(node, rows), rule)[:MOST_ENTRIES]:
        first, end = run[0][2], run[-1][3]
        shape: set[str] = set()
        for symbol, element, start, stop, _ in run if end - first <= MOST_ROWS else ():
            if element is not None:
                inner = _shape(rows, start, stop, element)
                shape |= {f"{symbol.partition('.')[0]}/{path}".rstrip("/") for path in inner}
            elif symbol == "#text":
                shape.add("")
        entries.append((_Holder(run, rows), first, end, frozenset(shape)))
    return entries


class _Holder:
    """Makes the tree of a run: copies of its items below an element of their own."""

    def __init__(self, run: list[Any], rows: Rows) -> None:
        self.run, self.rows = run, rows

    def __call__(self) -> Any:
        holder = etree.Element("entry")
        for symbol, element, first, _, until in self.run:
            if symbol != "#text":
                holder.append(_copied(element, until) if element is not None else etree.Element("br"))
            elif len(holder):
                holder[-1].tail = (holder[-1].tail or "") + self.rows.texts[first]
            else:
                holder.text = (holder.text or "") + self.rows.texts[first]
        return holder


def _items(node: Any, rows: Rows) -> list[Any]:
    """(symbol, element or None, first row, the row behind, the element before which it ends) of all that stands in an element."""
    items: list[Any] = []
    row = rows.first[node]
    if row < len(rows.texts) and rows.owners[row] is node and node.text and not node.text.isspace():
        items.append(("#text", None, row, row + 1, None))
    for child in node:
        if isinstance(child.tag, str):
            items += _unfolded(child, rows)
        row = rows.end[child]
        if child.tail and not child.tail.isspace():
            items.append(("#text", None, row, row + 1, None))
    return _joined_breaks(items)


def _joined_breaks(items: list[Any]) -> list[Any]:
    joined: list[Any] = []
    for item in items:
        if item[0].partition(".")[0] != "br":
            joined.append(item)
        elif joined and joined[-1][0] in ("br", "br br") and joined[-1][1] is None:
            joined[-1] = ("br br", None, joined[-1][2], item[3], None)
        else:
            joined.append(("br", None, item[2], item[3], None))
    return joined


def _runs(items: list[Any], rule: dict[str, Any]) -> list[list[Any]]:
    opens, parted = rule["opens"], rule["parted"]
    runs: list[list[Any]] = []
    current: list[Any] | None = None
    for item in items:
        tag = item[0].partition(".")[0]
        if opens and item[0] == opens:
            current = [item]
            runs.append(current)
        elif (tag in STOPS and tag not in rule["goes_on"]) or (parted and item[0] == parted):
            current = None
        elif current is not None:
            current.append(item)
        elif not opens:
            current = [item]
            runs.append(current)
    return [run for run in runs if run[0][2] < run[-1][3]]


def _unfolded(element: Any, rows: Rows) -> list[Any]:
    """The element, or, where the page left it open and others of its kind stand within it, all of them side by side."""
    opened = _open_terms(element) if element.tag in LEFT_OPEN else _open_entries(element, rows)
    items: list[Any] = []
    for this, following in zip(opened, [*opened[1:], None], strict=True):
        end = rows.end[this] if following is None else rows.first[following]
        items.append((_symbol(this), this, rows.first[this], end, following))
    return items


def _open_terms(element: Any) -> list[Any]:
    opened = [element]
    while (inner := next((child for child in opened[-1] if child.tag in LEFT_OPEN), None)) is not None:
        opened.append(inner)
    return opened


def _open_entries(element: Any, rows: Rows) -> list[Any]:
    opened, closed = [element], 0
    while (inner := _next_open(opened[-1], _symbol(element), rows)) is not None:
        closed += rows.end[opened[-1]] > rows.end[inner]
        opened.append(inner)
    return opened if len(opened) >= LEAST_OPEN and closed <= MOST_CLOSED else opened[:1]


def _next_open(element: Any, symbol: str, rows: Rows) -> Any:
    inner = next((node for node in element.iterdescendants(element.tag) if _symbol(node) == symbol), None)
    if inner is None or not rows.first[element] < rows.first[inner] < rows.end[inner]:
        return None
    between = takewhile(lambda node: node is not element, inner.iterancestors())
    return None if any(node.tag in BETWEEN for node in between) else inner


def _copied(element: Any, until: Any) -> Any:
    """A copy of an element, as far as the one that stands within it and is an entry of its own."""
    if until is None:
        copy = deepcopy(element)
        copy.tail = None
        return copy
    way = [*takewhile(lambda node: node is not element, until.iterancestors())][::-1]
    copy = above = _bare(element)
    for node, following in zip([element, *way], [*way, until], strict=True):
        for child in node:
            if child is following:
                break
            above.append(deepcopy(child))
        if following is not until:
            above.append(_bare(following))
            above = above[-1]
    return copy


def _bare(node: Any) -> Any:
    copy = etree.Element(node.tag, dict(node.attrib))
    copy.text = node.text
    return copy


def _plain_class(element: Any) -> str:
    named = " ".join((element.get("class") or "").split())
    return "" if any(sign.isdigit() for sign in named) else named


def _symbol(element: Any) -> str:
    named = _plain_class(element)
    return f"{element.tag}.{named}" if named else str(element.tag)


def _shape(rows: Rows, first: int, end: int, root: Any) -> frozenset[str]:
    return frozenset(_path(owner, root) for owner in dict.fromkeys(rows.owners[first:end]))


def _path(element: Any, root: Any) -> str:
    parts: list[str] = []
    named = _plain_class(element) if element is not root else ""
    while element is not root and element is not None and len(parts) < DEEPEST_PATH:
        parts.append(element.tag)
        element = element.getparent()
    return "/".join(reversed(parts)) + (f".{named}" if named else "")


def _likeness(shape: Any, known: list[Any]) -> float:
    """Share of the paths that two shapes have in common, for the most alike of the known ones."""
    sets = [(shape & frozenset(each), shape | frozenset(each)) for each in known]
    return max((len(both) / len(either) for both, either in sets if either), default=0.0)
