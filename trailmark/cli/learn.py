"""`trailmark learn`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option, on_option
from trailmark.learn.report import LearnReport, figures_words, plain_words
from trailmark.quoting import count_of
from trailmark.scale.places import hands_on
from trailmark.verbs.learn import learn
from trailmark.workspace import Workspace

WORDS_SHOWN = 4
_LEFT_OUT = ("site", "pages", "wanted", "called", "unsure", "others called", "unnamed called")


@click.command("learn")
@click.option(
    "--goal",
    "goals",
    multiple=True,
    metavar="NAME",
    help="Learn the way to pages with this label only (repeatable; without it, to all that were taught).",
)
@click.option(
    "--quick", is_flag=True, help="Take the settings as they are: neither compare models nor walk sites left out."
)
@on_option
@json_option
@click.pass_obj
def verb(folder: Path, goals: tuple[str, ...], quick: bool, place: str, as_json: bool) -> None:
    """Learn the way from the trails that were taught.

    Compares models and settings by cross-validation over the taught sites, keeps what is clearly better, and says what it
    picked and why, which words tell the kinds of page, and what to teach next. How well it does on other sites is measured: each
    taught site is left out in turn and walked over the pages at hand; with one site it can't be known yet. A goal is what the last
    pages of its trails are labelled; where several were taught, each is learnt for itself, and the others are contrast.

    \b
    trailmark -w my-project learn
    trailmark -w my-project learn --goal faculty
    trailmark -w my-project learn --goal faculty --goal course --quick
    trailmark -w my-project learn --on ray
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace, hands_on(place) as hands:
        report = learn(workspace, goals, choose_recipe=not quick, progress=printer.progress, hands=hands)
    for number, each in enumerate(report.goals):
        if number:
            printer.say()
        print_learnt(printer, each)
    for both in report.contradictions:
        printer.say(str(both))
    printer.report(report)


def print_learnt(printer: Printer, report: LearnReport) -> None:
    """What was learnt, for a person."""
    printer.say(
        f"Learnt the way to '{report.goal}' from {count_of(report.trails, 'trail')} on {count_of(report.sites, 'site')} "
        f"({report.goal_trails} to goals, {report.fail_trails} to pages not wanted), {count_of(report.features, 'feature')}."
    )
    printer.say(
        f"Picked {'; '.join(report.reasons)}." if report.trials else "There was too little to compare ways to learn."
    )
    if report.states:
        rows = [
            (state.label, state.precision, state.recall, state.f1, state.pages, "few examples" if state.few else "")
            for state in report.states
        ]
        printer.table(figures_words(report), ["label", "precision", "recall", "F1", "pages", ""], rows)
    printer.say(" ".join(plain_words(report)), style="bold")
    if report.promise is not None and report.promise.measured:
        counts = [
            (row.site, row.pages, row.wanted, row.called, row.unsure, row.others_called, row.unnamed_called)
            for row in report.promise.left_out
        ]
        printer.table(
            "Sites left out in turn: pages walked, pages you want, what it called goals or left unsure",
            _LEFT_OUT,
            counts,
        )
    words = [
        (label, report.rewards[label], _some(telling.pages), _some(telling.links or ()))
        for label, telling in report.words.items()
    ]
    words.sort(key=lambda row: -row[1])
    printer.table("What it goes by", ["label", "reward", "on the page", "on links to it"], words)
    for sentence in report.advice:
        printer.say(sentence)


def _some(words: tuple[str, ...]) -> str:
    return ", ".join(words[:WORDS_SHOWN])
