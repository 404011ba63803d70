"""A run over pages in memory: every stop rule by its name, the log, traps without end, and pages that try to do harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.forage.forage_strategies import Hashed, UrlGoals
from trailmark.datatypes import Fetch, Page, Response
from trailmark.demo import DemoWeb
from trailmark.forage.breadth import Breadth
from trailmark.forage.fetch_log import log_line
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.walk import walk
from trailmark.settings import ForageSettings
from trailmark.strategy import UNJUDGED, FollowedLink, Strategy, Visit

HTML = (("Content-Type", "text/html"),)
ROOT = "http://h.test/"
Web = dict[str, str] | Callable[[str], Response]


def html(*links: str, words: str = "") -> bytes:
    return ("<p>" + words + "</p>" + "".join(f'<a href="{each}">link</a>' for each in links)).encode()


def forage(web: Web, strategy: Strategy | None = None, **settings: Any) -> tuple[list[Fetch], Forager]:
    """`web` is a path's links by path, or a function from URLs to responses."""
    fetches: list[Fetch] = []

    def answer(url: str) -> Response:
        if callable(web):
            return web(url)
        path = url.removeprefix("http://h.test")
        if path not in web:
            return Response(url, 404)
        return Response(url, 200, HTML, html(*web[path].split(), words=path.replace("/", "word")))

    forager = Forager(
        strategy or Breadth(), ForageSettings(**settings), on_fetch=lambda fetch, site: fetches.append(fetch)
    )
    forager.add_site(Seed(ROOT))
    assert not walk(forager, answer)
    return fetches, forager


def paths(fetches: list[Fetch]) -> list[str]:
    return [fetch.url.removeprefix("http://h.test") for fetch in fetches]


TREE = {
    "/": "/a /b",
    "/a": "/a1 /a2",
    "/b": "/b1",
    "/a1": "/deep",
    "/a2": "",
    "/b1": "",
    "/deep": "/goal",
    "/goal": "/more",
}


def test_breadth_first_and_empty() -> None:
    fetches, forager = forage(TREE)
    assert paths(fetches) == ["/", "/a", "/b", "/a1", "/a2", "/b1", "/deep", "/goal", "/more"]
    assert [fetch.depth for fetch in fetches] == [0, 1, 1, 2, 2, 2, 3, 4, 5]
    assert forager.sites[0].ended == "empty"


@pytest.mark.parametrize(
    ("settings", "pages", "reason"),
    [
        ({"budget": 3}, 3, "budget"), ({"site_budget": 4}, 4, "budget"), ({"dry": 5}, 5, "dry"), ({"min_score": 0.6}, 1, "score"),
        ({"single_goal": True}, 8, "goal"), ({"budget": 0}, 9, "empty"), ({"max_depth": 2}, 6, "empty"),
    ],
)  # fmt: skip
def test_every_site_ends_for_a_reason(settings: dict[str, Any], pages: int, reason: str) -> None:
    fetches, forager = forage(TREE, UrlGoals("goal"), **settings)
    assert (len(fetches), forager.sites[0].ended) == (pages, reason)


def test_a_single_goal_is_not_the_end_where_a_link_promises_more() -> None:
    web = {"/": "/goal1 /x", "/goal1": "", "/x": ""}
    fetches, forager = forage(web, UrlGoals("goal", probability=0.4), single_goal=True)
    assert paths(fetches) == ["/", "/goal1", "/x"]
    assert forager.sites[0].ended == "empty"


def test_a_site_without_a_readable_page_is_unreachable() -> None:
    fetches, forager = forage({})
    assert [fetch.status for fetch in fetches] == [404]
    assert forager.sites[0].ended == "unreachable"


def test_dry_counts_from_the_last_goal() -> None:
    web = {"/": "/goal1", "/goal1": "/a", "/a": "/goal2", "/goal2": "/b", "/b": "/c", "/c": "/d", "/d": ""}
    fetches, _ = forage(web, UrlGoals("goal"), dry=2)
    assert paths(fetches) == ["/", "/goal1", "/a", "/goal2", "/b", "/c"]


def test_log_lines() -> None:
    fetches, _ = forage({"/": "/goal/1", "/goal/1": ""}, UrlGoals("goal"))
    lines = [json.loads(log_line(fetch)) for fetch in fetches]
    assert lines[1] == {
        "n": 2, "url": "http://h.test/goal/1", "status": 200, "score": 0.5, "label": "goal", "goal": True,
        "goal_probability": 0.9, "parent": "http://h.test/", "depth": 1, "site": "http://h.test/",
    }  # fmt: skip
    assert list(lines[1]) == [
        "n",
        "url",
        "status",
        "score",
        "label",
        "goal",
        "goal_probability",
        "parent",
        "depth",
        "site",
    ]
    assert lines[0]["parent"] is None


def test_a_link_found_on_several_paths_sums_while_it_waits() -> None:
    """/c is found once with a high score, /d three times with a middling one: the sum wins (after eq. 7)."""

    class Scored(UrlGoals):
        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            worth = {"/a": 0.9, "/b": 0.8, "/c": 0.5, "/d": 0.3}
            scores = [worth.get(each.url.removeprefix("http://h.test"), 0.0) for each in page.links]
            return replace(super().visit(page, link), scores=np.array(scores))

    web = {"/": "/a /b /c /d /d /d", "/a": "/d", "/b": "/d"}
    fetches, _ = forage(web, Scored("goal"))
    assert paths(fetches) == ["/", "/a", "/b", "/d", "/c"]
    assert fetches[3].score == pytest.approx(0.9)


def test_memory_of_the_best_path_comes_back() -> None:
    seen: dict[str, list[float] | None] = {}

    class Remembering:
        name, judges, learns = "remembering", True, False

        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            seen[page.url.removeprefix("http://h.test")] = None if link.memory is None else link.memory.tolist()
            worth = 0.1 if page.url == ROOT else 0.2
            rows = [[worth, float(number)] for number, _ in enumerate(page.links)]
            return Visit(UNJUDGED, np.full(len(page.links), worth), np.array(rows))

    forage({"/": "/a /b", "/a": "/b", "/b": ""}, Remembering())
    assert seen == {"/": None, "/a": [0.1, 0.0], "/b": [0.2, 0.0]}


def test_a_strategy_may_learn_while_it_walks() -> None:
    class Learning(UrlGoals):
        learns = True

        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            visit = super().visit(page, link)
            if not visit.judgement.goal:
                return visit
            return replace(visit, rescore=lambda waiting: waiting.base + ("/good/" in waiting.url))

    web = {"/": "/x /goal /y /good/1 /z /good/2", "/goal": "/w /good/3"}
    fetches, _ = forage(web, Learning("goal"))
    assert paths(fetches) == ["/", "/x", "/goal", "/good/1", "/good/2", "/good/3", "/y", "/z", "/w"]


def test_redirects_count_once_and_their_page_is_not_fetched_again() -> None:
    def answer(url: str) -> Response:
        if url.endswith("/old"):
            return Response("http://h.test/goal", 200, HTML, html(), redirects=(url,))
        if url == ROOT:
            return Response(url, 200, HTML, html("/old", "/goal", "/older", "/away"))
        if url.endswith("/older"):
            return Response("http://h.test/goal", 200, HTML, html(), redirects=(url,))
        return Response("http://elsewhere.test/goal", 200, HTML, html("/x"), redirects=(url,))

    fetches, forager = forage(answer, UrlGoals("goal"))
    assert paths(fetches) == ["/", "/old", "/older", "/away"]
    assert [fetch.goal for fetch in fetches] == [False, True, False, False]
    assert forager.totals.goals == 1


def test_a_root_may_lead_to_another_host() -> None:
    def answer(url: str) -> Response:
        if url == ROOT:
            return Response("http://new.test/", 200, HTML, html("/page", "http://h.test/page"), redirects=(url,))
        return Response(url, 200, HTML, html())

    fetches, _ = forage(answer)
    assert [fetch.url for fetch in fetches] == [ROOT, "http://new.test/page", "http://h.test/page"]


def calendar(url: str) -> Response:
    """Months before and after without end, and a page that counts up in its path."""
    if url == ROOT:
        return Response(url, 200, HTML, html("/cal?month=5&year=2004", "/people"))
    if "/cal" in url:
        month, year = (int(part.rpartition("=")[2]) for part in url.partition("?")[2].split("&"))
        before, after = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
        turns = [f"/cal?month={rest + 1}&year={years}" for years, rest in (before, after)]
        return Response(url, 200, HTML, html(*turns, "/people", words=f"month {month} of {year} {url}"))
    return Response(url, 200, HTML, html(words="people"))


def test_a_calendar_without_end_ends() -> None:
    fetches, forager = forage(calendar, budget=1000)
    assert forager.sites[0].ended == "empty"
    assert len(fetches) < 60
    assert forager.totals.skipped["numbered chain"] == 2


def sessions(url: str) -> Response:
    number = hash(url) % 10**9
    fresh = [f"/page{each}?PHPSESSID={number}{each}" for each in range(5)]
    return Response(url, 200, HTML, html(*fresh, words=url.partition("?")[0]))


def test_sessions_do_not_make_new_pages() -> None:
    fetches, forager = forage(sessions, budget=1000)
    assert len(fetches) == 6
    assert forager.sites[0].ended == "empty"


def test_soft_404s_and_relative_links_that_dig_deeper_end() -> None:
    def answer(url: str) -> Response:
        return Response(url, 200, HTML, html("lost/", "here/", "x/page.html", words="Sorry, nothing is here."))

    fetches, forager = forage(answer, budget=5000)
    assert forager.sites[0].ended == "empty"
    assert len(fetches) < 20


def test_endless_new_names_end_with_the_depth() -> None:
    def answer(url: str) -> Response:
        return Response(url, 200, HTML, html(f"{len(url)}x/", words=f"page {url}"))

    fetches, forager = forage(answer, budget=5000, max_depth=12, max_chain=0)
    assert len(fetches) <= 13
    assert forager.sites[0].ended == "empty"


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\x00" * 1000, b"<" * 50_000, b"<div>" * 50_000, b"\xff\xfe<a href='/x'>", b"%PDF-1.4 \x00\x01",
        b"<a href='" + b"a" * 100_000 + b"'>x</a>", b"<a href='http://['>x</a><a href='/ok'>y</a>",
        b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><a href='/ok'>&b;</a>",
        b"<a href='javascript:x'>x</a><a href='file:///etc/passwd'>y</a><base href='data:,'>",
    ],
)  # fmt: skip
def test_nothing_a_page_contains_ends_the_run(body: bytes) -> None:
    def answer(url: str) -> Response:
        return Response(url, 200, HTML, body) if "bad" in url else Response(url, 200, HTML, html("/bad", "/good"))

    fetches, forager = forage(answer, Hashed())
    assert {"/", "/bad", "/good"} <= set(paths(fetches))
    assert all(fetch.url.startswith("http://h.test/") for fetch in fetches)
    assert not forager.totals.problems


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "text/css", "application/octet-stream"])
def test_wrong_content_types_are_not_read(kind: str) -> None:
    def answer(url: str) -> Response:
        if url == ROOT:
            return Response(url, 200, HTML, html("/goal", "/page"))
        return Response(url, 200, (("Content-Type", kind),), html("/hidden"))

    fetches, _ = forage(answer, UrlGoals("nothing"))
    assert paths(fetches) == ["/", "/goal", "/page"]
    judged, _ = forage(answer, UrlGoals("goal"))
    assert judged[1].goal is (kind == "application/octet-stream")  # a document that can't be read may still be one


def test_a_strategy_that_fails_on_a_page_loses_that_page_only() -> None:
    class Touchy(UrlGoals):
        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            if page.url.endswith("/a"):
                raise ArithmeticError("odd page")
            return super().visit(page, link)

    fetches, forager = forage(TREE, Touchy("goal"))
    assert paths(fetches) == ["/", "/a", "/b", "/b1"]
    assert forager.totals.problems == ["http://h.test/a: ArithmeticError: odd page"]


def test_a_strategy_that_forgets_links_is_told() -> None:
    class Short(UrlGoals):
        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            return replace(super().visit(page, link), scores=np.zeros(1))

    _, forager = forage(TREE, Short("goal"))
    assert "2 links have 1 scores" in forager.totals.problems[0]


@pytest.mark.slow
def test_many_sites_share_a_budget_fairly() -> None:
    web = DemoWeb(sites=8, pages=100)
    known = {site.host: site for site in web}
    forager = Forager(Breadth(), ForageSettings(budget=160))
    for number in range(8):
        forager.add_site(Seed(web.root(number), "host"))
    walk(forager, lambda url: known[url.split("/")[2].split(".")[0]].respond(url))
    assert [site.pages for site in forager.sites] == [20] * 8
    assert {site.ended for site in forager.sites} == {"budget"}


def test_a_walk_follows_the_items_of_a_feed_within_its_site() -> None:
    feed = b"<rss><channel><item><title>a</title><link>/from-feed</link></item><item><link>http://elsewhere.test/</link></item></channel></rss>"
    bodies = {
        "/": (b"text/html", html("/feed.xml")),
        "/feed.xml": (b"application/rss+xml", feed),
        "/from-feed": (b"text/html", html(words="item")),
    }

    def answer(url: str) -> Response:
        kind, body = bodies.get(url.removeprefix("http://h.test"), (b"", b""))
        return Response(url, 200 if body else 404, (("Content-Type", kind.decode()),), body)

    fetches, _ = forage(answer)
    assert paths(fetches) == ["/", "/feed.xml", "/from-feed"]
    assert fetches[-1].parent == "http://h.test/feed.xml"
