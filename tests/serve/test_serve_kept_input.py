"""What a person typed or ticked is not lost: a bad line, a link that can't be had, a contact that is none; and each run has its own page."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.demo import DemoWeb, serve
from trailmark.serve.options import Options
from trailmark.store.benchmark_web import read_webs
from trailmark.workspace import Workspace, change_setting

SITE = "http://dept.example/"


def test_one_bad_line_keeps_the_seeds_and_is_marked(visitor: Visitor) -> None:
    seeds = "http://a.example/\r\nnot a seed at all\r\nhttp://b.example/"
    answer = visitor.post("/runs", seeds=seeds, strategy="breadth", budget="12", site_budget="3")
    assert answer.status_code == 400
    assert "Line 2 can" in visitor.said(answer)
    assert re.search(r"<li>Line 2: <code>not a seed at all</code>", answer.text)
    box = re.search(r"<textarea[^>]*>([^<]*)</textarea>", answer.text)
    assert box
    assert box[1].split() == seeds.split()
    assert 'name="budget" type="text" inputmode="numeric" size="7" value="12"' in answer.text
    assert '<option value="breadth" selected>' in answer.text
    assert visitor.get("/api/jobs").json() == []


def test_a_wrong_budget_keeps_the_seeds_too(visitor: Visitor) -> None:
    answer = visitor.post("/runs", seeds="http://a.example/", strategy="path", budget="many")
    assert "whole number" in visitor.said(answer)
    assert "http://a.example/</textarea>" in answer.text


@pytest.mark.parametrize("wrong", ["nonsense", "a@b", "ftp://x.example/", "http://intranet/", ""])
def test_a_contact_that_is_none_is_refused_with_the_form_kept(visitor: Visitor, wrong: str) -> None:
    answer = visitor.post("/teach/contact", contact=wrong)
    assert answer.status_code == 400
    reason = "neither an e-mail address nor the address of a page" if wrong else "Say whom to write to"
    assert reason in visitor.said(answer)
    assert f'name="contact" type="text" required autocomplete="email" value="{wrong}"' in answer.text
    assert visitor.state.settings.forage.contact == ""


def test_a_contact_is_kept_and_can_be_changed(visitor: Visitor) -> None:
    assert visitor.said(visitor.post("/teach/contact", contact="me@example.org")) == "Kept in trailmark.toml."
    assert "Who is asking?" not in visitor.get("/teach").text
    again = visitor.get("/teach", params={"change": "contact"}).text
    assert 'value="me@example.org"' in again
    visitor.post("/teach/contact", contact="https://example.org/crawl")
    assert visitor.state.settings.forage.contact == "https://example.org/crawl"


def test_every_ticked_link_is_saved_or_has_its_reason(folder: Path, small_archive: Path) -> None:
    visitor = Visitor(folder, Options(archives=(small_archive,)))
    path = visitor.post("/teach", site=SITE).url.path
    page = visitor.get(path).text
    numbers = {
        url: number
        for number, url in re.findall(r'name="link" value="(\d+)"[^>]*>.*?<span class="url muted">([^<]*)', page)
    }
    ticked = [numbers[url] for url in ("/people/", "/gone", "/news", "/loop")]
    answer = visitor.post(f"{path}/save", which="links", link=ticked, outcome="goal", label="x")
    said = visitor.said(answer)
    assert said.startswith("Saved 2 trails of 4 ticked. Left out 2: ")
    assert f"{SITE}gone is not in the archive" in said
    assert f"{SITE}loop" in said
    assert len(visitor.get("/api/trails").json()) == 2


@pytest.mark.slow
def test_a_new_run_over_the_same_root_lands_on_its_own_page(demo_folder: Path) -> None:
    visitor = Visitor(demo_folder)
    root = next(iter(read_webs(demo_folder / "demo" / "web"))).roots[0]

    def walk() -> Any:
        answer = visitor.post("/runs", seeds=root, strategy="breadth", site_budget="3", **{"from": "archive"})
        job = visitor.get("/api/jobs").json()[0]["id"]
        assert answer.url.path != "/runs/1", "the old run is another one"
        visitor.wait(job)
        return visitor.get(f"/runs/job/{job}")

    assert walk().url.path == "/runs/1"
    # Something else was learnt since: the same root is a new run.
    with Workspace.open(demo_folder) as workspace, workspace.database.transaction() as connection:
        connection.execute("UPDATE runs SET digest = 'learnt before'")
    answer = walk()
    assert answer.url.path == "/runs/2"
    assert visitor.get("/api/runs/2").json()["pages"] == 3


@pytest.mark.slow
def test_robots_txt_is_asked_for_once_however_many_pages_are_clicked(visitor: Visitor) -> None:
    with serve(DemoWeb(sites=1, seed=1, pages=40)) as server:
        for table, key, value in (
            ("forage", "contact", "https://trailmark.test/"),
            ("forage", "allow_hosts", ("*.localhost",)),
            ("serve", "delay", 0.0),
        ):
            change_setting(visitor.folder, table, key, value)
        server.keep_log = True
        answer = visitor.post("/teach", site=server.root(0))
        for number in (1, 2, 3):
            links = re.findall(r'href="(/teach/[^"]+/go\?[^"]+)"', visitor.frame(answer).text)
            answer = visitor.get(links[number].replace("&amp;", "&"))
        asked = Counter(path for _, path in server.asked)
        assert len(asked) > 2
        assert asked["/robots.txt"] == 1


def test_a_json_client_without_a_key_is_answered_in_json(folder: Path) -> None:
    stranger = Visitor(folder, enters=False)
    for path in ("/api/trails", "/runs", "/teach"):
        answer = stranger.http.post(path, json={})
        assert (answer.status_code, answer.headers["content-type"]) == (401, "application/json")
        assert "trailmark serve" in answer.json()["error"]
    asked = stranger.get("/records", headers={"accept": "application/json"})
    assert (asked.status_code, asked.headers["content-type"]) == (401, "application/json")
    browser = stranger.http.post("/runs", data={"seeds": "x"}, headers={"accept": "text/html,application/json"})
    assert browser.headers["content-type"].startswith("text/plain")
