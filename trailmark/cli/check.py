"""`trailmark check`: one key for each page of a sample, and what the keys say of all pages that were found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from trailmark.cli.ask import read_answer, short_name
from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.cli.taking_back import WHO, forget_kept, list_kept, taking_back
from trailmark.forage.check_report import CheckReport
from trailmark.verbs.check import COUNT, CheckQuestion, check
from trailmark.verbs.forget import change_answer
from trailmark.workspace import Workspace


@click.command("check")
@click.argument("words", nargs=-1, metavar="[RUN]")
@click.option("--count", type=click.IntRange(0), default=COUNT, show_default=True, help="How many pages to ask about.")
@click.option("--goal", metavar="NAME", help="Only pages found as this goal, where the run looked for several.")
@click.option("--anew", is_flag=True, help="Draw another sample, from the pages that are called goals now.")
@click.option("--change", metavar="ID", help="Change an answer: with --wanted or --not-wanted.")
@click.option("--wanted/--not-wanted", "wanted", default=None, help="The other answer, with --change.")
@taking_back("answers about the pages of runs")
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    words: tuple[str, ...],
    count: int,
    goal: str | None,
    anew: bool,
    change: str | None,
    wanted: bool | None,
    listing: bool,
    forgotten: tuple[str, ...],
    yes: bool,
    archives: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Measure how many of the pages that a run found are right, by asking about a sample of them.

    RUN is the number of a run (trailmark status --runs lists them); without it the last one is checked. y: right, n: wrong, s: can't tell,
    q: enough. Five answers give a first figure, twenty a useful one; running it again goes on. Answers teach, as those of questions do.

    \b
    trailmark -w my-project check
    trailmark -w my-project check 3 --count 10
    trailmark -w my-project check --goal course
    trailmark -w my-project check --count 0 --json
    trailmark -w my-project check --list
    trailmark -w my-project check --forget 3/17
    trailmark -w my-project check --change 3/17 --not-wanted
    """
    if listing:
        return list_kept(folder, "answers", as_json)
    if forgotten:
        return forget_kept(folder, "answers", [*forgotten, *words], yes=yes, as_json=as_json)
    printer = Printer(as_json)
    if change is not None:
        return _change(folder, printer, change, wanted)
    run = _run(words)
    with Workspace.open(folder, who=WHO) as workspace:
        asker = _asker(printer, count)
        report = check(workspace, asker, run, count=count, anew=anew, archives=archives, goal=goal)
    printer.say(report.summary, style="bold")
    printer.report(report)
    return 0


def _run(words: tuple[str, ...]) -> int | None:
    if len(words) > 1 or any(not (word.isascii() and word.isdigit() and 0 < len(word) < 10) for word in words):
        raise click.UsageError(
            f"RUN is the number of a run, not '{' '.join(words)[:40]}'; trailmark forage --list shows them"
        )
    return int(words[0]) if words else None


def _change(folder: Path, printer: Printer, number: str, wanted: bool | None) -> int:
    if wanted is None:
        raise click.UsageError("say what it is with --wanted or --not-wanted")
    with Workspace.open(folder, who=WHO) as workspace:
        act = change_answer(workspace, number, wanted=wanted)
    printer.say(f"Changed. To have it as it was: trailmark undo {act}")
    printer.report({"act": act})
    return 0


def _asker(printer: Printer, count: int) -> Callable[[CheckQuestion, CheckReport], str | None]:
    asked = 0

    def ask(question: CheckQuestion, report: CheckReport) -> str | None:
        nonlocal asked
        asked += 1
        printer.say()
        printer.say(f"Page {asked} of {min(count, asked - 1 + report.left)}", style="bold")
        printer.say(question.url)
        if len(question.trail) > 1:
            printer.say("found over " + " > ".join(question.trail[:-1]), style="dim")
        kind = f"Is it what you want ({short_name(question.goal_name)})?" if question.goal_name else "Is it right?"
        printer.say(f"{kind} y: yes, n: no, s: skip, q: enough")
        return _key()

    return ask


def _key() -> str | None:
    """One key on a terminal, else a line."""
    if not sys.stdin.isatty():
        return read_answer(sys.stdin.readline())
    while (key := click.getchar().lower()) not in ("y", "n", "s", "q", "\r", "\n"):
        pass
    return read_answer(f"{key.strip()}\n")
