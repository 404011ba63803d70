"""Examples from the generated web, made once for all tests."""

from __future__ import annotations

from functools import cache

from trailmark.datatypes import Page
from trailmark.demo import DemoSite, DemoWeb
from trailmark.learn.example import Example, make_examples
from trailmark.read import read_page
from trailmark.settings import ReadSettings
from trailmark.teach import find_link

WEB = DemoWeb(sites=6, seed=3, pages=120)


@cache
def demo_site(number: int) -> DemoSite:
    return WEB.site(number)


@cache
def demo_page(url: str) -> Page:
    site = WEB.find(url.split("/")[2])
    assert site is not None
    return read_page(demo_site(site.who.number).respond(url), ReadSettings(page_tokens=-1))


@cache
def demo_examples(goal: str, sites: tuple[int, ...], count: int = 10) -> tuple[Example, ...]:
    trails = [trail for number in sites for trail in demo_site(number).trails(goal, count)]
    return tuple(make_examples(trails, demo_page, find_link))
