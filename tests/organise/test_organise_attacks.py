"""Organising while others do, killed in the middle, on doubled records and on hostile topics: the result is that of an undisturbed run, or a sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.organise.test_late_things import FIRST, LATER, filled, told
from tests.organise.test_things import TOPICS, keep, record
from tests.organise.test_topics import ITEMS
from trailmark.errors import InputError
from trailmark.organise.topic_tree import parse_topics
from trailmark.verbs import organise_citations, organise_things
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace

MANY = [
    record(f"http://m.example/{n}-{item.id}", title=f"{item.id} {n}", body=item.text)
    for n in range(5)
    for item in ITEMS
]


def command(workspace: Workspace) -> subprocess.Popen[bytes]:
    """`trailmark organise` in a process of its own."""
    program = "from trailmark.cli.main import main; main()"
    words = [sys.executable, "-c", program, "-w", str(workspace.folder), "organise", "--json"]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def reference(tmp_path: Path) -> Workspace:
    whole = filled(tmp_path / "undisturbed", FIRST, LATER, MANY)
    (whole.folder / "topics.json").write_text(TOPICS)
    organise(whole)
    return whole


def test_several_at_once_give_what_one_gives(tmp_path: Path) -> None:
    workspace = filled(tmp_path / "one", FIRST, LATER, MANY)
    (workspace.folder / "topics.json").write_text(TOPICS)
    running = [command(workspace) for _ in range(3)]
    for each in running:
        out, errors = each.communicate(timeout=300)
        assert each.returncode == 0, errors.decode()
        assert json.loads(out)["items"] == 305
    assert told(workspace) == told(reference(tmp_path))


def test_killed_again_and_again_the_next_run_gives_what_one_gives(tmp_path: Path) -> None:
    workspace = filled(tmp_path / "one", FIRST, LATER, MANY)
    (workspace.folder / "topics.json").write_text(TOPICS)
    for _ in range(4):
        process = command(workspace)
        begun = time.monotonic()
        file = workspace.folder / "organised.db-wal"
        # Killed once it has begun to write, or soon after it began at all.
        while (
            process.poll() is None and not (file.exists() and file.stat().st_size > 0) and time.monotonic() - begun < 60
        ):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    organise(workspace)
    assert told(workspace) == told(reference(tmp_path))


def test_one_who_was_overtaken_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = filled(tmp_path / "one", FIRST)
    calls: list[int] = []
    untold = organise_citations.citations_of

    def overtaken(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            with Workspace.open(workspace.folder) as other:
                keep(other, LATER)
                organise(other)
        return untold(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(organise_things, "citations_of", overtaken)
    organise(workspace)
    assert told(workspace) == told(filled_whole(tmp_path))


def filled_whole(tmp_path: Path) -> Workspace:
    whole = filled(tmp_path / "whole", FIRST, LATER)
    organise(whole)
    return whole


def test_the_same_records_doubled_are_the_same_things(tmp_path: Path) -> None:
    workspace = filled(tmp_path / "one", FIRST)
    before = organise(workspace)
    copies = [
        record(
            each.url.replace("a.example", "mirror.example"),
            each.kind,
            **{name: values[0] for name, values in each.fields.items()},
        )
        for each in FIRST
    ]
    keep(workspace, copies)
    after = organise(workspace)
    assert (after.items, after.references, after.cited) == (before.items, before.references, before.cited)


HUGE = {"name": "all", "children": [{"name": f"t{n}", "keywords": [f"k{n}", f"two words {n}"]} for n in range(900)]}
SCRIPTS = {
    "name": "全",
    "children": [
        {"name": "海", "keywords": ["船", "море", "θάλασσα", "سفينة", "ship"]},
        {"name": "نور", "keywords": ["plane"]},
    ],
}


@pytest.mark.parametrize("tree", [HUGE, SCRIPTS], ids=["huge", "scripts"])
def test_any_script_and_thousands_of_topics_are_organised(tmp_path: Path, tree: object) -> None:
    workspace = filled(tmp_path / "one", MANY[:60])
    file = tmp_path / "topics.json"
    file.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    report = organise(workspace, file)
    assert report.items == 60


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"name": "a"}',
        '{"name": "a", "children": [{"name": "a", "keywords": []}]}',
        '{"name": "a", "children": [{"name": "b", "keywords": ["x"]}, {"name": "b", "keywords": ["y"]}]}',
        '{"name": "a", "children": [{"name": "b", "keywords": ["x"]}, {"name": "c", "keywords": ["x"]}]}',
        '{"name": "a", "children": [{"name": "b", "keywords": ["x"], "children": [{"name": "b", "keywords": ["y"], "children": 7}]}]}',
        '{"name": "a", "children": [{"name": "b\u202e", "keywords": ["x"]}]}',
        '{"name": 7, "children": [{"name": "b", "keywords": ["x"]}]}',
        '{"name": "a", "children": ' + '[{"name": "b", "keywords": ["x"], "children": ' * 5000 + "[]" + "}]" * 5000 + "}",
        '{"name": "a", "name": "b", "children": [{"name": "c", "keywords": ["x"]}]}\x00',
    ],
)  # fmt: skip
def test_a_wrong_file_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_topics(text, "topics.json")
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500
