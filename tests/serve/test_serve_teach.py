"""Teaching without a browser: every step, what is refused, and where pages come from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.datatypes import Response
from trailmark.demo import DemoWeb, serve
from trailmark.errors import SettingsError
from trailmark.serve.guard import SIGNED_PATHS
from trailmark.serve.options import Options
from trailmark.settings import commented_toml, parse_settings, with_setting
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace, change_setting

ROOT = DemoWeb(sites=5, seed=1, pages=100).root(0)
SITE = "http://dept.example/"


@pytest.fixture
def teacher(folder: Path, small_archive: Path) -> Visitor:
    """A visitor of the small web of all tests."""
    return Visitor(folder, Options(archives=(small_archive,)))


def begin(visitor: Visitor, site: str = SITE) -> Any:
    answer = visitor.post("/teach", site=site)
    assert answer.url.path.startswith("/teach/"), visitor.said(answer)
    return answer


def click(visitor: Visitor, answer: Any, anchor: str) -> Any:
    found = re.search(rf'href="(/teach/[^"]+/go\?[^"]+)"[^>]*>{re.escape(anchor)}<', visitor.frame(answer).text)
    assert found, anchor
    return visitor.get(found[1].replace("&amp;", "&"))


def trails(visitor: Visitor) -> list[Any]:
    found: list[Any] = visitor.get("/api/trails").json()
    return found


@pytest.mark.slow
def test_the_way_is_shown_and_saved(teacher: Visitor) -> None:
    answer = begin(teacher)
    for anchor in ("People", "Ada", "Publications"):
        answer = click(teacher, answer, anchor)
    path = answer.url.path
    answer = teacher.post(f"{path}/step", do="name", step="2", label="  faculty\tmember ")
    assert "faculty member" in answer.text
    answer = teacher.post(f"{path}/save", outcome="goal", label="publications")
    assert teacher.said(answer) == "Saved 1 trail."
    [saved] = trails(teacher)
    assert [step["url"] for step in saved["steps"]] == [SITE, SITE + "people/", SITE + "~ada/", SITE + "~ada/pubs.html"]
    assert [step["label"] for step in saved["steps"]] == [None, None, "faculty member", "publications"]
    assert [step["anchor"] for step in saved["steps"]] == [None, "People", "Ada", "Publications"]
    # The draft goes on one page back: from Ada's page to the list, and to the next person.
    answer = teacher.post(f"{path}/step", do="undo")
    answer = click(teacher, answer, "Bob")
    answer = teacher.post(f"{path}/save", outcome="fail")
    assert [trail["outcome"] for trail in trails(teacher)] == ["goal", "fail"]
    assert "publications" in answer.text, "names of earlier trails are proposed"


def test_every_field_beside_the_page_has_a_label(teacher: Visitor) -> None:
    text = click(teacher, begin(teacher), "People").text
    for field in re.findall(r"<(?:input|textarea|select)[^>]*>", text):
        if 'type="hidden"' in field or 'type="checkbox"' in field:
            continue
        name = re.search(r'id="([^"]+)"', field)
        assert name, field
        assert f'for="{name[1]}"' in text, field
    assert re.search(r'<iframe title="[^"]+"', text)
    assert 'sandbox="allow-top-navigation-by-user-activation"' in text


@pytest.mark.slow
def test_saving_twice_says_so(teacher: Visitor) -> None:
    path = click(teacher, begin(teacher), "People").url.path
    teacher.post(f"{path}/save", outcome="goal")
    click(teacher, teacher.get(path), "People")
    assert "known already" in teacher.said(teacher.post(f"{path}/save", outcome="goal"))


@pytest.mark.slow
def test_several_links_in_one_go(teacher: Visitor) -> None:
    answer = click(teacher, begin(teacher), "People")
    numbers = re.findall(r'name="link" value="(\d+)"', answer.text)
    assert len(numbers) == 2
    said = teacher.post(f"{answer.url.path}/save", which="links", link=numbers, outcome="goal", label="person")
    assert teacher.said(said) == "Saved 2 trails."
    assert {trail["steps"][-1]["anchor"] for trail in trails(teacher)} == {"Ada", "Bob"}
    said = teacher.post(f"{answer.url.path}/save", which="links", link=["99", "x", "-1"], outcome="goal")
    assert "Tick between" in teacher.said(said)


@pytest.mark.slow
def test_a_link_that_leads_on_is_a_step_to_where_it_leads(teacher: Visitor) -> None:
    answer = click(teacher, begin(teacher), "Contact us")
    assert "/contact/" in answer.text, "a redirect ends where it leads"
    teacher.post(f"{answer.url.path}/save", outcome="goal")
    assert trails(teacher)[0]["steps"][-1]["url"] == SITE + "contact/"


@pytest.mark.slow
def test_an_address_that_nobody_signed_does_nothing(teacher: Visitor) -> None:
    answer = begin(teacher)
    path = answer.url.path
    found = re.search(r'href="(/teach/[^"]+/go\?[^"]+)"', teacher.frame(answer).text)
    assert found
    good = found[1].replace("&amp;", "&")
    for wrong in (
        good.replace("link=0", "link=1"),
        good.replace("version=1", "version=2"),
        f"{path}/go?link=0&version=1",
        good[:-1],
    ):
        assert "not one that the app made" in teacher.said(teacher.get(wrong))
    other = begin(teacher).url.path
    moved = good.replace(path, other)
    assert "not one that the app made" in teacher.said(teacher.get(moved)), "nor one of another draft"
    for path in (*SIGNED_PATHS, "/view?name=x&version=1&k=", "/asset?u=http://127.0.0.1/&live=1&k=x"):
        assert teacher.get(path).status_code == 403, path


def test_a_click_counts_once(teacher: Visitor) -> None:
    answer = begin(teacher)
    found = re.search(r'href="(/teach/[^"]+/go\?[^"]+)"', teacher.frame(answer).text)
    assert found
    link = found[1].replace("&amp;", "&")
    teacher.get(link)
    again = teacher.get(link)
    assert "has changed" in teacher.said(again)
    assert again.text.count("clicked") == 1


@pytest.mark.slow
def test_drafts_outlive_the_app_and_can_be_thrown_away(teacher: Visitor, small_archive: Path) -> None:
    path = click(teacher, begin(teacher), "People").url.path
    again = Visitor(teacher.folder, Options(archives=(small_archive,)))
    assert "2 pages" in again.get("/teach").text
    assert again.get(path).status_code == 200
    assert "thrown away" in again.said(again.post(f"{path}/step", do="forget"))
    assert again.get(path).status_code == 400
    assert "2 pages" not in again.get("/teach").text


@pytest.mark.slow
def test_what_was_crawled_is_escaped_everywhere(folder: Path, tmp_path: Path) -> None:
    evil = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    markup = f"<html><head><title>{evil.replace('<', '&lt;')}</title></head><a href='/n?{evil}'>{evil.replace('<', '&lt;')}</a>"
    archive = tmp_path / "evil.warc.gz"
    kind = (("Content-Type", "text/html"),)
    with ArchiveWriter(archive) as writer:
        writer.write(Response("http://evil.example/", 200, kind, markup.encode()))
        writer.write(Response("http://evil.example/pdf", 200, (("Content-Type", "a/b;<script>"),), b"%PDF-1"))
    visitor = Visitor(folder, Options(archives=(archive,)))
    answer = begin(visitor, "http://evil.example/")
    visitor.post(f"{answer.url.path}/step", do="name", step="0", label=evil)
    for page in (visitor.get(answer.url.path), visitor.get("/teach"), visitor.get("/"), visitor.frame(answer)):
        assert "alert(1)" in page.text or page.url.path == "/"
        assert "<script>" not in page.text
        assert "<img src=x" not in page.text


def test_documents_that_are_no_pages_are_named(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "doc.warc.gz"
    with ArchiveWriter(archive) as writer:
        writer.write(Response(SITE, 200, (("Content-Type", "application/pdf"),), b"%PDF-1"))
    visitor = Visitor(folder, Options(archives=(archive,)))
    assert "A document (application/pdf" in visitor.frame(begin(visitor)).text


@pytest.mark.slow
def test_styles_and_pictures_come_through_the_app(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "styled.warc.gz"
    parts = {
        "": (
            "text/html",
            b"<!doctype html><link rel=stylesheet href=a.css><img src=i.png><img src=x.html><img src=s.svg>",
        ),
        "a.css": ("text/css", b"@import 'b.css'; p { background: url(i.png) }"),
        "i.png": ("image/png", b"\x89PNG\r\n\x1a\n"),
        "x.html": ("text/html", b"<script>alert(1)</script>"),
        "s.svg": ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    }
    with ArchiveWriter(archive) as writer:
        for name, (kind, body) in parts.items():
            writer.write(Response(SITE + name, 200, (("Content-Type", kind),), body))
    visitor = Visitor(folder, Options(archives=(archive,)))
    shown = visitor.frame(begin(visitor))
    assets = [found.replace("&amp;", "&") for found in re.findall(r'"(/asset\?[^"]+)"', shown.text)]
    assert len(assets) == 4
    sheet, picture, page, drawing = (visitor.get(asset) for asset in assets)
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert re.fullmatch(r'@import url\("/asset\?[^"]+"\); p \{ background: url\("/asset\?[^"]+"\) \}', sheet.text)
    assert picture.headers["content-type"] == "image/png"
    assert page.status_code == 404, "a page is no picture"
    assert "sandbox" in drawing.headers["content-security-policy"]
    for asset in (sheet, picture, page, drawing):
        assert asset.headers["x-content-type-options"] == "nosniff"
    # What is not in the archive is not asked of the network either.
    assert visitor.get(re.findall(r'url\("(/asset[^"]+)"', sheet.text)[0]).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("site", ["http://127.0.0.1:1/", "localhost:8765", "http://169.254.169.254/latest/", "http://[::1]/", "http://2130706433/"])  # fmt: skip
def test_nothing_of_this_machine_or_its_net_is_fetched(visitor: Visitor, site: str) -> None:
    change_setting(visitor.folder, "forage", "contact", "me@example.org")
    answer = visitor.post("/teach", site=site)
    assert answer.url.path == "/teach"
    assert visitor.said(answer)
    assert not list((visitor.folder / "serve" / "teach").glob("*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "site", ["", "javascript:alert(1)", "file:///etc/passwd", "ftp://x.example/", "http://", "http://a b/"]
)
def test_what_is_no_address_is_refused(visitor: Visitor, site: str) -> None:
    answer = visitor.post("/teach", site=site)
    assert answer.url.path == "/teach"
    assert visitor.said(answer)


def test_who_asks_is_asked_first_and_kept(visitor: Visitor) -> None:
    assert "Who is asking?" in visitor.get("/teach").text
    assert "contact" in visitor.said(visitor.post("/teach", site="www.example.edu"))
    assert "Kept" in visitor.said(visitor.post("/teach/contact", contact='me "x" <me@example.org>'))
    assert "Who is asking?" not in visitor.get("/teach").text
    with Workspace.open(visitor.folder) as workspace:
        assert workspace.settings.forage.contact == 'me "x" <me@example.org>'


@pytest.mark.slow
def test_a_live_site_is_browsed_and_its_pages_are_kept(visitor: Visitor) -> None:
    folder = visitor.folder
    for table, key, value in (("forage", "contact", "https://trailmark.test/"), ("forage", "allow_hosts", ("*.localhost",)), ("serve", "delay", 0.0)):  # fmt: skip
        change_setting(folder, table, key, value)
    with serve(DemoWeb(sites=1, seed=3, pages=100)) as server:
        answer = begin(visitor, server.root(0))
        link = next(a for a in server.web.site(0).page("/").anchors() if a.path.startswith("/"))  # type: ignore[union-attr]
        answer = click(visitor, answer, link.text)
    # The server is gone: what was seen is what is taught.
    said = visitor.said(visitor.post(f"{answer.url.path}/save", outcome="goal"))
    assert said == "Saved 1 trail."
    assert len(trails(visitor)[0]["steps"]) == 2


@pytest.mark.slow
def test_a_recording_of_a_live_site_is_taught_beside_an_archive(demo_visitor: Visitor) -> None:
    """The archive of the generated web does not keep other sites from being fetched, here as under /api/trails."""
    folder = demo_visitor.folder
    for table, key, value in (("forage", "contact", "https://trailmark.test/"), ("forage", "allow_hosts", ("*.localhost",)), ("forage", "delay", 0.0)):  # fmt: skip
        change_setting(folder, table, key, value)
    with serve(DemoWeb(sites=1, seed=3, pages=100)) as server:
        root = server.root(0)
        link = next(a for a in server.web.site(0).page("/").anchors() if a.path.startswith("/"))  # type: ignore[union-attr]
        steps = [{"url": root}, {"url": root.rstrip("/") + link.path, "label": "page"}]
        lines = [
            {"site": root, "outcome": "goal", "steps": steps},
            {"site": ROOT, "outcome": "goal", "steps": [{"url": ROOT}]},
        ]
        sent = {"name": "mine.jsonl", "text": "\n".join([*map(json.dumps, lines), "{"])}
        report = demo_visitor.http.post("/api/recordings", json=sent, headers=demo_visitor.bearer()).json()
    assert report["trails"] == 2, report["problems"]
    assert report["sites"] == sorted([root, ROOT])
    assert [(problem["file"], problem["line"]) for problem in report["problems"]] == [("mine.jsonl", 3)]


def test_trails_are_taught_by_programs(teacher: Visitor) -> None:
    bearer = teacher.bearer()
    good = {"site": SITE, "outcome": "goal", "steps": [{"url": SITE}, {"url": SITE + "people/", "label": "people"}]}
    jump = {"site": SITE, "outcome": "goal", "steps": [{"url": SITE}, {"url": SITE + "~ada/"}]}
    report = teacher.http.post("/api/trails", json={"trails": [good, jump]}, headers=bearer).json()
    assert report["trails"] == 1
    assert "not linked" in report["problems"][0]["reason"]
    bad = {**good, "site": "javascript:alert(1)"}
    assert len(teacher.http.post("/api/trails", json={"trails": [good, bad]}, headers=bearer).json()["problems"]) == 1
    assert "absolute" in teacher.http.post("/api/trails", json={"trails": [bad]}, headers=bearer).json()["error"]
    from_elsewhere = {**bearer, "origin": "chrome-extension://abc", "sec-fetch-site": "none"}
    assert (
        teacher.http.post("/api/trails", json={"trails": [good]}, headers=from_elsewhere).json()["known_already"] == 1
    )
    wrong = teacher.http.post("/api/trails", json={"trails": [{"site": 1}]}, headers=bearer)
    assert wrong.status_code == 422
    assert "error" in wrong.json()


def test_the_api_documents_itself(visitor: Visitor) -> None:
    described = visitor.get("/api/openapi.json").json()
    assert set(described["paths"]) >= {"/api/status", "/api/trails", "/api/jobs", "/api/jobs/{name}"}
    for path, calls in described["paths"].items():
        assert path.startswith("/api/")
        for call in calls.values():
            assert call["description"]
    assert "POST /api/jobs" in visitor.get("/api").text


def test_one_setting_is_changed_and_the_rest_of_the_file_stays() -> None:
    text = commented_toml()
    once = with_setting(text, "forage", "contact", "a@b")
    assert parse_settings(once).forage.contact == "a@b"
    assert [line for line in once.splitlines() if line not in text.splitlines()] == ['contact = "a@b"']
    twice = with_setting(once, "forage", "contact", "c")
    assert parse_settings(twice).forage.contact == "c"
    assert len(twice.splitlines()) == len(text.splitlines())
    assert parse_settings(with_setting("", "serve", "delay", 1.5)).serve.delay == 1.5
    assert parse_settings(with_setting("[serve]\nport = 1\n", "serve", "delay", 1.5)).serve.port == 1
    with pytest.raises(SettingsError):
        with_setting(text, "forage", "contcat", "x")
    with pytest.raises(SettingsError, match="by hand"):
        with_setting('[forage]\n"contact" = "x"\n', "forage", "contact", "y")
