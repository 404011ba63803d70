"""Pages that parsers read differently, each a folder under `pages/`: `inputs/page.html`, `inputs/headers.json`, and `output.json`.

`output.json` holds what the reader makes of the page. Edit a page or add a folder, then write what is read now and look at the difference:

    python tests/read/page_fixtures.py            # every folder
    python tests/read/page_fixtures.py frames     # one of them
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read import parse_html, read_page, tokens
from trailmark.settings import ReadSettings

FOLDER = Path(__file__).parent / "pages"
URL = "http://pages.example/dir/page.html"
UNSEEN = ("script", "style", "template", "iframe", "noframes", "noembed")


def names() -> list[str]:
    return sorted(folder.name for folder in FOLDER.iterdir() if (folder / "inputs").is_dir())


def response(name: str) -> Response:
    """The page as a server sent it."""
    inputs = FOLDER / name / "inputs"
    headers = json.loads((inputs / "headers.json").read_text(encoding="utf-8"))
    return Response(URL, 200, tuple(headers.items()), (inputs / "page.html").read_bytes())


def output(name: str) -> dict[str, Any]:
    """What the reader makes of a page: as a tree, and as the forager sees it."""
    page = response(name)
    root, charset, cuts = parse_html(page.body, page.header("content-type"))
    read = read_page(page, ReadSettings(page_tokens=-1))
    return {
        "charset": charset,
        "title": read.title,
        "tree": "" if root is None else etree.tostring(root, encoding="unicode").strip(),
        "words": " ".join(shown_words(root)),
        "links": [[link.url, link.anchor] for link in read.links],
        "cuts": list(cuts),
    }


def shown_words(root: etree._Element | None) -> list[str]:
    """Words of the tree in document order, of all that a reader sees."""
    words: list[str] = []
    hidden: etree._Element | None = None
    for event, element in () if root is None else etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start" and hidden is None:
            hidden = element if element.tag in UNSEEN else None
            words += [] if hidden is not None else tokens(element.text or "")
        elif event != "start":
            hidden = None if hidden is element else hidden
            words += tokens(element.tail or "") if hidden is None and element is not root else []
    return words


def expected(name: str) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((FOLDER / name / "output.json").read_text(encoding="utf-8"))
    return known


if __name__ == "__main__":
    for chosen in sys.argv[1:] or names():
        text = json.dumps(output(chosen), indent=2, ensure_ascii=False) + "\n"
        (FOLDER / chosen / "output.json").write_text(text, encoding="utf-8")
        print(f"pages/{chosen}/output.json")
