"""Taught sites left out in turn: what is counted, on which sites and over which pages, the same each time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import trailmark
from trailmark.cli.main import run
from trailmark.datatypes import Fetch, Step, Trail
from trailmark.forage.settling import JudgedPage, SettledVerdict, verdict_of
from trailmark.learn.promise import LeftOutSite, Promise
from trailmark.store.archive import archives_in
from trailmark.url_key import url_key
from trailmark.verbs import left_out_sites
from trailmark.verbs.left_out_sites import MOST_PAGES, ShownPages, counted, shown_pages, sites_of, spread
from trailmark.verbs.strategies import make_strategy
from trailmark.workspace import Workspace

GOAL = "publications"


class Web(NamedTuple):
    archive: Path
    folder: Path
    roots: tuple[str, ...]

    def lesson(self, sites: int) -> Path:
        """A trails file with the ways to publications on the first sites."""
        lines = (self.archive.parent / f"demo.trails.{GOAL}.jsonl").read_text(encoding="utf-8").splitlines()
        file = self.folder / f"taught-{sites}.jsonl"
        some = [line for line in lines if json.loads(line)["site"] in self.roots[:sites]]
        file.write_text("\n".join(some) + "\n", encoding="utf-8")
        return file


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    folder = tmp_path_factory.mktemp("left-out")
    assert run(["demo", "--web-only", "--out", str(folder / "demo"), "--sites", "4"]) == 0
    archive = folder / "demo" / "web" / "demo.warc.gz"
    (known,) = json.loads((archive.parent / "webs.json").read_text(encoding="utf-8"))
    return Web(archive, folder, tuple(known["roots"]))


@pytest.fixture(autouse=True)
def one_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing recipes takes most of the time, and nothing here is about it."""
    monkeypatch.setattr("trailmark.learn.choice.variations", lambda examples, start: [])


@pytest.fixture
def taught(web: Web, tmp_path: Path) -> Iterator[Any]:
    opened: list[Workspace] = []

    def make(sites: int) -> Workspace:
        workspace = trailmark.create(tmp_path / f"w{len(opened)}")
        opened.append(workspace)
        trailmark.teach(workspace, web.lesson(sites), web.archive)
        return workspace

    yield make
    for workspace in opened:
        workspace.close()


def promise_in(workspace: Workspace) -> Promise:
    (report,) = trailmark.learn(workspace).goals
    assert report.promise is not None
    return report.promise


@pytest.mark.slow
@pytest.mark.parametrize("sites", [2, 3])
def test_each_taught_site_is_left_out_and_its_pages_are_counted(web: Web, taught: Any, sites: int) -> None:
    workspace = taught(sites)
    promise = promise_in(workspace)
    assert [row.site for row in promise.left_out] == list(web.roots[:sites])
    trails = list(workspace.database.trails())
    for row in promise.left_out:
        wanted = {trail.steps[-1].url for trail in trails if trail.site == row.site and trail.outcome == "goal"}
        assert row.wanted == len(wanted)
        assert row.pages == row.met + row.others + row.unnamed <= MOST_PAGES
        assert row.wanted >= row.met >= row.called + row.unsure
        assert row.unnamed > row.others > 0, "a site has more pages than trails lead over"
    total = promise.total
    assert total.called > total.wanted / 2
    assert 0 < total.unnamed_called < total.unnamed / 2
    assert promise_in(workspace) == promise, "the same each time"


@pytest.mark.slow
def test_the_left_out_site_teaches_nothing(web: Web, taught: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a strategy is taught with lies off the site that it walks."""
    lessons: list[tuple[set[str], set[str]]] = []

    def seen(name: str, trails: Any, page_at: Any, examples: Any, **more: Any) -> Any:
        hosts = {step.url.split("/")[2] for trail in trails for step in trail.steps}
        lessons.append((hosts, {example.site for example in (*examples(), *more["contrast"]())}))
        return make_strategy(name, trails, page_at, examples, **more)

    monkeypatch.setattr(left_out_sites, "make_strategy", seen)
    workspace = taught(3)
    other = (web.archive.parent / "demo.trails.course.jsonl").read_text(encoding="utf-8").splitlines()
    file = web.folder / "courses.jsonl"
    file.write_text("\n".join(line for line in other if json.loads(line)["site"] in web.roots[:3]), encoding="utf-8")
    trailmark.teach(workspace, file, web.archive)
    trailmark.learn(workspace, goal=GOAL)
    assert len(lessons) == 3
    for root, (hosts, sites) in zip(web.roots, lessons, strict=False):
        assert sites == set(web.roots[:3]) - {root}
        assert root.split("/")[2] not in hosts


@pytest.mark.slow
def test_one_site_promises_nothing_and_says_why(taught: Any) -> None:
    workspace = taught(1)
    assert promise_in(workspace) == Promise(obstacle="one site")
    (quick,) = trailmark.learn(workspace, choose_recipe=False).goals
    assert quick.promise is None


@pytest.mark.slow
def test_without_the_archive_only_pages_of_trails_are_walked(taught: Any) -> None:
    workspace = taught(2)
    workspace.database.set_meta("taught archives", "[]")
    total = promise_in(workspace).total
    assert total.pages > total.met > 0
    assert total.unnamed_called == 0
    steps = {url_key(step.url) for trail in workspace.database.trails() for step in trail.steps}
    assert total.pages <= len(steps)


@pytest.mark.slow
def test_an_archive_that_is_gone_or_damaged_leaves_the_pages_of_the_workspace(
    web: Web, taught: Any, tmp_path: Path
) -> None:
    workspace = taught(2)
    workspace.database.set_meta("taught archives", "[]")
    expected = promise_in(workspace)
    bad = tmp_path / "bad.warc.gz"
    bad.write_bytes(b"no archive at all, " * 50)
    workspace.database.set_meta("taught archives", json.dumps([str(bad), str(tmp_path / "gone.warc.gz")]))
    assert promise_in(workspace) == expected
    workspace.remember_taught([web.archive])
    assert workspace.taught_archives() == [bad, web.archive.resolve()], "what is gone is forgotten"


@pytest.mark.slow
def test_without_any_page_at_hand_it_says_so(taught: Any) -> None:
    workspace = taught(2)
    workspace.database.set_meta("taught archives", "[]")
    for archive in archives_in(workspace.archive_folder):
        archive.unlink()
    assert promise_in(workspace).obstacle == "no pages"


# --- parts ---------------------------------------------------------------------------------------------------------


def trail(site: str, *urls: str, outcome: Any = "goal", labels: tuple[str | None, ...] = ()) -> Trail:
    named = (*labels, *[None] * (len(urls) - len(labels)))
    return Trail(site, outcome, tuple(Step(site + url, label) for url, label in zip(urls, named, strict=True)))


def test_roots_on_one_host_are_one_site() -> None:
    roots = ("http://cs.example.org/", "http://www.cs.example.org/", "http://cs.example.org/~ada/", "http://b.test/")
    trails = [trail(root, "") for root in roots]
    assert [len(group) for group in sites_of(trails, "domain").values()] == [3, 1]
    assert [len(group) for group in sites_of(trails, "host").values()] == [3, 1]
    assert [len(group) for group in sites_of(trails, "prefix").values()] == [1, 1, 1, 1]


def test_sites_are_drawn_evenly_and_always_the_same() -> None:
    names = [str(number) for number in range(12)]
    assert spread(names, 5) == ["0", "2", "4", "7", "9"]
    assert spread(names[:3], 5) == ["0", "1", "2"]


def test_what_a_person_said_of_pages() -> None:
    site = "http://a.test/"
    shown = shown_pages(
        [
            trail(site, "", "people/", "ada/", labels=("department", None, "pubs")),
            trail(site, "", "list/", "bob/", labels=("department", "pubs", "pubs")),
            trail(site, "", "news/", outcome="fail"),
            trail(site, "", "ada/", outcome="fail"),
        ],
        [trail(site, "", "course/", labels=(None, "course"))],
        "pubs",
    )
    assert shown.wanted == {site + "ada/", site + "bob/"}
    assert shown.others == {site, site + "news/", site + "course/"}, "a page that was only passed has no name"


def test_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page under the name that it was asked for or that answered, with the verdict that it was settled to."""
    site = "http://a.test/"

    def fetch(n: int, place: str, chance: float, final: str = "") -> Fetch:
        return Fetch(
            n, site + place, 200, 0.5, "", None, chance, site, 1, site, site + (final or place), content_hash="x"
        )

    def settle(pages: Sequence[JudgedPage]) -> list[SettledVerdict]:
        return [SettledVerdict(verdict_of(page.goal_probability), page.goal_probability) for page in pages]

    monkeypatch.setattr(left_out_sites, "settle", settle)
    fetches = [
        fetch(1, "ada/", 0.9), fetch(2, "go?7", 0.8, "bob/"), fetch(3, "eve/", 0.4), fetch(4, "mel/", 0.1),
        fetch(5, "news/", 0.7), fetch(6, "jobs/", 0.4), fetch(7, "x/", 0.95), fetch(8, "y/", 0.01), fetch(9, "z/", 0.0),
    ]  # fmt: skip
    wanted = frozenset(site + place for place in ("ada/", "bob/", "eve/", "mel/", "never/"))
    others = frozenset((site + "news/", site + "jobs/"))
    assert counted(site, ShownPages(wanted, others), fetches) == LeftOutSite(
        site, pages=9, wanted=5, met=4, called=2, unsure=1, others=2, others_called=1, unnamed=3, unnamed_called=1
    )
