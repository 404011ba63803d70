"""`trailmark evaluate TASK --data DIR`"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from evals.clusters import evaluate_clusters
from evals.courses import evaluate_courses
from evals.drift import evaluate_drift
from evals.forage import evaluate_forage
from evals.forage_cases import Selection
from evals.forage_curve import learning_curves
from evals.forage_strategies import STRATEGIES
from evals.matching import evaluate_matching
from evals.papers import evaluate_papers
from evals.paths import PAPER_TOKENS, PAPERS, PARTS, evaluate_paths
from evals.phrases import evaluate_phrases
from evals.print_cold_start import print_cold_start
from evals.print_courses import print_courses
from evals.print_drift import print_drift
from evals.print_forage import print_curves, print_forage
from evals.print_lists import print_lists
from evals.print_organise import print_matching, print_topics
from evals.print_papers import print_papers
from evals.print_phrases import print_phrases
from evals.print_tagging import print_tagging
from evals.tagging import TASKS as TAGGING
from evals.tagging import evaluate_tagging
from evals.topics import ROWS as TOPIC_ROWS
from evals.topics import evaluate_topics
from evals.wrapping import evaluate_wrap
from trailmark.cli.printing import FILE, Printer, json_option, on_option
from trailmark.scale.cluster import LOCAL, check_place
from trailmark.scale.places import hands_on
from trailmark.verbs.hands import Hands

FORAGE_ONLY = ("strategies", "taught", "answers")
PARTED_ONLY = ("jobs",)
"""Options that no other task has."""
PAPERS_ONLY = ("models",)
COURSES_ONLY = ("webs",)
QUICK = ("path", "breadth", "oracle")
"""Strategies of `forage --quick`."""
TASKS = (
    "paths",
    "forage",
    "cluster",
    "wrap",
    "drift",
    "lists",
    "papers",
    *TAGGING,
    "topics",
    "matching",
    "courses",
    "phrases",
)


def _names(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(name for name in (value or "").split(",") if name)


@click.command("evaluate")
@click.argument("task", type=click.Choice(TASKS), metavar="TASK")
@click.option("--data", type=FILE, metavar="DIR", help="The folder with the benchmark data; all but lists need it.")
@click.option(
    "--train", callback=_names, metavar="NAME,NAME", help="Webs to teach from (default: all others); for courses files."
)
@click.option(
    "--test", callback=_names, metavar="NAME,NAME", help="Webs to test on (default: all in turn); for courses files."
)
@click.option("--goal", "goals", callback=_names, metavar="NAME,NAME", help="Goals to measure (default: all).")
@click.option(
    "--quick",
    is_flag=True,
    help="Leave out what takes longest (for paths the learning curve, for wrap the cold start).",
)
@click.option(
    "--strategy", "strategies", callback=_names, metavar="NAME,NAME", help="For forage: strategies (default: all)."
)
@click.option(
    "--taught",
    type=click.Choice(["goal", "all"]),
    default="goal",
    show_default=True,
    help="For forage: teach the trails of the goal alone, or those of all goals, and set it beside the goal's alone.",
)
@click.option("--answers", is_flag=True, help="For forage: a simulated teacher answers questions after the walk.")
@click.option(
    "--curve",
    is_flag=True,
    help="Learning curves: for forage alone, by number of trails and of taught sites; for tagging by number of documents.",
)
@click.option(
    "--models",
    type=FILE,
    metavar="DIR",
    help="For papers: the folder of the taggers, for example models in a workspace (default: those that come with Trailmark).",
)
@click.option(
    "--webs",
    type=FILE,
    metavar="DIR",
    help="For courses and phrases: the folder of the archives (default: `webs` beside the data).",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="For forage and tagging: processes."
)
@click.option("--out", type=FILE, metavar="DIR", help="Draw plots into this folder.")
@on_option
@json_option
def verb(task: str, data: Path | None, out: Path | None, place: str, as_json: bool, **options: Any) -> None:
    """Measure a table of the papers on benchmark data, with the papers' figures beside ours.

    \b
    TASK is one of:  paths     labelling the pages of trails (PathLearner's tables 2 and 3)
                     forage    goals found against pages fetched, by strategy (PathLearner's figures 4 and 7, Cora's 5, 6, table 1), and how
                               right it is in what it takes pages for
                     cluster   pages grouped by template: purity, coverage, number of clusters
                     wrap      fields lifted off pages after 1, 2, 3 annotated pages (Vertex, section III-C), and with none, through
                               other sites of the kind; --test names sites
                     drift     rules watched and repaired on pages of two dates (Vertex, section IV); --test names sites
                     lists     records of list pages from 1, 2 marked entries, on the generated web
                     headers, references, talks, addresses
                               words tagged with fields (Cora's tables 2 to 6)
                     topics    items put in topics from keywords alone (Cora's table 8)
                     matching  references that mean the same paper (Cora, section 2)
                     papers    titles, authors and numbers of references of whole PDFs against a list made by reading them, and the test of
                               what is a paper
                     courses   types of the items of course pages, learnt and by keyword rules (Intinno, section 3.1.2)
                     phrases   key phrases of courses against those of their syllabi, and whether courses agree on what comes before

    \b
    trailmark evaluate paths --data webs/
    trailmark evaluate paths --data webs/ --train a,b --test c --json
    trailmark evaluate forage --data webs/ --on ray
    trailmark evaluate headers --data text/ --jobs 2
    """
    in_parts = task == "forage" or task in TAGGING
    if check_place(place) != LOCAL and not in_parts:
        raise click.UsageError(
            f"--on is for evaluate forage and the tagging tasks: evaluate {task} is done in this process."
        )
    printer = Printer(as_json)
    if task == "lists":
        printer.report(print_lists(printer, quick=options["quick"]))
        return
    if data is None:
        raise click.UsageError(f"evaluate {task} needs --data DIR: the folder with the benchmark data.")
    run: dict[str, Callable[..., dict[str, Any]]] = {
        "paths": _paths,
        "forage": _forage,
        "cluster": _cluster,
        "wrap": _wrap,
        "drift": _drift,
        "papers": _papers,
        **dict.fromkeys(TAGGING, partial(_tagging, task)),
        "topics": _topics,
        "matching": _matching,
        "courses": _courses,
        "phrases": _phrases,
    }
    if task not in ("courses", "phrases"):
        options = {name: value for name, value in options.items() if name not in COURSES_ONLY}
    if task != "papers":
        options = {name: value for name, value in options.items() if name not in PAPERS_ONLY}
    if task != "forage":
        others = FORAGE_ONLY if task in TAGGING else (*FORAGE_ONLY, *PARTED_ONLY, "curve")
        options = {name: value for name, value in options.items() if name not in others}
    with hands_on(place) as hands:
        where = {"hands": hands} if in_parts else {}
        printer.report(run[task](printer, data, out, **options, **where))


def _phrases(
    printer: Printer, data: Path, out: Path | None, *, quick: bool, webs: Path | None, **options: Any
) -> dict[str, Any]:
    del out, options
    report = evaluate_phrases(data, webs=webs, quick=quick, progress=printer.progress)
    print_phrases(printer, report)
    return report


def _topics(printer: Printer, data: Path, out: Path | None, *, quick: bool, **options: Any) -> dict[str, Any]:
    del out, options
    rows = ("bootstrap",) if quick else tuple(TOPIC_ROWS)
    report = evaluate_topics(data, rows=rows, progress=printer.progress)
    print_topics(printer, report)
    return report


def _matching(printer: Printer, data: Path, out: Path | None, **options: Any) -> dict[str, Any]:
    del out, options
    report = evaluate_matching(data, progress=printer.progress)
    print_matching(printer, report)
    return report


def _paths(printer: Printer, data: Path, out: Path | None, *, quick: bool, **options: Any) -> dict[str, Any]:
    report = evaluate_paths(data, **options, parts=PARTS[:-1] if quick else PARTS, progress=printer.progress)
    for name, tables in report["tables"].items():
        print_paths(printer, name, tables)
    if out is not None:
        from evals.plots import learning_curve

        out.mkdir(parents=True, exist_ok=True)
        learning_curve(report).savefig(out / "paths-learning-curve.png", dpi=110)
        printer.say(f"Drew {out / 'paths-learning-curve.png'}")
    return report


def _forage(
    printer: Printer,
    data: Path,
    out: Path | None,
    *,
    quick: bool,
    curve: bool,
    strategies: tuple[str, ...],
    **options: Any,
) -> dict[str, Any]:
    from evals.forage_plots import draw, draw_curves

    report: dict[str, Any]
    if curve:
        selection = Selection(*(options[name] for name in ("goals", "train", "test", "taught")))
        report = {
            "curve": learning_curves(
                data, selection, jobs=options["jobs"], progress=printer.progress, hands=options["hands"]
            )
        }
        print_curves(printer, report["curve"])
    else:
        strategies = strategies or (QUICK if quick else STRATEGIES)
        report = evaluate_forage(data, **options, strategies=strategies, progress=printer.progress)
        print_forage(printer, report)
    for file in (draw_curves if curve else draw)(report, out) if out is not None else ():
        printer.say(f"Drew {file}")
    return report


def _cluster(printer: Printer, data: Path, out: Path | None, **options: Any) -> dict[str, Any]:
    del out, options
    report = evaluate_clusters(data, progress=printer.progress)
    columns = {
        "pages": "pages",
        "labels": "labels",
        "purity": "purity",
        "coverage": "clustered",
        "clusters": "clusters",
        "coverage_of_two_and_more": "in 2+",
        "best_coverage_of_two_and_more": "best 2+",
        "inverse_purity": "inverse",
    }
    scores = [*report["sites"].items(), ("mean of sites", report["mean"]), ("all sites mixed", report["mixed"])]
    rows = [(name, *(score[column] for column in columns)) for name, score in scores]
    printer.table("Clusters", ["site", *columns.values()], rows)
    return report


def _wrap(
    printer: Printer, data: Path, out: Path | None, *, test: tuple[str, ...], quick: bool, **options: Any
) -> dict[str, Any]:
    del out, options
    report = evaluate_wrap(data, sites=test, progress=printer.progress)
    columns = ["annotated", "learner", "precision", "recall", "F1", "set F1", "micro F1", "sure and wrong", "left out"]
    rows = [
        (
            each["annotated"],
            each["learner"],
            *(each["macro"][name] for name in ("precision", "recall", "f1", "set_f1")),
            each["micro"]["f1"],
            each["sure_and_wrong"],
            each["left_out"],
        )
        for each in report["totals"]
    ]
    printer.table("Fields of pages, macro over site and field", columns, rows)
    weak = [row for row in report["sites"] if row["learner"] == "rules" and row["f1"] < 0.98]
    names = ("site", "field", "annotated", "precision", "recall", "f1", "sure_and_wrong", "left_out", "findable")
    printer.table("Fields below 0.98", list(names), [tuple(row[name] for name in names) for row in weak])
    effort = report["pages_until_right"]["all_fields"]
    printer.say(
        f"{effort['mean']:.2f} pages annotated until the rest of the sample is right; one sufficed on {effort['after_one']} of "
        f"{effort['sites']} sites."
    )
    printer.say(
        f"{report['ms_a_page']:.1f} ms a page, of which the parse takes {report['ms_to_parse_a_page']:.1f}; {report['seconds_to_learn_a_cluster']:.2f} s to learn a "
        f"cluster, {report['slowest_to_learn']:.2f} s at most."
    )
    return report if quick else {**report, "cold_start": print_cold_start(printer, data, test)}


def _drift(printer: Printer, data: Path, out: Path | None, *, test: tuple[str, ...], **options: Any) -> dict[str, Any]:
    del out, options
    report = evaluate_drift(data, sites=test, progress=printer.progress)
    print_drift(printer, report)
    return report


def _tagging(
    task: str,
    printer: Printer,
    data: Path,
    out: Path | None,
    *,
    curve: bool,
    quick: bool,
    jobs: int,
    hands: Hands | None,
    **options: Any,
) -> dict[str, Any]:
    del options
    report = evaluate_tagging(
        task, data, curve=curve, tables=not quick, jobs=jobs, hands=hands, progress=printer.progress
    )
    print_tagging(printer, report)
    if curve and out is not None:
        from evals.plots import tagging_curve

        out.mkdir(parents=True, exist_ok=True)
        tagging_curve(report).savefig(out / f"{task}-learning-curve.png", dpi=110)
        printer.say(f"Drew {out / f'{task}-learning-curve.png'}")
    return report


def _papers(printer: Printer, data: Path, out: Path | None, *, models: Path | None, **options: Any) -> dict[str, Any]:
    del out, options
    report = evaluate_papers(data, models, progress=printer.progress)
    print_papers(printer, report)
    return report


def _courses(
    printer: Printer,
    data: Path,
    out: Path | None,
    *,
    webs: Path | None,
    train: tuple[str, ...],
    test: tuple[str, ...],
    **options: Any,
) -> dict[str, Any]:
    del out, options
    report = evaluate_courses(data, webs=webs, train=train, test=test, progress=printer.progress)
    print_courses(printer, report)
    return report


def print_paths(printer: Printer, name: str, tables: dict[str, Any]) -> None:
    """PathLearner's tables 3 and 2 with ours beside; (A) all states, (G) the goal, (B) binary."""
    rows = [
        (f"{model} ({row[0].upper()})", *(_cells(tables["table 3"][model][row])), PAPERS[model][row][2] / 100)
        for model in tables["table 3"]
        for row in ("all", "goal", "binary")
    ]
    printer.table(f"{name}: models", ["model", "precision", "recall", "F1", "paper's F1 on its own data"], rows)
    tokens = [
        (count, *(_f1(table[row]) for row in ("all", "goal")), *(value / 100 for value in PAPER_TOKENS[count]))
        for count, table in tables["table 2"].items()
    ]
    printer.table(f"{name}: words of the page's body", ["words", "F1 (A)", "F1 (G)", "paper (A)", "paper (G)"], tokens)
    printer.say(f"{name}: F1 of the goal with outcomes only, no milestone named: {_f1(tables['outcomes only']):.3f}")
    if tables["learning curve"]:
        curve = [(count, _f1(point)) for count, point in tables["learning curve"].items()]
        printer.table(f"{name}: F1 of the goal by number of trails", ["trails", "F1 (G)"], curve)


def _cells(score: dict[str, float] | None) -> tuple[float, float, float]:
    return (score["precision"], score["recall"], score["f1"]) if score else (0.0, 0.0, 0.0)


def _f1(score: dict[str, float] | None) -> float:
    return score["f1"] if score else 0.0
