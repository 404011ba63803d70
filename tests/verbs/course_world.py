"""Generated courses in archives, and workspaces that read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

from trailmark.datatypes import Response
from trailmark.demo.course_site import CourseSite, make_course_site
from trailmark.store.archive_writer import ArchiveWriter

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def course_site(number: int, layout: str, *, folder: str = "") -> CourseSite:
    """A generated course of a layout, in a folder of its own."""
    return make_course_site(
        Random(f"world/{number}"), folder or f"http://www.example.edu/class/c{number}/", layout=layout
    )


def write_pages(file: Path, pages: Mapping[str, str]) -> Path:
    """Addresses with their markup -> an archive of them."""
    with ArchiveWriter(file) as writer:
        for url, text in pages.items():
            writer.write(Response(url, 200, HTML, text.encode()))
    return file


def write_courses(file: Path, sites: Iterable[CourseSite]) -> Path:
    """Generated courses -> an archive of their pages."""
    return write_pages(file, {url: text for site in sites for url, text in (site.pages | site.files).items()})
