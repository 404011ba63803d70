"""What visitors of the portal send in, from the form to the search that finds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient

from tests.serve.app_visitor import Visitor
from tests.serve.portal_world import Reader, library, portal_running
from trailmark.serve.options import Options
from trailmark.store.suggestion_box import open_box
from trailmark.verbs.suggestions import MOST_A_DAY

FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("suggest") / "w")


@pytest.fixture
def reader(world: Path) -> Reader:
    return Reader(world)


def send(reader: Reader, headers: dict[str, str] | None = None, **fields: str) -> Any:
    return reader.http.post("/suggest", content=urlencode(fields), headers={**FORM, **(headers or {})})


def box(world: Path) -> list[tuple[str, str]]:
    with open_box(world) as opened:
        return [(each.kind, each.url) for each in opened.list()]


def test_an_address_is_taken_once_and_a_wrong_one_is_shown_again(reader: Reader, world: Path) -> None:
    assert "Suggest a site" in reader.get("/suggest").text
    thanked = send(reader, url="http://papers.example.org/", text="Ours")
    assert (thanked.status_code, "Thank you" in thanked.text) == (200, True)
    assert "The same was sent before" in send(reader, url="papers.example.org").text
    wrong = send(reader, url='http://127.0.0.1/"><script>', text="<b>hello</b>")
    assert wrong.status_code == 422
    assert "That address can" in wrong.text
    assert "<b>hello" not in wrong.text
    assert "&lt;b&gt;hello&lt;/b&gt;" in wrong.text
    assert box(world) == [("site", "http://papers.example.org/")]


def test_a_mistake_is_about_an_item(reader: Reader, world: Path) -> None:
    address = reader.address("neural")
    assert f"/suggest?item={address}" in reader.get(f"/item/{address}").text
    assert "Report a mistake" in reader.get(f"/suggest?item={address}").text
    assert send(reader, item=address, text="").status_code == 422
    assert "Thank you" in send(reader, item=address, text="The year is wrong").text
    assert box(world)[0][0] == "mistake"
    assert reader.get("/suggest?item=ffffffffffff").status_code == 404
    kept = box(world)
    assert send(reader, item="ffffffffffff", text="x").status_code == 404
    assert box(world) == kept


def test_one_sender_with_many_addresses_is_one(tmp_path: Path) -> None:
    world = library(tmp_path / "w", settings={"trusted_proxies": ["127.0.0.1"]})
    front = Reader(world)
    front.http = TestClient(front.app, base_url="http://library.test", client=("127.0.0.1", 5000))
    answers = [
        send(front, {"x-forwarded-for": f"2001:db8::{number}"}, url=f"http://a{number}.example.org/").status_code
        for number in range(1, MOST_A_DAY + 3)
    ]
    assert answers == [200] * MOST_A_DAY + [422, 422]
    assert send(front, {"x-forwarded-for": "2001:db8:0:1::1"}, url="http://b.example.org/").status_code == 200


def test_a_refusal_says_nothing_of_the_settings(reader: Reader) -> None:
    refused = send(reader, url="http://papers.example.org:8765/")
    assert (refused.status_code, "[forage]" in refused.text) == (422, False)
    assert "its port is none that is asked here" in refused.text


def test_what_is_too_much_from_elsewhere_or_of_a_program_is_not_kept(reader: Reader, world: Path) -> None:
    before = box(world)
    assert send(reader, url="http://a.example.org/", text="x" * 20_000).status_code == 413
    assert reader.http.post("/suggest", content="&".join("a=b" for _ in range(50)), headers=FORM).status_code == 413
    assert send(reader, {"sec-fetch-site": "cross-site"}, url="http://a.example.org/").status_code == 403
    assert "Thank you" in send(reader, url="http://spam.example.org/", website="buy").text
    assert reader.http.post("/", content="").status_code == 405
    assert reader.http.post("/item/x", content="").status_code == 405
    assert box(world) == before


@pytest.mark.parametrize(
    ("headers", "taken"),
    [
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://library.test:81"}, False),
        ({"origin": "http://library.test.evil.example"}, False),
        ({"origin": "http://[::1"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://library.test"}, True),
        ({"origin": "https://library.test"}, True),
        ({"origin": "https://evil.example", "sec-fetch-site": "same-origin"}, True),
        ({"origin": "http://library.test", "sec-fetch-site": "same-site"}, False),
        ({}, True),
    ],
)
def test_a_form_is_taken_from_its_own_page_alone(reader: Reader, headers: dict[str, str], taken: bool) -> None:
    answer = send(reader, headers, url="not an address", text="")
    assert answer.status_code == (422 if taken else 403)


def test_behind_a_server_in_front_the_form_is_sent_from_the_public_address(tmp_path: Path) -> None:
    settings = {"public_address": "https://books.example.org/library/", "trusted_proxies": ["127.0.0.1"]}
    reader = Reader(library(tmp_path / "w", settings=settings))
    inner = {**FORM, "host": "127.0.0.1:8766"}
    for origin, status in (("https://books.example.org", 422), ("https://evil.example", 403)):
        for path in ("/suggest", "/library/suggest"):
            answer = reader.http.post(path, content=urlencode({"url": "no"}), headers={**inner, "origin": origin})
            assert answer.status_code == status
    named = Reader(library(tmp_path / "named"))
    told = {
        **FORM,
        "host": "127.0.0.1:8766",
        "x-forwarded-host": "books.example.org",
        "origin": "https://books.example.org",
    }
    assert named.http.post("/suggest", content="url=no", headers=told).status_code == 403, "nobody is trusted"


def test_the_box_can_be_closed(tmp_path: Path) -> None:
    world = library(tmp_path / "w", settings={"suggestions": False})
    reader = Reader(world)
    assert reader.get("/suggest").status_code == 404
    assert send(reader, url="http://a.example.org/").status_code == 404
    assert "/suggest" not in reader.get("/").text
    assert not (world / "suggestions.db").exists()


@pytest.mark.slow
def test_a_suggested_paper_is_accepted_fetched_tagged_and_found(
    trailmark: Any, tmp_path: Path, browser_page: Any
) -> None:
    """The whole way: a visitor's form, the owner's button, the update, the search."""
    from trailmark.store.archive import read_archive

    assert trailmark("demo", "--web-only", "--out", tmp_path / "demo", "--sites", "4").code == 0
    archive = tmp_path / "demo" / "web" / "demo.warc.gz"
    paper = next(each.url for each in read_archive(archive) if each.url.endswith(".pdf"))
    world = library(tmp_path / "w")
    visitor = Visitor(world, Options(archives=(archive,)))
    page = browser_page
    with portal_running(world) as address:
        page.goto(f"{address}/")
        page.click("nav >> text=Suggest")
        page.fill("#url", paper)
        page.click("button.primary")
        page.wait_for_selector("text=Thank you")
        visitor.post("/suggestions", do="accept", id="1", now="yes")
        (job,) = visitor.state.jobs.all()
        assert visitor.wait(job.id)["state"] == "done"
        (done,) = visitor.get("/api/suggestions").json()["suggestions"]
        assert (done["decision"], done["kind"]) == ("done", "document")
        assert done["outcome"].startswith("1 page fetched")
        title = next(
            record["fields"]["title"][0]
            for record in visitor.get("/api/records").json()["records"]
            if record["url"] == paper
        )
    with portal_running(world) as address:
        page.goto(f"{address}/search?q={title.split()[0]}+{title.split()[1]}")
        assert title.lower() in page.inner_text("main").lower()
