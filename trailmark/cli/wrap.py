"""`trailmark wrap`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, all_named, archive_option, json_option
from trailmark.cli.taking_back import forget_kept, list_kept, taking_back
from trailmark.extract.tally import USUAL
from trailmark.quoting import count_of, shell_command
from trailmark.verbs.annotate import preview
from trailmark.verbs.propose import propose
from trailmark.verbs.wrap import wrap
from trailmark.verbs.wrap_report import LearntCluster
from trailmark.workspace import Workspace


@click.command("wrap")
@click.argument("ids", nargs=-1, metavar="")
@archive_option("Look for pages in this web archive too (repeatable; archives that were clustered are known).")
@click.option(
    "--propose",
    "proposing",
    is_flag=True,
    help="Propose values on clusters without rules, from sites of the same kind that have some.",
)
@click.option(
    "--preview", "previewed", metavar="CLUSTER", help="Show what the annotations so far would give on its sample pages."
)
@click.option(
    "--again",
    is_flag=True,
    help="Learn all rules anew from the annotations, those too that trailmark monitor repaired.",
)
@taking_back("rules, by cluster,")
@json_option
@click.pass_obj
def verb(
    folder: Path,
    ids: tuple[str, ...],
    archives: tuple[Path, ...],
    proposing: bool,
    previewed: str | None,
    again: bool,
    listing: bool,
    forgotten: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> int:
    """Learn rules from annotated pages, for each cluster that has some.

    A value without a place is looked for in its page; which of several places is meant is settled by looking at the other
    pages of the cluster. The rules are kept in models/rules.json, each with an XPath and a sentence. Where entries of a list
    are marked one after the other, each entry becomes a record. Clusters that nobody annotated get rules from their pages' own structured
    data, if they have any.

    Where the annotated pages can't tell which of two places is meant, it says which page to mark to settle it. Rules that trailmark monitor
    repaired are kept, unless something was marked on their pages since, or --again is given.

    With --propose nothing is learnt: what the rules of some sites find is looked for on the others, and what seems to be the same is
    written to proposals/ as annotations with a confidence, to be confirmed.

    \b
    trailmark -w my-project teach --annotations marks.jsonl
    trailmark -w my-project wrap
    trailmark -w my-project wrap --preview shop.example/1
    trailmark -w my-project wrap --propose
    trailmark -w my-project teach --annotations proposals/shop.example-1.jsonl
    trailmark -w my-project wrap --list
    trailmark -w my-project wrap --forget shop.example/1
    """
    if listing:
        return list_kept(folder, "rules", as_json)
    if forgotten:
        return forget_kept(folder, "rules", [*forgotten, *ids], yes=yes, as_json=as_json)
    archives = all_named(archives, ids)
    printer = Printer(as_json)
    if proposing:
        _propose(printer, folder, archives)
        return 0
    if previewed is not None:
        _preview(printer, folder, previewed, archives)
        return 0
    with Workspace.open(folder) as workspace:
        report = wrap(workspace, archives, again=again, progress=printer.progress)
    for cluster in report.clusters:
        _print_learnt(printer, cluster)
    for kept in report.kept:
        printer.say(
            f"{kept.id}: its rules were repaired by trailmark monitor ({kept.repaired}) and are kept. To learn them anew from the "
            "annotations: trailmark wrap --again"
        )
    for problem in report.problems:
        printer.say(problem)
    printer.say(f"The rules are in {workspace.rules_file}; next: trailmark extract")
    printer.report(report)
    return 0


def _print_learnt(printer: Printer, cluster: LearntCluster) -> None:
    rows = [(field.field, field.rules, f"{field.filled} of {field.records}", field.says) for field in cluster.fields]
    title = f"{cluster.id} ({count_of(len(cluster.annotated), 'page')} annotated)"
    printer.table(title, ["field", "rules", "filled on the sample", "the first of them"], rows)
    for field in cluster.fields:
        if field.filled < USUAL * field.records:
            printer.say(
                f"{cluster.id}: '{field.field}' is filled on {field.filled} of {field.records} records of the sample only; mark it on a page "
                "where it is missing, or say with null that it lacks it."
            )
    if cluster.entries:
        printer.say(f"{cluster.id}: a list of records. {cluster.entries.says}")
    for rule in cluster.structured:
        printer.say(f"{cluster.id}: '{rule.field}' is asked for first there: {rule.says}")
    for name in cluster.unlearnt:
        printer.say(f"{cluster.id}: no rule was found for '{name}'.")
    for question in cluster.asked:
        printer.say(f"{cluster.id}: {question.says}")
    for note in cluster.notes:
        printer.say(f"{cluster.id}: {note}")


def _preview(printer: Printer, folder: Path, cluster: str, archives: tuple[Path, ...]) -> None:
    with Workspace.open(folder) as workspace:
        report = preview(workspace, cluster, archives)
    rows = [
        (page.url, *("; ".join(fields.get(name, ())) for name in report.fields))
        for page in report.pages
        for fields in [record.fields for record in page.records] or [{}]
    ]
    printer.table(f"{cluster}, without putting anything to use", ["page", *report.fields], rows)
    printer.report(report)


def _propose(printer: Printer, folder: Path, archives: tuple[Path, ...]) -> None:
    with Workspace.open(folder) as workspace:
        report = propose(workspace, archives, progress=printer.progress)
    for cluster in report.clusters:
        rows = [
            (field.field, field.confidence, field.label, field.pages, " | ".join(field.values))
            for field in cluster.fields
        ]
        title = f"{cluster.id} ({count_of(cluster.pages, 'page')})"
        printer.table(title, ["field", "confidence", "stands after", "pages", "such as"], rows)
        command = shell_command("trailmark", "-w", folder, "teach", "--annotations", cluster.file)
        printer.say(f"Look them through, mend what is wrong, then: {command}")
    if not report.clusters:
        printer.say("Nothing on the other clusters is like what the rules find.")
    printer.report(report)
