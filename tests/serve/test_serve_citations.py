"""Groups of references in the app: merged, split, told from a paper, and undone; in a real browser too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.organise.test_late_things import FIRST, LATER
from tests.organise.test_things import keep, record
from tests.serve.app_visitor import Visitor, running, wait_until_it_fits, way_in
from trailmark.verbs.cited_groups import cited_groups
from trailmark.verbs.organise import organise
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def cited(folder: Path) -> Path:
    with Workspace.open(folder) as workspace:
        keep(workspace, FIRST)
        keep(workspace, LATER)
        url = "http://a.example/0.pdf"
        keep(
            workspace,
            [
                record(
                    url,
                    "reference",
                    text=f"{HOSTILE} Nobody. Of nothing at all. 1990.",
                    title="Of nothing",
                    context=f"As {HOSTILE} said.",
                )
            ],
        )
        organise(workspace)
    return folder


def groups(folder: Path) -> dict[int, list[int]]:
    with Workspace.open(folder) as workspace:
        view = cited_groups(workspace, most=100)
    return {each.number: [reference.record for reference in each.references] for each in view.groups}


def test_groups_are_merged_split_and_undone_and_survive_organising(cited: Path, visitor: Visitor) -> None:
    before = groups(cited)
    one, other = sorted(before)[:2]
    answer = visitor.post("/citations", do="merge", group=[one, other])
    assert "2 groups of references are one" in visitor.said(answer)
    assert sorted(groups(cited)[one]) == sorted(before[one] + before[other])
    with Workspace.open(cited) as workspace:
        organise(workspace, again=True)
    merged = groups(cited)
    assert sorted(merged[one]) == sorted(before[one] + before[other])
    leaving = merged[one][-1]
    assert "taken out" in visitor.said(visitor.post("/citations", do="split", reference=leaving))
    assert leaving not in groups(cited)[one]
    assert "taken out" in visitor.get("/history").text
    with Workspace.open(cited) as workspace:
        undo(workspace)
        assert groups(cited) == merged
        undo(workspace)
    assert groups(cited) == before


def test_a_group_is_told_from_the_paper_it_was_linked_to(cited: Path, visitor: Visitor) -> None:
    with Workspace.open(cited) as workspace:
        linked = next(each for each in cited_groups(workspace).groups if each.paper is not None)
    answer = visitor.post("/citations", do="unlink", group=linked.number)
    assert "is not the paper it was linked to" in visitor.said(answer)
    with Workspace.open(cited) as workspace:
        organise(workspace, again=True)
        (after,) = cited_groups(workspace, group=linked.number).groups
    assert after.paper is None
    assert after.size == linked.size


def test_two_references_are_told_apart_and_nonsense_is_a_sentence(cited: Path, visitor: Visitor) -> None:
    number, members = max(groups(cited).items(), key=lambda pair: len(pair[1]))
    visitor.post("/citations", do="apart", reference=[members[0], members[1]])
    after = groups(cited)
    assert not any({members[0], members[1]} <= set(each) for each in after.values())
    for fields in (
        {"do": "merge", "group": [number]},
        {"do": "merge", "group": [number, 99999]},
        {"do": "split", "reference": "x"},
        {"do": "split", "reference": 99999},
        {"do": HOSTILE},
        {"do": "unlink", "group": 99999},
    ):
        assert visitor.said(visitor.post("/citations", **fields))
    assert groups(cited) == after


def test_hostile_words_are_text_and_the_page_without_groups_says_what_to_do(cited: Path, visitor: Visitor) -> None:
    shown = visitor.get("/citations", params={"q": HOSTILE})
    assert shown.status_code == 200
    assert HOSTILE not in shown.text
    assert "Of nothing at all" in shown.text
    assert "No reference has that" in visitor.get("/citations", params={"q": "' OR 1=1 --"}).text
    data = visitor.http.get("/api/citations", headers=visitor.bearer()).json()
    assert data["count"] == len(groups(cited))


def test_without_anything_organised_the_page_leads_on(visitor: Visitor) -> None:
    assert "Organise the records" in visitor.get("/citations").text


def test_merge_split_and_undo_in_a_browser(cited: Path, browser_page: Any) -> None:
    page, before = browser_page, groups(cited)
    with running(cited) as address:
        page.goto(address + way_in(cited))
        page.goto(f"{address}/citations")
        page.check("section.card >> nth=0 >> input[type=checkbox]")
        page.check("section.card >> nth=1 >> input[type=checkbox]")
        page.click("button:has-text('Make one of the ticked groups')")
        page.wait_for_selector("text=groups of references are one")
        assert len(groups(cited)) == len(before) - 1
        merged = groups(cited)
        page.click("section.card >> nth=0 >> button:has-text('take it out') >> nth=0")
        page.wait_for_selector("text=was taken out of its group")
        assert len(groups(cited)) == len(merged) + 1
        page.set_viewport_size({"width": 390, "height": 800})
        wait_until_it_fits(page)
        for said, after in (("was taken out", merged), ("groups of references are one", before)):
            page.goto(f"{address}/history")
            with page.expect_navigation():
                page.click(f"tr:has-text('{said}'):not(:has-text('Undone')) button")
            assert groups(cited) == after
    assert groups(cited) == before


def test_a_record_shows_its_group_and_related_records_with_the_reasons(cited: Path, visitor: Visitor) -> None:
    shown = visitor.get("/records/place", params={"id": 1, "field": "title"}).text
    assert "Cited by 4 things here" in shown
    assert "cites 2 of the same papers" in shown
    assert "data-related" in shown
    assert HOSTILE not in shown
    assert "Among the others" not in visitor.get("/records/place", params={"id": 2, "field": "title"}).text
