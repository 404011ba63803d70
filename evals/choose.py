"""`python -m evals.choose --data DIR`: what each constant of the model is worth, and which value other kinds of webs would choose for a kind.

Every value of every constant is tried with the others as they are, over a sample of the cases of each kind of web, with `path`. The score of a
kind is the mean of area (pages only) and of F1 of its verdicts. For each kind, the value that is best on all *other* kinds is chosen:
what the kind gets with it is what the choice is worth on webs that nobody looked at.

Pages are read once; then each run has a process of its own, which loads the model's modules with the value in question. Finished runs are
kept in a file, and not run again as long as the code is the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.choice_table import Constant, Runs, choice_page, choice_text
from evals.other_constants import forget, load_with, present_value
from trailmark.errors import InputError

ROOT = Path(__file__).parent.parent
GRID = Path(__file__).parent / "constants.toml"
KEPT_MODULES = ("trailmark.datatypes", "evals.choose", "evals.choice_table", "evals.other_constants")
"""Not loaded anew for a run: pages that were read are made of their classes."""


@dataclass(frozen=True)
class Run:
    """One value of one constant on one kind of webs; without a constant, everything as it is."""

    constant: str
    value: Any
    kind: str


PAGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
"""Pages and answers of each web, as they were read; a run's process has them from its parent."""


def main() -> int:
    arguments = _arguments()
    try:
        return _choose(arguments)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _choose(arguments: argparse.Namespace) -> int:
    constants = read_grid(arguments.grid, arguments.only)
    kinds = _read_pages(arguments.data, arguments.folds, arguments.kind, arguments.without)
    stamp = " ".join([code_digest(ROOT), str(arguments.folds), *arguments.without])
    done = read_runs(arguments.runs, stamp)
    wanted = [Run("", None, kind) for kind in kinds]
    wanted += [
        Run(constant.name, value, kind)
        for constant in constants
        for value in constant.values
        if value != constant.present
        for kind in kinds
    ]
    left = [run for run in wanted if run not in done]
    arguments.runs.parent.mkdir(parents=True, exist_ok=True)
    print(f"{len(wanted)} runs, {len(wanted) - len(left)} of them done before", file=sys.stderr, flush=True)
    started = time.perf_counter()
    with (
        multiprocessing.get_context("fork").Pool(arguments.jobs, maxtasksperchild=1) as pool,
        arguments.runs.open("a", encoding="utf-8") as file,
    ):
        work = [(arguments.data, arguments.folds, arguments.without, run) for run in left]
        for number, (run, figures) in enumerate(pool.imap_unordered(_figures, work, chunksize=1), start=1):
            done[run] = figures
            file.write(json.dumps({"stamp": stamp, **vars(run), **figures}) + "\n")
            file.flush()
            minutes = (time.perf_counter() - started) / 60
            print(f"{number} of {len(left)} runs, {minutes:.1f} min", file=sys.stderr, flush=True)
    runs: Runs = {(run.constant, run.value, run.kind): figures for run, figures in done.items()}
    print(choice_text(constants, kinds, runs))
    if arguments.write is not None:
        arguments.write.write_text(choice_page(constants, kinds, runs), encoding="utf-8")
        print(f"wrote {arguments.write}")
    return 0


def read_grid(path: Path, only: Sequence[str] = ()) -> list[Constant]:
    """The constants of a grid file, with the values that are tried: that of the source among them."""
    try:
        grid = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} can't be read as constants ({error}): mend it.") from error
    found = []
    for name, entry in grid.items():
        if not isinstance(entry, Mapping) or not isinstance(entry.get("values"), list):
            raise InputError(f"{path}: '{name}' has no list of values: give it one.")
        if only and not any(word in name for word in only):
            continue
        present, off = present_value(name), entry.get("off")
        values = dict.fromkeys([present, *entry["values"], *([] if off is None else [off])])
        found.append(Constant(name, str(entry.get("says", "")), present, tuple(sorted(values)), off))
    return found


def read_runs(path: Path, stamp: str) -> dict[Run, dict[str, float]]:
    """Finished runs of the same code and sample; lines that are not whole are left out."""
    found: dict[Run, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            entry = json.loads(line)
            if entry.pop("stamp") == stamp:
                found[Run(entry.pop("constant"), entry.pop("value"), entry.pop("kind"))] = entry
        except (ValueError, KeyError, AttributeError):
            continue
    return found


def code_digest(root: Path) -> str:
    """The same for the same code of the product and of the walks that measure it."""
    digest = hashlib.sha256()
    files = [*root.glob("trailmark/**/*.py"), *root.glob("evals/forage*.py"), root / "evals" / "verdicts.py"]
    for file in sorted(files):
        digest.update(str(file.relative_to(root)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _sample(folder: Path, folds: int, without: Sequence[str]) -> list[Any]:
    """The cases that are walked; imported here, since a run loads the modules of its own."""
    from evals.forage_cases import make_cases, sampled_cases

    every = list(make_cases(folder))
    return [every[number] for number in sampled_cases(every, folds) if every[number].goal not in without]


def _read_pages(folder: Path, folds: int, only: Sequence[str], without: Sequence[str]) -> list[str]:
    """Read all pages that a walk of the sample may come to; the kinds of webs in it."""
    cases = [case for case in _sample(folder, folds, without) if not only or case.kind in only]
    for number, case in enumerate(cases, start=1):
        print(f"reading pages: case {number} of {len(cases)}", file=sys.stderr, flush=True)
        for site in case.sites:
            _ = site.size  # comes by all its pages
        for web, trails in case.taught:
            for url in dict.fromkeys(step.url for trail in trails for step in trail.steps):
                web.page(url)
        for web in (*(web for web, _ in case.taught), case.sites[0].web):
            PAGES[web.web.name] = (web.pages, web.answers)
    if not cases:
        raise InputError(f"No web in {folder} can be walked with what the others teach.")
    return list(dict.fromkeys(case.kind for case in cases))


def _figures(work: tuple[Path, int, Sequence[str], Run]) -> tuple[Run, dict[str, float]]:
    """In a process of its own: the walks of a kind of webs, with one constant changed."""
    folder, folds, without, run = work
    started = time.perf_counter()
    forget(("trailmark", "evals"), but=KEPT_MODULES)
    load_with({run.constant: run.value} if run.constant else {})
    from evals.forage import walk_case
    from evals.forage_report import forage_report

    cases = [case for case in _sample(folder, folds, without) if case.kind == run.kind]
    for case in cases:
        for web in (*(web for web, _ in case.taught), case.sites[0].web):
            web.pages, web.answers = PAGES[web.web.name]
    walks = [walked for case in cases for walked in walk_case(case, ("path",))]
    means = forage_report(walks)["groups"][run.kind]["path"]
    return run, {
        "area": means["area_of_pages"],
        "f1": means["f1"] or 0.0,
        "seconds": round(time.perf_counter() - started, 1),
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.choose", description="What each constant is worth.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of benchmark webs")
    parser.add_argument("--grid", type=Path, default=GRID, metavar="FILE", help="constants and values to try")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="constants with this in their name (repeatable)"
    )
    parser.add_argument("--kind", action="append", default=[], help="only this kind of webs (repeatable)")
    parser.add_argument(
        "--without", action="append", default=[], metavar="GOAL", help="not this goal: one with many pages takes long"
    )
    parser.add_argument("--folds", type=int, default=1, help="folds of each web and goal (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument(
        "--runs",
        type=Path,
        default=Path("results/choose-runs.jsonl"),
        metavar="FILE",
        help="where finished runs are kept",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
