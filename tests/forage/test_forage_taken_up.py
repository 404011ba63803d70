"""A run that is taken up again: what was learnt on the way, what was counted, which site turned out to be another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.forage.forage_deaths import SITES, Served, errand, fetched, forage, killed, small_commits
from tests.forage.forage_strategies import Hashed, HashedGuide
from trailmark.datatypes import Page, Response
from trailmark.forage.forage_run import Errand
from trailmark.forage.learning_walk import LearningWalk
from trailmark.forage.scope import Seed
from trailmark.settings import ForageSettings
from trailmark.strategy import FollowedLink, Visit
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html"),)
PAGES = 70
"""Of each site: enough that what waits is no longer ordered anew after every page."""


def learning(folder: Path) -> Errand:
    return errand(LearningWalk(HashedGuide()), log=folder / "log.jsonl")


def workspaces(*folders: Path) -> None:
    for folder in folders:
        Workspace.create(folder).close()


WHOLE = ForageSettings(budget=0, site_budget=PAGES)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("whole") / "w"
    workspaces(folder)
    with small_commits():
        forage(folder, WHOLE, learning(folder))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("steps", [(150,), (1201, 300)])
def test_learning_goes_on_as_if_nothing_had_happened(tmp_path: Path, unbroken: Path, steps: tuple[int, ...]) -> None:
    torn = tmp_path / "torn"
    workspaces(torn)
    with small_commits():
        for number in steps:
            assert killed(torn, WHOLE, learning(torn), number)
        report = forage(torn, WHOLE, learning(torn))
    assert report.resumed
    assert report.pages == PAGES * len(SITES)
    assert (torn / "log.jsonl").read_text() == (unbroken / "log.jsonl").read_text()


@pytest.mark.slow
def test_learning_changes_the_order_at_all(tmp_path: Path, unbroken: Path) -> None:
    """Without this the test above would prove little."""

    class Forgetful(LearningWalk):
        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            return LearningWalk(self.guide).visit(page, link)

    workspaces(tmp_path / "w")
    forage(tmp_path / "w", replace(WHOLE, budget=90), errand(Forgetful(HashedGuide())))
    assert fetched(tmp_path / "w") != fetched(unbroken)[:90]


@pytest.mark.slow
def test_learning_goes_on_with_little_in_memory(tmp_path: Path) -> None:
    settings = ForageSettings(budget=90, links_in_memory=100)
    workspaces(tmp_path / "w")
    with small_commits():
        assert killed(tmp_path / "w", settings, learning(tmp_path / "w"), 300)
        report = forage(tmp_path / "w", settings, learning(tmp_path / "w"))
    assert report.pages == 90
    assert not report.problems


ROOT = "http://twice.test/"


def twice(url: str) -> Response:
    """Forty pages, each under a second name that leads to it: all in one list, then each with some others."""
    name = url.removeprefix(ROOT)
    if name.startswith("old"):
        return replace(twice(f"{ROOT}new{name[3:]}"), redirects=(url,))
    number = int(name[3:] or 0)
    others = range(40) if not name else [(number * 7 + step) % 40 for step in range(6)]
    links = "".join(f"<li><a href='/{kind}{n}'>{kind} {n}</a></li>" for n in others for kind in ("new", "old"))
    return Response(url, 200, HTML, f"<title>{name}</title><p>word{number}</p><ul>{links}</ul>".encode())


@pytest.mark.slow
def test_a_page_that_was_reached_again_under_another_name_is_still_learnt_from(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    workspaces(whole, torn)
    with small_commits(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Served, "fetch", lambda _, url: twice(url))
        for folder, budgets in ((whole, [70]), (torn, [20, 40, 55, 70])):
            for budget in budgets:
                forage(folder, ForageSettings(budget=budget), replace(learning(folder), seeds=[Seed(ROOT)]))
    assert (torn / "log.jsonl").read_text() == (whole / "log.jsonl").read_text()


@pytest.mark.slow
def test_a_page_that_is_gone_from_the_archive_is_only_not_learnt(tmp_path: Path) -> None:
    settings = ForageSettings(budget=60)
    workspaces(tmp_path / "w")
    with small_commits():
        assert killed(tmp_path / "w", settings, learning(tmp_path / "w"), 200)
        for archive in (tmp_path / "w" / "archive").glob("*.warc.gz"):
            archive.write_bytes(b"")
        report = forage(tmp_path / "w", replace(settings, budget=40), learning(tmp_path / "w"))
    assert report.pages >= 40


class Touchy(Hashed):
    """Fails on some pages."""

    name = "touchy"

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        if "course" in page.url:
            raise ArithmeticError("odd page")
        return super().visit(page, link)


@pytest.mark.slow
def test_what_was_left_alone_and_what_went_wrong_is_counted_over_all_parts(tmp_path: Path) -> None:
    settings = ForageSettings(budget=120, max_depth=3)
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    workspaces(whole, torn)
    with small_commits():
        expected = forage(whole, settings, errand(Touchy()))
        rng = Random(1)
        while killed(torn, settings, errand(Touchy()), rng.randint(100, 400)):
            pass
        report = forage(torn, settings, errand(Touchy()))
    assert expected.skipped
    assert expected.problems
    assert report.already_done
    assert report.skipped == expected.skipped
    assert report.problems == expected.problems


# --- two seeds, one site --------------------------------------------------------------------------------------------


def pages(url: str) -> Response:
    """www.a.test moves to a.test for good; b.test leads into a folder of a.test that nobody began at."""
    if url.startswith("http://www.a.test/"):
        return replace(pages("http://a.test/"), redirects=(url,))
    if url == "http://b.test/":
        return replace(pages("http://a.test/lab/"), redirects=(url,))
    if url in ("http://a.test/", "https://a.test/"):
        return Response(url, 200, HTML, b'welcome <a href="/one">1</a><a href="/two">2</a>')
    return Response(url, 200, HTML, f"page {url}".encode())


def sites_of(tmp_path: Path, *roots: str) -> dict[str, tuple[int, str, str]]:
    folder = tmp_path / "w"
    workspaces(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Served, "fetch", lambda _, url: pages(url))
        work = Errand([Seed(root) for root in roots], Hashed(), archives=[Path("some.warc.gz")])
        report = forage(folder, ForageSettings(), work)
        again = forage(folder, ForageSettings(), work)
    assert again.already_done
    assert again.sites == report.sites
    return {site.site: (site.pages, site.ended, site.same_as) for site in report.sites}


@pytest.mark.parametrize("turned", [False, True])
def test_a_seed_that_leads_to_another_seed_is_the_same_site(tmp_path: Path, turned: bool) -> None:
    roots = ["http://a.test/", "http://www.a.test/"]
    assert sites_of(tmp_path, *(roots[::-1] if turned else roots)) == {
        "http://a.test/": (3, "empty", ""),
        "http://www.a.test/": (1, "same", "http://a.test/"),
    }


def test_two_schemes_are_one_site(tmp_path: Path) -> None:
    found = sites_of(tmp_path, "https://a.test/", "http://a.test/")
    assert found["http://a.test/"] == (1, "same", "https://a.test/")
    assert found["https://a.test/"][1] == "empty"


def test_a_seed_that_leads_into_another_site_has_its_own_part_of_it(tmp_path: Path) -> None:
    found = sites_of(tmp_path, "http://b.test/", "http://a.test/")
    assert found == {"http://b.test/": (1, "empty", ""), "http://a.test/": (3, "empty", "")}
