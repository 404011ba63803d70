"""`trailmark show URL --why`: from the trail that passes the page, in words and as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SITE = "http://dept.example/"


@pytest.fixture
def learnt(trailmark: Any, workspace: Path, small_web: Any) -> Path:
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "learn", "--quick").code == 0
    return workspace


@pytest.mark.slow
def test_the_report_adds_up(trailmark: Any, learnt: Path) -> None:
    ended = trailmark("-w", learnt, "show", SITE + "~ada/", "--why", "--json")
    assert ended.code == 0
    report = ended.report
    assert report["url"] == SITE + "~ada/"
    assert report["path"] == [SITE, SITE + "people/"]
    assert report["site"] == SITE
    assert report["label"] == "faculty"
    assert sum(report["chances"].values()) == pytest.approx(1)
    assert sum(part["value"] for part in report["why"]) == pytest.approx(report["log_odds"])
    assert [link["anchor"] for link in report["links"]] == ["Publications"]
    link = report["links"][0]
    assert sum(term["value"] for term in link["terms"]) == pytest.approx(link["score"])
    assert sum(part["value"] for part in link["why"]) == pytest.approx(link["log_odds"])


@pytest.mark.slow
def test_it_is_said_in_words(trailmark: Any, learnt: Path) -> None:
    ended = trailmark("-w", learnt, "show", SITE, "--why")
    assert ended.code == 0
    assert "It is taken for 'department' (not a goal)" in ended.out
    assert "the title says 'department'" in ended.out
    assert "judged as a root" in ended.out
    deeper = trailmark("-w", learnt, "show", SITE + "~ada/", "--why")
    assert f"reached over {SITE} > {SITE}people/" in deeper.out
    assert "Publications" in deeper.out


def test_the_picture_lies_beside_the_navigator(learnt: Path) -> None:
    picture = next((learnt / "models").glob("navigator-*.svg")).read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert "The way to publications" in picture


@pytest.mark.slow
def test_a_page_off_all_trails_is_a_root(trailmark: Any, learnt: Path, small_web: Any) -> None:
    url = SITE + "contact/"
    missing = trailmark("-w", learnt, "show", url, "--why")
    assert missing.code == 2
    assert "--replay ARCHIVE" in missing.err
    report = trailmark("-w", learnt, "show", url, "--why", "--json", "--replay", small_web.archive).report
    assert report["path"] == []
    assert report["site"] == SITE
    assert report["links"] == []


def test_hostile_titles_do_not_drive_the_terminal(trailmark: Any, learnt: Path, small_web: Any) -> None:
    ended = trailmark("-w", learnt, "show", SITE + "news", "--why", "--replay", small_web.archive)
    assert ended.code == 0
    assert "\x1b]" not in ended.out
    assert "\x07" not in ended.out


def test_bad_usage(trailmark: Any, workspace: Path) -> None:
    nothing = trailmark("-w", workspace, "show", SITE, "--why")
    assert (nothing.code, nothing.out) == (2, "")
    assert nothing.err.endswith(f"learn first with: trailmark -w {workspace} learn\n")
    assert trailmark("-w", workspace, "show", "not a URL", "--why").code == 2
    assert trailmark("-w", workspace, "show", "--why").code == 2
