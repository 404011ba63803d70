"""Records: their values stand on the pages, in both versions of the template."""

from __future__ import annotations

import pytest
from lxml import html

from trailmark.demo import DemoSite, DemoWeb
from trailmark.demo.page_bytes import page_html

FIRST, SECOND = list(DemoWeb(version=1)), list(DemoWeb(version=2))
both = pytest.mark.parametrize("site", [*FIRST, *SECOND], ids=lambda site: f"{site.host}-{site.web.version}")


def nodes(site: DemoSite, url: str) -> list[str]:
    page = site.page(url)
    assert page is not None
    texts = html.fromstring(page_html(site, page)).xpath("//body//text()")
    return [" ".join(text.split()) for text in texts]


@pytest.mark.slow
@both
def test_every_value_is_a_text_node_of_its_page(site: DemoSite) -> None:
    assert len(site.records) >= 20
    for url, record in site.records.items():
        texts = nodes(site, url)
        for field, values in record.fields.items():
            assert values, field
            for value in values:
                assert value in texts, (url, field, value)


@pytest.mark.slow
@both
def test_list_pages_show_several_records(site: DemoSite) -> None:
    assert sum(len(records) for records in site.listed.values()) == len(site.records)
    for url, records in site.listed.items():
        texts = nodes(site, url)
        assert len(records) > 1
        assert all(value in texts for record in records for values in record.fields.values() for value in values)


def test_optional_fields_are_missing_on_some_pages_and_authors_may_be_several() -> None:
    for site in FIRST:
        shapes = {tuple(record.fields) for record in site.records.values()}
        assert len(shapes) > 1
    counts = {len(r.fields["author"]) for site in FIRST for r in site.records.values() if "author" in r.fields}
    assert counts == {1, 2, 3}


@pytest.mark.parametrize("pair", list(zip(FIRST, SECOND, strict=True)), ids=lambda pair: pair[0].host)
def test_a_redesign_keeps_addresses_and_most_values_and_changes_the_markup(pair: tuple[DemoSite, DemoSite]) -> None:
    old, new = pair
    assert list(old.records) == list(new.records)
    same = [url for url in old.records if old.records[url] == new.records[url]]
    assert 0.75 * len(old.records) <= len(same) < len(old.records)
    for url in old.records:
        assert tag_shape(old, url) != tag_shape(new, url)
    assert old.labels == new.labels
    assert old.links == new.links


def test_a_redesign_leaves_the_other_pages_alone() -> None:
    old, new = FIRST[6], SECOND[6]
    for url in old.links:
        if old.kinds[url] not in ("item", "item-list"):
            assert old.respond(url) == new.respond(url)


def tag_shape(site: DemoSite, url: str) -> list[str]:
    page = site.page(url)
    assert page is not None
    return [str(element.tag) for element in html.fromstring(page_html(site, page)).iter()]
