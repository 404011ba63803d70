"""Pictures that drip: pages of the app and of the site come all the same, and each picture is given up in its time."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from trailmark.serve.view_pages import MOST_UNDER_WAY, signed
from trailmark.workspace import change_setting

PICTURE = b"\x89PNG\r\n\x1a\n"
TIMEOUT = 4.0


class Dripping(BaseHTTPRequestHandler):
    """Pages and good pictures come at once; others a byte at a time, for ever."""

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "image/png")
        if not self.path.startswith("/drip"):
            body = b"" if self.path == "/robots.txt" else PICTURE if "good" in self.path else b"<title>a page</title>"
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.end_headers()
        try:
            while not self.server.over.wait(0.2):  # type: ignore[attr-defined]
                self.wfile.write(b"x")
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def site() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
    server.over = threading.Event()  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.over.set()  # type: ignore[attr-defined]
    server.shutdown()


def status(url: str, visit: Callable[..., Any] = urllib.request.urlopen) -> int:
    try:
        with visit(url, timeout=120) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_nothing_waits_for_pictures_that_drip(folder: Path, site: int) -> None:
    for table, key, value in (("forage", "contact", "https://trailmark.test/"), ("forage", "allow_hosts", ("*.localhost",)), ("serve", "delay", 0.0), ("serve", "timeout", TIMEOUT)):  # fmt: skip
        change_setting(folder, table, key, value)
    slow, other = f"http://slow.localhost:{site}", f"http://other.localhost:{site}"
    visitor = Visitor(folder)
    with running(folder) as home, ThreadPoolExecutor(60) as threads:

        def asset(url: str) -> str:
            return home + signed(visitor.state, "/asset", u=url, live="1")

        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert status(home + way_in(folder), browser.open) == 200
        assert status(asset(f"{other}/good")) == 200
        dripping = [threads.submit(status, asset(f"{slow}/drip{number}")) for number in range(45)]
        while sum(each.done() for each in dripping) < 45 - MOST_UNDER_WAY:
            time.sleep(0.01)
        assert {each.result() for each in dripping if each.done()} == {503}
        assert status(f"{home}/static/app.css", browser.open) == 200
        assert status(f"{home}/", browser.open) == 200
        assert visitor.state.pages.page(f"{slow}/", live=True).status == 200
        assert not all(each.done() for each in dripping), "the pages came before the pictures were given up"
        assert {each.result(timeout=120) for each in dripping} == {404, 503}
        assert status(asset(f"{other}/good2")) == 200
        assert status(asset(f"{slow}/good")) == 200
