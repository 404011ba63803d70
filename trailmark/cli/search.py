"""`trailmark search QUERY`"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click
from rich.text import Text

from trailmark.cli.printing import Printer, json_option
from trailmark.quoting import count_of, shell_command, terminal_text
from trailmark.store.search_results import Hit, Ranking, Sort
from trailmark.store.snippets import Snippet
from trailmark.verbs.search import MOST, SearchReport, search
from trailmark.workspace import Workspace


@click.command("search")
@click.argument("words", nargs=-1, metavar="[QUERY]")
@click.option("--topic", metavar="T", help="Only items in this topic and below it: its path, or words of it.")
@click.option(
    "--sort", type=click.Choice(["rank", "cited", "year"]), default="rank", show_default=True, help="What comes first: the best match, the most cited, the newest."
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1, MOST), default=10, show_default=True, help="How many are shown.")
@click.option("--skip", type=click.IntRange(0), default=0, help="How many are passed over before these.")
@click.option(
    "--ranking", type=click.Choice(["bm25", "log-frequency"]), default="bm25", show_default=True, help="How matches are compared; log-frequency is the Cora paper's way."
)  # fmt: skip
@click.option(
    "--facets", is_flag=True, help="Count all that was found by topic, year, site and kind too (with --json)."
)
@json_option
@click.pass_obj
def verb(
    folder: Path,
    words: tuple[str, ...],
    topic: str | None,
    sort: str,
    limit: int,
    skip: int,
    ranking: str,
    facets: bool,
    as_json: bool,
) -> None:
    """Find items among those that were organised: by words, +word, -word, "a phrase", field:value, years.

    Put the query in quotes; one that begins with a minus comes after `--`. Without a query, all items are listed.

    \b
    trailmark -w my-project search '+garbage collector -java'
    trailmark -w my-project search 'author:knuth "literate programming" 1980..1999' --sort cited
    trailmark -w my-project search 'neur*' --topic 'Computer Science/Machine Learning' --limit 20 --json
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = search(
            workspace, " ".join(words), topic=topic, sort=cast("Sort", sort), limit=limit, skip=skip, ranking=cast("Ranking", ranking), facets=facets
        )  # fmt: skip
    print_found(printer, report, skip)
    printer.report(report)


def print_found(printer: Printer, report: SearchReport, skip: int = 0) -> None:
    """The report for a person."""
    for remark in report.remarks:
        printer.say(remark)
    if report.remarks and report.understood:
        printer.say(f"Read as: {report.understood}")
    if report.some_words:
        printer.say("No item has all the words; these have some of them.")
    if report.did_you_mean is not None:
        printer.say(f"Did you mean {shell_command(report.did_you_mean)}?")
    for number, hit in enumerate(report.hits, start=skip + 1):
        printer.say()
        _print_hit(printer, hit, number)
    printer.say()
    shown = f", {skip + 1} to {skip + len(report.hits)} shown" if 0 < len(report.hits) < report.total else ""
    printer.say(f"{count_of(report.total, 'item')} found{shown}.")


def _print_hit(printer: Printer, hit: Hit, number: int) -> None:
    printer.console.print(
        Text(f"{number}. ").append_text(_marked(hit.title_parts) if hit.title else Text("(no title)"))
    )
    facts = [
        hit.authors,
        str(hit.year or ""),
        hit.topic or "",
        f"cited {count_of(hit.cited, 'time')}" if hit.cited else "",
    ]
    if line := " · ".join(fact for fact in facts if fact):
        printer.say(f"   {line}")
    printer.say(f"   {hit.url}")
    if hit.snippet:
        printer.console.print(Text("   ").append_text(_marked(hit.snippet)))


def _marked(parts: Snippet) -> Text:
    """What was looked for in bold; no escape sequence of a page drives the terminal."""
    return Text.assemble(*((terminal_text(part.text), "bold" if part.marked else "") for part in parts))
