"""Several workspaces under one app: listed, gone to, made; forms never land in another one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SITE
from tests.serve.app_visitor import Visitor, running, way_in
from trailmark.errors import NotAWorkspace
from trailmark.serve.app import make_app
from trailmark.serve.options import Options
from trailmark.serve.projects import workspaces_in
from trailmark.serve.rendering import NAVIGATION
from trailmark.verbs.status import status
from trailmark.workspace import Workspace


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with two workspaces, and something that is none."""
    for name in ("alpha", "beta"):
        Workspace.create(tmp_path / "shelf" / name).close()
    (tmp_path / "shelf" / "notes").mkdir()
    return tmp_path / "shelf"


def project_of(text: str) -> str:
    found = re.search(r'name="project" content="([^"]+)"', text)
    return found[1] if found else ""


def test_a_folder_of_workspaces_is_a_list(shelf: Path) -> None:
    assert workspaces_in(shelf).names == ("alpha", "beta")
    assert workspaces_in(shelf / "alpha").names == ()
    with pytest.raises(NotAWorkspace, match="holds none"):
        make_app(shelf / "notes", Options())


def test_one_goes_from_one_to_the_other(shelf: Path) -> None:
    visitor = Visitor(shelf)
    assert project_of(visitor.get("/").text) == "alpha"
    text = visitor.get("/projects").text
    assert "alpha" in text
    assert "beta" in text
    assert "notes" not in text.replace("not ", "")
    assert project_of(visitor.post("/projects", do="open", name="beta").text) == "beta"
    assert visitor.get("/api/status").json()["workspace"].endswith("beta")
    assert visitor.get("/api/status", params={"p": "alpha"}).json()["workspace"].endswith("alpha")
    assert visitor.get("/api/status", params={"p": ""}).json()["workspace"].endswith("beta")


def test_a_project_that_is_not_there_is_never_another_one(shelf: Path) -> None:
    visitor = Visitor(shelf)
    trails = {"trails": [{"site": SITE, "outcome": "goal", "steps": [{"url": SITE, "label": "page"}]}]}
    for odd in ("../alpha", "notes", "gamma", "alpha/", "\udcff"):
        assert visitor.get("/", params={"p": odd.encode("utf-8", "surrogateescape")}).status_code == 404, odd
        sent = visitor.http.post(
            "/api/trails", params={"p": odd.encode("utf-8", "surrogateescape")}, json=trails, headers=visitor.bearer()
        )
        assert (sent.status_code, list(sent.json())) == (404, ["error"]), odd
    for name in ("alpha", "beta"):
        with Workspace.open(shelf / name) as workspace:
            assert workspace.database.counts()["trails"] == 0


def test_a_form_of_one_project_is_not_taken_by_another(shelf: Path) -> None:
    visitor = Visitor(shelf)
    of_alpha = visitor.csrf
    visitor.post("/projects", do="open", name="beta")
    answer = visitor.http.post("/teach/contact", data={"csrf": of_alpha, "contact": "me@example.org"})
    assert answer.status_code == 403
    assert "another project" in answer.text
    assert "me@example.org" not in (shelf / "beta" / "trailmark.toml").read_text()


def test_a_new_project_is_a_workspace(shelf: Path) -> None:
    visitor = Visitor(shelf)
    assert project_of(visitor.post("/projects", do="make", name="gamma").text) == "gamma"
    with Workspace.open(shelf / "gamma") as workspace:
        assert status(workspace).counts["trails"] == 0
    for odd in ("", "../out", ".hidden", "a/b", "alpha"):
        answer = visitor.post("/projects", do="make", name=odd)
        assert visitor.said(answer), odd
    assert not (shelf.parent / "out").exists()
    assert workspaces_in(shelf).names == ("alpha", "beta", "gamma")


def test_one_workspace_alone_has_no_neighbours(shelf: Path) -> None:
    visitor = Visitor(shelf / "alpha")
    assert visitor.get("/projects").url.path == "/"
    assert visitor.get("/api/status", params={"p": "beta"}).json()["workspace"].endswith("alpha")
    assert "one workspace" in visitor.said(visitor.post("/projects", do="make", name="gamma"))


def test_a_framed_page_is_of_its_own_project(shelf: Path, small_archive: Path, small_web: Any) -> None:
    from trailmark.verbs.teach import teach

    with Workspace.open(shelf / "beta") as workspace:
        teach(workspace, [small_web.file(*small_web.good())], [small_archive])
        url = next(iter(workspace.database.trails())).steps[0].url
    visitor = Visitor(shelf)
    from trailmark.serve.view_pages import signed

    address = signed(visitor.app.state.projects.state("beta"), "/view/question", url=url)
    assert visitor.get(address).status_code == 200
    assert visitor.get(address.replace("p=beta", "p=alpha")).status_code == 403


def test_seven_words_in_one_row_on_a_phone(folder: Path, browser_page: Any) -> None:
    page = browser_page
    assert [name for _, name in NAVIGATION] == ["Teach", "Model", "Check", "Crawl", "Fields", "Data", "Watch"]
    with running(folder) as address:
        page.set_viewport_size({"width": 360, "height": 700})
        page.goto(address + way_in(folder))
        tops = page.evaluate(
            "() => [...document.querySelectorAll('.top nav li')].map((e) => Math.round(e.getBoundingClientRect().top))"
        )
        assert len(tops) == len(NAVIGATION)
        assert len(set(tops)) == 1, "the menu is one row"
        assert page.locator(".pipeline li").count() == 7
        assert page.locator("main .primary").count() == 1, "one main button"
        page.goto(f"{address}/alarms")
        current = page.locator(".top nav [aria-current]")
        assert current.text_content() == "Watch"
        box = current.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 361, "where one is stands in sight"
