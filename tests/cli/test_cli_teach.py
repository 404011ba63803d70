"""`trailmark teach`: each bad line is named, the good ones are kept, exit codes tell which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trailmark.workspace import Workspace

SITE = "http://dept.example/"


def kept(folder: Path) -> int:
    with Workspace.open(folder) as workspace:
        return len(list(workspace.database.trails()))


def test_good_trails_are_imported(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good())
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "Imported 2 trails.\n"
    with Workspace.open(workspace) as opened:
        first, second = opened.database.trails()
        assert [step.anchor for step in first.steps] == [None, "People", "Ada", "Publications"]
        assert second.outcome == "fail"
        known = [SITE + path for path in ("", "people/", "~ada/", "~ada/pubs.html", "~bob/")]
        assert all(opened.database.page(url) for url in known)
        assert opened.database.counts()["pages"] == len(known)


def test_the_report(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good(), "nonsense")
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive, "--json")
    assert ended.code == 1
    assert ended.report == {
        "trails": 2,
        "known_already": 0,
        "good": 2,
        "problems": [{"file": str(file), "line": 3, "reason": "not valid JSON (Expecting value at column 1)"}],
        "summary": "Imported 2 trails. 1 left out.",
        "sites": [SITE],
        "contradictions": [],
    }
    assert "Imported 2 trails" in ended.err


def test_teaching_twice_changes_nothing(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good(), small_web.good()[0])
    arguments = ("-w", workspace, "teach", file, "--replay", small_web.archive, "--json")
    first = trailmark(*arguments).report
    assert (first["trails"], first["known_already"]) == (2, 1)
    archives = {path: path.read_bytes() for path in (workspace / "archive").glob("*.warc.gz")}
    before = trailmark("-w", workspace, "status", "--json").report
    again = trailmark(*arguments)
    assert again.code == 0
    assert (again.report["trails"], again.report["known_already"]) == (0, 3)
    assert trailmark("-w", workspace, "status", "--json").report == before
    assert {path: path.read_bytes() for path in (workspace / "archive").glob("*.warc.gz")} == archives


def test_what_was_taught_can_be_taught_again_without_the_archive(
    trailmark: Any, workspace: Path, small_web: Any
) -> None:
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    # The pages are in the workspace, so nothing has to be fetched, and no contact is needed.
    again = trailmark("-w", workspace, "teach", file)
    assert (again.code, again.out) == (0, "Imported 0 trails. 2 known already.\n")


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        (("", "~ada/"), f"step 2 ({SITE}~ada/) is not linked from the step before it ({SITE})"),
        (("", "gone"), f"the page {SITE}gone can't be had (it answers 404)"),
        (("gone", "people/"), f"the page {SITE}gone can't be had (it answers 404)"),
        (("", "loop"), f"the page {SITE}loop can't be had (it answers 508)"),
    ],
)
def test_bad_trails_are_named(
    paths: tuple[str, ...], reason: str, trailmark: Any, workspace: Path, small_web: Any
) -> None:
    file = small_web.file("", small_web.trail(*paths), *small_web.good())
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert ended.code == 1
    assert ended.err == f"trailmark: {file}, line 2: {reason}.\n"
    assert ended.out == "Imported 2 trails. 1 left out.\n"
    assert kept(workspace) == 2


def test_a_step_behind_a_redirect_counts_as_linked(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(small_web.trail("", "contact/"))
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    with Workspace.open(workspace) as opened:
        assert [step.anchor for trail in opened.database.trails() for step in trail.steps] == [None, "Contact us"]


def test_only_bad_lines_are_bad_input(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file("{", small_web.trail("", "people/", outcome="maybe"), small_web.trail("", "~bob/"))
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert ended.code == 2
    assert [line.split(": ")[1] for line in ended.err.splitlines()] == [f"{file}, line {n}" for n in (1, 2, 3)]
    assert kept(workspace) == 0


def test_many_problems_are_cut_short_but_for_json(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*["{"] * 30, *small_web.good())
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert len(ended.err.splitlines()) == 21
    assert ended.err.endswith("trailmark: and 10 more; --json lists them all.\n")
    report = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive, "--json").report
    assert len(report["problems"]) == 30


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(ends: str, mark: str, trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.folder / "t.jsonl"
    file.write_bytes((mark + ends.join([*small_web.good(), "{"])).encode())
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert ended.code == 1
    assert "t.jsonl, line 3: not valid JSON" in ended.err
    assert kept(workspace) == 2


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", " \r\n"])
@pytest.mark.parametrize("option", [[], ["--annotations"]])
def test_an_empty_file_is_said_to_be_empty(
    text: str, option: list[str], trailmark: Any, workspace: Path, tmp_path: Path
) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text(text, encoding="utf-8")
    ended = trailmark("-w", workspace, "teach", *option, file)
    assert (ended.code, ended.err) == (2, f"trailmark: {file}, line 1: the file is empty.\n")


@pytest.mark.parametrize("option", [[], ["--annotations"]])
def test_files_that_are_none(option: list[str], trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    latin, wide = tmp_path / "latin.jsonl", tmp_path / "wide.jsonl"
    latin.write_bytes(b'{"site": "caf\xe9"}\n')
    wide.write_bytes('{"site": "http://a.example/"}'.encode("utf-16"))
    for file, words in (
        (tmp_path / "missing.jsonl", "does not exist"),
        (tmp_path, "is a folder"),
        (latin, "is not UTF-8 text (byte 13)"),
        (wide, "is not UTF-8 text (byte 0)"),
        (latin / "below", "not a directory"),
    ):
        ended = trailmark("-w", workspace, "teach", *option, file, "--json")
        assert ended.code == 2
        assert ended.out == ""
        assert str(file) in ended.err
        assert words in ended.err
        assert len(ended.err.splitlines()) == 1


def test_archives_that_are_none(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good())
    for archive in (small_web.folder / "missing.warc.gz", file, small_web.folder):
        ended = trailmark("-w", workspace, "teach", file, "--replay", archive)
        assert ended.code == 2
        assert str(archive) in ended.err
    assert kept(workspace) == 0
    # Nothing stays locked after the failure.
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0


def test_annotations(trailmark: Any, workspace: Path, small_web: Any) -> None:
    mark = {"url": SITE + "~ada/", "field": "name", "value": "Ada Ångström"}
    first = small_web.file(json.dumps(mark), json.dumps({**mark, "value": 3}), name="a.jsonl")
    second = small_web.file(json.dumps({**mark, "field": "room", "value": None}), name="b.jsonl")
    ended = trailmark("-w", workspace, "teach", "--annotations", first, second, "--json")
    assert ended.code == 1
    report = ended.report
    assert (report["annotations"], report["good"]) == (2, 2)
    assert [(each["file"], each["line"]) for each in report["problems"]] == [(str(first), 2)]
    again = trailmark("-w", workspace, "teach", "--annotations", first, "--annotations", second, "--json").report
    assert (again["annotations"], again["known_already"]) == (0, 2)


def test_a_live_site_needs_a_contact(trailmark: Any, workspace: Path, small_web: Any) -> None:
    ended = trailmark("-w", workspace, "teach", small_web.file(*small_web.good()))
    assert ended.code == 2
    assert "set 'contact' under [forage]" in ended.err


def test_bad_usage(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    for arguments in (["teach"], ["teach", "--nonsense"], ["teach", "--replay"]):
        ended = trailmark("-w", workspace, *arguments)
        assert ended.code == 2
        assert "--help'." in ended.err
    ended = trailmark("-w", tmp_path, "teach", "x.jsonl")
    assert ended.code == 2
    assert "is not a Trailmark workspace" in ended.err


def test_pages_follow_the_settings_of_the_workspace(trailmark: Any, workspace: Path, small_web: Any) -> None:
    (workspace / "trailmark.toml").write_text("[forage]\nmax_redirects = 0\n", encoding="utf-8")
    file = small_web.file(small_web.trail("", "go?7"))
    ended = trailmark("-w", workspace, "teach", file, "--replay", small_web.archive)
    assert ended.code == 2
    assert "go?7 can't be had" in ended.err
