"""Every page of the portal, without a browser: what it shows, how it leads on, and that what was crawled is text and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import bibtexparser.entrypoint
import lxml.html
import pytest

from tests.serve.portal_world import SCRIPT, Reader, library, papers
from trailmark.datatypes import Record
from trailmark.store.item_addresses import page_address
from trailmark.store.record_table import add_records
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace

SETTINGS = {"name": "The Library", "tagline": "Found & kept", "contact": "desk@library.test"}


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("portal") / "w", settings=SETTINGS)


@pytest.fixture
def reader(shelves: Path) -> Iterator[Reader]:
    reader = Reader(shelves)
    yield reader
    reader.desk.close()


def test_the_first_page_has_search_topics_newest_and_most_cited(reader: Reader) -> None:
    text = reader.get("/").text
    for part in ("The Library", "Found &amp; kept", 'name="q"', "Neural networks", "Newest", "Most cited", "52 items"):
        assert part in text


def test_a_topic_is_sorted_as_wished_and_keeps_what_has_no_year(reader: Reader) -> None:
    text = reader.get("/topic/Computing/Learning").text
    assert "Neural networks" in text
    assert "without a year" in text
    years = reader.get("/topic/Computing/Learning?sort=year").text
    found = [int(year) for year in re.findall(r'class="facts"><span>(\d{4})', years)]
    assert found == sorted(found, reverse=True)
    every = "".join(reader.get(f"/topic/Computing/Learning?sort=year&page={page}").text for page in (1, 2, 3))
    assert every.count('<article class="entry">') == int(re.search(r"([\d,]+) items", text)[1])  # type: ignore[index]
    orders = {re.findall(r'href="/item/([0-9a-f-]+)"', reader.get(f"/topic/Computing?sort={sort}").text)[0] for sort in ("cited", "surveys", "year", "newest")}  # fmt: skip
    assert len(orders) > 1
    assert reader.get("/topic/Computing/Nothing").status_code == 404
    assert reader.get("/topic/Computing?sort=nonsense&page=999999").status_code == 200


def test_a_search_marks_words_counts_facets_narrows_and_says_what_may_be_meant(reader: Reader) -> None:
    text = reader.get("/search?q=neural").text
    assert "<mark>neural</mark>" in text
    assert all(name in text for name in ("Topic", "Year", "Site", "Kind"))
    narrowed = reader.get("/search", params={"q": "neural", "kind": "course"}).text
    assert "1 item" in narrowed
    assert "take away" in narrowed
    assert "take away" not in reader.get("/search?q=neural&year=then").text
    assert 'class="meant" href="/search?q=neural"' in reader.get("/search?q=neurel").text
    assert "1970..1980" in reader.get("/help").text or "1995..2000" in reader.get("/help").text
    assert "Nothing was found" in reader.get("/search?q=zzzzqqq").text
    first, second = (reader.get(f"/search?q=&page={page}").text for page in (1, 2))
    assert not set(re.findall(r"/item/[0-9a-f-]+", first)) & set(re.findall(r"/item/[0-9a-f-]+", second))


def test_an_item_shows_its_values_their_places_its_citations_and_what_is_related(reader: Reader) -> None:
    address = reader.address('title:"speech" cited') if False else reader.desk.catalogue.shelf.addresses[5]
    text = reader.get(f"/item/{address}").text
    for part in ("On ", "Cited by", "Cites", "As shown by", "Related", "/html/body/p[1]", "source 1", "Archived copy", "<svg", "application/ld+json"):  # fmt: skip
        assert part in text
    linked = json.loads(re.search(r'application/ld\+json">(.*?)</script>', text)[1])  # type: ignore[index]
    assert linked["@type"] == "ScholarlyArticle"
    assert linked["@id"] == f"http://library.test/item/{address}"


def test_an_item_is_taken_away_in_five_forms(reader: Reader) -> None:
    address = reader.desk.catalogue.shelf.addresses[5]
    title = "On pruning and impurity for split 5"
    entry = bibtexparser.entrypoint.parse_string(reader.get(f"/item/{address}.bib").text).entries[0]
    assert entry.fields_dict["title"].value == title
    assert entry.fields_dict["author"].value == "Donald Stone and Ada Byron"
    ris = dict(line.split("  - ", 1) for line in reader.get(f"/item/{address}.ris").text.split("\r\n") if line)
    assert (ris["TY"], ris["TI"], ris["PY"], ris["ER"]) == ("RPRT", title, "1973", "")
    csl = reader.get(f"/item/{address}.csl.json").json()[0]
    assert csl["title"] == title
    assert csl["author"][0] == {"family": "Stone", "given": "Donald"}
    assert csl["issued"] == {"date-parts": [[1973]]}
    assert reader.get(f"/item/{address}.jsonld").json()["headline"] == title
    table = reader.get(f"/item/{address}.csv")
    assert table.headers["content-disposition"] == f'attachment; filename="{address}.csv"'
    assert title in table.text
    assert reader.get(f"/item/{address}.exe").status_code == 404


def test_archived_copies_are_shown_without_anything_that_acts(reader: Reader) -> None:
    address = reader.desk.catalogue.shelf.addresses[0]
    around = reader.get(f"/item/{address}/copy/1")
    assert 'sandbox=""' in around.text
    page = reader.get(f"/item/{address}/copy/1/page")
    assert "On layer and network" in page.text
    for part in ("<script", "onclick", "evil.test", "http-equiv", "<form"):
        assert part not in page.text.lower()
    assert "sandbox" in page.headers["content-security-policy"]
    for path in ("copy/2", "copy/0", "copy/x", "copy/99999999999", "copy/2/page"):
        assert reader.get(f"/item/{address}/{path}").status_code == 404


def acting(page: bytes) -> list[str]:
    """Whatever in a page could act: handlers, scripts that are not ours, addresses that are no links."""
    tree = lxml.html.fromstring(page)
    handlers = [name for element in tree.iter() for name in element.attrib if str(name).lower().startswith("on")]
    scripts = [
        each.get("src") or each.text
        for each in tree.iter("script")
        if each.get("type") not in ("module", "application/ld+json")
    ]
    links = [
        str(link)
        for _, _, link, _ in tree.iterlinks()
        if not str(link).startswith(("/", "http:", "https:", "#", "mailto:"))
    ]
    return [*map(str, handlers), *map(str, scripts), *links]


def test_hostile_records_are_text_everywhere(reader: Reader) -> None:
    address = reader.address("owned")
    paths = ["/", "/search?q=owned", "/topic/Computing", "/feed/newest", "/search.csv?q=owned", "/oai?verb=ListRecords&metadataPrefix=oai_dc", f"/item/{address}", f"/api/v1/items/{address}"]  # fmt: skip
    paths += [f"/item/{address}.{form}" for form in ("bib", "ris", "csl.json", "jsonld", "csv")]
    for path in paths:
        answer = reader.get(path)
        assert answer.status_code == 200
        if "html" in answer.headers["content-type"] or "xml" in answer.headers["content-type"]:
            assert SCRIPT not in answer.text
            assert not acting(answer.content)
            assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", answer.text)
    page = reader.get(f"/item/{address}").text
    assert "more</summary>" in page
    assert len(page) < 120_000
    assert "'=HYPERLINK" in reader.get(f"/item/{address}.csv").text


def test_an_address_survives_a_new_crawl_and_a_merger_leads_on(tmp_path: Path) -> None:
    folder = library(tmp_path / "w")
    reader = Reader(folder)
    before = {
        key: reader.desk.catalogue.shelf.addresses[place] for key, place in reader.desk.catalogue.shelf.places.items()
    }
    twice = papers()[0]
    double = Record("http://mirror.example/0.html", "paper", twice.fields, "rule:x", twice.sources)
    corrected = Record(twice.url, "paper", {**twice.fields, "title": ("A new title for layer",)}, "rule:x")
    with Workspace.open(folder) as workspace:
        with workspace.database.transaction() as connection:
            connection.execute("DELETE FROM records WHERE kind = 'paper'")  # crawled anew, in another order
            anew = [record for record in papers() if record.kind == "paper" and record.url != twice.url]
            add_records(connection, [double, *reversed(anew), twice], at="2026-02-02T00:00:00+00:00")
        organise(workspace)
    assert reader.desk.refresh()
    after = {
        key: reader.desk.catalogue.shelf.addresses[place] for key, place in reader.desk.catalogue.shelf.places.items()
    }
    assert {key: address for key, address in before.items() if key in after} == {key: after[key] for key in before if key in after}  # fmt: skip
    first, *others, hostile = before.values()
    assert all(reader.get(f"/item/{address}").status_code == 200 for address in others)
    assert reader.get(f"/item/{hostile}").status_code == 404  # it was not there any more
    merged = reader.get(f"/item/{first}")  # one with its double now, whose address comes first in the alphabet
    now = page_address("paper", double.url)
    assert (merged.status_code, merged.headers["location"]) == (301, f"/item/{now}")
    assert reader.get(f"/item/{first}.bib").headers["location"] == f"/item/{now}.bib"
    assert reader.get(f"/item/{now}").status_code == 200
    with Workspace.open(folder) as workspace:
        with workspace.database.transaction() as connection:
            connection.execute("DELETE FROM records WHERE url IN (?, ?) AND kind = 'paper'", (twice.url, double.url))
            add_records(connection, [corrected], at="2026-03-03T00:00:00+00:00")
        organise(workspace)
    assert reader.desk.refresh()
    assert not reader.desk.refresh()
    page = reader.get(f"/item/{first}")
    assert page.status_code == 200
    assert "A new title for layer" in page.text


def test_any_kind_of_record_can_be_shown_with_fields_of_ones_own_choice(tmp_path: Path) -> None:
    products = [
        Record(f"http://shop.example/{n}", "product", {"label": (f"Lamp {n}",), "maker": (f"Maker {n % 3}",), "price": (f"{n} €",), "code": (f"X{n}",)}, "rule:z")
        for n in range(9)
    ]  # fmt: skip
    reader = Reader(library(tmp_path / "a", more=products))
    assert reader.desk.catalogue.fields.subtitles["product"]
    assert "<mark>Lamp</mark> 3" in reader.get("/search?q=lamp").text
    chosen = Reader(library(tmp_path / "b", more=products, settings={"title_field": "code", "subtitle_field": "maker"}))
    assert "X3" in chosen.get("/search?q=lamp").text
    assert "Maker 0" in chosen.get("/search?q=lamp").text


def test_fields_of_the_collection_are_facets_with_counts_that_are_true(reader: Reader) -> None:
    for query in ("", "neural", "zzzz neural"):
        found = reader.get("/api/v1/search", params={"q": query}).json()
        venues = {each["value"]: each["items"] for each in found["facets"]["f.venue"]}
        assert set(venues) >= {"Journal of Things", "Proceedings of Stuff", "Annals of Matter"}
        for venue, count in venues.items():
            narrow = reader.get("/api/v1/search", params={"q": query, "f.venue": venue}).json()
            assert narrow["total"] == count
            assert [each["value"] for each in narrow["facets"]["f.venue"]] == [venue]
    both = reader.get("/api/v1/search", params={"f.venue": "Annals of Matter", "topic": "Computing/Learning"}).json()
    one = reader.get("/api/v1/search", params={"f.venue": "Annals of Matter"}).json()
    assert 0 < both["total"] < one["total"]
    page = reader.get("/search", params={"q": "neural", "f.venue": "Annals of Matter"}).text
    assert "Venue</bdi>: " in page
    assert "take away" in page
    assert "f.venue=Journal+of+Things" in reader.get("/search?q=neural").text
    assert "f.venue=Annals+of+Matter" in reader.get("/feed/search?f.venue=Annals+of+Matter").text


def test_a_value_of_an_item_leads_to_all_items_with_the_same(reader: Reader) -> None:
    text = reader.get(f"/item/{reader.desk.catalogue.shelf.addresses[5]}").text
    link = re.search(r'href="(/search\?f\.venue=[^"]+)"', text)
    assert link is not None
    assert "16 items" in reader.get(link[1]).text


def test_facets_that_are_none_narrow_nothing_and_hostile_values_are_text(reader: Reader) -> None:
    whole = reader.get("/api/v1/search").json()["total"]
    assert reader.get("/api/v1/search", params={"f.nothing": "x", "f.": "y", "f.title": "z"}).json()["total"] == whole
    for value in ("' OR 1=1 --", SCRIPT, "Annals", "x" * 399):
        narrow = reader.get("/search", params={"f.venue": value})
        assert narrow.status_code == 200
        assert SCRIPT not in narrow.text
        assert reader.get("/api/v1/search", params={"f.venue": value}).json()["total"] == 0


def test_facet_fields_are_those_that_the_settings_name(tmp_path: Path) -> None:
    chosen = Reader(library(tmp_path / "w", settings={"facet_fields": ["room", 'naïve "field"<b>']}))
    found = chosen.get("/api/v1/search").json()["facets"]
    assert found["f.room"] == [{"value": "R1", "items": 3}]
    assert found['f.naïve "field"<b>'] == [{"value": "x", "items": 1}]
    page = chosen.get("/search")
    assert "<b>" not in page.text.partition("<main")[2].replace("&lt;b&gt;", "")
    assert not acting(page.content)
