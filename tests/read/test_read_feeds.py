"""Links of feeds and sitemaps: each item's address with its title, resolved and bounded as those of pages are."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings

from tests.hostile_text import HOSTILE
from trailmark.datatypes import Page, Response
from trailmark.read import read_page
from trailmark.settings import ReadSettings

URL = "http://www.example.org/news/feed.xml"

RSS = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News of the school</title><link>http://www.example.org/</link>
<item><title>A &lt;b&gt;new&lt;/b&gt; course</title><link>/courses/7</link><description>Graphs, in spring</description></item>
<item><title>Two</title><guid>http://www.example.org/two</guid></item>
<item><title>Three</title><link> three.html </link></item>
<item><title>Not a page</title><link>javascript:alert(1)</link></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Posts</title><link rel="self" href="feed.xml"/><link rel="next" href="?page=2"/>
<entry><title type="html">&lt;i&gt;One&lt;/i&gt; post</title><link rel="edit" href="/edit/1"/><link rel="alternate" href="/1"/></entry></feed>"""
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://x">
<url><loc>http://www.example.org/a</loc><image:image><image:loc>http://www.example.org/a.png</image:loc></image:image></url>
<url><loc>http://www.example.org/b</loc></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>http://www.example.org/part1.xml</loc></sitemap></sitemapindex>"


def page_of(body: bytes, content_type: str = "application/xml", **options: Any) -> Page:
    return read_page(Response(URL, 200, (("content-type", content_type),), body), ReadSettings(**options))


def links_of(body: bytes, content_type: str = "application/xml", **options: Any) -> list[tuple[str, str]]:
    return [(link.url, link.anchor) for link in page_of(body, content_type, **options).links]


@pytest.mark.parametrize("content_type", ["application/rss+xml", "text/xml", "text/html", ""])
def test_items_of_a_feed_are_links_with_their_titles(content_type: str) -> None:
    assert links_of(RSS, content_type) == [
        ("http://www.example.org/", "News of the school"),
        ("http://www.example.org/courses/7", "A new course"),
        ("http://www.example.org/two", "Two"),
        ("http://www.example.org/news/three.html", "Three"),
    ]


def test_a_feed_is_a_page_with_a_title_words_and_a_block_of_items() -> None:
    page = page_of(RSS, "application/rss+xml")
    assert page.title == "News of the school"
    assert "graphs" in page.body_tokens
    assert page.links[1].after == ("graphs", "in", "spring")
    assert page.repetition.items == 3
    assert [link.block for link in page.links] == [-1, 0, 0, 0]


def test_an_entry_leads_to_its_page_and_not_to_where_it_is_edited() -> None:
    assert links_of(ATOM) == [
        ("http://www.example.org/news/feed.xml?page=2", "Posts"),
        ("http://www.example.org/1", "One post"),
    ]


def test_sitemaps_lead_to_pages_and_to_other_sitemaps() -> None:
    assert [url for url, _ in links_of(SITEMAP)] == ["http://www.example.org/a", "http://www.example.org/b"]
    assert [url for url, _ in links_of(INDEX, "text/html")] == ["http://www.example.org/part1.xml"]


def test_no_more_links_are_taken_than_of_a_page() -> None:
    many = b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % number for number in range(50)) + b"</urlset>"
    assert len(links_of(many, max_links=7)) == 7


def test_other_xml_has_no_links() -> None:
    assert links_of(b"<catalogue><item><link>http://www.example.org/x</link></item></catalogue>") == []


def test_an_entity_bomb_and_nested_items_stay_small() -> None:
    bomb = b'<!DOCTYPE rss [<!ENTITY a "' + b"x" * 1000 + b'"><!ENTITY b "' + b"&a;" * 1000 + b'">]>'
    begun = time.process_time()
    page = page_of(bomb + b"<rss><channel><item><title>&b;&b;</title><link>/x</link></item></channel></rss>")
    assert all(len(link.anchor) <= 500 for link in page.links)
    page_of(b"<rss>" + b"<item><link>/x</link><description>word " * 20_000)
    assert time.process_time() - begun < 10


@settings(deadline=None, max_examples=100)
@given(HOSTILE, HOSTILE)
def test_whatever_a_title_and_an_address_hold(title: str, href: str) -> None:
    body = f"<rss><channel><item><title>{title}</title><link>{href}</link></item></channel></rss>"
    for link in page_of(body.encode("utf-8", "replace")).links:
        assert link.url.startswith(("http://", "https://"))
        assert len(link.anchor) <= 500
