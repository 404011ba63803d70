"""The same pages and the same marks give the same clusters, rules, proposals, records and repairs in any process."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.monitor.shop_versions import HTML, WORDS, archive, facts_of, first_design, marks, second_design
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter

WORK = """
import json
from datetime import UTC, datetime
from pathlib import Path
import trailmark
from trailmark.report import as_json
from trailmark.verbs.propose import propose
from trailmark.verbs.teach import teach_annotations

old, new = Path("../old.warc.gz"), Path("../new.warc.gz")
with trailmark.create("w") as workspace:
    made = [trailmark.cluster(workspace, [old])]
    teach_annotations(workspace, [Path("../marks.jsonl")])
    made += [trailmark.wrap(workspace), propose(workspace)]
    Path("learnt.json").write_bytes(workspace.rules_file.read_bytes())
    made += [trailmark.extract(workspace, out=Path("records.jsonl"), jobs=1)]
    made += [trailmark.monitor(workspace, [new], repair=True, now=datetime(2026, 1, 2, tzinfo=UTC))]
Path("reports.json").write_text(json.dumps(as_json(made)))
"""
RULES = """
import pickle, sys
from pathlib import Path
from trailmark.workspace import Workspace
with Workspace.open(Path("w")) as workspace:
    sys.stdout.buffer.write(pickle.dumps(workspace.rules()))
"""
LIFT = """
import pickle, sys
from pathlib import Path
from trailmark.read import tree_of
from trailmark.store.archive import read_archive
from trailmark.wrap import NodeTable
rules = pickle.load(sys.stdin.buffer)["shop.example/1"]
pages = [page for page in read_archive(Path("../new.warc.gz"))]
found = [rules.records(page.url, NodeTable(tree_of(page))) for page in pages]
assert len(found) == 20 and all(records and records[0].fields["title"] for records in found), found
"""


def list_page(number: int) -> str:
    lines = "".join(
        f"<li><b>{word} of {number}</b>, <i>{1990 + number % 7 + at % 2}</i></li>" for at, word in enumerate(WORDS)
    )
    return f"<html><head><title>Papers</title></head><body><h1>Papers {number}</h1><ul>{lines}</ul></body></html>"


def write_pages(folder: Path) -> None:
    """A shop with marks, lists with marks, and a new shop in another dress; the first shop redesigned later."""
    with ArchiveWriter(folder / "old.warc.gz") as writer:
        for number in range(20):
            writer.write(Response(f"http://shop.example/item/{number}", 200, HTML, first_design(number).encode()))
            writer.write(Response(f"http://lab.example/papers/{number}", 200, HTML, list_page(number).encode()))
            writer.write(Response(f"http://new.example/goods/{number}", 200, HTML, second_design(number + 40).encode()))
    archive(folder / "new.warc.gz", second_design)
    marks(folder / "marks.jsonl", (2, 7))
    entries = [
        {"url": "http://lab.example/papers/3", "field": field, "value": value}
        for at, word in enumerate(WORDS[:3])
        for field, value in (("paper", f"{word} of 3"), ("year", str(1993 + at % 2)))
    ]
    with (folder / "marks.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entries)


def python(program: str, folder: Path, seed: int, given: bytes = b"") -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, input=given, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.slow
def test_nothing_hangs_on_the_seed_of_hashes(tmp_path: Path) -> None:
    write_pages(tmp_path)
    folders = [tmp_path / f"seed{seed}" for seed in range(3)]
    for seed, folder in enumerate(folders):
        folder.mkdir()
        python(WORK, folder, seed)
    names = ["learnt.json", "w/models/rules.json", "records.jsonl", "reports.json"]
    proposals = sorted(path.relative_to(folders[0]) for path in folders[0].glob("w/proposals/*.jsonl"))
    assert proposals
    for name in [*names, *map(str, proposals)]:
        texts = [(folder / name).read_bytes() for folder in folders]
        assert texts[0] == texts[1] == texts[2], name
    cluster, wrap, propose, extract, monitor = json.loads((folders[0] / "reports.json").read_text(encoding="utf-8"))
    assert (len(cluster["clusters"]), len(wrap["clusters"]), len(propose["clusters"])) == (3, 2, 1)
    assert extract["records"] == 20 + 20 * len(WORDS)
    assert next(each for each in monitor["clusters"] if each["cluster"].startswith("shop"))["status"] == "repaired"
    assert facts_of(3)["title"] in (folders[0] / "records.jsonl").read_text(encoding="utf-8")
    rules = python(RULES, folders[0], seed=1)
    assert set(pickle.loads(rules)) == {each["id"] for each in wrap["clusters"]}
    python(LIFT, folders[0], seed=2, given=rules)
