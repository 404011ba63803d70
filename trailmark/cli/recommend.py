"""`trailmark recommend URL`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.verbs.recommend import DEFAULT_LIMIT, recommend
from trailmark.workspace import Workspace


@click.command("recommend")
@click.argument("url")
@click.option("--limit", type=click.IntRange(1, 100), default=DEFAULT_LIMIT, show_default=True, help="Items at most.")
@click.option(
    "--sentences",
    type=click.IntRange(0, 50),
    help="Sentences of the abstract (default: course.sentences).",
)
@json_option
@click.pass_obj
def verb(folder: Path, url: str, limit: int, sentences: int | None, as_json: bool) -> None:
    """Find what other courses have on the same as an item, and say what the item is about.

    URL is the address of a lecture, an assignment or another item of a course whose text is archived. Each item that is recommended is named
    with the phrases that both have. The abstract is made of the item's own sentences.

    \b
    trailmark -w my-project recommend http://www.example.edu/cs101/sorting.html
    trailmark -w my-project recommend http://www.example.edu/cs101/sorting.html --limit 3 --sentences 5 --json
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = recommend(workspace, url, limit=limit, sentences=sentences, progress=printer.progress)
    printer.say(report.title or report.url, style="bold")
    for text in report.abstract:
        printer.say(f"  {text}")
    if report.recommended:
        rows = [
            (each.title or each.url, each.kind, each.score, ", ".join(each.shared), each.url)
            for each in report.recommended
        ]
        printer.table("On the same, in other courses", ["title", "type", "likeness", "both speak of", "address"], rows)
    else:
        printer.say("No item of another course speaks of the same.")
    printer.report(report)
