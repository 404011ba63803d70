"""Curating in the app: hidden, made one, taken out, undone; what the portal, its feeds, its programs and the published files say of it; in a real browser too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sickle

from tests.serve.app_visitor import Visitor, running, wait_for, wait_until_it_fits, way_in
from tests.serve.portal_world import Reader, library, papers, portal_running
from trailmark.datatypes import Record
from trailmark.serve.portal.publishing import publish
from trailmark.store.record_table import add_records
from trailmark.verbs.curate import hide, merge
from trailmark.verbs.curated import curated
from trailmark.verbs.organise import organise
from trailmark.verbs.undo import undo
from trailmark.verbs.update import update
from trailmark.workspace import Workspace

HOSTILE = "<script>alert(1)</script>"
FIRST = papers()[0]
TITLE = FIRST.fields["title"][0]
COPY = Record("http://zcopy.example/0.html", "paper", FIRST.fields, "rule:x")
"""The first paper once more, elsewhere: found to be one with it."""


@pytest.fixture
def shelves(tmp_path: Path) -> Path:
    return library(tmp_path / "w", settings={"name": "The Library", "contact": "a@b.test"}, more=[COPY])


@pytest.fixture
def owner(shelves: Path) -> Visitor:
    return Visitor(shelves)


@pytest.fixture
def reader(shelves: Path) -> Iterator[Reader]:
    reader = Reader(shelves)
    yield reader
    reader.desk.close()


def key_of(reader: Reader, address: str) -> str:
    shelf = reader.desk.catalogue.shelf
    return str(shelf.keys[shelf.known[address]])


def settled(folder: Path) -> None:
    """What was curated holds."""
    with Workspace.open(folder) as workspace:
        organise(workspace)


def stamp(text: str, address: str) -> tuple[str, str]:
    """The status and the date of a record in an answer of OAI-PMH."""
    header = text[: text.index(f":{address}</identifier>")].rpartition("<header")[2]
    date = text[text.index(f":{address}</identifier>") :].partition("<datestamp>")[2].partition("<")[0]
    return ("deleted" if "deleted" in header else ""), date


def test_what_is_hidden_in_the_app_is_gone_from_all_of_the_portal(
    shelves: Path, owner: Visitor, reader: Reader, tmp_path: Path
) -> None:
    address = reader.address(f'title:"{TITLE}"')
    item = key_of(reader, address)
    citing = reader.get(f"/api/v1/items/{address}/citations").json()["cited_by"][0]["item"]["address"]
    before = reader.get("/oai", params={"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": f"oai:library.test:{address}"}).text  # fmt: skip
    with Workspace.open(shelves) as workspace:
        publish(workspace, tmp_path / "site", address="https://x.test/")
    page = tmp_path / "site" / "item" / address[:2] / f"{address}.html"
    assert page.is_file()
    assert "It can be undone" in owner.said(owner.post("/curate", do="hide", item=item, why=HOSTILE))
    reader.desk.refresh()
    gone = reader.get(f"/item/{address}")
    assert gone.status_code == 410
    assert "taken away" in gone.text.lower()
    assert TITLE not in gone.text
    for path in (f"/item/{address}.bib", f"/item/{address}/copy/1", f"/api/v1/items/{address}"):
        assert reader.get(path).status_code in (404, 410)
    for path in ("/", "/feed/newest", "/sitemap.xml", f'/search?q=title:"{TITLE}"', "/topic/Computing", f"/item/{citing}"):  # fmt: skip
        answer = reader.get(path)
        assert answer.status_code == 200
        assert f"/item/{address}" not in answer.text
    assert reader.get("/api/v1/search", params={"q": f'title:"{TITLE}"'}).json()["total"] == 0
    lists = {"verb": "ListRecords", "metadataPrefix": "oai_dc"}
    told = reader.get("/oai", params=lists).text
    assert stamp(told, address)[0] == "deleted"
    assert stamp(told, address)[1] > stamp(before, address)[1]
    assert stamp(reader.get("/oai", params={**lists, "from": stamp(told, address)[1], "set": "Learning"}).text, address)[0] == "deleted"  # fmt: skip
    one = reader.get("/oai", params={"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": f"oai:library.test:{address}"}).text  # fmt: skip
    assert stamp(one, address)[0] == "deleted"
    assert TITLE not in one
    with Workspace.open(shelves) as workspace:
        report = publish(workspace, tmp_path / "site", address="https://x.test/")
    assert not report.broken
    assert not page.exists()
    listed = owner.get("/curate").text
    assert "hidden" in listed
    assert HOSTILE not in listed
    with Workspace.open(shelves) as workspace:
        (act,) = curated(workspace).acts
    assert "Undone" in owner.said(owner.post("/curate", do="undo", act=act.act))
    settled(shelves)
    reader.desk.refresh()
    assert reader.get(f"/item/{address}").status_code == 200
    again = reader.get("/oai", params=lists).text
    assert stamp(again, address)[0] == ""
    assert stamp(again, address)[1] >= stamp(told, address)[1], "harvesters are told that it is here again"


def test_a_public_client_is_told_of_what_was_deleted(shelves: Path) -> None:
    with Workspace.open(shelves) as workspace:
        keys = Reader(shelves).desk.catalogue.shelf.keys
        hide(workspace, keys[3])
        merge(workspace, keys[5], [keys[6]])
        organise(workspace)
    with portal_running(shelves) as address:
        client = sickle.Sickle(f"{address}/oai")
        records = list(client.ListRecords(metadataPrefix="oai_dc"))
        assert sum(record.deleted for record in records) == 2
        living = list(client.ListRecords(metadataPrefix="oai_dc", ignore_deleted=True))
        assert len(living) == len(records) - 2


def test_merged_ones_lead_on_by_redirect_and_in_files_by_a_page_that_points_on(
    shelves: Path, owner: Visitor, reader: Reader, tmp_path: Path
) -> None:
    shelf = reader.desk.catalogue.shelf
    into, other = shelf.titles.index("Course 1 on file systems"), shelf.titles.index("Course 0 on neural networks")
    stays, goes = shelf.addresses[into], shelf.addresses[other]
    answer = owner.post("/curate", do="merge", item=[shelf.keys[other], shelf.keys[into]], into=shelf.keys[into])
    assert "Made “Course 1 on file systems” one with “Course 0" in owner.said(answer)
    settled(shelves)
    reader.desk.refresh()
    moved = reader.get(f"/item/{goes}")
    assert (moved.status_code, moved.headers["location"]) == (301, f"/item/{stays}")
    assert reader.get(f"/item/{goes}.bib").headers["location"] == f"/item/{stays}.bib"
    assert reader.get(f"/item/{stays}").status_code == 200
    assert stamp(reader.get("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc").text, goes)[0] == "deleted"
    assert reader.get(f"/api/v1/items/{goes}").json()["address"] == stays
    with Workspace.open(shelves) as workspace:
        report = publish(workspace, tmp_path / "site", address="https://x.test/")
    assert not report.broken
    pointer = (tmp_path / "site" / "item" / goes[:2] / f"{goes}.html").read_text()
    assert f'content="0; url=../../item/{stays[:2]}/{stays}.html"' in pointer
    assert f'rel="canonical" href="https://x.test/item/{stays[:2]}/{stays}.html"' in pointer
    assert goes not in (tmp_path / "site" / "sitemap.xml").read_text()


def test_a_wrong_double_is_taken_out_on_the_page_of_its_record(shelves: Path, owner: Visitor, reader: Reader) -> None:
    address = reader.address(f'title:"{TITLE}"')
    shown = owner.get("/records/place", params={"id": 1, "field": "title"}).text
    assert "It was made of 2" in shown
    thing = shown.partition('name="source" value="')[2].partition('"')[0]
    answer = owner.post("/curate", do="split", item=key_of(reader, address), source=thing)
    assert "Took" in owner.said(answer)
    settled(shelves)
    reader.desk.refresh()
    assert reader.get("/api/v1/search", params={"q": f'title:"{TITLE}"'}).json()["total"] == 2


def test_it_survives_an_update_that_lifts_and_organises_all_anew(shelves: Path, reader: Reader) -> None:
    address = reader.address(f'title:"{TITLE}"')
    with Workspace.open(shelves) as workspace:
        hide(workspace, address)
        kept = workspace.database.connection.execute("SELECT COUNT(*) FROM records").fetchone()[0]
        with workspace.database.transaction() as connection:
            connection.execute("DELETE FROM records WHERE kind = 'paper'")
            add_records(connection, [*papers(), COPY], at="2026-02-02T03:04:05+00:00")
        update(workspace)
        assert workspace.database.connection.execute("SELECT COUNT(*) FROM records").fetchone()[0] >= kept - 1
        organise(workspace, again=True)
    reader.desk.refresh()
    assert reader.get(f"/item/{address}").status_code == 410
    with Workspace.open(shelves) as workspace:
        undo(workspace)
        organise(workspace)
    reader.desk.refresh()
    assert reader.get(f"/item/{address}").status_code == 200


def test_nonsense_is_a_sentence_tokens_are_wanted_and_programs_may(
    shelves: Path, owner: Visitor, reader: Reader
) -> None:
    for fields in ({"do": "hide"}, {"do": "hide", "item": HOSTILE}, {"do": "merge", "item": "x"}, {"do": "split", "item": "x"}, {"do": HOSTILE}, {"do": "undo", "act": "x"}):  # fmt: skip
        assert owner.said(owner.post("/curate", **fields))
    with Workspace.open(shelves) as workspace:
        assert curated(workspace).acts == ()
    one = key_of(reader, reader.desk.catalogue.shelf.addresses[2])
    assert owner.http.post("/curate", data={"do": "hide", "item": one}).status_code == 403
    sent = {"do": "hide", "items": [one]}
    assert owner.http.post("/api/curate", json=sent).status_code in (401, 403)
    answer = owner.http.post("/api/curate", json=sent, headers=owner.bearer())
    assert answer.json()["said"][0]["holds"] is True
    listed = owner.http.get("/api/curate", headers=owner.bearer()).json()
    assert [act["how"] for act in listed["acts"]] == ["hide"]
    assert owner.http.post("/api/curate", json={"do": "hide", "items": []}, headers=owner.bearer()).status_code == 422


def test_without_anything_organised_the_page_leads_on(visitor: Visitor) -> None:
    assert "Organise the records" in visitor.get("/curate").text


def test_a_person_hides_merges_and_takes_it_back_in_a_browser(shelves: Path, browser_page: Any) -> None:
    page = browser_page

    def count() -> int:
        with Workspace.open(shelves) as workspace:
            return len(curated(workspace).acts)

    def holds() -> bool:
        with Workspace.open(shelves) as workspace:
            return not curated(workspace).due

    with running(shelves) as address:
        page.goto(address + way_in(shelves))
        page.goto(f"{address}/records")
        page.click("a:has-text('Curate the portal')")
        page.fill("#q", "scheduling")
        page.click("form[role=search] button")
        page.check("ul.lined > li >> nth=0 >> input[type=checkbox]")
        page.check("ul.lined > li >> nth=1 >> input[type=checkbox]")
        page.check("ul.lined > li >> nth=1 >> input[type=radio]")
        page.click("button:has-text('Make one of the ticked')")
        page.wait_for_selector("text=one with")
        wait_for(holds)
        page.goto(f"{address}/curate")
        page.check("ul.lined > li >> nth=3 >> input[type=checkbox]")
        page.fill("#why", "not ours")
        page.click("button:has-text('Hide the ticked')")
        page.wait_for_selector("td:has-text('not ours')")
        assert count() == 2
        page.set_viewport_size({"width": 390, "height": 800})
        wait_until_it_fits(page)
        for left in (1, 0):
            page.click("table tbody tr >> nth=0 >> button")
            page.wait_for_selector("text=Undone")
            assert count() == left
        wait_for(holds)
