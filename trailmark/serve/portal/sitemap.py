"""What search engines and browsers read of the portal: sitemap, robots.txt, the OpenSearch description."""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.quoting import xml_attribute, xml_text
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.ways import Ways
from trailmark.verbs.portal_catalogue import Catalogue

MOST = 50_000
"""Addresses of one sitemap, by its format."""
_SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
KIND = "application/xml; charset=utf-8"


def sitemap(catalogue: Catalogue, ways: Ways, part: int | None = None, most: int = MOST) -> str | None:
    """All pages, or an index of several sitemaps where they are more than one can hold; a part -> that one, None where there is none."""
    count = 1 + len(catalogue.topics.by_id) + len(catalogue.shelf)
    parts = -(-count // most)
    if part is None and parts > 1:
        listed = (f"<sitemap><loc>{xml_text(ways.whole(ways.sitemap(n + 1)))}</loc></sitemap>" for n in range(parts))
        return f"{_HEAD}<sitemapindex {_SPACE}>{''.join(listed)}</sitemapindex>\n"
    number = 1 if part is None else part
    if not 1 <= number <= parts:
        return None
    wanted = list(_pages(catalogue, ways, (number - 1) * most, number * most))
    return f"{_HEAD}<urlset {_SPACE}>{''.join(wanted)}</urlset>\n"


def _pages(catalogue: Catalogue, ways: Ways, start: int, end: int) -> Iterator[str]:
    first = [(ways.home(), ""), *((ways.topic(topic), "") for topic in catalogue.topics.by_id)]
    for path, date in first[start:end]:
        yield _address(ways, path, date)
    for place in range(max(0, start - len(first)), min(len(catalogue.shelf), end - len(first))):
        yield _address(ways, ways.item(catalogue.shelf.addresses[place]), catalogue.dates[place])


def _address(ways: Ways, path: str, date: str) -> str:
    changed = f"<lastmod>{date}</lastmod>" if date else ""
    return f"<url><loc>{xml_text(ways.whole(path))}</loc>{changed}</url>"


def robots(ways: Ways) -> str:
    """Items and topics are for everyone; searches are without end, and copies belong to others."""
    closed = ("search", "feed/search", "api/", "item/*/copy/", "oai")
    lines = [f"Disallow: {ways.root}/{path}" for path in closed]
    return "\n".join(["User-agent: *", *lines, "", f"Sitemap: {ways.whole(ways.sitemap())}", ""])


def open_search(frame: Frame) -> str:
    """By which browsers offer the search of the site."""
    ways = frame.ways
    page, feed = (f"{ways.whole(path)}?q={{searchTerms}}" for path in (ways.search(), ways.search_feed("")))
    return (
        f'{_HEAD}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>{xml_text(frame.name[:16])}</ShortName>'
        f"<LongName>{xml_text(frame.name[:48])}</LongName><Description>{xml_text((frame.tagline or frame.name)[:1024])}</Description>"
        f'<InputEncoding>UTF-8</InputEncoding><Image type="image/svg+xml">{xml_text(ways.whole(ways.asset("leaf.svg")))}</Image>'
        f'<Url type="text/html" template={xml_attribute(page)}/><Url type="application/atom+xml" template={xml_attribute(feed)}/></OpenSearchDescription>\n'
    )
