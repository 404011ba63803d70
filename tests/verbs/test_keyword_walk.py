"""`forage --keywords`: a walk without trails, what it says of pages, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from trailmark.cli.main import main
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.body_table import body_digests
from trailmark.store.run_table import RunTable
from trailmark.verbs.check import check
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.found import found_pages
from trailmark.verbs.organise import organise
from trailmark.verbs.search import search
from trailmark.verbs.update import update
from trailmark.workspace import Workspace

ROOT = "http://www.example.edu/"
HOSTILE = "<script>alert(1)</script>"


def page(title: str, body: str, links: Iterable[tuple[str, str]] = ()) -> bytes:
    anchors = "".join(f'<li><a href="{url}">{text}</a></li>' for url, text in links)
    return f"<html><title>{title}</title><body><h1>{title}</h1><p>{body}</p><ul>{anchors}</ul></body></html>".encode()


def web() -> dict[str, bytes]:
    """A site with forty pages of other things before the two that speak of graph theory."""
    others = {f"{ROOT}news/{n}.html": page(f"News of day {n}", "The canteen is open again.") for n in range(40)}
    links = [*((url, f"Day {n}") for n, url in enumerate(others)), (f"{ROOT}m/", "Mathematics: graph theory and more")]
    lectures = [(f"{ROOT}m/1.html", "Graph theory I"), (f"{ROOT}m/2.html", "Calculus")]
    return {
        ROOT: page("Example", "Welcome.", links),
        f"{ROOT}m/": page("Mathematics", "What we teach.", lectures),
        f"{ROOT}m/1.html": page("Graph theory", "Graph theory is about trees, paths and colourings. Graph theory!"),
        f"{ROOT}m/2.html": page("Calculus", "Limits and integrals."),
        **others,
    }


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    writer = ArchiveWriter(tmp_path / "web")
    for url, body in web().items():
        writer.write(Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body))
    writer.close()
    (found,) = (tmp_path / "web").glob("*.warc.gz")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "w").close()
    (tmp_path / "k.txt").write_text("graph theory\t2\nspanning trees\n# nothing\n", encoding="utf-8")
    return tmp_path / "w"


def walked(folder: Path, archive: Path, **more: Any) -> Any:
    with Workspace.open(folder) as workspace:
        return forage(workspace, ROOT, archives=[archive], keywords=folder.parent / "k.txt", **more)


def test_it_goes_where_the_words_lead_and_calls_nothing_a_goal(folder: Path, archive: Path) -> None:
    report = walked(folder, archive, budget=4, log=folder / "log.jsonl")
    fetched = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [line["url"] for line in fetched[:3]] == [ROOT, f"{ROOT}m/", f"{ROOT}m/1.html"]
    assert report.goals_found == 0
    assert {line["goal"] for line in fetched} <= {None, False}
    assert all(line["goal_probability"] < 0.5 for line in fetched)
    assert fetched[2]["goal"] is None
    assert fetched[2]["keywords"] == ["graph theory"]
    assert "keywords" not in fetched[0]
    assert [(each.url, each.keywords) for each in report.keyword_pages] == [(f"{ROOT}m/1.html", ("graph theory",))]
    assert report.pages_by_keyword == {"graph theory": 1}


def test_pages_found_are_records_and_are_searched_by_their_keywords(folder: Path, archive: Path) -> None:
    walked(folder, archive, budget=6)
    with Workspace.open(folder) as workspace:
        (record,) = workspace.database.records(maker="keywords")
        assert record.fields["keyword"] == ("graph theory",)
        organise(workspace)
        assert [hit.url for hit in search(workspace, 'keyword:"graph theory"').hits] == [f"{ROOT}m/1.html"]
        assert search(workspace, "colourings").total == 1  # of the text of the page
        (found,) = [each for each in found_pages(workspace, 1).pages if each.keywords]
        assert found.url == f"{ROOT}m/1.html"


def test_answers_make_goals_of_pages_or_take_them_out(folder: Path, archive: Path) -> None:
    walked(folder, archive, budget=6)
    with Workspace.open(folder) as workspace:
        report = check(workspace, lambda _question, _report: "goal", 1)
        assert (report.pages, report.right) == (1, 1)
        goals = [fetch.url for _, fetch in RunTable(workspace.database).fetches(1, goals_only=True)]
        assert f"{ROOT}m/1.html" in goals
        organise(workspace)
        RunTable(workspace.database).add_answer(1, f"{ROOT}m/1.html", answer=False, asked_by="check")
        workspace.database.connection.commit()
        assert organise(workspace).gone == 1
        assert not list(workspace.database.records(maker="keywords"))
        assert not body_digests(workspace.database.connection)


def test_the_same_again_is_the_same_run_and_more_budget_takes_it_up(folder: Path, archive: Path) -> None:
    first = walked(folder, archive, budget=3)
    again = walked(folder, archive, budget=3)
    assert (again.run, again.already_done) == (first.run, True)
    more = walked(folder, archive, budget=10, log=folder / "more.jsonl")
    assert (more.run, more.resumed, more.pages) == (first.run, True, 10)
    other = folder.parent / "other"
    Workspace.create(other).close()
    walked(other, archive, budget=10, log=other / "log.jsonl")
    assert (other / "log.jsonl").read_text() == (folder / "more.jsonl").read_text()


def test_dealt_to_workers_it_is_the_same_walk(folder: Path, archive: Path) -> None:
    with Workspace.open(folder) as workspace:
        report = dealt_forage(workspace, ROOT, archives=[archive], keywords=folder.parent / "k.txt", budget=6)
        assert report.pages_by_keyword == {"graph theory": 1}
        assert [record.url for record in workspace.database.records(maker="keywords")] == [f"{ROOT}m/1.html"]


def test_an_update_walks_by_the_keywords_that_were_kept(folder: Path, archive: Path) -> None:
    walked(folder, archive, budget=6)
    (folder.parent / "k.txt").unlink()
    with Workspace.open(folder) as workspace:
        report = update(workspace, archives=[archive], budget=6, everything=True)
        forage_part = next(part for part in report.parts if part.part == "forage")
        assert (forage_part.state, "1 site" in forage_part.says) == ("done", True)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "has no keyword"),
        ("# only\n", "has no keyword"),
        ("a" * 300, "line 1"),
        ("good\n\t3\n", "line 2"),
        ("good\n\n***", "line 3"),
        (b"\xff\xfeg\x00", "not UTF-8"),
    ],
)
def test_bad_files_are_one_sentence(
    folder: Path, archive: Path, capsys: pytest.CaptureFixture[str], content: str | bytes, says: str
) -> None:
    file = folder.parent / "bad.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    words = ["-w", str(folder), "forage", ROOT, "--replay", str(archive), "--keywords", str(file)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert says in error
    assert str(file) in error
    assert "Traceback" not in error


@pytest.mark.parametrize("more", [["--strategy", "breadth"], ["--goal", "course"]])
def test_keywords_go_with_no_other_strategy_or_goal(
    folder: Path, archive: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    words = ["-w", str(folder), "forage", ROOT, "--replay", str(archive), "--keywords", str(folder.parent / "k.txt")]
    with pytest.raises(SystemExit) as ended:
        main([*words, *more])
    assert ended.value.code == 2
    assert "leave out --strategy and --goal" in capsys.readouterr().err


def test_a_course_that_is_not_there_is_said(folder: Path, archive: Path) -> None:
    with Workspace.open(folder) as workspace, pytest.raises(InputError, match="no course 'nothing'"):
        forage(workspace, ROOT, archives=[archive], keywords_from="nothing")


def test_hostile_words_are_words(folder: Path, archive: Path) -> None:
    (folder.parent / "k.txt").write_text(
        f"{HOSTILE}\n'; DROP TABLE fetches; --\n=cmd()\n\u202egraph theory\n", encoding="utf-8"
    )
    report = walked(folder, archive, budget=6)
    assert report.pages == 6


def test_topics_are_keywords_too(folder: Path, archive: Path) -> None:
    topics = {"name": "All", "children": [{"name": "Graphs", "keywords": ["graph theory"], "children": []}]}
    (folder.parent / "topics.json").write_text(json.dumps(topics), encoding="utf-8")
    with Workspace.open(folder) as workspace:
        report = forage(workspace, ROOT, archives=[archive], keywords=folder.parent / "topics.json", budget=5)
    assert report.pages_by_keyword["graph theory"] == 1
