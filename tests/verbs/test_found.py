"""What a walk found: bands, lists, the queue, and which pages go on to records."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Fetch
from trailmark.errors import InputError
from trailmark.forage.settled_run import settle_run
from trailmark.store.run_table import RunTable
from trailmark.verbs.check import CheckQuestion, check_report
from trailmark.verbs.found import (
    BANDS,
    answer_found,
    band_counts,
    band_harvest,
    band_of,
    every_found,
    found_pages,
    next_found,
    pages_for_records,
)
from trailmark.workspace import Workspace

ROOT = "http://www.a.example/"


def found_run(folder: Path, chances: list[float]) -> None:
    """A run that found a page for each chance; those below one half it is unsure of. Every other fetch is nothing."""
    with Workspace.open(folder) as workspace:
        table = RunTable(workspace.database)
        run = table.begin({"seeds": [[ROOT, "host"]], "strategy": "path"}, [(ROOT, "host")])
        for number, chance in enumerate(chances, 1):
            goal, title = (True if chance >= 0.5 else None), f"Page {number}"
            url = f"{ROOT}page{number}"
            evidence = 6.0 if goal else 0.0
            fetch = Fetch(2 * number, url, 200, 0.5, "course", goal, chance, None, 1, ROOT, url, content_hash=f"h{number}", evidence=evidence, family=f"f{number}", title=title)  # fmt: skip
            table.add_fetch(run.id, fetch, 0)
            other = f"{ROOT}other{number}"
            table.add_fetch(run.id, Fetch(2 * number + 1, other, 200, 0.1, "x", False, 0.01, None, 1, ROOT, other, content_hash="x", evidence=-9.0, family=f"o{number}"), 0)  # fmt: skip
        workspace.database.connection.execute("UPDATE sites SET pages = ?, goals = ?", (2 * len(chances), sum(c >= 0.5 for c in chances)))  # fmt: skip
        workspace.database.commit()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "w").close()
    found_run(tmp_path / "w", [0.95, 0.99, 0.7, 0.6, 0.3, 0.91])
    return tmp_path / "w"


@given(st.floats(0.0, 1.0))
def test_every_chance_has_one_band(chance: float) -> None:
    assert [name for name, (least, below) in BANDS.items() if least <= chance < below] == [band_of(chance)]


def test_all_that_was_found_is_listed_in_bands(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        report = found_pages(workspace, 1)
        assert report.count == 6
        assert report.bands == {"sure": 3, "likely": 2, "doubtful": 1}
        assert [page.title for page in report.pages][:2] == ["Page 2", "Page 1"]
        assert [page.title for page in found_pages(workspace, 1, order="title", most=2, skip=2).pages] == [
            "Page 3",
            "Page 4",
        ]
        assert found_pages(workspace, 1, band="likely").count == 2
        assert found_pages(workspace, 1, least=0.92).count == 2
        assert found_pages(workspace, 1, containing="PAGE 5").count == 1
        assert found_pages(workspace, 1, containing="' OR 1 --").count == 0
        assert len(list(every_found(workspace, 1))) == 6
        for wrong in ({"band": "x"}, {"order": "x"}, {"checked": "x"}):
            with pytest.raises(InputError):
                found_pages(workspace, 1, **wrong)  # type: ignore[arg-type]


def test_the_curves_of_the_bands_lie_over_each_other(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        curves, counts = band_harvest(workspace, 1), band_counts(workspace, 1)
    assert [curves[name][-1][1] for name in BANDS] == [3, 5, 6]
    assert sum(counts.values()) == 6
    for points in curves.values():
        assert points == sorted(points)


def test_answers_are_kept_measured_and_decide_what_goes_on_to_records(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        assert len(pages_for_records(workspace)) == 5, "what runs call goals, not what they are unsure of"
        unsure = next_found(workspace, 1, band="doubtful")
        assert unsure is not None
        answer_found(workspace, 1, unsure.page.url, "goal")
        answered = []
        while (question := next_found(workspace, 1)) is not None:
            answered.append(question.page.url)
            answer_found(workspace, 1, question.page.url, "fail" if question.page.title == "Page 4" else "goal")
        report = check_report(workspace, 1)
        assert (report.answers, report.right, len(set(answered))) == (5, 4, 5)
        assert report.share == pytest.approx(0.8)
        kept = pages_for_records(workspace)
        assert f"{ROOT}page4" not in kept
        assert unsure.page.url in kept
        assert kept == tuple(sorted(kept))
        checked = {page.title: page.checked for page in found_pages(workspace, 1).pages}
        assert checked["Page 4"] is False, "what was called wrong stays in the list"
        assert checked["Page 5"] is True
        assert found_pages(workspace, 1, checked="wrong").count == 1
        assert found_pages(workspace, 1, checked="no").count == 0
        answer_found(workspace, 1, f"{ROOT}page4", "goal")
        assert f"{ROOT}page4" in pages_for_records(workspace), "the last word counts"
        with pytest.raises(InputError, match="not one of the pages"):
            answer_found(workspace, 1, f"{ROOT}other1", "goal")
        settle_run(RunTable(workspace.database), 1)


def test_a_page_of_the_sample_is_found_though_its_address_begins_many_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More pages than one list shows contain its address, and all of them are surer."""
    folder, short = tmp_path / "many", f"{ROOT}page1"
    Workspace.create(folder).close()
    found_run(folder, [0.6, *[0.99] * 60])
    with Workspace.open(folder) as workspace:
        below = "UPDATE fetches SET final_url = ?1 || n WHERE goal AND url != ?2"
        workspace.database.connection.execute(below, (f"{short}/", short))
        workspace.database.commit()
        monkeypatch.setattr("trailmark.verbs.found.next_check", lambda *_: CheckQuestion(short, ROOT, ()))
        question = next_found(workspace, 1)
        assert question is not None
        assert question.page.url == short


def test_a_part_is_gone_through_from_the_least_sure(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        titles = []
        for skip in range(4):
            question = next_found(workspace, 1, band="sure", skip=skip)
            titles.append(question.page.title if question else None)
    assert titles == ["Page 6", "Page 1", "Page 2", None]
