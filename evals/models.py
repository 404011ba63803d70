"""`make models`: taggers from the tagged text of a folder, each with the figure by which its kind was chosen, and a typer of course items from typed courses.

The folder of tagged text holds what `trailmark evaluate` measures on: `headers.train.jsonl`, `references.train.jsonl`, `seminars.train.jsonl`,
`addresses.train.jsonl`, each where it is at hand, and BibTeX files in `bibtex/`. Typed courses are `*.jsonl` in a folder of their own, their pages
in archives `NAME.warc.gz` in a folder beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.courses import OURS, archive_of_web, evaluate_courses, read_written
from evals.tagging import TASKS, evaluate_tagging
from trailmark.cli.tag import choice_text
from trailmark.errors import TrailmarkError
from trailmark.verbs.train_tagger import train_tagger
from trailmark.verbs.train_typer import train_typer
from trailmark.workspace import Workspace

OTHER_WORDS = "headers"
"""Where the hidden Markov model is measured on the words of the paper's preparation."""


def main() -> int:
    """Learn what the folder has text for; 2 where it has none."""
    parser = argparse.ArgumentParser(prog="python -m evals.models", description="Learn taggers from tagged text.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of tagged text")
    parser.add_argument(
        "--out", type=Path, required=True, help="the workspace whose folder models/ they go to; it is made"
    )
    parser.add_argument("--courses", type=Path, help="the folder of typed courses")
    parser.add_argument(
        "--webs", type=Path, help="the folder of the archives with their pages (default: webs beside it)"
    )
    parser.add_argument("--name", action="append", choices=sorted(TASKS), help="only this one (repeatable)")
    parser.add_argument("--no-figures", action="store_true", help="leave out cross-validation, which takes longest")
    arguments = parser.parse_args()
    try:
        figures = not arguments.no_figures
        typed = (
            learn_courses(arguments.courses, arguments.webs, arguments.out, figures=figures)
            if arguments.courses
            else False
        )
        code = learn_all(arguments.data, arguments.out, arguments.name or list(TASKS), figures=figures)
        return 0 if typed else code
    except TrailmarkError as error:
        print(error, file=sys.stderr)
        return 2


def learn_all(data: Path, out: Path, names: list[str], *, figures: bool) -> int:
    """Learn, measure and tell, one after the other."""
    bibtex = sorted([*data.glob("bibtex/*.bib"), *data.glob("bibtex/*.bib.xz")])
    learnt = 0
    with _workspace(out) as workspace:
        for name in names:
            file = data / f"{TASKS[name].file}.train.jsonl"
            if not file.is_file():
                print(f"{name}: {file} is not there; put tagged text there to learn it")
                continue
            report = train_tagger(workspace, file, name, bibtex=bibtex)
            learnt += 1
            print(f"{name}: learnt from {report.documents} documents: {report.file}", flush=True)
            print(f"{name}: {choice_text(report.choice)}", flush=True)
            if figures:
                print(f"{name}: {figure(evaluate_tagging(name, data))}", flush=True)
    if not learnt:
        print(f"{data} holds no tagged text; docs/how-to/tag.md says how to lay it out.", file=sys.stderr)
    return 0 if learnt else 2


def learn_courses(folder: Path, webs: Path | None, out: Path, *, figures: bool) -> bool:
    """Learn a typer of course items, where the folder has typed courses, measure and tell -> whether it did."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        print(f"courses: {folder} holds no typed courses; put some there to learn from them")
        return False
    names = dict.fromkeys(course.web for file in files for course in read_written(file))
    archives = [archive_of_web(webs or folder.parent / "webs", name) for name in names]
    with _workspace(out) as workspace:
        report = train_typer(workspace, files, archives)
    print(f"courses: learnt from {report.courses} courses with {report.items} typed links: {report.file}", flush=True)
    if figures:
        for name, test in evaluate_courses(folder, webs=webs)["tests"].items():
            print(
                f"courses: {name}, each web left out in turn: {test[OURS]['accuracy']:.3f} of the items are right",
                flush=True,
            )
    return True


def _workspace(folder: Path) -> Workspace:
    return Workspace.open(folder) if (folder / "trailmark.toml").is_file() else Workspace.create(folder)


def figure(report: dict[str, Any]) -> str:
    """Both kinds of models by word error, cross-validated or on a test file; headers are prepared otherwise for the hidden Markov model."""
    told = []
    for test, models in report["tests"].items():
        scores = ", ".join(f"{kind} {scores['word_error']:.4f}" for kind, scores in models.items())
        told.append(f"word error on {test}: {scores}")
    apart = "; the two on words that were prepared differently" if report["task"] == OTHER_WORDS else ""
    return "; ".join(told) + apart


if __name__ == "__main__":
    sys.exit(main())
