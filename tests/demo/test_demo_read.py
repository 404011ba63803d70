"""Pages of the generated web as the room `read` sees them: links, titles, charsets, trails."""

from __future__ import annotations

from functools import lru_cache

import pytest

from trailmark.datatypes import Page
from trailmark.demo import GOALS, DemoSite, DemoWeb
from trailmark.demo.page_bytes import page_encoding, page_html
from trailmark.read import normalise_url, read_page

SITES = list(DemoWeb())
by_host = pytest.mark.parametrize("site", SITES, ids=lambda site: f"{site.who.template}-{site.who.charset}")


@lru_cache(maxsize=8000)
def read(site: DemoSite, url: str) -> Page:
    return read_page(site.respond(url))


@pytest.mark.slow
@by_host
def test_links_read_from_bytes_are_those_of_the_plan(site: DemoSite) -> None:
    for url, targets in site.links.items():
        if not url.endswith(".pdf"):
            assert {link.url for link in read(site, url).links} == set(targets), url


@by_host
def test_urls_are_normal_already(site: DemoSite) -> None:
    assert all(normalise_url(url) == url for url in site.links)


@pytest.mark.slow
@by_host
def test_charsets_decode_to_what_was_meant(site: DemoSite) -> None:
    odd = 0
    for url in site.links:
        page = site.page(url)
        if page is not None and not url.endswith(".pdf"):
            assert read(site, url).title == page.title
            odd += not page.title.isascii()
    assert odd > 0, "no title of the site tells one charset from another"


def test_words_of_another_script_survive() -> None:
    greetings = {"koi8-r": "добро", "windows-1252": "knowledge"}
    for site in SITES:
        word = greetings.get(site.who.charset)
        if word:
            url = next(iter(site.goals("contact")))
            assert word in read(site, url).body_tokens


def test_bytes_are_in_the_charset_of_the_site() -> None:
    for site in SITES:
        for url in site.goals("faculty"):
            page = site.page(url)
            assert page is not None
            body, codec = site.respond(url).body, page_encoding(site, page).codec
            assert body.removeprefix(b"\xff\xfe").decode(codec).startswith(page_html(site, page)[:40])
    assert any(r.body.startswith(b"\xff\xfe") for site in SITES for r in site.responses())


@by_host
@pytest.mark.parametrize("goal", GOALS)
def test_trails_are_click_paths_that_end_where_they_say(site: DemoSite, goal: str) -> None:
    trails = site.trails(goal, 20)
    goals = site.goals(goal)
    assert {trail.outcome for trail in trails} == {"goal", "fail"}
    for trail in trails:
        urls = [step.url for step in trail.steps]
        assert trail.site == urls[0] == site.root
        assert (urls[-1] in goals) == (trail.outcome == "goal")
        assert not goals.intersection(urls[:-1])
        assert len(urls) == len(set(urls)) <= 11
        for before, step in zip(trail.steps, trail.steps[1:], strict=False):
            assert step.url in {link.url for link in read(site, before.url).links}
        assert [step.label for step in trail.steps] == [site.labels.get(url) for url in urls]
        if trail.outcome == "fail":
            assert urls[-1] not in site.labels


def test_trails_depend_on_their_seed_alone() -> None:
    site = SITES[2]
    assert site.trails("course", 10, seed=1) == DemoWeb().site(2).trails("course", 10, seed=1)
    assert site.trails("course", 10, seed=1) != site.trails("course", 10, seed=2)


def test_milestones_lead_to_publications() -> None:
    trails = [trail for site in SITES for trail in site.trails("publications", 20) if trail.outcome == "goal"]
    labels = [{step.label for step in trail.steps} for trail in trails]
    assert len(trails) > 80
    assert sum("faculty" in each for each in labels) == len(trails)
    assert sum("faculty-list" in each for each in labels) > 0.5 * len(trails)


def test_frames_are_links_of_the_root() -> None:
    framed = [site for site in SITES if site.who.template == "frames"]
    assert framed
    for site in framed:
        assert {link.kind for link in read(site, site.root).links} == {"frame"}
