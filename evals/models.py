"""`make models`: taggers from the tagged text of a folder, each with the figure by which its kind was chosen.

The folder holds what `trailmark evaluate` measures on: `headers.train.jsonl`, `references.train.jsonl`, `seminars.train.jsonl`,
`addresses.train.jsonl`, each where it is at hand, and BibTeX files in `bibtex/`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.tagging import TASKS, evaluate_tagging
from trailmark.cli.tag import choice_text
from trailmark.errors import TrailmarkError
from trailmark.verbs.train_tagger import train_tagger
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
    parser.add_argument("--name", action="append", choices=sorted(TASKS), help="only this one (repeatable)")
    parser.add_argument("--no-figures", action="store_true", help="leave out cross-validation, which takes longest")
    arguments = parser.parse_args()
    try:
        return learn_all(arguments.data, arguments.out, arguments.name or list(TASKS), figures=not arguments.no_figures)
    except TrailmarkError as error:
        print(error, file=sys.stderr)
        return 2


def learn_all(data: Path, out: Path, names: list[str], *, figures: bool) -> int:
    """Learn, measure and tell, one after the other."""
    bibtex = sorted([*data.glob("bibtex/*.bib"), *data.glob("bibtex/*.bib.xz")])
    learnt = 0
    with Workspace.open(out) if (out / "trailmark.toml").is_file() else Workspace.create(out) as workspace:
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
