"""Run every task that has floors, print measured against floor, and end with 1 where one is not held."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.clusters import evaluate_clusters
from evals.cold_start import evaluate_cold_start
from evals.courses import evaluate_courses
from evals.drift import evaluate_drift
from evals.forage import CaseResult, case_result, whole_report
from evals.forage_cases import Selection, cases_at_hand
from evals.matching import evaluate_matching
from evals.papers import evaluate_papers
from evals.paths import evaluate_paths
from evals.phrases import evaluate_phrases
from evals.tagging import TASKS as TAGGING
from evals.tagging import material_of, tagged_part, tagging_report, tagging_work
from evals.topics import evaluate_topics
from evals.wrapping import evaluate_wrap
from trailmark.progress import silent

FLOORS = Path(__file__).parent / "floors.toml"


TASKS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "cold-start": lambda folder: {"cold_start": evaluate_cold_start(folder, seeds=(5,), progress=silent)},
    "cluster": lambda folder: evaluate_clusters(folder, progress=silent),
    "drift": lambda folder: evaluate_drift(folder, progress=silent),
    "wrap": lambda folder: evaluate_wrap(folder, pages=(1,), progress=silent),
    "paths": lambda folder: evaluate_paths(
        folder, parts=("models", "outcomes", "curve"), curve_counts=(8,), progress=silent
    )["tables"],
    "topics": partial(evaluate_topics, rows=("em-and-shrinkage", "bootstrap")),
    "matching": evaluate_matching,
    "papers": evaluate_papers,
    "courses": evaluate_courses,
    "phrases": partial(evaluate_phrases, quick=True),
}


@dataclass(frozen=True)
class Parted:
    """A task that is done in parts, so that no process waits for another."""

    parts: Callable[[Path], Sequence[Any]]
    part: Callable[[Path, Mapping[str, Any], Any], Any]
    """(Folder, settings of the task, a part) -> its result; a function of a module, for a process of its own."""
    whole: Callable[[Path, Sequence[Any]], dict[str, Any]]
    """(Folder, results of all parts in their order) -> the report."""


def forage_parts(folder: Path) -> list[tuple[int, ...]]:
    """The cases of each web and goal together, by their numbers: they share pages."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, case in enumerate(cases_at_hand(folder, Selection())):
        found.setdefault((case.web, case.goal), []).append(number)
    return [tuple(numbers) for numbers in found.values()]


def forage_part(folder: Path, settings: Mapping[str, Any], numbers: tuple[int, ...]) -> list[CaseResult]:
    """Some cases, walked with the strategies that the settings name."""
    strategies = tuple(settings.get("strategies", ("path",)))
    return [case_result(folder, Selection(), strategies, number) for number in numbers]


def tagging_parts(name: str, folder: Path) -> list[tuple[str, int]]:
    """What is learnt: each part by each model."""
    return tagging_work(material_of(name, folder))


def tagging_part(name: str, folder: Path, settings: Mapping[str, Any], work: tuple[str, int]) -> Any:
    """What one model that learnt from one part says of the rest."""
    del settings
    return tagged_part(name, folder, *work)


def tagging_whole(name: str, folder: Path, said: Sequence[Any]) -> dict[str, Any]:
    """The scores of all models over all parts."""
    material = material_of(name, folder)
    return tagging_report(name, material, tagging_work(material), said)


PARTED = {
    **{
        name: Parted(partial(tagging_parts, name), partial(tagging_part, name), partial(tagging_whole, name))
        for name in TAGGING
    },
    "forage": Parted(
        forage_parts,
        forage_part,
        lambda folder, parts: whole_report(folder, [result for part in parts for result in part]),
    ),
}


def corpus_digest(folder: Path) -> str:
    """The same for the same files: names and contents."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(file.relative_to(folder)).encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def figure(report: Any, path: str) -> float:
    """`a / b / c` -> report[a][b][c]; keys may be numbers."""
    for key in path.split(" / "):
        report = report[key] if key in report else report[int(key)]
    return float(report)


Row = tuple[str, float, float]
"""(what, measured, floor)"""


def held(task: str, settings: Mapping[str, Any], report: Mapping[str, Any]) -> list[Row]:
    """Every floor and order of a task; in an order the left one may fall behind the right one by `slack`, which is 0 unless it is named."""
    rows = [(f"{task}: {path}", figure(report, path), floor) for path, floor in settings.get("floors", {}).items()]
    slack = settings.get("slack", 0.0)
    pairs = [
        (better, other)
        for better, others in settings.get("orders", {}).items()
        for other in ([others] if isinstance(others, str) else others)
    ]
    return rows + [
        (f"{task}: {better}  >  {other}", figure(report, better), figure(report, other) - slack)
        for better, other in pairs
    ]


def timed(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """What a function gives, and how long it took."""
    start = time.perf_counter()
    return work(*arguments), time.perf_counter() - start


def run_task(task: str, settings: Mapping[str, Any], folder: Path) -> list[Row]:
    """The rows of a task that is done in one piece."""
    return held(task, settings, TASKS[settings.get("task", task)](folder))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    arguments = parser.parse_args()
    wanted = {}
    for task, settings in tomllib.loads(FLOORS.read_text(encoding="utf-8")).items():
        folder = arguments.data / settings["folder"]
        if arguments.task and task not in arguments.task:
            continue
        if not folder.is_dir():
            print(f"{task}: {folder} is not there, its floors are not checked")
            continue
        if (digest := corpus_digest(folder)) != settings["corpus"]:
            print(f"{task}: the data is not what the floors were measured on (digest {digest})")
        wanted[task] = (settings, folder)
    failed = checked = 0
    for task, rows, seconds in _finished(wanted):
        for what, measured, floor in rows:
            checked += 1
            failed += measured < floor
            mark = "ok    " if measured >= floor else "MISSED"
            print(f"{mark} {measured:.3f} (floor {floor:.3f})  {what}", flush=True)
        print(f"{task}: {seconds:.0f} s", flush=True)
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


def _finished(wanted: Mapping[str, tuple[dict[str, Any], Path]]) -> Iterator[tuple[str, list[Row], float]]:
    """(Task, its rows, seconds of work) over all processors; tasks that have parts come last, since parts fill what gaps there are."""
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        runs = {
            task: pool.submit(timed, run_task, task, settings, folder)
            for task, (settings, folder) in wanted.items()
            if settings.get("task", task) not in PARTED
        }
        parted = {
            task: [
                pool.submit(timed, PARTED[settings.get("task", task)].part, folder, settings, part)
                for part in PARTED[settings.get("task", task)].parts(folder)
            ]
            for task, (settings, folder) in wanted.items()
            if settings.get("task", task) in PARTED
        }
        for task, run in runs.items():
            yield task, *run.result()
        for task, parts in parted.items():
            settings, folder = wanted[task]
            results = [part.result() for part in parts]
            report = PARTED[settings.get("task", task)].whole(folder, [result for result, _ in results])
            yield task, held(task, settings, report), sum(seconds for _, seconds in results)


if __name__ == "__main__":
    sys.exit(main())
