"""A page -> the tree that a browser makes of it, written down as XML.

The parser is one with the tree construction of the HTML standard (section 13.2.6). What it made is written as XML, which libxml2
then reads without rules of its own: that is as fast as its own reading of HTML, and serves a tree and a walk alike.

The tree is brought nearer to those of sound pages, so that the pages of a site look alike whether or not one of them was damaged: elements
that the standard adds in tables (`tbody`, `colgroup`) and an empty head are taken out where the page did not write them. Names have no
namespaces, as in HTML. Attributes whose names XML can't hold are left out, and so are tags of such names, but not what stands in them.

Two kinds of pages are refused, because the standard makes more of them than memory holds: formatting that is never closed is opened anew in every
paragraph, and each further `<html>` or `<body>` adds its attributes to the first. Elements deeper than 512 stand side by side, as in browsers.
"""

from __future__ import annotations

import re
from collections import Counter

from turbohtml import Html, parse

DEEPEST = 512
"""Nesting of elements at which the parser, like browsers, goes on side by side."""
MOST_COPIES = 1_000_000
"""Elements that may be opened anew, at most: some two hundred megabytes."""
MOST_ROOTS = 64

_ADDED = ("tbody", "colgroup")
_ROOTS = re.compile(rb"<(?:html|body)(?=[\s/>])", re.IGNORECASE)
_FORMATTING = re.compile(rb"<(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])[^>]{0,300}>?", re.IGNORECASE)
_PLAIN = re.compile(
    rb"<\w+(?:\s{1,9}[\w:-]+(?:=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))?)*\s{0,9}/?>",
)
"""A tag of which the first `>` is the end, whoever reads it."""
_WITH_NAMES = re.compile(r"<[^<>]* xml[^<>]*>")
_NAMES = re.compile(r" xml(?:ns)?(?::[^\s=\"<>]*)?=\"[^\"]*\"")


def browser_tree(page: bytes) -> bytes | None:
    """A page in clean UTF-8 -> its tree as XML; None where the page is refused."""
    if len(_ROOTS.findall(page)) > MOST_ROOTS or _copies(page) > MOST_COPIES:
        return None
    document = parse(page.decode("utf-8", "replace"), allow_declarative_shadow_roots=False)
    for tag in _ADDED:
        for element in document.find_all(tag):
            if element.source_line is None:
                element.unwrap()
    head = document.find("head")
    if head is not None and head.source_line is None and not head.children:
        head.extract()
    root = document.root
    return None if root is None else _without_names(root.serialize(Html(xml=True))).encode("utf-8", "replace")


def _copies(page: bytes) -> int:
    """How many elements the standard may open anew, at most: formatting left open, no more than three of a kind, once for every tag.

    A link is no part of it: the next one closes it.
    """
    counts = Counter(tag.lower() for tag in _FORMATTING.findall(page))
    kinds = sum(min(count, 3) if _PLAIN.fullmatch(tag) else count for tag, count in counts.items())
    return kinds * page.count(b"<")


def _without_names(text: str) -> str:
    """The XML without the names of namespaces. A `<` stands in it where a tag begins, or in a comment, and nowhere else."""
    return _WITH_NAMES.sub(lambda tag: _NAMES.sub("", tag.group()), text) if " xml" in text else text
