"""An encyclopaedia taken in: its articles are searched, walked and recommended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.wiki_world import dump_xml, write_dump
from trailmark.errors import InputError
from trailmark.store.run_table import RunTable
from trailmark.verbs.forage import forage
from trailmark.verbs.organise import organise
from trailmark.verbs.search import search
from trailmark.verbs.tag import tag
from trailmark.workspace import Workspace

WIKI = "http://wiki.example/wiki/"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.create(tmp_path / "w")


def test_articles_are_searched_and_headings_weigh_more(workspace: Workspace, tmp_path: Path) -> None:
    pages = {
        "First": "Some words about cycles and more words about other things, again and again.\n== Other ==\nMore.",
        "Second": "Some words about other things, again and again and again.\n== Cycles ==\nMore.",
    }
    dump = write_dump(tmp_path / "w.xml.bz2", dump_xml(pages))
    report = tag(workspace, archives=[dump])
    assert (report.articles, report.old_articles) == (2, 0)
    organise(workspace)
    assert [hit.title for hit in search(workspace, "cycles").hits] == ["Second", "First"]
    again = tag(workspace, archives=[dump])
    assert (again.articles, again.old_articles) == (0, 2)


def test_chinese_articles_are_found(workspace: Workspace, tmp_path: Path) -> None:
    tag(workspace, archives=[write_dump(tmp_path / "w.xml")])
    organise(workspace)
    assert [hit.title for hit in search(workspace, "图论").hits] == ["图论"]
    assert [
        record.fields["headings"] for record in workspace.database.records("article", url=f"{WIKI}Graph_theory")
    ] == [("Graph theory", "Trees", "Counting trees")]


def test_a_dump_can_be_walked_by_keywords(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "k.txt").write_text("spanning tree\nbridges\n", encoding="utf-8")
    dump = write_dump(tmp_path / "w.xml.bz2")
    report = forage(workspace, f"{WIKI}Theory_of_graphs", archives=[dump], keywords=tmp_path / "k.txt")
    assert report.pages >= 2
    assert (
        "bridges" in {keyword for record in workspace.database.records("page") for keyword in record.fields["keyword"]}
        or report.unsure == 0
    )


def test_an_article_keeps_its_text_where_a_walk_found_it_and_a_person_called_it_wrong(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "k.txt").write_text("graph\n", encoding="utf-8")
    pages = {"Start": "See [[Graph theory]], that is graph theory.", "Graph theory": "Of graphs and a zebrafish."}
    dump = write_dump(tmp_path / "w.xml", dump_xml(pages))
    tag(workspace, archives=[dump])
    report = forage(workspace, f"{WIKI}Start", archives=[dump], keywords=tmp_path / "k.txt")
    assert f"{WIKI}Graph_theory" in {page.url for page in report.keyword_pages}
    for page in report.keyword_pages:
        RunTable(workspace.database).add_answer(report.run, page.url, answer=False, asked_by="check")
    workspace.database.connection.commit()
    organise(workspace)
    assert [hit.kind for hit in search(workspace, "zebrafish").hits] == ["article"]


def test_articles_go_to_no_file(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="trailmark export"):
        tag(workspace, archives=[write_dump(tmp_path / "w.xml")], out=tmp_path / "out.csv")
