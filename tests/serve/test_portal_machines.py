"""The portal for programs: harvested by OAI-PMH and read as feeds by public clients, its sitemap, its API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import feedparser
import pytest
import sickle
from lxml import etree
from sickle import oaiexceptions

from tests.serve.portal_world import Reader, library, portal_running
from trailmark.serve.portal import oai_answers
from trailmark.serve.portal.sitemap import sitemap
from trailmark.serve.portal.ways import Ways

OAI = "{http://www.openarchives.org/OAI/2.0/}"
SITES = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("portal") / "w", settings={"name": "The Library", "contact": "a@b.test"})


@pytest.fixture(scope="module")
def address(shelves: Path) -> Iterator[str]:
    with portal_running(shelves) as address:
        yield address


@pytest.fixture
def reader(shelves: Path) -> Iterator[Reader]:
    reader = Reader(shelves)
    yield reader
    reader.desk.close()


def test_a_public_client_harvests_all_of_it_in_parts(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oai_answers, "SIZE", 7)
    client = sickle.Sickle(f"{address}/oai")
    known = client.Identify()
    assert (known.repositoryName, known.deletedRecord, known.adminEmail) == ("The Library", "transient", "a@b.test")
    assert [form.metadataPrefix for form in client.ListMetadataFormats()] == ["oai_dc"]
    sets = {each.setSpec: each.setName for each in client.ListSets()}
    assert sets["Learning:Neural-networks"] == "Neural networks"
    records = list(client.ListRecords(metadataPrefix="oai_dc"))
    assert len(records) == len({record.header.identifier for record in records}) == 52
    assert all(record.metadata["title"] and record.metadata["identifier"] for record in records)
    headers = list(client.ListIdentifiers(metadataPrefix="oai_dc"))
    assert [header.identifier for header in headers] == [record.header.identifier for record in records]
    narrow = list(client.ListRecords(metadataPrefix="oai_dc", set="Learning:Neural-networks"))
    assert 0 < len(narrow) < 52
    assert all("Learning:Neural-networks" in record.header.setSpecs for record in narrow)
    one = client.GetRecord(metadataPrefix="oai_dc", identifier=records[3].header.identifier)
    assert one.metadata == records[3].metadata
    posted = sickle.Sickle(f"{address}/oai", http_method="POST")
    assert (
        len(list(posted.ListIdentifiers(metadataPrefix="oai_dc", **{"from": "2026-01-01", "until": "2026-01-02"})))
        == 52
    )


def test_mistakes_of_harvesters_have_the_names_that_the_protocol_gives_them(address: str) -> None:
    client = sickle.Sickle(f"{address}/oai")
    wrong: list[tuple[type[Exception], Any]] = [
        (oaiexceptions.CannotDisseminateFormat, lambda: client.ListRecords(metadataPrefix="marc")),
        (oaiexceptions.IdDoesNotExist, lambda: client.GetRecord(metadataPrefix="oai_dc", identifier="oai:x:y")),
        (oaiexceptions.NoRecordsMatch, lambda: client.ListRecords(metadataPrefix="oai_dc", until="2001-01-01")),
        (oaiexceptions.NoRecordsMatch, lambda: client.ListRecords(metadataPrefix="oai_dc", set="Nothing")),
        (oaiexceptions.BadArgument, lambda: client.ListRecords(metadataPrefix="oai_dc", until="yesterday")),
        (oaiexceptions.BadArgument, lambda: client.ListRecords()),
        (oaiexceptions.BadResumptionToken, lambda: client.ListRecords(resumptionToken="AAAA")),
    ]
    for error, call in wrong:
        with pytest.raises(error):
            call()


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("", "badVerb"),
        ("verb=Nothing", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("verb=Identify&x=1", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2025-01-01", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-02T00:00:00Z", "badArgument"),
        ("verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-31", "badArgument"),
        ("verb=ListRecords&resumptionToken=W10&metadataPrefix=oai_dc", "badArgument"),
        ("verb=ListRecords&resumptionToken=W10", "badResumptionToken"),
        ("verb=ListRecords&resumptionToken=%00%ff<x>", "badResumptionToken"),
        ("verb=ListSets&resumptionToken=x", "badResumptionToken"),
        ("verb=ListMetadataFormats&identifier=<script>", "idDoesNotExist"),
    ],
)
def test_every_mistake_is_said_in_xml(reader: Reader, asked: str, code: str) -> None:
    answer = reader.get(f"/oai?{asked}")
    assert answer.status_code == 200
    tree = etree.fromstring(answer.content)
    assert [error.get("code") for error in tree.iter(f"{OAI}error")] == [code]
    assert tree.findtext(f"{OAI}responseDate", "").endswith("Z")


@pytest.mark.parametrize(
    "path", ["/feed/newest", "/feed/topic/Computing/Learning", "/feed/search?q=neural", "/feed/search?q=owned"]
)
def test_a_public_library_reads_the_feeds(reader: Reader, path: str) -> None:
    answer = reader.get(path)
    feed = feedparser.parse(answer.content, response_headers={"content-type": answer.headers["content-type"]})
    assert not feed.bozo, feed.get("bozo_exception")
    assert feed.version == "atom10"
    assert feed.entries
    assert feed.feed.id == f"http://library.test{path}"
    for entry in feed.entries:
        assert entry.id.startswith("http://library.test/item/")
        assert entry.updated_parsed is not None
        assert entry.title


def test_a_sitemap_has_every_item_and_falls_apart_where_it_is_too_long(reader: Reader) -> None:
    tree = etree.fromstring(reader.get("/sitemap.xml").content)
    found = {each.text for each in tree.iter(f"{SITES}loc")}
    assert {f"http://library.test/item/{each}" for each in reader.desk.catalogue.shelf.addresses} <= found
    ways = Ways("", "http://library.test")
    index = etree.fromstring(str(sitemap(reader.desk.catalogue, ways, most=10)).encode())
    parts = [each.text for each in index.iter(f"{SITES}loc")]
    listed = [each.text for n in range(len(parts)) for each in etree.fromstring(str(sitemap(reader.desk.catalogue, ways, n + 1, most=10)).encode()).iter(f"{SITES}loc")]  # fmt: skip
    assert len(listed) == len(set(listed))
    assert set(listed) == found
    assert sitemap(reader.desk.catalogue, ways, len(parts) + 1, most=10) is None
    assert reader.get("/sitemap-2.xml").status_code == 404
    robots = reader.get("/robots.txt").text
    assert "Sitemap: http://library.test/sitemap.xml" in robots
    assert "Disallow: /search" in robots
    assert b"{searchTerms}" in reader.get("/opensearch.xml").content


def test_the_api_documents_itself_and_says_what_the_pages_say(reader: Reader) -> None:
    paths = reader.get("/api/v1/openapi.json").json()["paths"]
    assert set(paths) == {"/api/v1/search", "/api/v1/items/{address}", "/api/v1/items/{address}/citations", "/api/v1/topics"}  # fmt: skip
    assert all(path in reader.get("/api").text for path in paths)
    found = reader.get("/api/v1/search", params={"q": "neural", "size": 5}).json()
    assert (len(found["items"]), found["pages"]) == (5, -(-found["total"] // 5))
    assert {"topic", "year", "site", "kind", "f.venue"} == set(found["facets"])
    item = found["items"][-1]
    whole = reader.get(f"/api/v1/items/{item['address']}").json()
    assert whole["title"] == item["title"]
    assert whole["fields"]["title"][0]["place"] == "/html/body/p[1]"
    address = reader.desk.catalogue.shelf.addresses[5]
    cited = reader.get(f"/api/v1/items/{address}/citations").json()
    assert cited["cited_by"][0]["sentences"][0].startswith("As shown by")
    assert [each["name"] for each in reader.get("/api/v1/topics").json()] == ["Learning", "Systems"]


@pytest.mark.parametrize(
    "asked", ["size=0", "size=101", "page=0", "page=201", "page=x", "sort=none", f"q={'a' * 1001}"]
)
def test_the_api_has_limits_and_says_so(reader: Reader, asked: str) -> None:
    answer = reader.get(f"/api/v1/search?{asked}")
    assert answer.status_code == 422
    assert "can't be read" in answer.json()["error"]
    assert reader.get("/api/v1/items/nothing").json() == {"error": "There is no such item."}
