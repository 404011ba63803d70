"""A tree -> whether it is one that no browser would make of the page: something was lost, or stands where none would put it.

libxml2 reads tokens as browsers do, but builds its tree by rules of its own. Three differences matter to a reader:

- it ends the page at `</html>`: what follows is not in the tree;
- it ends the body at `</body>`: what follows, and every further body, hangs beside it;
- it leaves an entry open where another begins, if something else is open between them (`<li><span>one<li><span>two`), so that
  entries nest, row in row and item in item.

All three are looked for in the finished tree, which costs a hundredth of making it: the first two ask the root alone, the third
looks up one level from each entry. What merely differs (formatting that overlaps, text between rows) is left as it is: all of
it is there, in the order in which it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lxml import etree

UNSEEN = frozenset(("script", "style", "template", "title", "meta", "link", "base", "head"))
"""Elements that show nothing, wherever they stand."""

_ENTRIES = ("li", "tr", "dt", "dd")
"""Entries that end where the next one begins."""
_USUAL = frozenset(("ul", "ol", "menu", "dir", "table", "tbody", "thead", "tfoot", "dl"))
"""What entries stand in."""
_SAME = {"li": ("li",), "tr": ("tr",), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
_HOLDERS = {
    "li": ("ul", "ol", "menu", "dir", "table"),
    "tr": ("table",),
    "dt": ("dl", "ul", "ol", "table"),
    "dd": ("dl", "ul", "ol", "table"),
}
_LEVELS = 8
"""How far up an entry looks for the one that was left open."""


def is_damaged(root: etree._Element) -> bool:
    """Whether a browser would show something that the tree lacks, or that hangs outside its body, or that nests in it."""
    return goes_on(root) or _is_beside_body(root) or _nests(root)


def goes_on(root: etree._Element) -> bool:
    """Whether the page goes on behind the end of its root: then only the first part is in the tree."""
    if root.getnext() is None:
        return False
    return any(isinstance(part.tag, str) and _shows(part.iter()) for part in root.itersiblings())


def has_frames(root: etree._Element) -> bool:
    """Whether the page is one of frames: it says the rest to readers without frames, and a browser throws that away."""
    return any(next(part.iter("frameset"), None) is not None for part in (root, *root.itersiblings()))


def _is_beside_body(root: etree._Element) -> bool:
    """Whether something is shown behind the end of the body."""
    last = len(root) - 1
    if last < 0 or (
        last < 2 and root[last].tag == "body" and root[last].tail is None and (not last or root[0].tag == "head")
    ):
        return False  # nearly every page
    body = next(root.iterchildren("body"), None)
    if body is None:
        return False
    return _is_text(body.tail) or any(_shows(part.iter()) or _is_text(part.tail) for part in body.itersiblings())


def _shows(elements: Iterable[etree._Element]) -> bool:
    """Whether an element and what is in it hold a word or a link: a picture that counts visitors is nothing."""
    first = True
    for element in elements:
        seen = isinstance(element.tag, str) and element.tag not in UNSEEN
        if seen and (_is_text(element.text) or (element.tag == "a" and element.get("href") is not None)):
            return True
        if not first and _is_text(element.tail):
            return True
        first = False
    return False


def _is_text(text: str | None) -> bool:
    return text is not None and not text.isspace() and text != ""


def _nests(root: etree._Element) -> bool:
    """Whether an entry stands within another, and no list or table between them."""
    last = None
    for entry in root.iter(*_ENTRIES):
        above = entry.getparent()
        if above is not last:  # a tag costs more to ask for than a parent, and entries stand side by side
            last = above
            if above is not None and above.tag not in _USUAL and _stands_in_open(entry):
                return True
    return False


def _stands_in_open(entry: etree._Element) -> bool:
    tag = str(entry.tag)
    same, holders = _SAME[tag], _HOLDERS[tag]
    above = entry.getparent()
    for _ in range(_LEVELS):
        if above is None or above.tag in holders:
            return False
        if above.tag in same:
            return True
        above = above.getparent()
    return False


def may_be_damaged(tags: Sequence[str], parents: Sequence[int]) -> bool:
    """The same question of a page that was walked over and has no tree: wrong only where it says yes.

    `tags` are those of the elements in document order, `parents` the number of the one around each.
    """
    below = parents.count(0)
    if parents.count(-1) > 1 or below > 2 or (below == 2 and tags[1] != "head"):
        return True
    return any(
        tag in _SAME and tags[parent] not in _USUAL and _climbs(tags, parents, tag, parent)
        for tag, parent in zip(tags, parents, strict=True)
    )


def _climbs(tags: Sequence[str], parents: Sequence[int], tag: str, parent: int) -> bool:
    for _ in range(_LEVELS):
        if parent < 0 or tags[parent] in _HOLDERS[tag]:
            return False
        if tags[parent] in _SAME[tag]:
            return True
        parent = parents[parent]
    return False


def joined(root: etree._Element) -> etree._Element:
    """The root with all parts of the page in it, in their order, for pages that no other parser is given."""
    for part in list(root.itersiblings()):
        root.append(part)
    return root
