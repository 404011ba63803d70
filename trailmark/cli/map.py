"""`trailmark map FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.course.knowledge.map_maker import DEFAULT_PHRASES
from trailmark.course.knowledge.skos_file import BASE
from trailmark.quoting import count_of
from trailmark.verbs.map import MOST_PHRASES, map_courses
from trailmark.workspace import Workspace

SHOWN = 15


@click.command("map")
@click.argument("file", type=FILE)
@click.option(
    "--course", "courses", multiple=True, metavar="ID", help="Only this course, by id or address (repeatable)."
)
@click.option(
    "--phrases",
    type=click.IntRange(1, MOST_PHRASES),
    default=DEFAULT_PHRASES,
    show_default=True,
    help="Phrases that the map has at most; heads that several share come on top.",
)
@click.option(
    "--base", default=BASE, show_default=True, metavar="URL", help="What the addresses of concepts in SKOS begin with."
)
@json_option
@click.pass_obj
def verb(folder: Path, file: Path, courses: tuple[str, ...], phrases: int, base: str, as_json: bool) -> None:
    """Draw a map of what courses teach: .html, .svg, .ttl, .jsonld, .graphml or .json.

    Key phrases of the courses' pages and items, and how they stand to one another: broader or narrower, taught before, going together; each
    with the sentences behind it. An .html file can be walked from phrase to phrase; .ttl and .jsonld are SKOS.

    \b
    trailmark -w my-project map what-we-teach.html
    trailmark -w my-project map algorithms.ttl --course 1f0c22a9d3b4 --base https://example.org/topics/
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = map_courses(workspace, file, courses=courses, phrases=phrases, base=base, progress=printer.progress)
    named = ", ".join(phrase.label for phrase in report.phrases[:SHOWN])
    kinds = ", ".join(f"{number} {kind}" for kind, number in report.kinds.items()) or "no relations"
    printer.say(
        f"{count_of(len(report.phrases), 'phrase')} of {count_of(len(report.courses), 'course')} ({count_of(report.texts, 'text')}); {kinds}."
    )
    printer.say(f"Most telling: {named}.")
    printer.say(f"The map is in {file}.")
    printer.report(report)
