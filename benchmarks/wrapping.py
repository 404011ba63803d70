"""Rules beside other programs that learn from a marked page, on the same pages of the same sites, in one run.

    python -m benchmarks.wrapping FOLDER [--sites 6] [--pages 40] [--peer autoscraper]... [--venvs FOLDER]

FOLDER holds NAME.warc.xz with NAME.truth.jsonl, as for `trailmark evaluate wrap`. Each learner gets the first page of our own sampling
with its true values (ours also sees the rest of the sample, without values: that is its design), and must find the values of the
others. The first value found must be a true one. Peers are installed into environments of their own, made here and kept for the next
run; one that can't be installed is left out with a sentence. Times are processor time, with the parse.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

from evals.wrapping import annotation_sample, field_scores, macro_of, root_of, sampled, true_pages
from trailmark.wrap import NodeTable, learn_rules

Answer = dict[str, list[str]]

AUTOSCRAPER = """
import json, sys, time
from autoscraper import AutoScraper
site = json.load(open(sys.argv[1]))
learnt = AutoScraper()
learnt.build(html=site["train"]["html"], wanted_dict={k: v for k, v in site["train"]["values"].items() if v})
began = time.process_time()
found = [learnt.get_result_exact(html=html, group_by_alias=True) for html in site["test"]]
json.dump({"seconds": time.process_time() - began, "found": found}, open(sys.argv[2], "w"))
"""

SCRAPELY = """
import json, sys, time
from scrapely import HtmlPage, Scraper
site = json.load(open(sys.argv[1]))
learnt = Scraper()
learnt.train_from_htmlpage(HtmlPage("http://site.example/0", body=site["train"]["html"]),
                           {k: v[0] for k, v in site["train"]["values"].items() if v})
began = time.process_time()
found = [(learnt.scrape_page(HtmlPage("http://site.example/1", body=html)) or [{}])[0] for html in site["test"]]
json.dump({"seconds": time.process_time() - began, "found": found}, open(sys.argv[2], "w"))
"""

PEERS: dict[str, tuple[str, list[tuple[list[str], dict[str, str]]]]] = {
    "autoscraper": (AUTOSCRAPER, [(["autoscraper", "beautifulsoup4==4.12.3"], {})]),
    "scrapely": (
        SCRAPELY,
        [
            (["cython<3", "numpy<2", "w3lib<2", "six", "setuptools<81", "wheel"], {}),
            (["--no-build-isolation", "scrapely"], {"CYTHONIZE": "1"}),
        ],
    ),
}


def environment_of(peer: str, folder: Path) -> Path | None:
    """The Python of the peer's environment; None where it can't be made."""
    python = folder / peer / "bin" / "python"
    ready = folder / peer / "ready"
    if ready.exists():
        return python
    try:
        venv.create(folder / peer, with_pip=True)
        for packages, more in PEERS[peer][1]:
            command = [str(python), "-m", "pip", "install", "--quiet", *packages]
            subprocess.run(command, check=True, capture_output=True, timeout=900, env={**os.environ, **more})
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        print(
            f"{peer} is left out: it can't be installed ({said.decode(errors='replace').strip().splitlines()[-1][:150]})."
        )
        return None
    ready.touch()
    return python


def answers_of(peer: str, python: Path, site: dict[str, Any], most: float) -> tuple[list[Answer], float]:
    """What the peer finds on the site's test pages; nothing where it fails or takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        given, taken = Path(folder) / "site.json", Path(folder) / "found.json"
        given.write_text(json.dumps(site), encoding="utf-8")
        command = [str(python), "-c", PEERS[peer][0], str(given), str(taken)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=most)
        except (OSError, subprocess.SubprocessError):
            return [{} for _ in site["test"]], 0.0
        report = json.loads(taken.read_text(encoding="utf-8"))
    return [each if isinstance(each, dict) else {} for each in report["found"]], report["seconds"]


def measure(
    archive: Path, pages: int, pythons: dict[str, Path], most: float
) -> dict[str, tuple[list[Any], float, int]]:
    """Learner -> rows of scores, seconds, pages."""
    name = archive.name.split(".")[0]
    everything = true_pages(archive, name)[:pages]
    order = annotation_sample(everything)
    tables = [NodeTable(root_of(page)) for page in everything]
    tested = [page for number, page in enumerate(everything) if number != order[0]]
    rules = learn_rules(name, sampled(everything, tables, order, 1))
    began = time.process_time()
    ours: list[Answer] = [
        {field: list(values) for field, values in rules.record(page.url, NodeTable(root_of(page))).fields.items()}
        for page in tested
    ]
    found = {"trailmark": (ours, time.process_time() - began)}
    marked = everything[order[0]]
    texts = [page.body.decode("utf-8", "replace") for page in (marked, *tested)]
    site = {"train": {"html": texts[0], "values": marked.values}, "test": texts[1:]}
    for peer, python in pythons.items():
        found[peer] = answers_of(peer, python, site, most)
    scored = {}
    for learner, (answers, seconds) in found.items():
        rows = [
            field_scores(
                [(answer.get(field) or [], page.values[field]) for answer, page in zip(answers, tested, strict=True)]
            )
            for field in marked.values
        ]
        scored[learner] = rows, seconds, len(tested)
    return scored


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sites", type=int, default=6)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--peer", action="append", choices=sorted(PEERS), help="default: all")
    parser.add_argument("--venvs", type=Path, default=Path(tempfile.gettempdir()) / "trailmark-peers")
    parser.add_argument("--most", type=float, default=300.0, help="seconds that a peer may take for a site")
    options = parser.parse_args()
    archives = sorted(options.folder.glob("*.warc.*"))
    if not archives:
        print(f"{options.folder} holds no archives.", file=sys.stderr)
        return 1
    options.venvs.mkdir(parents=True, exist_ok=True)
    found = {peer: environment_of(peer, options.venvs) for peer in options.peer or sorted(PEERS)}
    pythons = {peer: python for peer, python in found.items() if python is not None}
    totals: dict[str, list[Any]] = {}
    for archive in archives[:: max(len(archives) // options.sites, 1)][: options.sites]:
        for learner, (rows, seconds, count) in measure(archive, options.pages, pythons, options.most).items():
            kept = totals.setdefault(learner, [[], 0.0, 0])
            kept[0] += rows
            kept[1] += seconds
            kept[2] += count
    print(f"{'learner':14}{'precision':>10}{'recall':>10}{'F1':>10}{'ms a page':>12}")
    for learner, (rows, seconds, count) in totals.items():
        macro = macro_of(rows)
        figures = "".join(f"{macro[name]:10.3f}" for name in ("precision", "recall", "f1"))
        print(f"{learner:14}{figures}{1000 * seconds / max(count, 1):12.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
