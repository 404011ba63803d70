"""A wiki's dump, written for the tests: every text is ours."""

from __future__ import annotations

import bz2
from collections.abc import Mapping
from html import escape
from pathlib import Path

BASE = "http://wiki.example/wiki/Main_Page"
HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n<siteinfo><sitename>Wiki</sitename>'
    f'<base>{BASE}</base><namespaces><namespace key="0" /><namespace key="1">Talk</namespace><namespace key="6">File</namespace>'
    '<namespace key="14">Category</namespace></namespaces></siteinfo>\n'
)
TAIL = "</mediawiki>\n"
PAGES = {
    "Graph theory": """{{Infobox|name=Graph {{nested|{{deep}}}}|image=[[File:g.png]]}}
'''Graph theory''' is about [[tree (graph theory)|trees]] and [[Euler]].<ref name="a">A note {{cite|x}}</ref> A bridge &amp; a path.
== Trees ==
A tree has no cycle.<!-- hidden words -->
* [[Spanning tree]]s
* A [http://outside.example/a page] elsewhere
{| class="wikitable"
|-
| cell that is left out || [[Euler]]
|}
=== Counting trees ===
[[File:tree.png|thumb|A caption with [[Euler]] in it]]
Cayley counted them. [[fr:Arbre]] [[Category:Graphs]]
""",
    "Euler": "'''Euler''' walked over bridges in a town and proved that no walk crosses each of them once.",
    "图论": "图论是数学的一个分支，研究[[Graph theory|图]]。\n== 树 ==\n没有回路。",
}
REDIRECTS = {"Theory of graphs": "Graph theory"}


def page_xml(title: str, text: str, *, space: int = 0, redirect: str = "") -> str:
    leads = f'<redirect title="{escape(redirect)}" />' if redirect else ""
    return (
        f"<page><title>{escape(title)}</title><ns>{space}</ns><id>7</id>{leads}<revision><id>1</id><timestamp>2020-02-03T04:05:06Z</timestamp>"
        f'<contributor><username>A title</username></contributor><text xml:space="preserve">{escape(text)}</text></revision></page>\n'
    )


def dump_xml(pages: Mapping[str, str] = PAGES, redirects: Mapping[str, str] = REDIRECTS) -> str:
    articles = "".join(page_xml(title, text) for title, text in pages.items())
    others = "".join(page_xml(title, "#REDIRECT", redirect=to) for title, to in redirects.items())
    return HEAD + articles + others + page_xml("Talk:Euler", "Chatter.", space=1) + TAIL


def write_dump(path: Path, text: str | None = None) -> Path:
    """A dump, packed as the name of the file says."""
    content = (dump_xml() if text is None else text).encode()
    path.write_bytes(bz2.compress(content) if path.suffix == ".bz2" else content)
    return path
