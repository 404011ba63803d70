"""A step of the demo: course pages of the web become courses with typed items, by the typer that comes with Trailmark; then packages and a map."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from trailmark.cli.printing import Printer
from trailmark.datatypes import Course, course_id
from trailmark.demo import DemoWeb
from trailmark.demo.course_site import LAYOUTS, CourseSite
from trailmark.quoting import count_of
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.course_table import read_course
from trailmark.verbs.course import course
from trailmark.verbs.map import map_courses
from trailmark.verbs.package import package
from trailmark.workspace import Workspace

SHOWN = 8
NAMES = {
    "headings": "one page, headings", "bold": "one page, bold text", "terms": "one page, a definition list", "colons": "one page, lines with a colon",
    "pages": "a page for each part", "frames": "frames", "weeks": "a table by week",
}  # fmt: skip


def type_courses(out: Path, web: DemoWeb, printer: Printer) -> dict[str, Any]:
    """Keep a course of every layout, type its links without any other data, and compare with what the web knows of them."""
    sites = [web.site(number % len(web)).course(number // len(web), layout) for number, layout in enumerate(LAYOUTS)]
    with ArchiveWriter(out / "courses.warc.gz") as writer:
        for site in sites:
            for response in site.responses():
                writer.write(response)
    with Workspace.open(out / "workspace") as workspace:
        report = course(workspace, [site.home for site in sites], [out / "courses.warc.gz"], progress=printer.progress)
        found = [read_course(workspace.database, course_id(site.home)) for site in sites]
        packed = package(workspace, out / "packages", progress=printer.progress)
        drawn = map_courses(workspace, out / "courses.html", progress=printer.progress)
    rows, right, total = [], 0, 0
    for site, made in zip(sites, found, strict=True):
        hits, links = _right(made, site)
        right, total = right + hits, total + links
        types = Counter(item.kind for item in made.items).most_common(3) if made else ()
        rows.append((NAMES[site.layout], site.code, made.term if made else "", ", ".join(f"{n} {kind}" for kind, n in types), f"{hits} of {links}"))  # fmt: skip
    printer.table("Courses", ["layout", "course", "term", "most of its items", "types right"], rows[:SHOWN])
    printer.say(f"   {right} of {total} links have the type that they were written with.", style="bold")
    printer.say(
        "   The typer learnt from courses of the same hand; what it gets right on pages of real universities is in docs/why/courses.md."
    )
    printer.say(
        f"   {count_of(len(packed.packages), 'package')} for a learning system in {packed.folder}, {count_of(packed.faults, 'fault')}; "
        f"what they teach, as a map of {count_of(len(drawn.phrases), 'phrase')}: {drawn.file}"
    )
    terms = sum(made is not None and made.term == site.term for site, made in zip(sites, found, strict=True))
    return {
        "courses": report.read,
        "items": report.items,
        "links": total,
        "types_right": right,
        "terms_right": terms,
        "packages": len(packed.packages),
        "package_faults": packed.faults,
        "phrases": len(drawn.phrases),
    }


def _right(made: Course | None, site: CourseSite) -> tuple[int, int]:
    """How many links of a course have their type, of how many."""
    kinds = {item.url: item.kind for item in (*made.items, *made.others)} if made else {}
    truth = {link.url: link.kind for link in reversed(site.links)}
    return sum(kinds.get(url) == kind for url, kind in truth.items()), len(truth)
