"""The portal in public: what can't be reached, what is refused, who waits, and what an error shows."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from tests.serve.portal_world import Reader, library
from trailmark.datatypes import Record, Response
from trailmark.errors import InputError, NotAWorkspace
from trailmark.serve.app import ROUTERS
from trailmark.serve.portal import copy_routes
from trailmark.serve.portal.app import make_portal
from trailmark.serve.portal.desk import Desk, Reading, TooBusy
from trailmark.serve.portal.kept_pages import KeptPages, Made
from trailmark.serve.portal.options import contrast, portal_options
from trailmark.serve.portal.porch import HEADERS
from trailmark.serve.portal.rate import MOST, Rate
from trailmark.serve.portal.shown_text import clean, opening
from trailmark.settings import PortalSettings, Settings, settings_reference
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace, change_settings, settings_in


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("portal") / "w")


@pytest.fixture(scope="module")
def reader(shelves: Path) -> Iterator[Reader]:
    reader = Reader(shelves)
    yield reader
    reader.desk.close()


def test_nothing_of_the_app_can_be_reached(reader: Reader) -> None:
    paths = {str(getattr(route, "path", "")) for router in ROUTERS for route in router.routes}
    plain = {re.sub(r"\{[^}]*\}", "1", path) or "/" for path in paths} - {"/", "/api"}
    assert len(plain) > 40
    for path in sorted(plain):
        assert reader.get(path).status_code == 404, path


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_it_is_for_reading_alone(reader: Reader, method: str) -> None:
    for path in ("/", "/search", "/api/v1/search", "/static/portal.css"):
        answer = reader.http.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_files_are_opened_for_reading_alone(shelves: Path) -> None:
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(shelves.rglob("*")) if path.is_file() and not path.name.endswith(("-shm", "-wal"))}  # fmt: skip
    reader = Reader(shelves)
    for path in ("/", "/search?q=neural", f"/item/{reader.desk.catalogue.shelf.addresses[0]}", "/oai?verb=Identify"):
        assert reader.get(path).status_code == 200
    assert reader.get(f"/item/{reader.desk.catalogue.shelf.addresses[0]}/copy/1/page").status_code == 200
    reader.desk.close()
    assert before == {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in before}


def test_every_answer_has_its_headers(reader: Reader) -> None:
    for path in ("/", "/nothing", "/static/portal.css", "/feed/newest", "/oai", "/api/v1/search?page=0", "/x" * 900):
        answer = reader.get(path)
        assert set(HEADERS) <= {name.lower() for name in answer.headers}
    assert "unsafe" not in reader.get("/").headers["content-security-policy"]
    assert "max-age=3600" in reader.get("/static/portal.css").headers["cache-control"]
    assert reader.get("/search/").status_code == 404  # and no way out of a prefix


def test_a_head_has_no_body_and_a_known_page_is_not_sent_again(reader: Reader) -> None:
    page = reader.get("/")
    head = reader.http.head("/")
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", page.headers["etag"])
    assert head.headers["content-length"] == str(len(page.content))
    again = reader.get("/", headers={"if-none-match": f'"other", W/{page.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert reader.get("/", headers={"if-modified-since": page.headers["last-modified"]}).status_code == 304
    assert reader.get("/", headers={"if-none-match": '"other"', "if-modified-since": page.headers["last-modified"]}).status_code == 200  # fmt: skip


def test_what_is_too_long_or_calls_us_by_no_name_is_refused(reader: Reader) -> None:
    assert reader.get("/search", params={"q": "a" * 5000}).status_code == 414
    assert reader.get("/" + "a" * 1500).status_code == 414
    assert reader.get("/", headers={"host": "evil.test/<script>"}).status_code == 400
    assert reader.get("/search", params={"q": " ".join("ab" for _ in range(900))}).status_code == 200


@settings(deadline=None, max_examples=60)
@given(text=HOSTILE, value=HOSTILE)
def test_nothing_that_is_asked_breaks_it(reader: Reader, text: str, value: str) -> None:
    plain = text.encode("utf-8", "replace").decode()
    chosen = value.encode("utf-8", "replace").decode()
    for path, words in (
        ("/search", {"q": plain, "topic": chosen, "year": chosen}),
        ("/search", {"q": f"field:{plain}", "site": chosen, "kind": plain, "sort": chosen, "page": chosen}),
        ("/feed/search", {"q": plain}),
        ("/oai", {"verb": plain, "set": chosen}),
        ("/oai", {"verb": "ListRecords", "resumptionToken": chosen}),
    ):
        answer = reader.get(path, params=words)
        assert answer.status_code == 200
        if path == "/search":
            assert not re.search("<script>|<b>", answer.text)


@pytest.mark.parametrize("path", ["/item/..%2f..%2ftrailmark.toml", "/static/../app.py", "/static/%2e%2e/app.py", "/item/x.bib", "/topic/%00", "/item/000000000000", "/item/" + "0" * 12 + ".bib", "/sitemap-x.xml", "/sitemap-0.xml"])  # fmt: skip
def test_addresses_that_are_none_are_said_to_be_none(reader: Reader, path: str) -> None:
    answer = reader.get(path)
    assert answer.status_code in (400, 404)
    assert "Traceback" not in answer.text
    assert str(reader.folder) not in answer.text


def test_a_fault_shows_neither_path_nor_trace(shelves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(f"secret of {shelves}")

    monkeypatch.setattr("trailmark.serve.portal.page_routes.home_view", fail)
    reader = Reader(shelves)
    answer = reader.get("/")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert set(HEADERS) <= set(answer.headers)


def test_who_asks_too_often_waits_and_others_do_not(shelves: Path) -> None:
    now = [0.0]
    rate = Rate(60, 3, lambda: now[0])
    assert [rate.wait("192.0.2.1") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert rate.wait("192.0.2.1") == 1.0
    assert rate.wait("192.0.2.2") == 0.0
    now[0] = 1.0
    assert rate.wait("192.0.2.1") == 0.0
    assert rate.wait("2001:db8::1") == rate.wait("2001:db8::2") == rate.wait("2001:db8::3") == 0.0
    assert rate.wait("2001:db8::ffff:4") > 0  # one reader has all of these
    for number in range(MOST + 10):
        rate.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(rate._buckets) == MOST


def test_a_reader_over_the_rate_is_told_when_to_come_back(shelves: Path, tmp_path: Path) -> None:
    folder = library(tmp_path / "w", settings={"rate": 60, "burst": 3})
    reader = Reader(folder)
    answers = [reader.get("/") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert reader.get("/static/portal.css").status_code == 200


def test_only_a_trusted_server_in_front_is_believed(shelves: Path) -> None:
    said = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-forwarded-host": "papers.test", "x-forwarded-prefix": "/papers"}  # fmt: skip
    plain = Reader(shelves)
    assert 'href="/static/portal.css"' in plain.get("/", headers=said).text
    options = portal_options(PortalSettings(trusted_proxies=("127.0.0.0/8",)))
    app = make_portal(shelves, options)
    trusting = TestClient(app, base_url="http://library.test", client=("127.0.0.1", 5))
    page = trusting.get("/", headers=said).text
    assert 'href="/papers/static/portal.css"' in page
    assert "<loc>https://papers.test/papers/</loc>" in trusting.get("/sitemap.xml", headers=said).text
    wrong = trusting.get("/", headers={**said, "x-forwarded-prefix": '/"><script>'}).text
    assert "<script>" not in wrong


def test_below_a_prefix_all_links_stay_below_it(shelves: Path) -> None:
    reader = Reader(shelves, prefix="/library")
    for path in ("/library/", "/library", "/", "/library/search?q=neural", "/library/topic/Computing"):
        answer = reader.get(path)
        assert answer.status_code == 200
        links = re.findall(r'(?:href|src|action)="(/[^"]*)"', answer.text)
        assert links
        assert all(link.startswith("/library/") for link in links)
    assert reader.get("/library/static/portal.css").status_code == 200
    assert reader.get("/librarystatic/portal.css").status_code == 404


def test_more_than_can_be_done_is_shed_and_the_rest_is_served(shelves: Path) -> None:
    chosen = settings_in(shelves)
    tight = dataclasses.replace(chosen, portal=dataclasses.replace(chosen.portal, threads=2, waiting=3, timeout=5.0))
    desk = Desk(shelves, tight)
    gate = threading.Event()

    def slow(_: Reading) -> Made:
        gate.wait(10)
        return Made(b"done")

    async def crowd() -> list[Any]:
        tasks = [asyncio.create_task(desk.page(("page", number), slow)) for number in range(20)]
        same = [asyncio.create_task(desk.page(("page", 0), slow)) for _ in range(5)]
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.2, gate.set)
        return await asyncio.gather(*tasks, *same, return_exceptions=True)

    answers = asyncio.run(crowd())
    served = [answer for answer in answers if isinstance(answer, Made)]
    assert len(served) == 5 + 5  # two under way, three waiting, five for the same page as the first
    assert sum(isinstance(answer, TooBusy) for answer in answers) == 15
    desk.close()


def test_a_page_that_takes_too_long_is_broken_off(shelves: Path) -> None:
    chosen = settings_in(shelves)
    desk = Desk(shelves, dataclasses.replace(chosen, portal=dataclasses.replace(chosen.portal, timeout=0.2)))

    def endless(reading: Reading) -> Made:
        reading.library.connection.execute("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n").fetchone()  # fmt: skip
        return Made(b"")

    with pytest.raises(TooBusy):
        asyncio.run(desk.page(("endless",), endless))
    desk.close()


def test_a_busy_moment_is_said_with_when_to_come_back(shelves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(shelves)

    async def busy(*_: object) -> Made:
        raise TooBusy

    monkeypatch.setattr(reader.desk, "page", busy)
    for path in ("/", "/api/v1/topics"):
        answer = reader.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")


def test_pages_that_are_kept_stay_within_their_bytes() -> None:
    kept = KeptPages(1000)
    for number in range(30):
        kept.put(number, Made(b"x" * 100))
    assert sum(kept.get(number) is not None for number in range(30)) == 10
    kept.put("error", Made(b"", status=500))
    assert kept.get("error") is None


def test_what_can_not_be_meant_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotAWorkspace):
        make_portal(tmp_path)
    Workspace.create(tmp_path / "w").close()
    with pytest.raises(InputError, match="trailmark organise"):
        make_portal(tmp_path / "w")
    for name, value, sentence in (
        ("colour", "red", "#rrggbb"),
        ("colour", "#ffee00", "contrast"),
        ("colour_dark", "#101010", "contrast"),
        ("prefix", "/a b", "a path such as"),
        ("public_address", "ftp://x", "https://"),
    ):
        with pytest.raises(InputError, match=re.escape(sentence)):
            portal_options(dataclasses.replace(PortalSettings(), **{name: value}))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no network address"):
        portal_options(PortalSettings(trusted_proxies=("x",)))
    change_settings(tmp_path / "w", {("portal", "about"): "none.md"})
    with pytest.raises(InputError, match=r"none\.md"):
        make_portal(tmp_path / "w")


def test_the_owners_page_and_picture_are_shown_and_can_not_act(tmp_path: Path) -> None:
    folder = library(tmp_path / "w", settings={"about": "about.md", "logo": "logo.svg"})
    (folder / "about.md").write_text(
        "# We\n\n<script>alert(1)</script>\n\n[bad](javascript:alert(1)) *kind*", encoding="utf-8"
    )
    (folder / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    reader = Reader(folder)
    page = reader.get("/about").text
    assert "<em>kind</em>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    logo = reader.get("/logo")
    assert logo.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in logo.headers["content-security-policy"]


@given(HOSTILE)
def test_shown_text_holds_nothing_that_steers(text: str) -> None:
    shown = clean(text)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)
    assert clean(shown) == shown


@given(st.text(max_size=3000))
def test_a_long_value_is_cut_and_nothing_is_lost(text: str) -> None:
    first, rest = opening(text)
    assert first + rest == text
    assert len(first) <= 750


def test_settings_of_the_portal_are_documented_and_readable() -> None:
    assert "## [portal]" in settings_reference()
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast(Settings().portal.colour, "#fdfcf9") > 4.5


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers whose archived copies are documents: a PDF, a page that claims to be one, a PDF that claims to be a page, a large one."""
    urls = [f"http://docs.example/{name}" for name in ("a.pdf", "b.pdf", "c.html", "d.pdf", "e.ps")]
    kinds = ("application/pdf", "application/pdf", "text/html", "application/pdf", "application/postscript")
    script = b"<html><script>alert(1)</script>"
    bodies = (b"%PDF-1.4\n%%EOF" + b"x" * 600_000, script, b"%PDF-1.4 " + script, b"%PDF-" + b"y" * 2000, b"%!PS")
    records = [Record(url, "paper", {"title": (f"Document {n}",)}, "tag:x") for n, url in enumerate(urls)]
    folder = library(tmp_path_factory.mktemp("documents") / "w", more=records)
    with Workspace.open(folder) as workspace, ArchiveWriter(workspace.archive_folder) as writer:
        for url, kind, body in zip(urls, kinds, bodies, strict=True):
            workspace.keep_page(url, Response(url, 200, (("Content-Type", kind),), body), writer)
    return folder


def copies(reader: Reader) -> list[str]:
    shelf = reader.desk.catalogue.shelf
    return [f"/item/{shelf.addresses[shelf.titles.index(f'Document {n}')]}/copy/1" for n in range(5)]


def test_an_archived_pdf_is_handed_out_as_a_file_that_nothing_of_ours_draws(documents: Path) -> None:
    reader = Reader(documents)
    first = copies(reader)[0]
    assert f'href="{first}/file"' in reader.get(first).text
    answer = reader.get(f"{first}/file")
    assert answer.status_code == 200
    assert answer.content.startswith(b"%PDF-1.4")
    assert len(answer.content) == 600_014
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"].startswith('attachment; filename="')
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "script-src" not in answer.headers["content-security-policy"]
    assert reader.get(f"{first}/file", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert reader.get(f"{first}/page").status_code == 404
    assert reader.http.head(f"{first}/file").content == b""


def test_what_only_claims_to_be_a_pdf_or_a_page_is_no_file(documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_routes, "LARGEST_FILE", 1000)
    reader = Reader(documents)
    _, claims, page, large, script = copies(reader)
    for path in (claims, page, large, script):
        assert reader.get(f"{path}/file").status_code == 404
    assert "another kind" in reader.get(claims).text
    assert "too large" in reader.get(large).text
    assert "<script" not in reader.get(f"{page}/page").text.lower()
    assert "Save the archived PDF" not in reader.get(page).text
    for number in ("2", "x", "99999"):
        assert reader.get(f"{large.removesuffix('1')}{number}/file").status_code == 404


def test_documents_leave_one_to_a_reader_and_a_few_at_once(documents: Path) -> None:
    reader = Reader(documents)
    first = copies(reader)[0]
    under_way = reader.app.state.portal.documents
    assert reader.get(f"{first}/file").status_code == 200
    assert not under_way, "who has it is let go"
    under_way.update(map(str, range(copy_routes.AT_ONCE)))
    busy = reader.get(f"{first}/file")
    assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
    under_way.clear()
    assert reader.get("/item/000000000000/copy/1/file").status_code == 404
    assert not under_way
    change_settings(documents, {("portal", "copies"): False})
    closed = Reader(documents)
    assert closed.get(f"{first}/file").status_code == 404
    change_settings(documents, {("portal", "copies"): True})
