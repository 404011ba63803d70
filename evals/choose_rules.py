"""`python -m evals.choose_rules --data DIR`: what each constant of the rules is worth, chosen for each site by the others.

Every value of every constant is tried with the others as they are: rules are learnt from 1, 2 and 3 marked pages of each site and lift the fields
of other pages. For each site, the value that is best on all *other* sites is chosen: what the site gets with it is what the choice is worth on
sites that nobody looked at. Pages are read once; then each value has a process of its own, which loads the rules' modules with it.

A value of no use to anybody would be the best one if F1 alone counted, since a field that is never asked about costs nothing there, or if the
wrong answers alone did, since one may ask about everything: see `score`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

from evals.choice_table import Constant, Runs
from evals.choose import ROOT, Run, code_digest, read_grid, read_runs
from evals.other_constants import forget, load_with
from evals.rule_choice_table import rule_choice_page, rule_choice_text
from evals.wrapping import TruePage, annotation_sample, plain_name, root_of, sampled, true_pages
from evals.wrapping_scores import field_scores, occurs, sure_scores
from trailmark.errors import InputError
from trailmark.store.archive import archives_in
from trailmark.wrap import NodeTable, learn_rules

GRID = Path(__file__).parent / "rule_constants.toml"
MARKED = (1, 2, 3)
CHANGED = ("trailmark.wrap.rules", "trailmark.wrap.lists", "trailmark.wrap.structured", "trailmark.wrap.writing")
"""Loaded anew for a run; tables of pages that were read are of other modules, and stay."""

Site = tuple[list[TruePage], list[NodeTable], list[int]]
"""Pages with their truth, their tables, and the order in which they are marked."""

SITES: dict[str, Site] = {}
"""As they were read; a run's process has them from its parent."""


def main() -> int:
    arguments = _arguments()
    try:
        return _choose(arguments)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _choose(arguments: argparse.Namespace) -> int:
    constants = read_grid(arguments.grid, arguments.only)
    read_sites(arguments.data, arguments.pages, arguments.sites)
    stamp = f"{code_digest(ROOT)} {arguments.pages} {len(SITES)}"
    done = read_runs(arguments.runs, stamp)
    left = [pair for pair in _pairs(constants) if any(Run(*pair, site) not in done for site in SITES)]
    arguments.runs.parent.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    with (
        multiprocessing.get_context("fork").Pool(arguments.jobs, maxtasksperchild=1) as pool,
        arguments.runs.open("a", encoding="utf-8") as file,
    ):
        for number, (pair, found) in enumerate(pool.imap_unordered(_figures, left, chunksize=1), start=1):
            for site, figures in found.items():
                done[Run(*pair, site)] = figures
                file.write(json.dumps({"stamp": stamp, **vars(Run(*pair, site)), **figures}) + "\n")
            file.flush()
            minutes = (time.perf_counter() - started) / 60
            print(f"{number} of {len(left)} values, {minutes:.1f} min", file=sys.stderr, flush=True)
    runs: Runs = {(run.constant, run.value, run.kind): figures for run, figures in done.items()}
    print(rule_choice_text(constants, list(SITES), runs))
    if arguments.write is not None:
        arguments.write.write_text(rule_choice_page(constants, list(SITES), runs), encoding="utf-8")
        print(f"wrote {arguments.write}")
    return 0


def _pairs(constants: Sequence[Constant]) -> list[tuple[str, Any]]:
    """Everything as it is, then each constant with each other value."""
    others = [(each.name, value) for each in constants for value in each.values if value != each.present]
    return [("", None), *others]


def read_sites(folder: Path, most: int, sites: int) -> None:
    """So many sites of the folder, spread over their names, with the sample that is marked and so many further pages of each."""
    archives = archives_in(folder)
    if not archives:
        raise InputError(f"{folder} holds no archive: give a folder with NAME.warc.xz and NAME.truth.jsonl.")
    step = max(len(archives) / sites, 1.0)
    for number in range(min(sites, len(archives))):
        archive = archives[int(number * step)]
        name = plain_name(archive)
        pages = true_pages(archive, name)
        if not pages:
            continue
        order = annotation_sample(pages)
        others = [at for at in range(len(pages)) if at not in order]
        chosen = [pages[at] for at in [*order, *others[:: max(len(others) // most, 1)][:most]]]
        SITES[name] = chosen, [NodeTable(root_of(page)) for page in chosen], list(range(len(order)))
        print(f"reading pages: {name}", file=sys.stderr, flush=True)
        learn_rules(name, sampled(*SITES[name], 1))  # columns of the tables are made once, for all processes


def _figures(pair: tuple[str, Any]) -> tuple[tuple[str, Any], dict[str, dict[str, float]]]:
    """In a process of its own: all sites, with one constant changed."""
    forget(("trailmark",), but=[name for name in sys.modules if not name.startswith(CHANGED)])
    sys.modules.pop("trailmark.wrap", None)
    load_with({pair[0]: pair[1]} if pair[0] else {})
    from trailmark.wrap import learn_rules as learn

    return pair, {name: _site_figures(learn, name) for name in SITES}


def _site_figures(learn: Any, name: str) -> dict[str, float]:
    """The means of a site over its fields, for 1, 2 and 3 marked pages: `f1 1`, `set_f1 1` and so on."""
    pages, tables, order = SITES[name]
    found: dict[str, float] = {}
    for count in MARKED:
        rules = learn(name, sampled(pages, tables, order, count))
        tested = range(count, len(pages))
        records = [rules.record(pages[at].url, tables[at]) for at in tested]
        rows = []
        for field in pages[0].values:
            pairs = [
                (each.fields.get(field, ()), pages[at].values[field]) for each, at in zip(records, tested, strict=True)
            ]
            sure = sure_scores(pairs, [field not in each.unsure for each in records])
            scores = field_scores(pairs)
            doubted = 1.0 - (sure["sure_right"] + sure["sure_wrong"]) / max(scores["right"] + scores["wrong"], 1)
            rows.append({**scores, **sure, "unsure": doubted if scores["right"] + scores["wrong"] else 0.0})
        rows = [row for row in rows if occurs(row)]
        for figure in ("f1", "set_f1", "sure_and_wrong", "left_out", "unsure"):
            found[f"{figure} {count}"] = round(sum(row[figure] for row in rows) / max(len(rows), 1), 6)
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.choose_rules", description="What each constant of the rules is worth."
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of sites with their truth")
    parser.add_argument("--grid", type=Path, default=GRID, metavar="FILE", help="constants and values to try")
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORD", help="constants with this in their name (repeatable)"
    )
    parser.add_argument("--sites", type=int, default=1000, help="sites of the folder (all)")
    parser.add_argument("--pages", type=int, default=20, help="pages of a site that are tested beside the sample (20)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument(
        "--runs",
        type=Path,
        default=Path("results/choose-rules-runs.jsonl"),
        metavar="FILE",
        help="where finished runs are kept",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
