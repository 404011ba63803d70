"""`trailmark shape`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.cli.taking_back import WHO
from trailmark.shape.field_step import FieldStep, How
from trailmark.shape.normal_form import FORMS
from trailmark.shape.step_trial import StepTrial
from trailmark.verbs.shape import ShapeReport, change_field, redo, shape_acts, try_change, undo
from trailmark.workspace import Workspace

_HOWS: tuple[How, ...] = ("rename", "split", "join", "match", "replace", "type")


@click.command("shape")
@click.argument("fields", nargs=-1)
@click.option("--rename", metavar="NAME", help="Call the field NAME.")
@click.option(
    "--split", metavar="SIGN", help="Split its values at SIGN, into the fields of --into, or into several values."
)
@click.option("--join", metavar="SIGN", help="Join several fields with SIGN between, as the field of --into.")
@click.option(
    "--match", metavar="REGEX", help="Keep what the regular expression finds; its first group, where it has one."
)
@click.option("--replace", metavar="REGEX", help="Replace what the regular expression finds by --put.")
@click.option("--type", "form", type=click.Choice(FORMS), help="Bring its values to one form.")
@click.option("--into", multiple=True, metavar="NAME", help="With --split and --join: the new field (repeatable).")
@click.option("--put", default="", metavar="TEXT", help=r"With --replace: what is put in; \1 is the first group.")
@click.option(
    "--order", type=click.Choice(["dmy", "mdy"]), help="With --type date: whether 3/4/2024 is in April or in March."
)
@click.option(
    "--decimal", type=click.Choice([".", ","]), help="With --type number or price: the sign before a fraction."
)
@click.option("--try", "trying", is_flag=True, help="Show what it would make of the first records, and change nothing.")
@click.option("--undo", "undone", type=click.IntRange(1), metavar="N", help="Take back the change with this number.")
@click.option("--redo", "redone", type=click.IntRange(1), metavar="N", help="Make a change again that was taken back.")
@json_option
@click.pass_obj
def verb(
    folder: Path,
    fields: tuple[str, ...],
    rename: str | None,
    split: str | None,
    join: str | None,
    match: str | None,
    replace: str | None,
    form: str | None,
    into: tuple[str, ...],
    put: str,
    order: str | None,
    decimal: str | None,
    trying: bool,
    undone: int | None,
    redone: int | None,
    as_json: bool,
) -> None:
    """Change fields of all records: rename, split, join, cut by a regular expression, bring to one form.

    Changes are kept in the workspace and made again whenever records are lifted. Without a field it lists them, those of single values
    that were made in the app too; each can be undone, here or with trailmark undo under the same number.

    \b
    trailmark -w my-project shape price --type price --try
    trailmark -w my-project shape price --type price
    trailmark -w my-project shape name --split ", " --into last --into first
    trailmark -w my-project shape year --match "\\d{4}"
    trailmark -w my-project shape
    trailmark -w my-project shape --undo 2
    """
    printer = Printer(as_json)
    given = (rename, split, join, match, replace, form)
    chosen = [how for how, value in zip(_HOWS, given, strict=True) if value is not None]
    if bool(fields) != (len(chosen) == 1) or len(chosen) > 1:
        raise click.UsageError("name a field and one of --rename, --split, --join, --match, --replace and --type")
    if fields and len(fields) > 1 and chosen != ["join"]:
        raise click.UsageError("only --join takes several fields")
    with Workspace.open(folder, who=WHO) as workspace:
        if not fields:
            report = undo(workspace, undone) if undone else redo(workspace, redone) if redone else shape_acts(workspace)
            _print_acts(printer, report)
            printer.report(report)
            return
        step = FieldStep(
            chosen[0],
            fields,
            (rename,) if rename is not None else into,
            next((text for text in (split, join, match, replace) if text is not None), ""),
            put,
            form or "text",  # type: ignore[arg-type]
            order or "",  # type: ignore[arg-type]
            decimal or "",
        )
        trial = try_change(workspace, step)
        _print_trial(printer, trial)
        if trying:
            printer.say("Nothing was changed.")
            printer.report(trial)
            return
        report = change_field(workspace, step)
    number = report.acts[-1].id
    printer.say(f"It is change {number}; take it back with: trailmark shape --undo {number}")
    printer.report(report)


def _print_trial(printer: Printer, trial: StepTrial) -> None:
    rows = [
        [*("; ".join(values) for _, values in row.before), "→", *("; ".join(values) for _, values in row.after)]
        for row in trial.rows
    ]
    printer.table("The first records", [*trial.fields, "", *trial.into], rows)
    printer.say(trial.summary)


def _print_acts(printer: Printer, report: ShapeReport) -> None:
    if not report.acts:
        printer.say("Nothing was changed yet.")
        return
    rows = [(act.id, act.at, "taken back" if act.undone else "", act.sentence) for act in report.acts]
    printer.table("Changes", ["number", "made", "", "what"], rows)
