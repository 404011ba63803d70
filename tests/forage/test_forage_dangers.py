"""One live crawl over many hostile sites at once, with healthy ones beside them: every danger ends, and harms nobody."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from tests.forage.forage_answers import SETTINGS, no_dns
from tests.forage.forage_strategies import UrlGoals
from tests.forage.hostile_server import HostileServer
from tests.forage.hostile_sites import SITES
from trailmark.datatypes import Fetch, Page
from trailmark.forage.crawl import crawl
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.site_queue import SiteQueue
from trailmark.strategy import FollowedLink, Visit

pytestmark = pytest.mark.slow

DANGERS = replace(
    SETTINGS,
    budget=0,
    retries=1,
    timeout=4.0,
    max_wait=1.0,
    max_redirects=3,
    max_depth=8,
    max_chain=6,
    max_url_length=300,
    site_budget=150,
)
ROOTS = {
    "alias-first": "/to-healthy",
    **dict.fromkeys(SITES, "/"),
    "drips": "/drip",
    "drips-early": "/drip-head",
    "slow-crawled": "/hop",
    "busy-crawled": "/busy",
    "tired-crawled": "/busy-for-long",
    "denied-crawled": "/good",
    "to-inner": "/to-loopback",
    "alias-last": "/to-healthy",
}
"""Where each site begins, by the label of its host."""


class Noting(UrlGoals):
    """Pages are goals where their addresses say so; what was read of each is noted."""

    def __init__(self) -> None:
        super().__init__("goal")
        self.read: dict[str, Page] = {}

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        self.read[page.url] = page
        return super().visit(page, link)


@dataclass
class Crawled:
    server: HostileServer
    forager: Forager
    strategy: Noting
    fetches: dict[str, list[Fetch]] = field(default_factory=dict)
    sites: dict[str, SiteQueue] = field(default_factory=dict)

    def paths(self, label: str) -> list[str]:
        return [fetch.url.partition(f":{self.server.port}")[2] for fetch in self.fetches[label]]

    def page(self, label: str, path: str) -> Page:
        return self.strategy.read[self.server.url(label, path)]


@pytest.fixture(scope="module")
def crawled(server: HostileServer) -> Crawled:
    async def lookup(host: str) -> list[str]:
        return ["10.0.0.7", "fe80::1"] if host == "inner.example" else await no_dns(host)

    noted: list[tuple[str, Fetch]] = []
    strategy = Noting()
    forager = Forager(strategy, DANGERS, on_fetch=lambda fetch, site: noted.append((site.root, fetch)))
    made = Crawled(server, forager, strategy)
    roots = {label: server.url(label, path) for label, path in ROOTS.items()} | {"inner": "http://inner.example/"}
    for label, root in roots.items():
        made.sites[label] = forager.add_site(Seed(root, "host"))
        made.fetches[label] = []
    labels = {root: label for label, root in roots.items()}
    assert not crawl(forager, lookup=lookup)
    for root, fetch in noted:
        made.fetches[labels[root]].append(fetch)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("label", ["healthy-1", "healthy-2", "healthy-3"])
def test_healthy_sites_are_finished_whatever_the_others_do(crawled: Crawled, label: str) -> None:
    assert sorted(crawled.paths(label)) == ["/", "/a", "/a/one", "/a/two", "/b", "/b/one", "/goal"]
    assert {fetch.status for fetch in crawled.fetches[label]} == {200}
    assert (crawled.sites[label].ended, crawled.sites[label].goals) == ("empty", 1)


@pytest.mark.slow
@pytest.mark.parametrize("label", ["alias-first", "alias-last"])
def test_a_root_that_leads_to_another_root_is_that_site(crawled: Crawled, label: str) -> None:
    site = crawled.sites[label]
    assert (site.ended, site.same_as, site.pages) == ("same", crawled.server.url("healthy-1"), 1)
    assert set(Counter(each.target for each in crawled.server.visits("healthy-1")).values()) == {1}


def test_every_site_ends_and_nothing_went_wrong_on_our_side(crawled: Crawled) -> None:
    assert all(site.ended for site in crawled.sites.values())
    assert not crawled.forager.totals.problems
    assert crawled.forager.frontier.tickets == 0


@pytest.mark.parametrize(
    ("label", "most", "trap"),
    [
        ("calendar", 40, "numbered chain"), ("digging", 40, "repeated path"), ("deep", 9, "depth"),
        ("lengthening", 6, "url length"), ("sessions", 11, ""), ("copies", 12, ""),
    ],
)  # fmt: skip
def test_what_has_no_end_is_left(crawled: Crawled, label: str, most: int, trap: str) -> None:
    assert 1 < len(crawled.fetches[label]) <= most
    assert crawled.sites[label].ended == "empty"
    assert not trap or crawled.forager.totals.skipped[trap] > 0


def test_pages_that_say_that_they_are_missing_are_no_goals(crawled: Crawled) -> None:
    said = dict(zip(crawled.paths("lost-said"), crawled.fetches["lost-said"], strict=True))
    assert said["/there/goal.html"].goal
    assert crawled.sites["lost-said"].goals <= 2  # the first can't be told from a page: it has its words alone
    assert len(said) < 15
    assert Counter(fetch.label for fetch in said.values())["soft 404"] >= 5


def test_pages_that_are_one_answer_to_anything_are_told_without_words(crawled: Crawled) -> None:
    assert crawled.sites["lost-mute"].goals <= 5
    assert len(crawled.fetches["lost-mute"]) < 25
    assert crawled.forager.totals.missing >= 12


def test_content_is_what_it_is_whatever_it_is_called(crawled: Crawled) -> None:
    paths = crawled.paths("kinds")
    assert "/end" in paths
    assert not {"/hidden", "/secret", "/secret.dtd"} & set(paths)
    assert {"/from-typeless", "/from-odd"} <= set(paths)


@pytest.mark.parametrize("path", ["/xml", "/laughs", "/outside"])
def test_entities_are_neither_expanded_nor_fetched(crawled: Crawled, path: str) -> None:
    assert path in crawled.paths("kinds")
    page = crawled.strategy.read.get(crawled.server.url("kinds", path))
    words = " ".join(page.body_tokens) if page is not None else ""
    assert words.count("laughing") <= 1
    assert "root" not in words
    assert "secret" not in [each.path.strip("/").partition(".")[0] for each in crawled.server.visits("kinds")]


def test_broken_markup_loses_no_neighbour(crawled: Crawled) -> None:
    paths = set(crawled.paths("broken"))
    assert {
        "/nested",
        "/open",
        "/nulls",
        "/long",
        "/many",
        "/bases",
        "/surrogate",
        "/tables",
        "/comment",
        "/end",
    } <= paths
    assert {"/from-long", "/from-escape"} <= paths
    assert crawled.forager.totals.skipped["file type"] >= 3000


def test_cookies_do_not_pile_up(crawled: Crawled) -> None:
    asked = crawled.server.visits("many-cookies")
    assert len(asked) == 4
    assert max(len(each.headers.get("cookie", "")) for each in asked) < 40_000
    assert not [each for each in crawled.server.visits("healthy-1") if "cookie" in each.headers]


@pytest.mark.parametrize("label", ["drips", "drips-early"])
def test_slow_drips_are_given_up(crawled: Crawled, label: str) -> None:
    assert "took longer" in crawled.fetches[label][0].failure
    assert crawled.sites[label].ended == "unreachable"


def test_a_site_that_can_not_be_reached_says_why(crawled: Crawled) -> None:
    reasons = {label: site.why for label, site in crawled.sites.items() if site.ended == "unreachable"}
    assert reasons["denied-crawled"] == "its robots.txt forbids it"
    assert reasons["tired-crawled"] == "its root answers with status 429"
    assert "no public address (10.0.0.7, fe80::1)" in reasons["inner"]
    assert "took longer than" in reasons["drips"]
    assert all(reasons.values())


def test_private_addresses_are_never_reached(crawled: Crawled, connections: list[str]) -> None:
    for label in ("inner", "to-inner"):
        assert crawled.sites[label].ended == "unreachable"
    assert crawled.fetches["to-inner"][0].status in (0, 302)
    assert not [each for each in crawled.server.asked if each.path.startswith("/secret")]
    assert set(connections) == {"127.0.0.1"}


def test_manners_are_kept_in_a_crawl(crawled: Crawled) -> None:
    assert crawled.server.visits("denied-crawled") == []
    assert crawled.sites["denied-crawled"].ended == "unreachable"
    first, second = crawled.server.visits("busy-crawled")
    assert second.at - first.at > 0.5
    assert crawled.fetches["busy-crawled"][0].status == 200
    assert len(crawled.server.visits("tired-crawled")) == 1
    times = [each.at for each in crawled.server.visits("slow-crawled")]
    assert len(times) == 2
    assert all(later - earlier > 0.5 for earlier, later in pairwise(times))
