"""Run every task that has floors, print measured against floor, and end with 1 where one is not held."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.clusters import evaluate_clusters
from evals.cold_start import evaluate_cold_start
from evals.drift import evaluate_drift
from evals.forage import evaluate_forage
from evals.paths import evaluate_paths
from evals.wrapping import evaluate_wrap

FLOORS = Path(__file__).parent / "floors.toml"


def silent(items: Iterable[Any], label: str) -> Iterator[Any]:
    del label
    yield from items


TASKS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "cold-start": lambda folder: {"cold_start": evaluate_cold_start(folder, seeds=(5,), progress=silent)},
    "cluster": lambda folder: evaluate_clusters(folder, progress=silent),
    "drift": lambda folder: evaluate_drift(folder, progress=silent),
    "forage": lambda folder: evaluate_forage(folder, strategies=("path",), progress=silent),
    "wrap": lambda folder: evaluate_wrap(folder, pages=(1,), progress=silent),
    "paths": lambda folder: evaluate_paths(
        folder, parts=("models", "outcomes", "curve"), curve_counts=(8,), progress=silent
    )["tables"],
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


def held(task: str, settings: dict[str, Any], report: dict[str, Any]) -> list[tuple[str, float, float]]:
    """(what, measured, floor) of every floor and order of a task."""
    rows = [(f"{task}: {path}", figure(report, path), floor) for path, floor in settings.get("floors", {}).items()]
    for better, worse in settings.get("orders", {}).items():
        rows.append((f"{task}: {better}  >  {worse}", figure(report, better), figure(report, worse)))
    return rows


def run_task(task: str, settings: dict[str, Any], folder: Path) -> tuple[list[tuple[str, float, float]], float]:
    """The rows of a task, and how long it took."""
    start = time.perf_counter()
    return held(task, settings, TASKS[settings.get("task", task)](folder)), time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--task", action="append", help="only this task (repeatable)")
    arguments = parser.parse_args()
    failed = checked = 0
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        runs = {}
        for task, settings in tomllib.loads(FLOORS.read_text(encoding="utf-8")).items():
            folder = arguments.data / settings["folder"]
            if arguments.task and task not in arguments.task:
                continue
            if not folder.is_dir():
                print(f"{task}: {folder} is not there, its floors are not checked")
                continue
            if (digest := corpus_digest(folder)) != settings["corpus"]:
                print(f"{task}: the data is not what the floors were measured on (digest {digest})")
            runs[task] = pool.submit(run_task, task, settings, folder)
        for task, run in runs.items():
            rows, seconds = run.result()
            for what, measured, floor in rows:
                checked += 1
                failed += measured < floor
                mark = "ok    " if measured >= floor else "MISSED"
                print(f"{mark} {measured:.3f} (floor {floor:.3f})  {what}", flush=True)
            print(f"{task}: {seconds:.0f} s", flush=True)
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
