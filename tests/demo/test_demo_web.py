"""The generated web: same seed, same bytes; every link resolves; the truth is consistent with the pages."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from trailmark.demo import GOALS, DemoSite, DemoWeb
from trailmark.demo import web as web_module
from trailmark.demo.character import CHARSETS, TEMPLATES, character
from trailmark.demo.page_bytes import page_response
from trailmark.demo.site_plan import make_site
from trailmark.demo.trails import shortest_ways
from trailmark.demo.wording import TOWNS, town, town_number

WEB = DemoWeb()
SITES = list(WEB)


def fingerprint(site: DemoSite) -> str:
    digest = sha256()
    for response in site.responses():
        digest.update(repr(response).encode())
    return digest.hexdigest()


def test_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    assert fingerprint(DemoWeb().site(3)) == fingerprint(SITES[3])
    assert fingerprint(DemoWeb(seed=2).site(3)) != fingerprint(SITES[3])


def test_a_site_does_not_depend_on_how_many_there_are() -> None:
    assert fingerprint(DemoWeb(sites=10_000).site(5)) == fingerprint(SITES[5])


def test_default_size_is_a_dozen_sites_of_about_three_hundred_pages() -> None:
    sizes = [len(site.plan.pages) for site in SITES]
    assert len(sizes) == 12
    assert all(270 <= size <= 370 for size in sizes), sizes


def test_page_count_follows_the_wish() -> None:
    assert len(DemoWeb(pages=100).site(0).plan.pages) < 180
    assert len(DemoWeb(pages=600).site(0).plan.pages) > 480


def test_a_dozen_sites_show_every_template_and_charset() -> None:
    assert {site.who.template for site in SITES} == set(TEMPLATES)
    assert {site.who.charset for site in SITES} == set(CHARSETS)
    assert {site.who.university for site in SITES} == {True, False}


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_every_internal_link_resolves_or_is_broken_on_purpose(site: DemoSite) -> None:
    statuses: Counter[int] = Counter()
    targets = {target for targets in site.links.values() for target in targets}
    for target in sorted(targets):
        if not target.startswith(site.root):
            continue
        status = site.respond(target).status
        statuses[status] += 1
        if status == 404:
            assert site.path(target) in site.plan.missing, target
        if status in (301, 302):
            assert site.path(target) in site.plan.redirects, target
    assert statuses[404] > 0
    assert statuses[301] > 0
    assert statuses[302] > 0


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_every_goal_can_be_reached_from_the_root(site: DemoSite) -> None:
    _, depths = shortest_ways(site.root, site.links)
    for goal in GOALS:
        assert site.goals(goal), goal
        assert site.goals(goal) <= depths.keys()
    assert site.links.keys() <= depths.keys(), "a page that nothing links to"


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_labels_tell_goals_from_decoys(site: DemoSite) -> None:
    kinds = Counter(site.kinds.values())
    for decoy in ("student-publications", "readings", "partner-contact", "exchange-course", "other-publications"):
        assert kinds[decoy] > 0, decoy
    for url, label in site.labels.items():
        if label in GOALS:
            assert site.kinds[url] == label
    assert site.labels[site.root] in ("department", "university")
    assert list(site.labels.values()).count("department") == 1
    assert {"faculty-list", "student-list", "course-list", "student"} <= set(site.labels.values())


@pytest.mark.slow
def test_publications_that_count_hang_below_faculty_homes() -> None:
    for site in SITES:
        homes = tuple(site.goals("faculty"))
        assert all(url.startswith(homes) for url in site.goals("publications"))


def test_some_lists_go_on_over_several_pages_and_structure_differs() -> None:
    lists = [Counter(site.labels.values()) for site in SITES]
    assert len({count["faculty-list"] for count in lists}) > 2
    assert len({count["course-list"] for count in lists}) > 2
    assert any("?page=2" in url for site in SITES for url in site.labels)


@pytest.mark.slow
def test_wording_recurs_over_sites_and_differs_between_them() -> None:
    words = Counter(
        {page.title.split(",")[0] for page in site.plan.pages.values() if page.label == "faculty-list"}.pop()
        for site in DemoWeb(sites=40)
        if site.plan.pages
    )
    assert len(words) >= 4
    assert words.most_common(1)[0][1] >= 4


def test_redirects_include_one_that_moved_and_a_loop() -> None:
    site = SITES[0]
    loop = site.respond("/old-news/")
    back = site.respond(loop.header("Location"))
    assert back.header("Location") == loop.url
    assert site.follow(site.url("/old-news/")) == site.url("/old-news/")
    assert site.follow(site.url("/welcome")) == site.root


@pytest.mark.slow
@pytest.mark.parametrize("site", SITES, ids=lambda site: site.host)
def test_the_calendar_has_no_end(site: DemoSite) -> None:
    url = next(url for url, kind in site.kinds.items() if kind == "calendar")
    seen = {url}
    for _ in range(100):
        page = site.page(url)
        assert page is not None
        url = next(site.url(anchor.path) for anchor in page.anchors() if anchor.text == "Next month")
        assert site.respond(url).status == 200
        assert url not in seen
        seen.add(url)
    assert len([response for response in site.responses() if response.url in seen]) < 10


def test_what_is_not_there_answers_404() -> None:
    for path in ("/nothing.html", "/calendar/2000/13/", "/events?month=2000-00", "/~", "//"):
        assert SITES[0].respond(path).status == 404, path


def test_near_duplicates_say_the_same_under_another_address() -> None:
    for site in SITES:
        copies = [path for path in site.plan.pages if "print=1" in path or "sid=" in path]
        assert len(copies) >= 10
        for path in copies:
            original = site.plan.pages[path.split("?print")[0].split("?sid")[0]]
            assert original.title == site.plan.pages[path].title
            assert site.plan.pages[path].label is None


def test_robots_keeps_walkers_out_of_a_page_that_is_there() -> None:
    for site in SITES:
        assert "Disallow: /private/" in site.respond("/robots.txt").body.decode()
        assert site.respond("/private/budget.html").status == 200
        assert not site.allows(site.url("/private/budget.html"))
        assert all(site.allows(url) for goal in GOALS for url in site.goals(goal))


def test_site_9999_is_made_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = make_site

    def noting(seed: Any, who: Any, **options: Any) -> Any:
        made.append(who.number)
        return real(seed, who, **options)

    monkeypatch.setattr(web_module, "make_site", noting)
    site = DemoWeb(sites=10_000).site(9_999)
    assert made == []
    assert site.respond("/").status == 200
    assert made == [9_999]


def test_a_page_is_rendered_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []

    def noting(site: Any, url: str, page: Any) -> Any:
        rendered.append(url)
        return page_response(site, url, page)

    monkeypatch.setattr(web_module, "page_response", noting)
    site = DemoWeb(sites=10_000).site(77)
    assert site.goals("course")
    assert site.links
    assert rendered == []
    site.respond("/")
    assert rendered == [site.root]


@pytest.mark.slow
def test_nothing_is_kept_of_a_site_that_was_let_go() -> None:
    dead = []
    for site in DemoWeb(sites=5):
        assert site.plan.pages
        dead.append(weakref.ref(site))
    del site
    gc.collect()
    assert [ref() for ref in dead] == [None] * 5


@pytest.mark.slow
def test_ten_thousand_sites_have_as_many_hosts() -> None:
    hosts = {character(1, number).host for number in range(10_000)}
    assert len(hosts) == 10_000
    assert all(host == host.lower() and len(host) < 40 for host in hosts)


@pytest.mark.slow
def test_towns_and_numbers_are_each_others_inverse() -> None:
    numbers = (*range(TOWNS), TOWNS * 3 + 5, 999_999)
    assert all(town_number(town(number)) == number for number in numbers)
    for name in ("", "nowhere", "alderbridge1", "alderbridge01", "ALDER", "alder-bridge"):
        assert town_number(name) is None, name


def test_find_takes_a_host_name_and_nothing_else() -> None:
    for site in SITES:
        for name in (site.host, f"{site.host}.test", f"{site.host}.localhost:8080", site.host.upper()):
            found = WEB.find(name)
            assert found is not None
            assert found.who.number == site.who.number
    for name in ("", "localhost", "127.0.0.1", "zz-alderbridge", "cs-nowhere", "cs-", "-"):
        assert WEB.find(name) is None, name


def test_the_web_answers_for_all_its_hosts_and_a_site_for_its_own() -> None:
    one, other = SITES[0], SITES[1]
    assert WEB.respond(other.root) == other.respond("/")
    assert WEB.respond("http://www.nowhere.test/").status == 404
    assert one.respond(other.root).status == 404
    assert one.respond(one.root.rstrip("/")).status == 200
    assert one.respond(one.root + "#top").status == 200


def test_a_site_outside_the_web_is_refused() -> None:
    with pytest.raises(IndexError, match="no site 12"):
        WEB.site(12)


def test_every_host_name_and_link_follows_the_address() -> None:
    site = DemoWeb(address="http://{host}.localhost:8123/").site(4)
    assert all(url.startswith("http://www-") or ".localhost:8123/" in url for url in site.links)
    assert b".test/" not in site.respond("/").body.replace(b"www.", b"")
    assert [url.replace(".localhost:8123", ".test") for url in site.links] == list(SITES[4].links)
