"""`trailmark organise`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.errors import InputError
from trailmark.organise.topic_draft import FEWEST_ITEMS
from trailmark.organise.topic_tree import parse_topics
from trailmark.quoting import count_of
from trailmark.store.json_lines import written_whole
from trailmark.verbs.organise import move_item, organise, propose_topics
from trailmark.verbs.organise_report import OrganiseReport
from trailmark.workspace import Workspace

_GROUPED = {
    "anew": "All were grouped.",
    "added": "New ones joined groups or founded some.",
    "settled": "What was said of groups by hand holds now.",
    "nothing": "No group was due.",
}
SHOWN = 5
"""Doubtful things and confusions that are printed; --json has more."""


@click.command("organise")
@click.option("--topics", type=FILE, metavar="FILE", help="The topics, with keywords for each (kept for later runs).")
@click.option(
    "--propose",
    type=FILE,
    metavar="FILE",
    help="Write a draft of a topics file from the records instead; then edit it.",
)
@click.option("--groups", type=click.IntRange(2, 200), metavar="N", help="With --propose: so many topics.")
@click.option(
    "--move",
    "moves",
    nargs=2,
    multiple=True,
    metavar="KEY TOPIC",
    help="Put a thing in a topic first (repeatable); '' for no topic.",
)
@click.option("--again", is_flag=True, help="Learn topics anew although nothing has changed.")
@json_option
@click.pass_obj
def verb(
    folder: Path,
    topics: Path | None,
    propose: Path | None,
    groups: int | None,
    moves: tuple[tuple[str, str], ...],
    again: bool,
    as_json: bool,
) -> None:
    """Put records in topics, group what they cite, rank them, and index them for search.

    Run it again after every forage, extract or tag: only what changed is done. The topics file is a tree of names with keywords;
    a few keywords for each topic are all that a person writes.

    \b
    trailmark -w my-project organise --propose topics.json
    trailmark -w my-project organise --topics topics.json
    trailmark -w my-project organise
    """
    if groups is not None and propose is None:
        raise click.UsageError("--groups belongs to --propose FILE.")
    if propose is not None and (topics or moves or again):
        raise click.UsageError(
            "--propose writes a draft and organises nothing: leave out --topics, --move and --again."
        )
    printer = Printer(as_json)
    with Workspace.open(folder, who="command line") as workspace:
        if propose is not None:
            _propose(printer, workspace, propose, groups)
            return
        for key, topic in moves:
            move_item(workspace, key, topic)
        report = organise(workspace, topics, again=again, progress=printer.progress)
    _print(printer, report)
    printer.report(report)


def _propose(printer: Printer, workspace: Workspace, file: Path, groups: int | None) -> None:
    if file.exists():
        raise InputError(f"{file} is there already; name a new file for the draft.")
    text = propose_topics(workspace, groups)
    with written_whole(file) as opened:
        opened.write(text.encode())
    topics = len(parse_topics(text, str(file)).leaves)
    if groups is not None and topics < groups:
        printer.say(
            f"{groups} topics were wished for; the records make {topics} of {FEWEST_ITEMS} or more records each."
        )
    printer.say(
        f"A draft is in {file}: name its topics, weed the keywords, and then: trailmark organise --topics {file}"
    )


def _print(printer: Printer, report: OrganiseReport) -> None:
    if not report.items:
        printer.say(
            f"There are no records any more: {count_of(report.gone, 'thing')} that came of them are gone, and what was made of them. "
            "Lift or tag some: trailmark extract, trailmark tag"
        )
        return
    printer.say(f"{count_of(report.items, 'thing')}: {report.new} new, {report.changed} changed, {report.gone} gone.")
    if report.references:
        printer.say(
            f"{count_of(report.references, 'reference')} to {count_of(report.cited, 'different paper')}; {report.linked} of them to papers that are here. {_GROUPED[report.citations]}"
        )
    if report.learnt == "none":
        printer.say("There is no topics file yet; draft one with: trailmark organise --propose topics.json")
        return
    # Words are known where topics were learnt in this run; a column without any would look like a fault.
    columns = ["topic", "things", "its strongest words"][: 3 if any(topic.words for topic in report.topics) else 2]
    rows = [(topic.id, topic.items, " ".join(topic.words))[: len(columns)] for topic in report.topics]
    printer.table("Topics", columns, rows)
    said = {
        "anew": "Topics were learnt from all things.",
        "added": "New things were placed by what was learnt.",
        "nothing": "No topic was due.",
    }
    printer.say(f"{said[report.learnt]} {count_of(report.elsewhere, 'thing')} in no topic.")
    for item in report.doubtful[:SHOWN]:
        printer.say(
            f"Unsure ({item.chance:.2f}): {item.title} in {item.topic or 'no topic'}; put it right with --move {item.key} TOPIC"
        )
    for pair in report.confusions[:SHOWN]:
        printer.say(
            f"{pair.topic} and {pair.other} share about {count_of(round(pair.items), 'thing')}: give them keywords that tell them apart."
        )
