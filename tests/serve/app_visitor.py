"""A visitor of the app without a browser, and the app on a real socket."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi.testclient import TestClient

from trailmark.serve.app import make_app
from trailmark.serve.key_ring import new_link
from trailmark.serve.keys import Keys
from trailmark.serve.options import Options
from trailmark.serve.server import server_config

ADDRESS = "http://127.0.0.1:8765"
PATIENCE = 120
"""Seconds that something may take on a slow machine; nothing waits that long on an idle one."""


class Visitor:
    """A visitor without a browser: keeps cookies, and sends forms with their token."""

    def __init__(self, folder: Path, options: Options | None = None, *, enters: bool = True, **more: Any) -> None:
        self.folder = folder
        self.app = make_app(folder, options or Options())
        self.state = self.app.state.trailmark
        self.http = TestClient(self.app, base_url=ADDRESS, **more)
        if enters:
            assert self.get(way_in(folder), follow_redirects=False).status_code == 303

    def get(self, path: str, **more: Any) -> Any:
        return self.http.get(path, **more)

    @property
    def csrf(self) -> str:
        found = re.search(r'name="csrf" content="([^"]+)"', self.get("/").text)
        assert found
        return found[1]

    def bearer(self, kind: Any = "program") -> dict[str, str]:
        """The header with a new key, as a program sends it."""
        return {"authorization": f"Bearer {self.state.ring.make(kind, 'a test', 1)[1]}"}

    def post(self, path: str, **fields: Any) -> Any:
        return self.http.post(path, data={"csrf": self.csrf, **fields})

    def said(self, answer: Any) -> str:
        """The sentence that a page shows once."""
        found = re.search(r'class="said[^>]*>([^<]*)', answer.text)
        return found[1] if found else ""

    def frame(self, answer: Any) -> Any:
        """What the frame of a page shows."""
        found = re.search(r'<iframe[^>]* src="([^"]+)"', answer.text)
        assert found
        return self.get(found[1].replace("&amp;", "&"))

    def wait(self, job: str) -> dict[str, Any]:
        """A job once it has ended."""
        job_report: dict[str, Any] = wait_for(
            lambda: (found := self.get(f"/api/jobs/{job}").json()) and not found["active"] and found
        )
        return job_report


def way_in(folder: Path) -> str:
    """The path of a link that opens the app on a workspace once."""
    return new_link(Keys.of(folder))


def wait_for(what: Callable[[], Any]) -> Any:
    """What is truthy in the end."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing came of it in {PATIENCE} seconds")


def wait_until_it_fits(page: Any) -> None:
    """A browser's page of which the size was just changed -> laid out anew, and no wider than its window. The policy of our pages allows no expression that the page itself tries again."""
    wait_for(lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@contextmanager
def running(folder: Path, **options: Any) -> Iterator[str]:
    """The app on a real socket, served as `trailmark serve` does; gives its address. A browser first goes to `address + way_in(folder)`."""
    with on_socket(lambda port: server_config(make_app(folder, Options(port=port, **options)))) as address:
        yield address


@contextmanager
def on_socket(config: Callable[[int], uvicorn.Config]) -> Iterator[str]:
    """What is served on a port -> its address, while it runs."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = uvicorn.Server(config(port))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()
